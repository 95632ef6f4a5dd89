/** Reading `--body FILE`: JSON or YAML, `-` is stdin; it must hold an object. */
import { readFile } from 'node:fs/promises'
import type { Context } from '../context'
import { parseJson } from '../data/json'
import { Problem } from '../errors'

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
    return yamlValue(text, name)
  }
}

async function yamlValue(text: string, name: string): Promise<unknown> {
  const { parseYaml, YamlError } = await import('../data/yaml')
  try {
    return (await parseYaml(text)).value
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    const at = error.line === undefined ? '' : ` (line ${error.line}, column ${error.column})`
    throw new Problem('usage', `${name} is neither JSON nor YAML${at}: ${error.message}`)
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'nothing'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}
