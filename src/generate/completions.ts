/** What may be typed where, in the form that the scripts of all shells share: shells/README.md explains it. */
import type { Argument, Flag, Values } from '../engine/command'
import { globalFlags } from '../engine/flags'
import { type Node, withDescendants } from './tree'

export interface Row {
  /** `NAME[,ALIAS]…[*][=VALUES]`, without a space. */
  entry: string
  description: string
}

/** What may follow the words of a group or a command. */
export interface Place {
  /** `volumes list`; empty for the root. */
  path: string
  commands: readonly Row[]
  flags: readonly Row[]
  /** VALUES of each argument in turn; one that ends with `*` takes all the words that follow. */
  arguments: readonly string[]
}

export interface Table {
  places: readonly Place[]
  /** Flags that may follow anything. */
  globals: readonly Row[]
}

export function tableOf(tree: Node): Table {
  const help = { entry: '--help,-h', description: 'Show help' }
  return { places: withDescendants(tree).map((node) => placeOf(node, tree)), globals: [...rows(globalFlags), help] }
}

function placeOf({ words, children, command }: Node, root: Node): Place {
  const path = words.join(' ')
  // `help volumes create` is help on a command: the words of every command may follow it.
  const commands = path === 'help' ? root.children.filter((child) => child.words[0] !== 'help') : children
  const version = { entry: '--version,-V', description: 'Show the version' }
  return {
    path,
    commands: commands.map(({ words, aliases, summary }) => ({
      entry: [words.at(-1), ...aliases].join(','),
      description: summary,
    })),
    flags: path === '' ? [version] : rows(command?.flags ?? []),
    arguments: (command?.arguments ?? []).map(argumentValues),
  }
}

function argumentValues({ values, many }: Argument): string {
  return `${valuesText(values)}${many ? '*' : ''}`
}

function rows(flags: readonly Flag[]): Row[] {
  return flags.flatMap((flag) => {
    const { name, short, aliases = [], description, value, list, values, negative } = flag
    const names = [`--${name}`, ...(short ? [`-${short}`] : []), ...aliases.map((alias) => `--${alias}`)]
    const entry = `${names.join(',')}${list ? '*' : ''}${value === undefined ? '' : `=${valuesText(values)}`}`
    return [
      ...(negative === 'only' ? [] : [{ entry, description }]),
      ...(negative ? [{ entry: `--no-${name}`, description }] : []),
    ]
  })
}

function valuesText(values: Values = []): string {
  return typeof values === 'string' ? `@${values}` : values.join('|')
}
