/** Names fields in messages: by their flags, or by their paths if they come from a file. */
import { bodyProblem, type FieldNaming } from '../catalogue/body-problem'
import type { ErrorCode, FieldError, Problem } from '../errors'
import type { Flags } from './command'

/** Flags or arguments for a field and those below it, by field path: `--inbound-policy`, `ADDRESS=INSTANCE`. */
export type FlagNames = Readonly<Record<string, string>>

export interface FieldSource {
  flags: Flags
  names: FlagNames
  /** Flags of files that may have the fields. */
  files: readonly string[]
}

/** Returns `--inbound-policy` for `rules.inbound_policy`, and `value 2 of --tag` for the second item of a list. */
export function fieldName(field: string, { flags, names, files }: FieldSource): string {
  const path = Object.keys(names)
    .filter((key) => field === key || field.startsWith(`${key}.`) || field.startsWith(`${key}[`))
    .reduce((longest, key) => (key.length > longest.length ? key : longest), '')
  const name = names[path]
  if (name === undefined) return field
  const isFlagSet = [...name.matchAll(/--([\w-]+)/g)].some(([, flag = '']) => flags[flag] !== undefined)
  if (!isFlagSet && files.some((file) => flags[file] !== undefined)) return field
  const index = /^\[(\d+)\]/.exec(field.slice(path.length))?.[1]
  return index === undefined ? name : `value ${Number(index) + 1} of ${name}`
}

/** Replaces field names in a reason; other words are kept. */
export function typedReason(reason: string, source: FieldSource): string {
  return reason.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => fieldName(word, source))
}

export const namingOf = (source: FieldSource): FieldNaming => ({
  field: (name) => fieldName(name, source),
  reason: (text) => typedReason(text, source),
  hint: (errors) => flagsToGive(errors, source),
  lacks: (errors) => {
    const names = errors.map(({ field, reason }) => (isMissing(field, reason) ? fieldName(`${field}`, source) : null))
    // A field without a name of its own comes from a file.
    const isTyped = errors.every(({ field }, place) => names[place] !== field)
    return isTyped && names.every((name) => name !== null) ? names : undefined
  },
})

const isMissing = (field: string | null, reason: string) =>
  reason === `${field} is required` || reason.startsWith('Must provide ')

/** Returns a hint with the flags for fields that are missing in a file; without a file the message names them. */
function flagsToGive(errors: readonly FieldError[], source: FieldSource): string | undefined {
  const missing = errors.flatMap(({ field, reason }) => (reason === `${field} is required` ? [`${field}`] : []))
  const lacking = missing.filter((field) => fieldName(field, source) === field)
  const names = lacking.flatMap((field) => source.names[field] ?? [])
  return names.length === 0 ? undefined : `Set ${names.join(' and ')}`
}

/** Creates the problem of input that cannot be sent; `usage` unless `code` is set. */
export const wrongInput = (
  errors: FieldError[],
  source: FieldSource,
  more: { code?: ErrorCode; hint?: string | undefined } = {},
): Problem => bodyProblem(errors, { naming: namingOf(source), ...more })
