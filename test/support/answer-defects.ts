/** What no run may show, whatever the service answered. */
import { exitCodes } from '../../src/errors'
import { mismatch } from './described'
import type { Path, Value } from './hostile-answers'
import type { Other, Recorded } from './replay'
import type { Result } from './run'
import type { commands } from './samples'

export const formats = ['', '--json', '-o ndjson', '-o yaml', '-o csv', '-o tsv', '-q'] as const
export type FormatFlag = (typeof formats)[number]

export type Line = (typeof commands)[number]

/** One answer, at one of its places, is another. */
export interface Spoiled extends Other {
  /** In which it is judged. */
  formats: readonly FormatFlag[]
  /** Of the answer, in the order in which they were given. */
  index: number
  path: Path
  value: Value
  /** It is a whole answer that comes in place of this one: a success without its end, or a 404 of somebody else. */
  kind?: 'cut' | 'foreign'
}

const codes: readonly number[] = Object.values(exitCodes)
const leaks = /\bundefined\b|\[object \w+\]|\bNaN\b|\bInvalid Date\b|\bInfinity\b|internal error/
const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2028\u202e\u2066\ufeff\u{e0041}]/u

/** What is made is handed over before anything else is done with it. */
export const handsOver = /^tokens rotate\b/

/** What fails is told beside what does not. */
export const tellsBoth = /^(apply|audit|doctor|firewalls close|overview)\b/

/** What is wrong with a run; empty where nothing is. `wrong`: what it was told makes no sense. */
export function defectsOf(
  { path }: Line,
  { exit, stdout, stderr }: Result,
  { path: place, value, format, wrong }: Pick<Spoiled, 'path' | 'value'> & { format: FormatFlag; wrong: boolean },
): string[] {
  // What these print for people is JSON, and YAML.
  const people = (format === '' || format === '-q') && path !== 'api' && path !== 'export'
  const all = `${stdout}\n${stderr}`
  const rules: Record<string, boolean> = {
    'an exit code that is none': !codes.includes(exit) && exit !== 0,
    'a stack': /\n\s+at .+:\d+:\d+/.test(stderr),
    'a value of our own language': value.name !== 'NaN as a text' && leaks.test(all),
    'null for a person': people && exit === 0 && /(^|[\s"(])(?<!is )null([\s",.:;)]|$)/m.test(all),
    'a character that acts': raw.test(people ? all : stderr),
    'success with what makes no sense': wrong && exit === 0,
    'output and failure':
      exit !== 0 &&
      stdout !== '' &&
      !handsOver.test(path) &&
      !tellsBoth.test(path) &&
      !['-o ndjson', '-o csv', '-o tsv'].includes(format),
    'no JSON': format === '--json' && exit === 0 && !isJson(stdout),
    'no lines of JSON': format === '-o ndjson' && !stdout.split('\n').filter(Boolean).every(isJson),
    'no JSON on stderr':
      (format === '--json' || format === '-o ndjson') && !stderr.split('\n').filter(Boolean).every(isJson),
    // A region is named once for each plan that it has; rules and questions are no list of pages.
    'an item twice':
      value.name === 'each item twice' &&
      place.join() === 'data' &&
      format === '-q' &&
      path !== 'regions availability' &&
      hasTwice(stdout.split('\n').filter(Boolean)),
  }
  return Object.keys(rules).filter((name) => rules[name])
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const hasTwice = (lines: readonly string[]) => new Set(lines).size < lines.length

/**
 * Whether the document of the service (docs/openapi.json) rules out what the command itself asks for. What stands for
 * nothing is judged elsewhere, and so are missing fields and what a text must look like.
 */
export function isWrong(
  { path: words, command }: Line,
  { asked, status }: Recorded,
  { path: place, value, body, status: other }: Spoiled,
): boolean {
  const [method = '', path = ''] = asked.replace('/v4', '').split(' ')
  if (value.name === 'missing' || value.name === 'null') return false
  if (status !== 200 || other !== undefined || !isJson(body)) return false
  // The samples of these have no profile: they only ask whose account that is, and go on without.
  if (/^(apply|export)$/.test(words) && path === '/profile') return false
  const operation = command.operations?.find((one) => one.method === method && isAt(path, one.path))
  // What is lost on the way is looked for, and found done.
  if (!operation || operation.idempotency === 'check first') return false
  // A bare array is a list as well (gaps.md).
  if (operation.paged && place.length === 0 && value.name === 'an empty list') return false
  if (value.name === 'another id') return place.length === 1 && /^GET \/v4\/.+\/\d+$/.test(asked)
  const faults = mismatch(method, path, { status, body: JSON.parse(body) })
  if (!Array.isArray(faults) || faults.some(({ keyword }) => keyword === 'pattern')) return false
  return faults.some((fault) => fault.keyword !== 'required' && !isOfNull(fault))
}

/** An object that may be null and lacks fields is also no null, which makes it no more wrong. */
const isOfNull = ({ keyword, params }: { keyword: string; params: { type?: unknown } }) =>
  keyword === 'anyOf' || (keyword === 'type' && params.type === 'null')

export const isAt = (path: string, template: string) =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`).test(path)
