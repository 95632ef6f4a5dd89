/** Compares times with dates and with durations from now. */
import type { FieldKind } from '../../catalogue/field-types'
import { parseDuration } from '../../rules/durations'
import { parseMoment } from '../../rules/times'
import type { FilterOperand, Reading } from './operand'
import type { FilterOperator } from './test'

/** Reports whether an operator accepts a duration: no time is exactly so long ago. */
export const isSpanOperator = (operator: FilterOperator) => operator !== '=' && operator !== '!='

export function readTime({ wanted, operator, field, now }: Reading): FilterOperand | undefined {
  const order = momentOrder(wanted) ?? (isSpanOperator(operator) ? spanOrder(wanted, field.kind, now) : undefined)
  if (!order) return undefined
  return {
    order(value) {
      const held = timeOf(value)
      return held === undefined ? undefined : order(held)
    },
  }
}

/** Parses a record's time, also in RFC 3339, to milliseconds since the epoch. */
export function timeOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseMoment(value)?.start : undefined
}

type TimeOrder = (time: number) => number

/** Compares with a date or time as a period: every time of a day equals `2026-01-31`. */
function momentOrder(text: string): TimeOrder | undefined {
  const moment = parseMoment(text)
  return moment && ((time) => (time < moment.start ? -1 : Number(time >= moment.end)))
}

/** Compares with a duration: `7d` is the age of a past time, and the time left until a deadline. */
function spanOrder(text: string, kind: FieldKind, now: number): TimeOrder | undefined {
  const span = /\d$/.test(text) ? undefined : parseDuration(text)
  if (span === undefined) return undefined
  return (time) => (kind === 'deadline' ? time - now : now - time) - span
}
