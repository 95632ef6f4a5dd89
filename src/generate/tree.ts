/** Command tree as data, the input for completions, reference and man pages. */

import { type Command, type CommandGroup, commandAt, isGroup, loadCommands, type Root } from '../engine/command'

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
  if (!isGroup(entry)) return { words, aliases, summary, children: [], command: entry }
  const shown = (await loadCommands(entry)).filter((inner) => isGroup(inner) || !inner.hidden)
  return { words, aliases, summary, children: await Promise.all(shown.map((inner) => nodeOf(inner, words))) }
}

/** Lists the node and all its descendants, parents first. */
export function withDescendants(node: CommandNode): CommandNode[] {
  return [node, ...node.children.flatMap(withDescendants)]
}

/** Lists the commands among the node and its descendants. */
export function commandsIn(node: CommandNode): (CommandNode & { command: Command })[] {
  return withDescendants(node).flatMap(({ command, ...place }) => (command ? [{ ...place, command }] : []))
}
