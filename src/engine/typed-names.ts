/** What a message calls a field: what is typed for it, or its path where it comes from a file. */
import type { Flags } from './command'

/** By a field's path, what is typed for it and for what is below: `--inbound-policy`, `ADDRESS=INSTANCE`. */
export type TypedNames = Readonly<Record<string, string>>

export interface Source {
  flags: Flags
  names: TypedNames
  /** The flags of files that fields may come from. */
  files: readonly string[]
}

/** `rules.inbound_policy` is `--inbound-policy`, the second of a list `value 2 of --tag`. */
export function fieldName(field: string, { flags, names, files }: Source): string {
  const path = Object.keys(names)
    .filter((key) => field === key || field.startsWith(`${key}.`) || field.startsWith(`${key}[`))
    .reduce((longest, key) => (key.length > longest.length ? key : longest), '')
  const name = names[path]
  if (name === undefined) return field
  const typed = [...name.matchAll(/--([\w-]+)/g)].some(([, flag = '']) => flags[flag] !== undefined)
  if (!typed && files.some((file) => flags[file] !== undefined)) return field
  const index = /^\[(\d+)\]/.exec(field.slice(path.length))?.[1]
  return index === undefined ? name : `value ${Number(index) + 1} of ${name}`
}

/** A reason with the names of fields in it as they are typed; words that a field is called by chance stay. */
export function typedReason(reason: string, source: Source): string {
  return reason.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => fieldName(word, source))
}
