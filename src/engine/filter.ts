/** `--filter` on lists: what the service is asked for, and what is checked here whatever it did with that. */
import { type Operation, partsOf } from '../catalogue/operation'
import { Problem } from '../errors'
import { valueAt } from '../output/cells'
import { unknownField } from '../output/column'

const tests = {
  '=': (actual: string, wanted: string) => actual === wanted,
  '!=': (actual: string, wanted: string) => actual !== wanted,
  '>': (actual: string, wanted: string) => compare(actual, wanted) > 0,
  '<': (actual: string, wanted: string) => compare(actual, wanted) < 0,
  '~': (actual: string, wanted: string) => actual.toLowerCase().includes(wanted.toLowerCase()),
}

export interface Filter {
  path: string
  test: keyof typeof tests
  wanted: string
}

/** Reads `label=web`, `size>20`, `region!=us-east`, `label~data`; an unknown field is a problem of usage. */
export function parseFilters(texts: readonly string[], known: readonly string[]): Filter[] {
  return texts.map((text) => {
    const match = /^([\w.]+)(!=|=|>|<|~)(.*)$/s.exec(text)
    if (!match) {
      throw new Problem('usage', `--filter: "${text}" is not a test`, {
        hint: 'Write it as label=web, size>20 or label~data',
      })
    }
    const [, path = '', test = '=', wanted = ''] = match
    if (!known.includes(path)) throw unknownField('--filter', path, known)
    return { path, test: test as Filter['test'], wanted }
  })
}

/** The part that the service can do: equality of the keys that it is known to filter by. */
export function serviceFilter(filters: readonly Filter[], operation: Operation): Record<string, unknown> | undefined {
  const able = filters.filter(({ path, test }) => test === '=' && operation.filterable?.includes(path))
  return able.length === 0
    ? undefined
    : Object.fromEntries(able.map(({ path, wanted }) => [path, scalar(wanted, typeOf(path, operation))]))
}

/** As a service compares it: a number is no text. */
function scalar(text: string, type: string | undefined): string | number | boolean {
  if (type === 'number' && /^\d{1,15}$/.test(text)) return Number(text)
  return text === 'true' || text === 'false' ? text === 'true' : text
}

function typeOf(path: string, { returns }: Operation): string | undefined {
  return partsOf(returns).entries?.[path]?.type
}

/** Whether a record passes all tests. A list passes where a member does; `!=` where no member is equal. */
export function passes(record: unknown, filters: readonly Filter[]): boolean {
  return filters.every(({ path, test, wanted }) => {
    const value = valueAt(record, path)
    const values = Array.isArray(value) ? value : [value]
    const matches = (item: unknown) => item !== undefined && tests[test](textOf(item), wanted)
    return test === '!=' ? values.every(matches) : values.some(matches)
  })
}

function textOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}

/** Numbers by value, anything else (also the service's timestamps) by its text. */
function compare(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)]
  if (a !== '' && b !== '' && !Number.isNaN(x) && !Number.isNaN(y)) return x - y
  return a < b ? -1 : Number(a > b)
}

/** Whether the service refuses what it was asked to filter by (gaps.md, Filtering). */
export function isFilterRefusal(error: unknown): boolean {
  return error instanceof Problem && (error.details.errors ?? []).some(({ field }) => field === 'X-Filter')
}
