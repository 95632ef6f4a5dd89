/** Walks the tree of commands. */
import type { Command, CommandGroup, Root } from './command'

/** Returns commands that are loaded together with their group, as they are small. */
export function eagerCommands(...commands: readonly (Command | CommandGroup)[]): CommandGroup['commands'] {
  return Object.fromEntries(commands.map((command) => [command.name, async () => command]))
}

/** Returns the group or command at these words, even a hidden one, loading nothing else. Undefined if not found. */
export async function commandAt(
  { entries }: Root,
  [first, ...rest]: readonly string[],
): Promise<Command | CommandGroup | undefined> {
  let entry = await entries.find(({ name }) => name === first)?.load()
  for (const word of rest) {
    if (!entry || !('commands' in entry)) return undefined
    entry = Object.hasOwn(entry.commands, word) ? await entry.commands[word]?.() : undefined
  }
  return entry
}

/** Loads all commands of a group. */
export function loadCommands({ commands }: CommandGroup): Promise<(Command | CommandGroup)[]> {
  return Promise.all(Object.values(commands).map((load) => load()))
}
