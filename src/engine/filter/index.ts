/**
 * Implements `--filter` on lists. It tests every record, even if the service filters, too. Loaded only if there is a
 * filter.
 */

import type { FieldKind } from '../../catalogue/field-types'
import { type Field, fieldsOf } from '../../catalogue/field-types'
import type { Operation } from '../../catalogue/operation'
import { Problem } from '../../errors'
import { valueAt } from '../../output/cells'
import { isForPeople } from '../../output/formats'
import type { Session } from '../session'
import type { Doubt } from '../unknown-fields'
import { takesNone } from './kinds'
import { misplaced, misspelt, nothingGiven, readOperand } from './read-operand'
import { type FilterOperand, type FilterOperator, operators, splitTest, type Test } from './test-syntax'

export interface RecordFilter {
  /** Reports whether a record passes all tests. */
  passes(record: unknown): boolean
  /** Filter for the service (gaps.md, Filtering); never stricter than the tests. */
  serviceFilter?: Readonly<Record<string, unknown>>
  warnings: readonly string[]
  /** Fields that are not in the catalogue; only records can show whether they exist. */
  doubts?: readonly Doubt[]
  /** Inspects the first records; throws `usage` if a test can compare none of them. */
  meet(records: readonly unknown[]): void
  /** Warns, after a list was empty, of a region that does not exist, and explains ages. */
  warnIfEmpty(session: Session): Promise<void>
}

type Ready = Test & { holds(value: unknown): boolean } & Pick<FilterOperand, 'serviceValue' | 'warning' | 'ifEmpty'> & {
    /** For a field that is not in the catalogue: inspects its values. */
    meet?(values: readonly unknown[]): void
  }

/** Parses the tests of --filter, and prints their warnings. */
export async function filterFor(
  texts: readonly string[],
  operation: Operation,
  { clock, ui }: Session,
): Promise<RecordFilter> {
  const filter = await readFilter(texts, operation, clock.now())
  for (const warning of filter.warnings) await ui.warn(warning)
  return filter
}

/** Parses `size >= 40`, `label~data`, …; throws `usage`, with valid examples, for a test that cannot be made. */
export async function readFilter(texts: readonly string[], operation: Operation, now: number): Promise<RecordFilter> {
  const fields = fieldsOf(operation)
  const tests: Ready[] = []
  const paths = fields.map(({ path }) => path)
  for (const text of texts) tests.push(await readTest(await parseTest(text, paths), fields, now))
  const serviceFilter = serviceFilterOf(tests, operation)
  const doubts = tests.filter(({ meet }) => meet).map(({ path }) => ({ flag: '--filter', name: path }))
  return {
    passes: (record) => tests.every(({ path, holds }) => holds(valueAt(record, path))),
    ...(serviceFilter && { serviceFilter }),
    warnings: tests.flatMap(({ warning = [] }) => warning),
    ...(doubts.length > 0 && { doubts }),
    meet(records) {
      for (const { path, meet } of tests) meet?.(records.map((record) => valueAt(record, path)))
    },
    async warnIfEmpty({ account, ui }) {
      if (isForPeople(ui.format)) for (const { ifEmpty } of tests) if (ifEmpty !== undefined) await ui.status(ifEmpty)
      const region = serviceFilter?.region
      if (typeof region !== 'string') return
      const { unknownRegion } = await import('../../account/regions')
      // A courtesy: the list is complete without it.
      const warning = await unknownRegion(region, account).catch(() => undefined)
      if (warning !== undefined) await ui.warn(warning)
    },
  }
}

/** Parses a test; throws `usage` for what is none, for several tests in one, and for a range. `fields` are known. */
export async function parseTest(text: string, fields: readonly string[]): Promise<Test> {
  const test = splitTest(text)
  const isAttachment = /tached$/.test(test?.path ?? '')
  if (test && !isAttachment && !/[\s,&]|\.\./.test(test.operand)) return test
  const fault = (await import('./correct-test')).faultIn(text, fields)
  if (fault) throw fault
  if (test) return test
  throw new Problem('usage', `--filter: "${text}" is not a test`, {
    hint: `Write it as label=web, size>=40 or label~data; the operators are ${operators.join(' ')}`,
  })
}

/** Returns tests for equality of fields that the service can filter by; one of several tests of the same field. */
function serviceFilterOf(tests: readonly Ready[], { filterable }: Operation): RecordFilter['serviceFilter'] {
  const able = tests.filter(
    ({ path, operator, serviceValue }) => operator === '=' && serviceValue !== undefined && filterable?.includes(path),
  )
  return able.length === 0 ? undefined : Object.fromEntries(able.map(({ path, serviceValue }) => [path, serviceValue]))
}

async function readTest(test: Test, fields: readonly Field[], now: number): Promise<Ready> {
  const knownField = fields.find(({ path }) => path === test.path)
  const field = knownField ?? fieldFromTest(test)
  // Every text contains an empty one.
  if (test.operand === '' || (test.operator === '~' && test.operand === '""')) throw nothingGiven(test, field)
  const none = testOfNone(test, field)
  if (knownField) return none ?? { ...test, ...(await testOfValue(test, field, now)) }
  if (none) return { ...none, meet() {} }
  const { order, meet } = await readByType(test, now)
  return { ...test, holds: (value) => holds(value, test.operator, order), meet }
}

/** Reads `=none` and `!=none`, which test for a missing value or an empty list. */
function testOfNone(test: Test, field: Field): Ready | undefined {
  const { operator, operand } = test
  if ((operator !== '=' && operator !== '!=') || !takesNone(field)) return undefined
  if (operand === 'null') throw misspelt(test, field, [`${operator}none`])
  if (operand !== 'none') return undefined
  const isNone = (value: unknown) => value === null || value === undefined || (Array.isArray(value) && !value.length)
  // Never sent to the service: its handling of null is undocumented, and a missing record would go unnoticed.
  return { ...test, holds: (value) => isNone(value) === (operator === '=') }
}

async function testOfValue(
  test: Test,
  field: Field,
  now: number,
): Promise<Pick<Ready, 'holds' | 'serviceValue' | 'warning' | 'ifEmpty'>> {
  const { order, ...rest } = await readOperand(test, field, now)
  return { ...rest, holds: (value) => holds(value, test.operator, order) }
}

/**
 * Compares a value. A missing value or an empty list only passes `!=`. A list passes `=` and `~` if one item does, and
 * `!=` if no item is equal. An unknown kind of value passes nothing.
 */
function holds(value: unknown, operator: FilterOperator, order: FilterOperand['order']): boolean {
  if (value === null || value === undefined) return operator === '!='
  if (!Array.isArray(value)) return agrees(order(value), operator)
  if (operator === '!=') return value.every((member) => agrees(order(member), operator))
  return (operator === '=' || operator === '~') && value.some((member) => agrees(order(member), operator))
}

const meanings: Readonly<Record<FilterOperator, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '~': (order) => order === 0,
}

function agrees(order: number | undefined, operator: FilterOperator): boolean {
  return order !== undefined && meanings[operator](order)
}

interface ByType extends Pick<FilterOperand, 'order'> {
  /** Throws `usage` if none of the first values can be compared. */
  meet(values: readonly unknown[]): void
}

const ordering: readonly Test['operator'][] = ['>', '>=', '<', '<=']

/** Derives the field from the test; throws `usage` for `null`, which must be spelled `none`. */
export function fieldFromTest({ path, operator, operand }: Test): Field {
  if (operand === 'null' && (operator === '=' || operator === '!=')) {
    const hint = `Write ${path}${operator}none, or ${path}${operator}"null" for the text`
    throw new Problem('usage', '--filter: write none for a missing value', { hint })
  }
  return fieldOf(path, ordering.includes(operator) ? 'number' : 'text')
}

const fieldOf = (path: string, kind: FieldKind, list = false): Field => ({
  path,
  kind,
  list,
  nullable: true,
  values: [],
})

/** Reads a test for each type of value. */
export async function readByType(test: Test, now: number): Promise<ByType> {
  const orders = new Map<FieldKind, FilterOperand['order'] | Problem>()
  for (const kind of ['number', 'boolean', 'text', 'structure'] as const)
    orders.set(kind, await orderOf(test, fieldOf(test.path, kind), now))
  const unordered = ordering.includes(test.operator) ? misplaced(test, fieldOf(test.path, 'text', true)) : undefined
  const judge = (value: unknown) => orders.get(kindOf(value))
  // A list is compared item by item.
  const judged = (value: unknown) =>
    Array.isArray(value) ? value.map((member) => unordered ?? judge(member)) : [judge(value)]
  let met = false
  return {
    order(value) {
      const order = judge(value)
      return typeof order === 'function' ? order(value) : undefined
    },
    meet(values) {
      if (met) return
      const orders = values.filter((value) => value !== null && value !== undefined).flatMap(judged)
      const [first] = orders
      met = orders.some((order) => typeof order === 'function')
      if (!met && first instanceof Problem) throw first
    },
  }
}

async function orderOf(test: Test, field: Field, now: number): Promise<FilterOperand['order'] | Problem> {
  try {
    return (await readOperand(test, field, now)).order
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

function kindOf(value: unknown): FieldKind {
  if (typeof value === 'number' || typeof value === 'bigint') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'text' : 'structure'
}
