/** The whole command tree as data: completions, the reference and the man page are pure functions of it. */
import { type Command, commandsOf, type Group, isGroup } from '../engine/command'
import type { Root } from '../engine/parser'

export interface Node {
  /** As they are typed after the program's name: `volumes`, `list`; none for the root. */
  words: readonly string[]
  aliases: readonly string[]
  summary: string
  /** Without the hidden ones; none where a command is run. */
  children: readonly Node[]
  command?: Command
}

/** Reads every entry of the program. */
export async function loadTree({ description, entries }: Root): Promise<Node> {
  const children = entries.map(async ({ load }) => nodeOf(await load(), []))
  return { words: [], aliases: [], summary: description, children: await Promise.all(children) }
}

/** The group or the command at these words, hidden or not; reads nothing beside it. Undefined where there is none. */
export async function nodeAt(root: Root, words: readonly string[]): Promise<Node | undefined> {
  const [first, ...rest] = words
  if (first === undefined) return loadTree(root)
  let entry: Group | Command | undefined = await root.entries.find(({ name }) => name === first)?.load()
  for (const word of rest) {
    if (!entry || !isGroup(entry)) return undefined
    entry = Object.hasOwn(entry.commands, word) ? await entry.commands[word]?.() : undefined
  }
  return entry && nodeOf(entry, words.slice(0, -1))
}

async function nodeOf(entry: Group | Command, above: readonly string[]): Promise<Node> {
  const words = [...above, entry.name]
  const { aliases = [], summary } = entry
  if (!isGroup(entry)) return { words, aliases, summary, children: [], command: entry }
  const shown = (await commandsOf(entry)).filter((inner) => isGroup(inner) || !inner.hidden)
  return { words, aliases, summary, children: await Promise.all(shown.map((inner) => nodeOf(inner, words))) }
}

/** The node and all below it, each before its children. */
export function withDescendants(node: Node): Node[] {
  return [node, ...node.children.flatMap(withDescendants)]
}

/** Those of them that run something. */
export function commandsIn(node: Node): (Node & { command: Command })[] {
  return withDescendants(node).flatMap(({ command, ...place }) => (command ? [{ ...place, command }] : []))
}
