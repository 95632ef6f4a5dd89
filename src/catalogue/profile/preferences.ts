import * as v from 'valibot'
import { jsonLength } from '../../rules/json-length'
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
