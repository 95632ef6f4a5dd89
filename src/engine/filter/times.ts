/** Reads and compares times in filters, and sorts by them. */
import type { FieldKind } from '../../catalogue/field-types'
import { parseDuration } from '../../rules/durations'
import { parseTimeSpan } from '../../rules/times'
import { type FilterOperand, isSpanOperator, type Reading } from './test'

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
