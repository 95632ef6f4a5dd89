/** Reads and compares times in filters, and sorts by them. */
import type { FieldKind } from '../../catalogue/field-types'
import { parseDuration } from '../../rules/durations'
import { formatTimestamp, parseTimeSpan } from '../../rules/times'
import { type FilterOperand, type FilterOperator, isSpanOperator, type Reading } from './test-syntax'

export function readTime({ operand, operator, field, now }: Reading): FilterOperand | undefined {
  const order = momentOrder(operand) ?? (isSpanOperator(operator) ? spanOrder(operand, field.kind, now) : undefined)
  if (!order) return undefined
  const isNewer = operator.startsWith('<') && field.kind !== 'deadline' && !parseTimeSpan(operand)
  const { path } = field
  return {
    order(value) {
      const actual = timeOf(value)
      return actual === undefined ? undefined : order(actual)
    },
    ...(isNewer && {
      ifEmpty: `${path}${operator}${operand} means newer than ${operand}. For older ones: ${path}>${operand}`,
    }),
  }
}

const days: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 }
const reversed: Partial<Record<FilterOperator, FilterOperator>> = { '>': '<', '>=': '<=', '<': '>', '<=': '>=' }

/** Returns tests for a word such as `yesterday`, without the field. More than an age is earlier, as is less than a date. */
export function testsOfWord({ operand, operator, field: { kind }, now }: Reading): string[] {
  const day = days[operand.toLowerCase()]
  if (day !== undefined)
    return [`${operator === '>' ? '>=' : operator}${formatTimestamp(now + day * 86_400_000).slice(0, 10)}`]
  const ofAge = kind === 'deadline' ? operator : reversed[operator]
  return [`${operator}2026-01-31`, ...(isSpanOperator(operator) ? [`${ofAge}7d`] : [])]
}

/** Parses a record's time, also in RFC 3339, to milliseconds since the epoch. */
export function timeOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseTimeSpan(value)?.start : undefined
}

type TimeOrder = (time: number) => number

/** Compares with a date or time as a period: every time of a day equals `2026-01-31`. */
function momentOrder(text: string): TimeOrder | undefined {
  const moment = parseTimeSpan(text)
  return moment && ((time) => (time < moment.start ? -1 : Number(time >= moment.end)))
}

/** Compares with a duration: `7d` is the age of a past time, and the time left until a deadline. */
function spanOrder(text: string, kind: FieldKind, now: number): TimeOrder | undefined {
  const span = /\d$/.test(text) ? undefined : parseDuration(text)
  if (span === undefined) return undefined
  return (time) => (kind === 'deadline' ? time - now : now - time) - span
}
