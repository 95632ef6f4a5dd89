/** Times: moments of the calendar, and distances from now. */
import type { FieldKind } from '../../catalogue/field-types'
import { parseDuration } from '../../rules/durations'
import { parseMoment } from '../../rules/times'
import type { Operator } from './test'
import type { Reading, Wanted } from './wanted'

/** No time is a distance away to the millisecond. */
export const isSpanOperator = (operator: Operator) => operator !== '=' && operator !== '!='

export function readTime({ wanted, operator, field, now }: Reading): Wanted | undefined {
  const order = momentOrder(wanted) ?? (isSpanOperator(operator) ? spanOrder(wanted, field.kind, now) : undefined)
  if (!order) return undefined
  return {
    order(value) {
      const held = timeOf(value)
      return held === undefined ? undefined : order(held)
    },
  }
}

/** A time of a record, also as RFC 3339 has it, in milliseconds since the epoch. */
export function timeOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseMoment(value)?.start : undefined
}

type TimeOrder = (time: number) => number

/** A moment is as long as it was written: all of a day is equal to `2026-01-31`. */
function momentOrder(text: string): TimeOrder | undefined {
  const moment = parseMoment(text)
  return moment && ((time) => (time < moment.start ? -1 : Number(time >= moment.end)))
}

/** `7d` is an age where the time is of what was, and what is left where it is of what will end. */
function spanOrder(text: string, kind: FieldKind, now: number): TimeOrder | undefined {
  const span = /\d$/.test(text) ? undefined : parseDuration(text)
  if (span === undefined) return undefined
  return (time) => (kind === 'deadline' ? time - now : now - time) - span
}
