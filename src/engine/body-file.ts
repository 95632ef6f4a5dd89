/** Reads `--body FILE`: an object in JSON or YAML; `-` is stdin. Finds the lines of its wrong fields. */

import { parseJson } from '../data/json'
import { isTooDeep, keepHeapSmall, LimitExceeded, NumberTooLarge, nestedTooDeep } from '../data/memory-limits'
import type { RepeatedKey } from '../data/repeated-keys'
import type { ParsedYaml } from '../data/yaml'
import { type FieldError, Problem } from '../errors'
import { errorCode } from '../files/file-problem'
import { readNamed } from '../files/named-file'
import { isRecord } from '../rules/records'
import type { Session } from './session'

// Far above any body of this API; limits memory and parsing time.
const mostOfABody = 4 * 1024 * 1024
/** Limit of stdin for everything but files that may be larger. */
const usualMost = 32 * 1024 * 1024

/** Reads an object. Throws `usage` for other values, `local` for an unreadable file, and `too_large`. */
export async function readObject(
  source: string,
  session: Session,
  { bytes = mostOfABody, memory }: { bytes?: number; memory?: number } = {},
): Promise<Record<string, unknown>> {
  return parseObject(await readText(source, session, bytes), nameOfSource(source), memory)
}

/** Creates the problem of a file without any value, such as one that has only comments. */
export const emptyFile = (name: string) => new Problem('usage', `${name} is empty`)

export const nameOfSource = (source: string) => (source === '-' ? 'stdin' : `"${source}"`)

/** Parses an object; errors call the text `name`. */
export async function parseObject(text: string, name: string, most?: number): Promise<Record<string, unknown>> {
  return objectIn(await parseData(text, name, { ...(most !== undefined && { most }) }), name)
}

/** Returns the object of a file; throws `usage` for other values. */
export function objectIn(value: unknown, name: string): Record<string, unknown> {
  if (value === null) throw emptyFile(name)
  if (!isRecord(value)) throw new Problem('usage', `${name} must hold an object, not ${kindOf(value)}`)
  if (isTooDeep(value)) throw tooLarge(name, nestedTooDeep().message)
  return value
}

/** Reads the text of a file, or of stdin for `-`, of at most `most` bytes. */
export async function readText(source: string, session: Session, most = mostOfABody): Promise<string> {
  if (source !== '-') return readTextFile(source, most)
  const text = await session.ui.readStdin(most > usualMost ? most : undefined)
  await keepHeapSmall(text.length)
  if (Buffer.byteLength(text) > most) throw tooLarge(nameOfSource(source), `over ${most / 2 ** 20} MiB`)
  return text
}

/** Reads the text of a file of at most `most` bytes. */
export async function readTextFile(source: string, most = mostOfABody): Promise<string> {
  const bytes = await bytesOf(source, most)
  // Removes a byte order mark, and throws for bytes that are not UTF-8.
  return utf8(source, () => new TextDecoder('utf-8', { fatal: true }).decode(bytes))
}

function utf8<T>(source: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Problem('usage', `"${source}" is not UTF-8 text`, { hint: 'Save it as UTF-8', cause: error })
  }
}

async function bytesOf(source: string, most: number): Promise<Buffer> {
  try {
    const bytes = await readNamed(source, most)
    await keepHeapSmall(bytes.length)
    if (bytes.length <= most) return bytes
  } catch (error) {
    throw error instanceof Problem ? error : unreadable(source, error)
  }
  throw tooLarge(nameOfSource(source), `over ${most / 2 ** 20} MiB`)
}

const tooLarge = (name: string, reason: string) => new Problem('too_large', `${name} is too large: ${reason}`)

/** Creates the problem of a file that cannot be read. */
export function unreadable(source: string, error: unknown): Problem {
  const code = errorCode(error)
  const reason = code === 'ENOENT' ? 'no such file' : (code ?? 'unknown error')
  const isUndo = code === 'ENOENT' && /^(undo|revert|rollback)$/.test(source)
  const hint = isUndo ? { hint: 'To undo the last change or apply: skyctl history undo' } : {}
  return new Problem('local', `cannot read "${source}": ${reason}`, { ...hint, cause: error })
}

type Contents = Pick<ParsedYaml, 'value' | 'repeated'>
type ReadYaml = (text: string) => Contents | Promise<Contents>

interface Parsing {
  readYaml?: ReadYaml
  /** Memory limit in bytes, if not the usual one. */
  most?: number
  /** Receives duplicate keys; by default they are a problem, and not looked for with a limit of its own. */
  onRepeated?: (repeated: readonly RepeatedKey[]) => Promise<void>
}

/** Parses any value in JSON or YAML; throws `usage` for other text and for duplicate keys, and `too_large`. */
export async function parseData(text: string, name: string, parsing: Parsing = {}): Promise<unknown> {
  const { most, onRepeated = most !== undefined ? undefined : (repeated) => expectKeysOnce(repeated, name) } = parsing
  try {
    const value = await parseJson(text, most)
    // Without a receiver, a limit of its own is for large files that skyctl itself has written.
    if (onRepeated) await onRepeated((await import('../data/repeated-keys')).repeatedKeys(text))
    return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw dataProblem(error, name)
    return yamlValue(text, name, {
      ...parsing,
      onRepeated: parsing.onRepeated ?? ((repeated) => expectKeysOnce(repeated, name)),
    })
  }
}

/** Throws `usage` for duplicate keys, as only one of the values would be sent. */
async function expectKeysOnce(repeated: readonly RepeatedKey[], name: string): Promise<void> {
  if (repeated.length === 0) return
  const { repeatedKeyText } = await import('../data/repeated-keys')
  const file = name.replace(/^"(.*)"$/, '$1')
  const errors = repeated.map((one) => ({ field: one.key, reason: repeatedKeyText(one) }))
  const messages = repeated.map((one) => `${file}:${one.line}: ${repeatedKeyText(one)}`)
  throw new Problem('usage', messages.join('; '), { errors })
}

/** Returns the problem of a text that exceeds a limit; any other error is returned unchanged. */
export function dataProblem(error: unknown, name: string): unknown {
  if (error instanceof LimitExceeded) return tooLarge(name, error.message)
  return error instanceof NumberTooLarge ? new Problem('usage', `${name}: ${error.message}`) : error
}

async function yamlValue(text: string, name: string, { readYaml, onRepeated }: Parsing): Promise<unknown> {
  const { parseYaml, YamlError } = await import('../data/yaml')
  try {
    const { value, repeated } = await (readYaml ?? parseYaml)(text)
    await onRepeated?.(repeated)
    return value
  } catch (error) {
    if (!(error instanceof YamlError)) throw dataProblem(error, name)
    const at = error.line === undefined ? '' : ` (line ${error.line}, column ${error.column})`
    throw new Problem('usage', `${name} is neither JSON nor YAML${at}: ${error.message}`)
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'nothing'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

/** Returns the problem with the lines; any other error, and a problem of stdin, is returned unchanged. */
export async function withLines(error: unknown, file: string): Promise<unknown> {
  if (!(error instanceof Problem) || error.code !== 'usage' || file === '-') return error
  const { errors = [] } = error.details
  // Each of several bodies has its line already, and so have duplicate keys.
  if (errors.length === 0 || /\bline \d/.test(error.message)) return error
  const text = await readTextFile(file).catch(() => undefined)
  if (text === undefined) return error
  const { placeOf } = await (await import('../data/yaml')).sourcePositions(text)
  const placed = errors.map((one) => ({ ...one, place: placeOf(one.field) }))
  return error.with({
    message: messageWith(error.message, placed),
    errors: placed.map(({ field, reason, place }) => ({ field, reason: reason + place })),
  })
}

/** Inserts each place behind its reason, which the message has in the order of the errors. */
function messageWith(message: string, errors: readonly (FieldError & { place: string })[]): string {
  let done = 0
  let text = message
  for (const { reason, place } of errors) {
    const tail = reason.slice(1)
    const at = text.indexOf(tail, done)
    if (at < 0) continue
    done = at + tail.length + place.length
    text = text.slice(0, at + tail.length) + place + text.slice(at + tail.length)
  }
  return text
}
