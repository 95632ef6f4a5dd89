/** Values as whole documents. JSON needs nothing that is not loaded anyway. */
import { formatJson } from '../data/json'
import type { Format } from './print'
import { safeJson } from './safe'

/** One YAML document, or one of JSON in every other format. */
export async function documentText(value: unknown, format: Format): Promise<string> {
  if (format === 'yaml') return (await import('./yaml')).yamlText(value)
  return safeJson(`${await formatJson(value)}\n`)
}

/** A line of JSON for each value. */
export async function ndjsonText(values: readonly unknown[]): Promise<string> {
  const lines = await Promise.all(values.map((value) => formatJson(value, 0)))
  return safeJson(lines.map((line) => `${line}\n`).join(''))
}
