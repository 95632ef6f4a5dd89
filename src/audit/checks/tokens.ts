/** Personal access tokens: what whoever holds one can do, and for how long. */
import type { Token } from '../../catalogue/tokens'
import { isNever } from '../../rules/expiry'
import { covers, scopeResources } from '../../rules/scopes'
import { parseTimestamp } from '../../rules/times'
import { check, type Subject } from '../check'

const day = 86_400_000

/** As long as a token lives is short enough to notice one that was lost, and long enough to rotate it by hand. */
const suggestedLife = '90d'
const soon = 14 * day

const subjectOf = ({ id, label }: Token): Subject => ({ kind: 'token', id, label })

/** Milliseconds until it ends; NaN where it does not say so. */
const leftOf = ({ expiry }: Token, now: number) => parseTimestamp(expiry ?? '') - now

/** What has ended does no harm. */
const valid = (tokens: readonly Token[], now: number) => tokens.filter((token) => !(leftOf(token, now) <= 0))

const rotate = ({ id }: Token) => ['tokens', 'rotate', String(id), '--expiry', suggestedLife]

const holdsAll = ({ scopes }: Token) => {
  const held = scopes.split(/[\s,]/)
  return scopeResources.every((resource) => covers(held, `${resource}:read_write`))
}

export const tokenFullScope = check({
  code: 'token-full-scope',
  severity: 'high',
  title: 'Tokens hold every scope',
  needs: ['tokens'],
  find: ({ tokens, now }) =>
    valid(tokens, now)
      .filter(holdsAll)
      .map((token) => ({
        subject: subjectOf(token),
        reason: 'whoever holds it can do everything',
        command: ['tokens', 'revoke', String(token.id)],
      })),
})

export const tokenNeverExpires = check({
  code: 'token-never-expires',
  severity: 'medium',
  title: 'Tokens never expire',
  needs: ['tokens'],
  find: ({ tokens, now }) =>
    tokens
      .filter(({ expiry }) => isNever(expiry, now))
      .map((token) => ({
        subject: subjectOf(token),
        reason: `made on ${token.created.slice(0, 10)}, valid until it is revoked`,
        command: rotate(token),
      })),
})

export const tokenExpiresSoon = check({
  code: 'token-expires-soon',
  severity: 'medium',
  title: 'Tokens end within 14 days',
  needs: ['tokens'],
  find: ({ tokens, now }) =>
    valid(tokens, now)
      .filter((token) => leftOf(token, now) <= soon)
      .map((token) => ({
        subject: subjectOf(token),
        reason: `ends at ${token.expiry} (UTC)`,
        command: rotate(token),
      })),
})
