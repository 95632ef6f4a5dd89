import { Problem } from '../errors'
import { isNewer, newerFile } from '../files/newer'
import { isRecord } from '../rules/records'

/** Stored context: a service, its user and token, and defaults. Unknown keys are kept. */
export interface StoredContext {
  base_url: string
  user?: string
  token?: string
  /** Shell command that prints the token. */
  token_command?: string
  defaults?: Defaults
}

/** Default values of flags, used if neither the flag nor its variable is set. */
export interface Defaults {
  region?: string
  output?: string
  /** Traffic that firewall changes must not block: `tcp/22@198.51.100.7`. */
  keep_open?: readonly string[]
  /** Path of a file with names of networks. */
  networks?: string
}

export interface Config {
  /** Name of the current context. */
  current?: string
  contexts: Map<string, StoredContext>
  /** Unknown keys of the file, kept because a later version may use them. */
  others?: Record<string, unknown>
}

/** Built-in context, which is never stored. */
export const SANDBOX = 'sandbox'

/** Checks the name of a new context. Older files may have names with blanks, which stay valid. */
export function parseContextName(name: string): string {
  if (name.trim() === '') throw new Problem('usage', 'a context needs a name')
  if (!/\s/.test(name)) return name
  throw new Problem('usage', `the context name "${name}" has blanks`, {
    hint: `Write it without: ${name.trim().replaceAll(/\s+/g, '-')}`,
  })
}

const texts = ['base_url', 'user', 'token', 'token_command'] as const
const defaultTexts = ['region', 'output', 'networks'] as const

/** Converts the contexts for storage. Names such as `__proto__` are safe. */
export function toRecord({ current, contexts, others }: Config): Record<string, unknown> {
  for (const name of contexts.keys()) {
    if (name === SANDBOX) throw new Problem('usage', `the context "${SANDBOX}" is built in: choose another name`)
    if (name === '') throw new Problem('usage', 'a context needs a name')
  }
  return { ...others, current, contexts: Object.fromEntries(contexts) }
}

/** Parses the text of a contexts file; undefined if it is damaged. */
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

/** Returns the format number of a contexts file. Files of this version have none. */
function formatOf(text: string): unknown {
  return parseRecord(text)?.format_version
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

/** Parses contexts; undefined if they are damaged. Throws `local` for those of a newer version: a repair would lose them. */
export function contextsIn(file: string, text: string): Config | undefined {
  if (isNewer(formatOf(text))) throw newerFile(file, 'set SKYCTL_CONFIG_DIR to another folder')
  return parseConfig(text)
}

/** File names in the folder: the contexts, their lock and backup, and damaged copies. */
export const ours = /^contexts\.json(\.|$)/

export const noContexts = (): Config => ({ contexts: new Map() })
