/** Adds the lines of wrong fields to the problem of a `--body` file. */
import { type FieldError, Problem } from '../errors'
import { readTextFile } from './body-file'

/** Returns the problem with the lines; any other error, and a problem of stdin, is returned unchanged. */
export async function withLines(error: unknown, file: string): Promise<unknown> {
  if (!(error instanceof Problem) || error.code !== 'usage' || file === '-') return error
  const { errors = [] } = error.details
  // Each of several bodies has its line already, and so have duplicate keys.
  if (errors.length === 0 || /\bline \d/.test(error.message)) return error
  const { sourcePositions } = await import('../data/yaml')
  const text = await readTextFile(file).catch(() => undefined)
  if (text === undefined) return error
  const { lineOf } = await sourcePositions(text)
  const placed = errors.map((one) => ({ ...one, place: placeAt(lineOf(one.field)) }))
  return new Problem('usage', messageWith(error.message, placed), {
    ...error.details,
    errors: placed.map(({ field, reason, place }) => ({ field, reason: reason + place })),
    cause: error,
  })
}

const placeAt = (line: number | undefined) => (line === undefined ? '' : ` (line ${line})`)

/** Inserts each place behind its reason, which the message has in the order of the errors. */
function messageWith(message: string, errors: readonly (FieldError & { place: string })[]): string {
  let done = 0
  let text = message
  for (const { reason, place } of errors) {
    const said = reason.slice(1)
    const at = text.indexOf(said, done)
    if (at < 0) continue
    done = at + said.length + place.length
    text = text.slice(0, at + said.length) + place + text.slice(at + said.length)
  }
  return text
}
