/** What may be typed where, in the form that the scripts of all shells share: shells/README.md explains it. */
import { type Field, fieldsOf } from '../catalogue/field-types'
import type { Argument, Command, Flag, Values } from '../engine/command'
import { flagText } from '../engine/flag-text'
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
  /** `NAME[=VALUES]` of each field that a filter, a sort or columns may name. */
  fields: readonly string[]
}

export interface Table {
  places: readonly Place[]
  /** Flags that may follow anything. */
  globals: readonly Row[]
}

export function tableOf(tree: Node): Table {
  const help = { entry: '--help,-h', description: 'Show help' }
  const rows = rowsIn(tree)
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
    flags: path === '' ? [version] : rowsIn(root)(command?.flags ?? []),
    arguments: (command?.arguments ?? []).map(argumentValues),
    fields: fieldEntries(command),
  }
}

function argumentValues({ values, many }: Argument): string {
  return `${valuesText(values)}${many ? '*' : ''}`
}

const rowsIn =
  (root: Node) =>
  (flags: readonly Flag[]): Row[] =>
    flags.flatMap((flag) => {
      const { name, short, aliases = [], value, list, values, negative } = flag
      const description = flagText(flag)
      const names = [`--${name}`, ...(short ? [`-${short}`] : []), ...aliases.map((alias) => `--${alias}`)]
      const offered = `${list === 'commas' && values ? ',' : ''}${valuesText(values === 'commands' ? linesOf(root) : values)}`
      const entry = `${names.join(',')}${list ? '*' : ''}${value === undefined ? '' : `=${offered}`}`
      return [
        ...(negative === 'only' ? [] : [{ entry, description }]),
        ...(negative ? [{ entry: `--no-${name}`, description }] : []),
      ]
    })

/** The commands that ask the service for something, as they are typed. */
function linesOf(root: Node): string[] {
  const asking = withDescendants(root).filter(({ command }) => command?.operations)
  return asking.map(({ words }) => words.join(' '))
}

function valuesText(values: Values = []): string {
  return typeof values === 'string' ? `@${values}` : values.map((value) => value.replaceAll(' ', '+')).join('|')
}

function fieldEntries(command: Command | undefined): string[] {
  const named = command?.flags.some(({ values }) => values === 'columns')
  if (!named || !command?.records) return []
  return fieldsOf(command.records).map((field) => {
    const values = fieldValues(field)
    return values === '' ? field.path : `${field.path}=${values}`
  })
}

/** What a filter may compare a field with, where that is a choice. */
function fieldValues({ path, kind, values, nullable, list }: Field): string {
  if (path === 'region') return '@regions'
  const known = kind === 'boolean' ? ['true', 'false'] : values
  return valuesText([...known, ...(nullable || list ? ['none'] : [])])
}
