/** Personal access tokens, which files only expect: no file creates, changes or revokes a secret. */

import * as v from 'valibot'
import { readAll } from '../../account/resource'
import { checkValue } from '../../catalogue/check'
import { arrayOf, checkedText } from '../../catalogue/fields'
import { isMissing } from '../../catalogue/normalize'
import { type Token, tokens } from '../../catalogue/tokens'
import { parseDuration } from '../../rules/durations'
import { isNever } from '../../rules/expiry'
import { covers, leastScopes } from '../../rules/scope-cover'
import { scopesFault, unknownScope } from '../../rules/scopes'
import { counted, shellWord } from '../../rules/texts'
import { parseTimestamp } from '../../rules/times'
import type { ExpectationInput, ExpectationOutcome, Kind } from '../kind'
import { noted } from '../kind-functions'

const day = 86_400_000

/** Clocks differ, and the service may round: so much longer than `longest_life` a token may live. */
const tolerance = 3_600_000

const scopeFault = (scope: string) => scopesFault(scope) ?? unknownScope(scope)

const lifeFault = (text: string) =>
  (parseDuration(text) ?? 0) > 0 ? undefined : 'Must be a duration such as 90d or 12h'

const entry = v.strictObject({
  scopes: v.optional(
    v.pipe(
      arrayOf(
        checkedText(scopeFault, 'Scope, such as volumes:read_only; * is everything'),
        'Scopes that it should have, and no others',
      ),
      v.minLength(1, 'Must not be empty'),
    ),
  ),
  longest_life: v.optional(checkedText(lifeFault, 'Longest time from its creation to its expiry, such as 90d')),
  renew_before: v.optional(
    checkedText(lifeFault, 'Time before its expiry from which it should be replaced, such as 14d'),
  ),
})

type Entry = v.InferOutput<typeof entry>
type Expecting = ExpectationInput<Entry, Token>

export const tokenKind: Kind<Entry, Token> = {
  key: 'tokens',
  noun: 'token',
  entry,
  nameFault: (label) => checkValue(tokens.create.body.entries.label, label)[0]?.reason,
  tidy: ({ scopes, ...others }) => ({ ...others, ...(scopes !== undefined && { scopes: separated(scopes) }) }),
  read: (client, onUnreadable) => readAll(client, tokens.list, { essential: ['label'], onUnreadable }),
  list: tokens.list,
  noteOf: ({ id, expiry }) => noted([`id ${id}`, expiry && `expires ${expiry}`]),
  nameOf: ({ label }) => label,
  idOf: ({ id }) => id,
  isOnRequest: true,
  isSettable: (token, now) => !isExpired(token, now),
  settable: ['scopes'],
  entryOf(token) {
    const life = lifeOf(token)
    return {
      scopes: (token.scopes ?? '').split(' '),
      ...(life !== undefined && life > 0 && { longest_life: `${Math.ceil(life / day)}d` }),
    }
  },
  plan: () => ({ steps: [], refusals: [] }),
  expect: compare,
}

/** Accepts scopes as one text, as the API and --scope have them. */
const separated = (scopes: unknown) =>
  Array.isArray(scopes) ? scopes.flatMap((one: unknown) => (typeof one === 'string' ? words(one) : [one])) : scopes

const words = (text: string) => text.split(/[ ,]+/).filter((word, _, { length }) => word !== '' || length === 1)

/** Returns the time from creation to expiry; undefined if it never expires, or for unknown times. */
function lifeOf({ created, expiry }: Token): number | undefined {
  if (typeof expiry !== 'string' || isNever(expiry, parseTimestamp(created))) return undefined
  const life = parseTimestamp(expiry) - parseTimestamp(created)
  return Number.isNaN(life) ? undefined : life
}

function compare({ name, desired, records, now }: Expecting): ExpectationOutcome {
  const expiry = desired.longest_life === undefined ? '' : ` --expiry ${desired.longest_life}`
  const scope = desired.scopes === undefined ? '' : ` --scope ${shellWord(desired.scopes.join(','))}`
  const create = `skyctl tokens create --label ${shellWord(name)}${scope}${expiry}`
  const valid = records.filter((token) => !isExpired(token, now))
  if (valid.length === 0)
    return { differences: [{ field: null, text: missingText(records) }], fix: `Create it: ${create}` }
  const differences = valid.flatMap((token) => {
    const which = valid.length > 1 ? `token ${token.id} ` : 'it '
    return [...wrongScopes(token, desired), ...wrongLife(token, desired), ...dueRenewal(token, desired, now)].map(
      ({ field, text }) => ({
        field,
        text: `${which}${text}`,
        token,
      }),
    )
  })
  const [first] = differences
  if (!first) return { differences: [] }
  const { token } = first
  // A rotated token has the same scopes.
  const isRotatable = differences.every(({ field }) => field !== 'scopes')
  const revoke = `skyctl tokens revoke ${token.id}`
  const isReplaced = valid.some((one) => !differences.some(({ token }) => token === one))
  const replacing = isRotatable
    ? `Replace it: skyctl tokens rotate ${token.id}${expiry}`
    : `Create another one, then revoke this one: ${create} && ${revoke}`
  const fix = isReplaced ? `Another one is as expected, so revoke this one: ${revoke}` : replacing
  return { differences: differences.map(({ field, text }) => ({ field, text })), fix }
}

const isExpired = ({ expiry }: Token, now: number | undefined) =>
  now !== undefined && typeof expiry === 'string' && parseTimestamp(expiry) <= now

function missingText(expired: readonly Token[]): string {
  const [last] = expired
    .map(({ expiry }) => String(expiry))
    .sort()
    .reverse()
  return last === undefined ? 'No token has this label' : `The token with this label expired at ${last} UTC`
}

interface Difference {
  field: keyof Entry
  text: string
}

function wrongScopes(token: Token, { scopes: expected }: Entry): Difference[] {
  if (expected === undefined) return []
  if (isMissing(token, 'scopes')) return [{ field: 'scopes', text: 'came without its scopes, so they are unknown' }]
  const actual = token.scopes.split(' ')
  const isWider = actual.some((scope) => !covers(expected, scope))
  const isNarrower = expected.some((scope) => !covers(actual, scope))
  if (!isWider && !isNarrower) return []
  const how = isWider ? (isNarrower ? 'other' : 'wider') : 'narrower'
  const listed = (scopes: readonly string[]) => leastScopes(scopes).join(', ')
  return [{ field: 'scopes', text: `has ${how} scopes: ${listed(actual)}, not ${listed(expected)}` }]
}

function wrongLife(token: Token, { longest_life }: Entry): Difference[] {
  const field = 'longest_life'
  const longest = longest_life === undefined ? undefined : parseDuration(longest_life)
  if (longest === undefined) return []
  if (isMissing(token, 'expiry')) return [{ field, text: 'came without its expiry, so it is unknown' }]
  const { expiry } = token
  const life = lifeOf(token)
  if (expiry === null || isNever(expiry, parseTimestamp(token.created)))
    return [{ field, text: `never expires, and should live ${longest_life} at most` }]
  if (life === undefined) return [{ field, text: 'came without the time of its creation, so its life is unknown' }]
  if (life <= longest + tolerance) return []
  return [{ field, text: `lives ${Math.round(life / day)} days, until ${expiry} UTC, not ${longest_life} at most` }]
}

function dueRenewal({ expiry }: Token, { renew_before }: Entry, now: number | undefined): Difference[] {
  const least = renew_before === undefined ? undefined : parseDuration(renew_before)
  if (least === undefined || now === undefined || typeof expiry !== 'string') return []
  const left = parseTimestamp(expiry) - now
  if (Number.isNaN(left) || left > least) return []
  const days = Math.floor(left / day)
  const when = days === 0 ? 'in less than a day' : `in ${counted(days, 'day')}`
  return [{ field: 'renew_before', text: `expires ${when}, at ${expiry} UTC` }]
}
