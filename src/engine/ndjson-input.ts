/** Reads a `--body` with one object per line (NDJSON), each for a resource of its own. */
import type { BodyInput } from '../account/journal-lines'
import { parseJson } from '../data/json'
import { repeatedKeys } from '../data/repeated-keys'
import { exitCodes, type FieldError, ignoreProblem, Problem } from '../errors'
import { isRecord } from '../rules/records'
import { dataProblem, emptyFile, parseData, parseObject } from './body-file'

/**
 * Parses one object, or one per line. It is NDJSON if the first line is a whole object and more than comments follow:
 * that is neither valid JSON nor valid YAML. Throws `usage` with the line that is not an object, and `too_large`.
 */
export async function parseBodies(text: string, name: string): Promise<BodyInput[]> {
  if (!(await isSeveral(text))) return [{ body: await parseObject(text, name) }]
  const bodies: BodyInput[] = []
  for (const { line, text: one } of linesOf(text)) {
    if (bodies.length === mostBodies) throw new Problem('too_large', `${name} is too large: over ${mostBodies} objects`)
    bodies.push({ line, body: await objectOf(one, `line ${line} of ${name}`) })
  }
  return bodies
}

/** Parses a list of objects in JSON or YAML, with the line of each; undefined for any other text. */
export async function parseList(text: string, name: string): Promise<BodyInput[] | undefined> {
  const value = await parseData(text, name).catch(ignoreProblem)
  if (!Array.isArray(value)) return undefined
  if (value.length === 0) throw emptyFile(name)
  const { lineOf } = await (await import('../data/yaml')).sourcePositions(text)
  return value.map((body, index) => {
    if (!isRecord(body)) throw new Problem('usage', `item ${index + 1} of ${name} is not an object`)
    return { line: lineOf(`[${index}]`), body }
  })
}

// An empty object is a line of three bytes, but takes fifty times as much memory.
const mostBodies = 100_000

async function isSeveral(text: string): Promise<boolean> {
  const lines = linesOf(text)
  const { value: first } = lines.next()
  if (!first) return false
  for (const other of lines) if (!endsYaml.test(other.text)) return isRecord(await valueIn(first.text))
  return false
}

/** Matches a comment, or the end of a YAML document. */
const endsYaml = /^\s*(#|\.\.\.)/

/** Yields the lines that are not blank, one at a time. */
function* linesOf(text: string): Generator<{ line: number; text: string }, undefined> {
  let begin = 0
  for (let line = 1; begin < text.length; line += 1) {
    const feed = text.indexOf('\n', begin)
    const end = feed < 0 ? text.length : feed
    const one = text.slice(begin, end)
    if (one.trim() !== '') yield { line, text: one }
    begin = end + 1
  }
  return undefined
}

function valueIn(text: string): Promise<unknown> {
  return parseJson(text).catch(() => undefined)
}

async function objectOf(text: string, name: string): Promise<Record<string, unknown>> {
  const value = await parseJson(text).catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw dataProblem(error, name)
  })
  if (!isRecord(value)) throw new Problem('usage', `${name} is not a JSON object`)
  const [twice] = repeatedKeys(text)
  if (twice) throw new Problem('usage', `${name} defines "${twice.key}" twice`)
  return value
}

// Maximum number of lines with errors to report.
const mostProblems = 20

/** Reports whether an error is in the line itself, or names an unknown object; otherwise no line can be checked. */
const isOfLine = ({ exitCode, details }: Problem) =>
  exitCode === exitCodes.usage || (exitCode === exitCodes.not_found && !details.status)

/** Checks all bodies before anything is sent; throws all invalid fields with their lines, as `usage` or `not_found`. */
export async function checkEach<G extends BodyInput, R>(
  inputs: readonly G[],
  check: (one: G) => R | Promise<R>,
): Promise<R[]> {
  const checked: R[] = []
  const problems: { problem: Problem; line: number | undefined }[] = []
  for (const one of inputs) {
    try {
      checked.push(await check(one))
    } catch (error) {
      if (!(error instanceof Problem) || !isOfLine(error) || one.line === undefined) throw error
      problems.push({ problem: error, line: one.line })
      if (problems.length === mostProblems) break
    }
  }
  if (problems.length > 0) throw wrongLines(problems)
  return checked
}

function wrongLines(problems: readonly { problem: Problem; line: number | undefined }[]): Problem {
  const onLine = ({ problem, line }: (typeof problems)[number]) => {
    const errors = problem.details.errors ?? [{ field: null, reason: problem.message }]
    return errors.map(({ field, reason }): FieldError => ({ field, reason: `${reason} (line ${line})` }))
  }
  const messages = problems.map(({ problem, line }) => `${problem.message} (line ${line})`)
  const hint = problems.find(({ problem }) => problem.details.hint)?.problem.details.hint
  const [code = 'usage', ...others] = new Set(problems.map(({ problem }) => problem.code))
  return new Problem(others.length > 0 ? 'usage' : code, messages.join('; '), {
    errors: problems.flatMap(onLine),
    ...(hint && { hint }),
  })
}

/** Throws `usage` if two lines have the same name, which `nameOf` returns. */
export function expectDistinct(
  inputs: readonly BodyInput[],
  field: string,
  { nameOf, hint }: { nameOf(body: BodyInput['body']): unknown; hint: string },
): void {
  const first = new Map<unknown, number | undefined>()
  for (const { body, line } of inputs) {
    const name = nameOf(body)
    if (name !== undefined && first.has(name)) {
      const reason = `Is also on line ${first.get(name)} (line ${line})`
      throw new Problem('usage', `${field}: "${name}" is also on line ${first.get(name)} (line ${line})`, {
        errors: [{ field, reason }],
        hint,
      })
    }
    first.set(name, line)
  }
}
