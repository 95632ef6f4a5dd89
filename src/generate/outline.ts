/** Outline of the command line, so that the help of groups need not load their commands. */

import type { Outline, Root } from '../engine/command'
import { type Command, type CommandGroup, isGroup, loadCommands } from '../engine/command'

/** Creates the outlines by command name. */
export async function outlineOf({ entries }: Root): Promise<Record<string, Outline>> {
  const outlines = await Promise.all(entries.map(async ({ load }) => outlineOfEntry(await load())))
  return Object.fromEntries(outlines.map((outline) => [outline.name, outline]))
}

async function outlineOfEntry(entry: CommandGroup | Command): Promise<Outline> {
  const { name, aliases, summary } = entry
  const known = { name, ...(aliases && { aliases }), summary }
  if (isGroup(entry)) {
    const { defaultCommand } = entry
    return {
      ...known,
      ...(defaultCommand && { defaultCommand }),
      commands: await Promise.all((await loadCommands(entry)).map(outlineOfEntry)),
    }
  }
  return { ...known, ...(entry.hidden && { hidden: true }) }
}
