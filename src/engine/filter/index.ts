/** `--filter` on lists: what passes, whatever the service did with what it was asked. Loaded where there is a filter. */
import { type Field, fieldsOf } from '../../catalogue/field-types'
import type { Operation } from '../../catalogue/operation'
import { valueAt } from '../../output/cells'
import type { Doubt } from '../unknown-fields'
import { fieldAsked, readByType } from './by-type'
import { takesNone } from './kinds'
import { misspelt, nothingGiven } from './mistakes'
import { readWanted } from './read-wanted'
import { type Operator, parseTest, type Test } from './test'
import type { Wanted } from './wanted'

export interface RecordFilter {
  /** Whether a record passes all tests. */
  passes(record: unknown): boolean
  /** What the service may be asked to leave out already (gaps.md, Filtering): less than the filter, never more. */
  asked?: Readonly<Record<string, unknown>>
  warnings: readonly string[]
  /** Fields of which only records can tell whether there are any. */
  doubts?: readonly Doubt[]
  /** Takes a look at records before they are tested; throws `usage` where none has what a test can compare. */
  meet(records: readonly unknown[]): void
}

type Ready = Test & { holds(value: unknown): boolean } & Pick<Wanted, 'asked' | 'warning'> & {
    /** Of a field that the catalogue does not know: judges what it holds. */
    meet?(values: readonly unknown[]): void
  }

/** Reads `size >= 40`, `label~data`, …; throws `usage` for what cannot be compared, with what can. */
export async function readFilter(texts: readonly string[], operation: Operation, now: number): Promise<RecordFilter> {
  const fields = fieldsOf(operation)
  const tests: Ready[] = []
  for (const text of texts) tests.push(await readTest(parseTest(text), fields, now))
  const asked = askedOf(tests, operation)
  const doubts = tests.filter(({ meet }) => meet).map(({ path }) => ({ flag: '--filter', name: path }))
  return {
    passes: (record) => tests.every(({ path, holds }) => holds(valueAt(record, path))),
    ...(asked && { asked }),
    warnings: tests.flatMap(({ warning = [] }) => warning),
    ...(doubts.length > 0 && { doubts }),
    meet(records) {
      for (const { path, meet } of tests) meet?.(records.map((record) => valueAt(record, path)))
    },
  }
}

/** Equality of the keys that the service is known to filter by; of two tests of a key, one. */
function askedOf(tests: readonly Ready[], { filterable }: Operation): RecordFilter['asked'] {
  const able = tests.filter(
    ({ path, operator, asked }) => operator === '=' && asked !== undefined && filterable?.includes(path),
  )
  return able.length === 0 ? undefined : Object.fromEntries(able.map(({ path, asked }) => [path, asked]))
}

async function readTest(test: Test, fields: readonly Field[], now: number): Promise<Ready> {
  const known = fields.find(({ path }) => path === test.path)
  const field = known ?? fieldAsked(test)
  // Everything contains an empty text.
  if (test.wanted === '' || (test.operator === '~' && test.wanted === '""')) throw nothingGiven(test, field)
  const none = testOfNone(test, field)
  if (known) return none ?? { ...test, ...(await testOfValue(test, field, now)) }
  if (none) return { ...none, meet() {} }
  const { order, meet } = await readByType(test, now)
  return { ...test, holds: (value) => holds(value, test.operator, order), meet }
}

/** `=none` and `!=none`: a record without a value, or with an empty list. */
function testOfNone(test: Test, field: Field): Ready | undefined {
  const { operator, wanted } = test
  if ((operator !== '=' && operator !== '!=') || !takesNone(field)) return undefined
  if (wanted === 'null') throw misspelt(test, field, ['none'])
  if (wanted !== 'none') return undefined
  const isNone = (value: unknown) => value === null || value === undefined || (Array.isArray(value) && !value.length)
  // Never asked of the service: what null equals there is nowhere said, and what it left out nobody would miss.
  return { ...test, holds: (value) => isNone(value) === (operator === '=') }
}

async function testOfValue(test: Test, field: Field, now: number): Promise<Pick<Ready, 'holds' | 'asked' | 'warning'>> {
  const { order, ...rest } = await readWanted(test, field, now)
  return { ...rest, holds: (value) => holds(value, test.operator, order) }
}

/**
 * What has no value, and an empty list, passes `!=` only; a list passes `=` and `~` where a member does, and `!=` where
 * none is equal. What cannot be compared, since the service has grown, passes nothing.
 */
function holds(value: unknown, operator: Operator, order: Wanted['order']): boolean {
  if (value === null || value === undefined) return operator === '!='
  if (!Array.isArray(value)) return agrees(order(value), operator)
  if (operator === '!=') return value.every((member) => agrees(order(member), operator))
  return (operator === '=' || operator === '~') && value.some((member) => agrees(order(member), operator))
}

const meanings: Readonly<Record<Operator, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '~': (order) => order === 0,
}

function agrees(order: number | undefined, operator: Operator): boolean {
  return order !== undefined && meanings[operator](order)
}
