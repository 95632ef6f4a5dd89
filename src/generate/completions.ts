/** Creates the table of what Tab completes (src/completion/table.ts) from the commands. */
import { type Field, fieldsOf } from '../catalogue/field-types'
import type {
  CompletionArgument,
  CompletionField,
  CompletionFlag,
  CompletionPlace,
  CompletionTable,
  CompletionWord,
} from '../completion/table'
import type { Command, Flag } from '../engine/command'
import { type CommandNode, withDescendants } from '../engine/command-nodes'
import { globalFlags } from '../engine/flags'
import { flagText } from '../engine/spelled-option'

export function completionTable(tree: CommandNode): CompletionTable {
  const flags = new IndexedList<CompletionFlag>()
  const fields = new IndexedList<readonly CompletionField[]>()
  const placeOf = (node: CommandNode): CompletionPlace => {
    const own = fieldsIn(node.command)
    return {
      commands: commandsAt(node, tree),
      flags: flagsAt(node, tree).map((flag) => flags.indexOf(flag)),
      arguments: (node.command?.arguments ?? []).map(
        ({ values = '', many }): CompletionArgument => ({ values, ...(many && { many }) }),
      ),
      ...(own.length > 0 && { fields: fields.indexOf(own) }),
    }
  }
  const places = Object.fromEntries(withDescendants(tree).map((node) => [node.words.join(' '), placeOf(node)]))
  const help = { names: ['--help', '-h'], description: 'Show help' }
  const globals = [...globalFlags.flatMap((flag) => rowsOf(flag, tree)), help].map((flag) => flags.indexOf(flag))
  return { places, flags: flags.items, globals, fields: fields.items }
}

class IndexedList<Item> {
  readonly items: Item[] = []
  private readonly indexes = new Map<string, number>()

  indexOf(item: Item): number {
    const key = JSON.stringify(item)
    const index = this.indexes.get(key) ?? this.items.push(item) - 1
    this.indexes.set(key, index)
    return index
  }
}

/** Lists the words after a group. `help volumes create` is valid, so `help` has the words of every command. */
function commandsAt({ words, children }: CommandNode, root: CommandNode): CompletionWord[] {
  const shown = words.join() === 'help' ? root.children.filter((child) => child.words[0] !== 'help') : children
  return shown.map(({ words, aliases, summary }) => ({ names: [...words.slice(-1), ...aliases], description: summary }))
}

function flagsAt({ words, command }: CommandNode, root: CommandNode): CompletionFlag[] {
  if (words.length === 0) return [{ names: ['--version', '-V'], description: 'Show the version' }]
  return (command?.flags ?? []).flatMap((flag) => rowsOf(flag, root))
}

function rowsOf(flag: Flag, root: CommandNode): CompletionFlag[] {
  const { name, short, aliases = [], value, list, values = '', negative } = flag
  const description = flagText(flag)
  const row: CompletionFlag = {
    names: [`--${name}`, ...(short ? [`-${short}`] : []), ...aliases.map((alias) => `--${alias}`)],
    description,
    ...(value !== undefined && { values: values === 'commands' ? linesOf(root) : values }),
    ...(list === 'commas' && { commas: true }),
    ...(list && { repeats: true }),
  }
  return [...(negative === 'only' ? [] : [row]), ...(negative ? [{ names: [`--no-${name}`], description }] : [])]
}

function linesOf(root: CommandNode): string[] {
  const requesting = withDescendants(root).filter(({ command }) => command?.operations)
  return requesting.map(({ words }) => words.join(' '))
}

function fieldsIn(command: Command | undefined): CompletionField[] {
  const hasColumns = command?.flags.some(({ values }) => values === 'columns')
  if (!hasColumns || !command?.records) return []
  return fieldsOf(command.records).map((field) => ({ name: field.path, values: fieldValues(field) }))
}

/** Returns the values of a field for filters, if they are limited. */
function fieldValues({ path, kind, values, nullable, list }: Field): CompletionField['values'] {
  if (path === 'region') return 'regions'
  const fixedValues = kind === 'boolean' ? ['true', 'false'] : values
  const all = [...fixedValues, ...(nullable || list ? ['none'] : [])]
  return all.length > 0 ? all : ''
}
