/** The outline of the command line: what the help of groups says, so that it need not read their commands. */
import { type Command, type Group, isGroup } from '../engine/command'
import type { Outline, Root } from '../engine/parser'

/** By the words that follow the program's name. */
export async function outlineOf({ entries }: Root): Promise<Record<string, Outline>> {
  const outlines = (await Promise.all(entries.map(({ load }) => load()))).map(outlineOfEntry)
  return Object.fromEntries(outlines.map((outline) => [outline.name, outline]))
}

function outlineOfEntry(entry: Group | Command): Outline {
  const { name, aliases, summary } = entry
  const known = { name, ...(aliases && { aliases }), summary }
  if (isGroup(entry)) return { ...known, commands: entry.commands.map(outlineOfEntry) }
  return { ...known, ...(entry.hidden && { hidden: true }) }
}
