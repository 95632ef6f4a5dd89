/** Format of the file of the contexts. */
import { Problem } from '../errors'
import { isNewer, newerFile } from '../files/newer-format'
import { isRecord } from '../rules/records'
import { type Config, SANDBOX, type StoredContext } from './contexts'

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

/** Parses contexts; undefined if they are damaged. Throws `local` for those of a newer version: a repair would lose them. */
export function contextsIn(file: string, text: string): Config | undefined {
  const record = parseRecord(text)
  // Files of this version have no format number.
  if (isNewer(record?.format_version)) throw newerFile(file, 'set SKYCTL_CONFIG_DIR to another folder')
  return record && configOf(record)
}

function configOf({ current, contexts = {}, ...others }: Record<string, unknown>): Config | undefined {
  if (!isText(current) || !isRecord(contexts)) return undefined
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
    (defaults.keep_open === undefined || (Array.isArray(defaults.keep_open) && defaults.keep_open.every(isText)))
  )
}

function isText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

/** File names in the folder: the contexts, their lock and backup, and damaged copies. */
export const ours = /^contexts\.json(\.|$)/
