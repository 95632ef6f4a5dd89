/** Finds groups and commands in the outline of the program. */
import type { Command as Parser } from 'commander'
import type { Outline, Root } from '../command'
import { pathOf } from '../usage-error'

export const namesOf = ({ name, aliases = [] }: Outline) => [name, ...aliases]

export const isNamed = (entry: Outline, word: string) => namesOf(entry).includes(word.toLowerCase())

export const joined = (...words: (string | undefined)[]) => words.filter((word) => word).join(' ')

/** Returns the entries of a group, or of the root. */
export function entriesAt(group: Parser | null, { entries }: Root): readonly Outline[] {
  const [, ...names] = group ? pathOf(group).split(' ') : []
  return names.length === 0 ? entries : (entryAt(names, entries)?.commands ?? [])
}

export function entryAt([name, ...rest]: readonly string[], entries: readonly Outline[]): Outline | undefined {
  const entry = entries.find((one) => one.name === name)
  return rest.length > 0 ? entryAt(rest, entry?.commands ?? []) : entry
}
