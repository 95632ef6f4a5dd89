/** Completion data in the common format of all shell scripts: see shells/README.md. */
import { type Field, fieldsOf } from '../catalogue/field-types'
import type { Argument, Command, Flag, Values } from '../engine/command'
import { globalFlags } from '../engine/flags'
import { flagText } from '../engine/spelled-option'
import { type CommandNode, withDescendants } from './tree'

export interface CompletionRow {
  /** Entry without spaces: `NAME[,ALIAS]…[*][=VALUES]`. */
  entry: string
  description: string
}

/** Possible words after a group or a command. */
export interface CompletionPlace {
  /** Command words, such as `volumes list`; empty for the root. */
  path: string
  commands: readonly CompletionRow[]
  flags: readonly CompletionRow[]
  /** VALUES of each positional argument; one that ends with `*` applies to all following words. */
  arguments: readonly string[]
  /** Fields for filters, sorting and columns: `NAME[=VALUES]`. */
  fields: readonly string[]
}

export interface CompletionTable {
  places: readonly CompletionPlace[]
  /** Flags that are valid everywhere. */
  globals: readonly CompletionRow[]
}

export function completionTable(tree: CommandNode): CompletionTable {
  const help = { entry: '--help,-h', description: 'Show help' }
  const rows = rowsIn(tree)
  return { places: withDescendants(tree).map((node) => placeOf(node, tree)), globals: [...rows(globalFlags), help] }
}

function placeOf({ words, children, command }: CommandNode, root: CommandNode): CompletionPlace {
  const path = words.join(' ')
  // `help volumes create` is valid, so `help` completes the words of every command.
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
  (root: CommandNode) =>
  (flags: readonly Flag[]): CompletionRow[] =>
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

/** Lists the command lines that send API requests. */
function linesOf(root: CommandNode): string[] {
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

/** Returns the values of a field for filters, if they are limited. */
function fieldValues({ path, kind, values, nullable, list }: Field): string {
  if (path === 'region') return '@regions'
  const fixedValues = kind === 'boolean' ? ['true', 'false'] : values
  return valuesText([...fixedValues, ...(nullable || list ? ['none'] : [])])
}
