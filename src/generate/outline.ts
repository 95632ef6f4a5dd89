/** The outline of the command line: what the help of groups says, so that it need not read their commands. */
import { type Command, commandsOf, type Group, isGroup } from '../engine/command'
import type { Outline, Root } from '../engine/parser'

/** By the words that follow the program's name. */
export async function outlineOf({ entries }: Root): Promise<Record<string, Outline>> {
  const outlines = await Promise.all(entries.map(async ({ load }) => outlineOfEntry(await load())))
  return Object.fromEntries(outlines.map((outline) => [outline.name, outline]))
}

async function outlineOfEntry(entry: Group | Command): Promise<Outline> {
  const { name, aliases, summary } = entry
  const known = { name, ...(aliases && { aliases }), summary }
  if (isGroup(entry)) {
    const { usual } = entry
    return {
      ...known,
      ...(usual && { usual }),
      commands: await Promise.all((await commandsOf(entry)).map(outlineOfEntry)),
    }
  }
  return { ...known, ...(entry.hidden && { hidden: true }) }
}
