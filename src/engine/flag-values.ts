/** Reads and parses the values of flags. */
import type { Operation } from '../catalogue/operation'
import { Problem } from '../errors'
import { parseDuration, shortDuration, unitHint } from '../rules/durations'
import type { Flags } from './command'

export function textFlag(flags: Flags, name: string): string | undefined {
  const value = flags[name]
  return typeof value === 'string' ? value : undefined
}

/** Returns one of the values of a flag; throws `usage` for another one. */
export function choiceFlag<T extends string>(flags: Flags, name: string, values: readonly T[]): T | undefined {
  const text = textFlag(flags, name)
  return text === undefined ? undefined : parseChoice(text, values, `--${name}`)
}

/** Returns the value that a text names; `from` names its source in the error, a flag or a variable. */
export function parseChoice<T extends string>(text: string, values: readonly T[], from: string): T {
  const choice = values.find((value) => value === text)
  if (choice !== undefined) return choice
  throw new Problem('usage', `${from}: "${text}" is not one of ${values.join(', ')}`)
}

/** Returns the file that a flag tells skyctl to write. Throws `usage` for `-`, which would be stdin. */
export function newFileFlag(flags: Flags, name: string): string | undefined {
  const path = textFlag(flags, name)
  if (path === '-') throw new Problem('usage', `--${name}: "-" is not a file`, { hint: 'Name a file, or write ./-' })
  return path
}

export function listFlag(flags: Flags, name: string): readonly string[] | undefined {
  const value = flags[name]
  return Array.isArray(value) ? value : undefined
}

interface Range {
  min: number
  max: number
}

/** Returns an integer from `min` to `max`; throws `usage`. */
export function countFlag(flags: Flags, name: string, min: number, max: number): number | undefined {
  const text = textFlag(flags, name)
  return text === undefined ? undefined : parseCount(text, { min, max }, `--${name}`)
}

/** Parses an integer; `from` names its source in the error, a flag or a variable. */
export function parseCount(text: string, { min, max }: Range, from: string, hint?: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`
  throw new Problem('usage', `${from}: "${text}" is not a whole number of ${range}`, hint === undefined ? {} : { hint })
}

/** Returns a size such as `512MiB` in bytes; throws `usage`. */
export async function sizeFlag(flags: Flags, name: string): Promise<number | undefined> {
  const text = textFlag(flags, name)
  if (text === undefined) return undefined
  const bytes = (await import('../rules/byte-sizes')).parseBytes(text)
  if (bytes) return bytes
  const form = /^\d{1,9}$/.test(text) ? `${text}MiB or ${text}GiB` : 'it as 512MiB or 2GiB'
  throw new Problem('usage', `--${name}: "${text}" is not a size`, { hint: `Write ${form}` })
}

/** Returns a duration such as `90s` or `5m` in milliseconds; throws `usage`. */
export function durationFlag(flags: Flags, name: string): number | undefined {
  const text = textFlag(flags, name)
  return text === undefined ? undefined : parseTime(text, `--${name}`)
}

/** Parses a duration; `from` names its source in the error, a flag or a variable. */
export function parseTime(text: string, from: string): number {
  const milliseconds = parseDuration(text)
  if (milliseconds !== undefined) return milliseconds
  const units = unitHint(text)
  if (units) throw new Problem('usage', `${from}: "${text}" has no unit`, { hint: `Write ${units}` })
  const form = shortDuration(text) ?? 'it as 90s, 5m or 1h30m'
  throw new Problem('usage', `${from}: "${text}" is not a time`, { hint: `Write ${form}` })
}

/** Reports whether all details are printed: with --verbose, and with --debug. */
export const isVerbose = ({ verbose, debug }: Flags): boolean => verbose === true || debug === true

/** Targets in progress at once by default. */
export const usualAtOnce = 8

/** Deletions in progress at once by default: each is one request, which may be sent again if it is refused or lost. */
export const mostAtOnce = 16

/** Returns the default number of targets of an operation in progress at once. */
export const atOnceFor = ({ method }: Pick<Operation, 'method'>): number =>
  method === 'DELETE' ? mostAtOnce : usualAtOnce

/** Returns the number of targets in progress at once; throws `usage` for an invalid one. */
export const atOnceFlag = (flags: Flags, usual = usualAtOnce): number => countFlag(flags, 'concurrency', 1, 64) ?? usual
