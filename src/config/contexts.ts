import { Problem } from '../errors'
import { isRecord } from '../rules/records'

/** A service, who one is there, and what one usually wants from it. Keys that we do not know stay as they are. */
export interface StoredContext {
  base_url: string
  user?: string
  token?: string
  /** A shell command that prints the token. */
  token_command?: string
  defaults?: Defaults
}

/** What a flag of the same name has where neither it nor its variable is given. */
export interface Defaults {
  region?: string
  output?: string
  /** Traffic that changes of firewalls must not close: `tcp/22@198.51.100.7`. */
  keep_open?: readonly string[]
}

export interface Config {
  /** The context in use where none is named. */
  current?: string
  contexts: Map<string, StoredContext>
  /** What else stands in the file: a later version may know more. */
  others?: Record<string, unknown>
}

/** Always exists and is never stored. */
export const SANDBOX = 'sandbox'

const texts = ['base_url', 'user', 'token', 'token_command'] as const
const defaultTexts = ['region', 'output'] as const

/** The record that goes to disk. Names such as `__proto__` stay names. */
export function toRecord({ current, contexts, others }: Config): Record<string, unknown> {
  for (const name of contexts.keys()) {
    if (name === SANDBOX) throw new Problem('usage', `the context "${SANDBOX}" is built in: choose another name`)
    if (name === '') throw new Problem('usage', 'a context needs a name')
  }
  return { ...others, current, contexts: Object.fromEntries(contexts) }
}

/** Reads a contexts file's text; undefined where it is damaged. */
export function parseConfig(text: string): Config | undefined {
  const record = parseRecord(text)
  if (!record) return undefined
  const { current, contexts = {}, ...others } = record
  if (current !== undefined && typeof current !== 'string') return undefined
  if (!isRecord(contexts)) return undefined
  const named = new Map<string, StoredContext>()
  for (const [name, context] of Object.entries(contexts)) {
    if (!isContext(context)) return undefined
    named.set(name, context)
  }
  return {
    ...(current !== undefined && { current }),
    contexts: named,
    ...(Object.keys(others).length > 0 && { others }),
  }
}

function parseRecord(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isContext(value: unknown): value is StoredContext {
  if (!isRecord(value) || typeof value.base_url !== 'string') return false
  const { defaults = {} } = value
  return (
    texts.every((name) => isText(value[name])) &&
    isRecord(defaults) &&
    defaultTexts.every((name) => isText(defaults[name])) &&
    isTexts(defaults.keep_open)
  )
}

function isTexts(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((one) => typeof one === 'string'))
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}
