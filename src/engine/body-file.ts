/** Reading `--body FILE`: JSON or YAML, `-` is stdin; it must hold an object. */
import { readFile } from 'node:fs/promises'
import type { Context } from '../context'
import { Problem } from '../errors'
import { parseJson } from '../json/json'

// What no body of this API comes near; it bounds memory and the parser's time.
const maxBytes = 4 * 1024 * 1024

/** Reads an object; throws `usage` where the text is none, `local` where the file cannot be read. */
export async function readObject(source: string, context: Context): Promise<Record<string, unknown>> {
  const name = source === '-' ? 'stdin' : `"${source}"`
  const text = await readSource(source, context)
  if (text.length > maxBytes) throw new Problem('usage', `${name} is too large for a body: over 4 MiB`)
  const value = await parse(text, name)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Problem('usage', `${name} must hold an object, not ${kindOf(value)}`)
  }
  return value as Record<string, unknown>
}

async function readSource(source: string, context: Context): Promise<string> {
  if (source === '-') return context.readStdin()
  try {
    return await readFile(source, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Problem(
      'local',
      `cannot read "${source}": ${code === 'ENOENT' ? 'no such file' : (code ?? 'unknown error')}`,
      {
        cause: error,
      },
    )
  }
}

async function parse(text: string, name: string): Promise<unknown> {
  try {
    return await parseJson(text)
  } catch {
    return parseYaml(text, name)
  }
}

async function parseYaml(text: string, name: string): Promise<unknown> {
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text, { intAsBigInt: true, maxAliasCount: 100, uniqueKeys: true } as Record<
    string,
    unknown
  >)
  const [error] = document.errors
  if (error) {
    const [place] = error.linePos ?? []
    const at = place ? ` (line ${place.line}, column ${place.col})` : ''
    throw new Problem('usage', `${name} is neither JSON nor YAML${at}: ${error.message.split('\n')[0]}`)
  }
  return plain(document.toJS({ maxAliasCount: 100 }))
}

/** Integers that a double holds exactly become numbers again. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
}

function kindOf(value: unknown): string {
  if (value === null) return 'nothing'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
