/** Determines the minimum scopes of commands, from their operations. */
import type { Operation } from '../../catalogue/operation'
import { type Command, type CommandGroup, isGroup, loadCommands, type Root } from '../../engine/command'
import { Problem } from '../../errors'
import { didYouMean } from '../../rules/nearest'
import { leastScopes } from '../../rules/scope-cover'

/** Returns the scopes for commands or whole groups, by name. Throws `usage` for unknown commands. */
export async function scopesFor(lines: readonly string[], program: Root): Promise<string[]> {
  const entries = await Promise.all(lines.map((line) => findCommand(line, program)))
  const least = leastScopes((await operationsOfAll(entries)).flatMap(({ scopes }) => scopes))
  if (lines.length > 0 && least.length === 0) {
    throw new Problem('usage', `--scopes-for: "${lines.join('", "')}" needs no scope: any token will do`, {
      hint: 'Name a scope with --scope',
    })
  }
  return least.sort()
}

async function operationsOfAll(entries: readonly (Command | CommandGroup)[]): Promise<Operation[]> {
  return (await Promise.all(entries.map(operationsOf))).flat()
}

async function operationsOf(entry: Command | CommandGroup): Promise<readonly Operation[]> {
  return isGroup(entry) ? operationsOfAll(await loadCommands(entry)) : (entry.operations ?? [])
}

async function findCommand(line: string, program: Root): Promise<Command | CommandGroup> {
  const [first = '', ...words] = line
    .trim()
    .split(/\s+/)
    .filter((word, index) => index > 0 || word !== program.name)
  let entry: Command | CommandGroup = await pick(first, program.entries, line).load()
  for (const word of words) entry = pick(word, isGroup(entry) ? await loadCommands(entry) : [], line)
  return entry
}

function pick<T extends { name: string; aliases?: readonly string[] | undefined }>(
  word: string,
  entries: readonly T[],
  line: string,
): T {
  const found = entries.find(({ name, aliases }) => name === word || aliases?.includes(word))
  if (found) return found
  const hint =
    didYouMean(
      word,
      entries.map(({ name }) => name),
    ) ?? 'Write it as in --scopes-for "volumes create"'
  throw new Problem('usage', `--scopes-for: "${line}" is not a command`, { hint })
}
