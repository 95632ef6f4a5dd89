/** `--body` that holds an object on each of several lines (NDJSON): each is a body of its own. */
import { deepest, isTooDeep } from '../data/depth'
import { parseJson } from '../data/json'
import { type FieldError, Problem } from '../errors'
import { isRecord } from '../rules/records'
import { parseObject } from './body-file'

/** A body that was given, and the line that it stands on, from 1, where it is one of several. */
export interface GivenBody {
  body: Record<string, unknown>
  line?: number
}

/**
 * The objects of a text. A first line that is a whole object, with anything but comments after it, is neither one JSON
 * nor one YAML document: then each line is an object. Throws `usage` with the line that is none.
 */
export async function parseBodies(text: string, name: string): Promise<GivenBody[]> {
  const lines = linesOf(text)
  const [first, ...others] = lines
  const several = first && others.some(({ text }) => !endsYaml.test(text)) && isRecord(await valueIn(first.text))
  if (!several) return [{ body: await parseObject(text, name) }]
  return Promise.all(
    lines.map(async ({ line, text }) => ({ line, body: await objectOf(text, `line ${line} of ${name}`) })),
  )
}

/** A comment, or the end of a document. */
const endsYaml = /^\s*(#|\.\.\.)/

function linesOf(text: string): { line: number; text: string }[] {
  const lines = text.split(/\r?\n/)
  return lines.map((text, index) => ({ line: index + 1, text })).filter(({ text }) => text.trim() !== '')
}

function valueIn(text: string): Promise<unknown> {
  return parseJson(text).catch(() => undefined)
}

async function objectOf(text: string, name: string): Promise<Record<string, unknown>> {
  const value = await valueIn(text)
  if (!isRecord(value)) throw new Problem('usage', `${name} is not a JSON object`)
  if (isTooDeep(value)) throw new Problem('usage', `${name} is nested over ${deepest} levels deep`)
  return value
}

// More would tell the same of as many lines as there are.
const mostProblems = 20

/** Checks each body before anything is sent; throws `usage` with every field that is wrong, and its line. */
export async function checkEach<G extends GivenBody, R>(
  given: readonly G[],
  check: (one: G) => R | Promise<R>,
): Promise<R[]> {
  const checked: R[] = []
  const problems: { problem: Problem; line: number | undefined }[] = []
  for (const one of given) {
    try {
      checked.push(await check(one))
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'usage' || one.line === undefined) throw error
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
  const said = problems.map(({ problem, line }) => `${problem.message} (line ${line})`)
  const hint = problems.find(({ problem }) => problem.details.hint)?.problem.details.hint
  return new Problem('usage', said.join('; '), { errors: problems.flatMap(onLine), ...(hint && { hint }) })
}

/** Throws `usage` where two lines name the same, which `nameOf` tells. */
export function expectDistinct(
  given: readonly GivenBody[],
  field: string,
  { nameOf, hint }: { nameOf(body: GivenBody['body']): unknown; hint: string },
): void {
  const first = new Map<unknown, number | undefined>()
  for (const { body, line } of given) {
    const name = nameOf(body)
    if (name !== undefined && first.has(name)) {
      const reason = `Is that of line ${first.get(name)} already (line ${line})`
      throw new Problem('usage', `${field}: "${name}" is that of line ${first.get(name)} already (line ${line})`, {
        errors: [{ field, reason }],
        hint,
      })
    }
    first.set(name, line)
  }
}
