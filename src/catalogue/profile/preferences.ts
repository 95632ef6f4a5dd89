import * as v from 'valibot'
import { isRecord } from '../../rules/records'
import { operation } from '../operation'

const longest = 65_535

/** Any object. A schema with entries would drop keys such as `__proto__` before counting the length. */
const anyObject = Object.assign(
  v.pipe(
    v.custom<Record<string, unknown>>(isRecord, 'Must be an object'),
    v.check((value) => jsonLength(value) <= longest, `Must not exceed ${longest} characters as JSON`),
    v.description('Preferences that replace the current ones'),
  ),
  { entries: {} },
)

export const preferences = {
  view: operation({
    method: 'GET',
    path: '/profile/preferences',
    scopes: ['account:read_only'],
    summary: 'Show the preferences of this OAuth client',
    returns: v.looseObject({}),
  }),
  update: operation({
    method: 'PUT',
    path: '/profile/preferences',
    scopes: ['account:read_write'],
    summary: 'Replace the preferences of this OAuth client',
    body: anyObject,
    returns: v.looseObject({}),
    // Someone else may have replaced them meanwhile (reliability.md, Which requests may be sent again).
    idempotency: 'check first',
  }),
}

/**
 * Counts the characters (code points) of a value as JSON without spaces. It supports integers beyond 2^53 as bigint,
 * and nesting too deep for JSON.stringify.
 */
export function jsonLength(value: unknown): number {
  let length = 0
  const left = [value]
  while (left.length > 0) {
    const item = left.pop()
    if (typeof item !== 'object' || item === null) {
      length += typeof item === 'bigint' ? String(item).length : characters(JSON.stringify(item))
      continue
    }
    const members = Object.values(item)
    length += 2 + Math.max(0, members.length - 1)
    if (!Array.isArray(item)) for (const key of Object.keys(item)) length += characters(JSON.stringify(key)) + 1
    for (const member of members) left.push(member)
  }
  return length
}

function characters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
