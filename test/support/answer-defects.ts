/** Checks a run for defects that no answer of the service may cause. */
import { exitCodes } from '../../src/errors'
import type { Path, Value } from './hostile-answers'
import { mismatch } from './openapi-document'
import type { Other, Recorded } from './replay'
import type { Result } from './run'
import type { commands } from './samples'

export const formats = ['', '--json', '-o ndjson', '-o yaml', '-o csv', '-o tsv', '-q'] as const
export type FormatFlag = (typeof formats)[number]

export type Line = (typeof commands)[number]

/** A recorded answer with another value at one of its places. */
export interface Spoiled extends Other {
  /** Formats in which it is tested. */
  formats: readonly FormatFlag[]
  /** Position among the recorded answers. */
  index: number
  path: Path
  value: Value
  /** Replaces the whole answer, if set: by a success that is cut, or by a 404 of another server. */
  kind?: 'cut' | 'foreign'
}

const codes: readonly number[] = Object.values(exitCodes)
const leaks = /\bundefined\b|\[object \w+\]|\bNaN\b|\bInvalid Date\b|\bInfinity\b|internal error/
const raw = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u2028\u202e\u2066\ufeff\u{e0041}]/u

/** Commands that print what they created before they do anything else with it. */
export const printsResultFirst = /^tokens rotate\b/

/** Commands that print results beside failures. */
export const printsPartialResults = /^(apply|audit|doctor|export|firewalls close|overview)\b/

/** Lists the defects of a run. `wrong`: its answer contradicts the API. */
export function defectsOf(
  { path }: Line,
  { exit, stdout, stderr }: Result,
  { path: place, value, format, wrong }: Pick<Spoiled, 'path' | 'value'> & { format: FormatFlag; wrong: boolean },
): string[] {
  // These print JSON or YAML for people, too.
  const isForPeople = (format === '' || format === '-q') && path !== 'api' && path !== 'export'
  const all = `${stdout}\n${stderr}`
  const rules: Record<string, boolean> = {
    'an undefined exit code': !codes.includes(exit) && exit !== 0,
    'a stack trace': /\n\s+at .+:\d+:\d+/.test(stderr),
    'a value of JavaScript': value.name !== 'NaN as a text' && leaks.test(all),
    'null in text for people': isForPeople && exit === 0 && /(^|[\s"(])(?<!is )null([\s",.:;)]|$)/m.test(all),
    'a control character': raw.test(isForPeople ? all : stderr),
    'success after an invalid answer': wrong && exit === 0,
    'output beside a failure':
      exit !== 0 &&
      stdout !== '' &&
      !printsResultFirst.test(path) &&
      !printsPartialResults.test(path) &&
      !['-o ndjson', '-o csv', '-o tsv'].includes(format),
    'invalid JSON': format === '--json' && exit === 0 && !isJson(stdout),
    'invalid NDJSON': format === '-o ndjson' && !stdout.split('\n').filter(Boolean).every(isJson),
    'invalid JSON on stderr':
      (format === '--json' || format === '-o ndjson') && !stderr.split('\n').filter(Boolean).every(isJson),
    // A region is listed once for each of its plans, and lines of YAML repeat. Rules and security questions are not paged.
    'an item twice':
      value.name === 'each item twice' &&
      place.join() === 'data' &&
      format === '-q' &&
      path !== 'regions availability' &&
      path !== 'export' &&
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
 * Reports whether the OpenAPI document (docs/openapi.json) rules out the answer to the command's own request. Other
 * tests cover missing and null values, and the format of texts.
 */
export function isWrong(
  { path: words, command }: Line,
  { request, status }: Recorded,
  { path: place, value, body, status: other }: Spoiled,
): boolean {
  const [method = '', path = ''] = request.replace('/v4', '').split(' ')
  if (value.name === 'missing' || value.name === 'null') return false
  if (status !== 200 || other !== undefined || !isJson(body)) return false
  // The samples of these have no profile: they only look up the owner of the account, and continue without.
  if (/^(apply|export)$/.test(words) && path === '/profile') return false
  // An object that cannot be read is left alone if the files do not have it.
  if (/^(apply|plan)$/.test(words) && place[0] === 'data') return false
  // It prints that it could not read the services, beside the difference.
  if (words === 'firewalls rules diff' && path.includes('/devices')) return false
  const operation = command.operations?.find((one) => one.method === method && isAt(path, one.path))
  // A lost answer is recovered: a lookup finds the change done.
  if (!operation || operation.idempotency === 'check first') return false
  // A bare array is a list as well (gaps.md).
  if (operation.paged && place.length === 0 && value.name === 'an empty list') return false
  if (value.name === 'another id') return place.length === 1 && /^GET \/v4\/.+\/\d+$/.test(request)
  const faults = mismatch(method, path, { status, body: JSON.parse(body) })
  if (!Array.isArray(faults) || faults.some(({ keyword }) => keyword === 'pattern')) return false
  return faults.some((fault) => fault.keyword !== 'required' && !isOfNull(fault))
}

/** Errors that an object which may be null has besides its own: it is not null, either. */
const isOfNull = ({ keyword, params }: { keyword: string; params: { type?: unknown } }) =>
  keyword === 'anyOf' || (keyword === 'type' && params.type === 'null')

export const isAt = (path: string, template: string) =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`).test(path)
