/** Reading `--body FILE`: JSON or YAML, `-` is stdin; it must hold an object. */
import { NumberTooLarge, nestedTooDeep, type Room, TooLarge } from '../data/bounds'
import { isTooDeep } from '../data/depth'
import { parseJson } from '../data/json'
import type { ParsedYaml } from '../data/yaml'
import { Problem } from '../errors'
import { readNamed } from '../files/named'
import { isRecord } from '../rules/records'
import type { Session } from '../session'

// What no body of this API comes near; it bounds memory and the parser's time.
const mostOfABody = 4 * 1024 * 1024

/** Reads an object; throws `usage` where the text is none, `local` where the file cannot be read, `too_large`. */
export async function readObject(
  source: string,
  session: Session,
  { bytes = mostOfABody, room }: { bytes?: number; room?: Room } = {},
): Promise<Record<string, unknown>> {
  return parseObject(await readText(source, session, bytes), nameOfSource(source), room)
}

export const nameOfSource = (source: string) => (source === '-' ? 'stdin' : `"${source}"`)

/** An object from a text, which is called `name` where it holds none. */
export async function parseObject(text: string, name: string, room?: Room): Promise<Record<string, unknown>> {
  const value = await parseData(text, name, { room })
  if (!isRecord(value)) {
    throw new Problem('usage', `${name} must hold an object, not ${kindOf(value)}`)
  }
  if (isTooDeep(value)) throw tooLarge(name, nestedTooDeep().message)
  return value
}

/** The text of a file, or of stdin where `-` names it; it may have so many bytes. */
export async function readText(source: string, session: Session, most = mostOfABody): Promise<string> {
  if (source !== '-') return readTextFile(source, most)
  const text = await session.readStdin()
  if (Buffer.byteLength(text) > most) throw tooLarge(nameOfSource(source), `over ${most / 2 ** 20} MiB`)
  return text
}

async function readTextFile(source: string, most: number): Promise<string> {
  const bytes = await bytesOf(source, most)
  try {
    // It takes a byte order mark away, and what is no UTF-8 is not sent as something else.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new Problem('usage', `"${source}" is not UTF-8 text`, { hint: 'Save it as UTF-8', cause: error })
  }
}

async function bytesOf(source: string, most: number): Promise<Buffer> {
  try {
    const bytes = await readNamed(source, most)
    if (bytes.length <= most) return bytes
  } catch (error) {
    throw error instanceof Problem ? error : unreadable(source, error)
  }
  throw tooLarge(nameOfSource(source), `over ${most / 2 ** 20} MiB`)
}

const tooLarge = (name: string, reason: string) => new Problem('too_large', `${name} is too large: ${reason}`)

/** What the system says of a file that is named. */
export function unreadable(source: string, error: unknown): Problem {
  const { code } = error as NodeJS.ErrnoException
  const reason = code === 'ENOENT' ? 'no such file' : (code ?? 'unknown error')
  return new Problem('local', `cannot read "${source}": ${reason}`, { cause: error })
}

type ReadYaml = (text: string) => ParsedYaml | Promise<ParsedYaml>

/** Any value from JSON or YAML; throws `usage` where the text is neither, `too_large`. */
export async function parseData(
  text: string,
  name: string,
  { readYaml, room }: { readYaml?: ReadYaml; room?: Room | undefined } = {},
): Promise<unknown> {
  try {
    return await parseJson(text, room)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw dataProblem(error, name)
    return yamlValue(text, name, readYaml)
  }
}

/** The problem of a text, called `name`, that holds more than may be read; another error as it is. */
export function dataProblem(error: unknown, name: string): unknown {
  if (error instanceof TooLarge) return tooLarge(name, error.message)
  return error instanceof NumberTooLarge ? new Problem('usage', `${name}: ${error.message}`) : error
}

async function yamlValue(text: string, name: string, readYaml?: ReadYaml): Promise<unknown> {
  const { parseYaml, YamlError } = await import('../data/yaml')
  try {
    return (await (readYaml ?? parseYaml)(text)).value
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
