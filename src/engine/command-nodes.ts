/** Command tree as data, the input for completions, reference and man pages, with the usage lines of both. */
import type { Argument, Command, CommandGroup, Flag, FlagGroup, Root } from './command'
import { commandAt, loadCommands } from './command-tree'

export interface CommandNode {
  /** Words after the program's name: `volumes`, `list`; empty for the root. */
  words: readonly string[]
  aliases: readonly string[]
  summary: string
  /** Visible children; empty for a command. */
  children: readonly CommandNode[]
  command?: Command
}

/** Loads all entries of the program. */
export async function loadTree({ description, entries }: Root): Promise<CommandNode> {
  const children = entries.map(async ({ load }) => nodeOf(await load(), []))
  return { words: [], aliases: [], summary: description, children: await Promise.all(children) }
}

/** Returns the node at these words, as `commandAt` finds it, with its descendants; the whole tree without words. */
export async function nodeAt(root: Root, words: readonly string[]): Promise<CommandNode | undefined> {
  if (words.length === 0) return loadTree(root)
  const entry = await commandAt(root, words)
  return entry && nodeOf(entry, words.slice(0, -1))
}

async function nodeOf(entry: CommandGroup | Command, above: readonly string[]): Promise<CommandNode> {
  const words = [...above, entry.name]
  const { aliases = [], summary } = entry
  if (!('commands' in entry)) return { words, aliases, summary, children: [], command: withoutHidden(entry) }
  const shown = (await loadCommands(entry)).filter((inner) => 'commands' in inner || !inner.hidden)
  return { words, aliases, summary, children: await Promise.all(shown.map((inner) => nodeOf(inner, words))) }
}

const withoutHidden = (command: Command): Command => ({
  ...command,
  flags: command.flags.filter(({ hidden }) => !hidden),
})

export function withDescendants(node: CommandNode): CommandNode[] {
  return [node, ...node.children.flatMap(withDescendants)]
}

export function commandsIn(node: CommandNode): (CommandNode & { command: Command })[] {
  return withDescendants(node).flatMap(({ command, ...place }) => (command ? [{ ...place, command }] : []))
}

/** Formats a usage line: `skyctl volumes view <volume...> [flags]`. */
export function usageOf({ words, children, command }: CommandNode): string {
  const rest = command ? [...(command.arguments ?? []).map(argumentText), '[flags]'] : []
  return ['skyctl', ...words, ...(children.length > 0 ? ['<command>'] : []), ...rest].join(' ')
}

/** Formats an argument: `<volume...>` is required and repeatable, `[region]` is optional. */
function argumentText({ name, many, optional }: Argument): string {
  const text = many ? `${name}...` : name
  return optional ? `[${text}]` : `<${text}>`
}

/** Lists the forms of a flag: `-o, --output <format>`; `--wait` and `--no-wait`. */
export function flagForms({ name, short, aliases = [], value, negative }: Flag): string[] {
  const names = [...(short ? [`-${short}`] : []), `--${name}`, ...aliases.map((alias) => `--${alias}`)]
  const positive = `${names.join(', ')}${value === undefined ? '' : ` <${value}>`}`
  return [...(negative === 'only' ? [] : [positive]), ...(negative ? [`--no-${name}`] : [])]
}

/** Group of flags that so many commands share that documents explain it once. */
export const commonGroup: FlagGroup = 'Output flags'

/** Lists the flags that documents explain with a command. */
export function ownFlags({ flags }: Pick<Command, 'flags'>): Flag[] {
  return flags.filter(({ group }) => group !== commonGroup)
}

/** Lists the flags that documents explain once, without duplicates. */
export function commonFlags(tree: CommandNode): Flag[] {
  const flags = withDescendants(tree).flatMap(({ command }) => command?.flags ?? [])
  return [...new Map(flags.flatMap((flag) => (flag.group === commonGroup ? [[flag.name, flag]] : []))).values()]
}
