/** Checks personal access tokens: their scopes, and how long they are valid. */
import type { Token } from '../../catalogue/tokens'
import { isNever } from '../../rules/expiry'
import { covers } from '../../rules/scope-cover'
import { scopeResources } from '../../rules/scopes'
import { supersededUntil } from '../../rules/superseded-label'
import { parseTimestamp } from '../../rules/times'
import { type AuditSubject, auditCheck, type CheckResult, labelWith } from '../check'
import type { AccountSnapshot } from '../snapshot'

const day = 86_400_000

/** Short enough to limit the harm of a lost token, and long enough to rotate it by hand. */
const suggestedLife = '90d'
const soon = 14 * day
/** Milliseconds of a leap year. */
const year = 366 * day

/** Maximum length of a label (api.md, Limits). */
const longestLabel = 100

const subjectOf = ({ id, label }: Token): AuditSubject => ({ kind: 'token', id, label })

/** Milliseconds until the token expires; NaN without an expiry. */
const leftOf = ({ expiry }: Token, now: number) => parseTimestamp(expiry ?? '') - now

/** Filters out expired tokens, which are harmless. */
const valid = (tokens: readonly Token[], now: number) => tokens.filter((token) => !(leftOf(token, now) <= 0))

const lifetimeOf = ({ created, expiry }: Token) => parseTimestamp(expiry ?? '') - parseTimestamp(created)

const revoke = ({ id }: Token) => ['tokens', 'revoke', String(id)]

const holdsAll = ({ scopes }: Token) => {
  const tokenScopes = scopes.split(/[\s,]/)
  return scopeResources.every((resource) => covers(tokenScopes, `${resource}:read_write`))
}

export const tokenFullScope = auditCheck({
  code: 'token-full-scope',
  severity: 'high',
  title: 'Tokens have full scope',
  needs: ['tokens'],
  find: ({ tokens, now, isInUse }) =>
    valid(tokens, now)
      .filter(holdsAll)
      .map((token) => ({
        subject: subjectOf(token),
        reason: `whoever has it can do everything${isInUse(token) ? '; this audit uses it' : ''}`,
        ...narrowed(token, isInUse(token)),
      })),
})

/**
 * Suggests a token with fewer scopes; only its users know the commands that need it. The token in use cannot be revoked
 * with itself before its successor has replaced it.
 */
function narrowed(token: Token, inUse: boolean): Pick<CheckResult, 'command' | 'alternatives'> {
  if (supersededUntil(token.label) !== undefined) return replaced(token)
  const label = labelWith(token.label, '-scoped', longestLabel)
  const command = ['tokens', 'create', '--label', label, '--scopes-for', 'COMMAND', '--expiry', suggestedLife]
  return { command, alternatives: [inUse ? ['auth', 'login'] : revoke(token)] }
}

/** For a token that has a successor and stays valid for a grace period. */
const replaced = (token: Token) => ({ command: ['tokens', 'list', '--superseded'], alternatives: [revoke(token)] })

type TokenUse = Pick<AccountSnapshot, 'isInUse' | 'isTokenUnstored'>

/**
 * Rotation revokes the old token, unless --keep-old leaves it valid for its users. It needs a file if nothing else would
 * have the successor of the token in use.
 */
function rotated(token: Token, { isInUse, isTokenUnstored }: TokenUse): Pick<CheckResult, 'command' | 'alternatives'> {
  if (supersededUntil(token.label) !== undefined) return replaced(token)
  const rotate = ['tokens', 'rotate', String(token.id), '--expiry', suggestedLife]
  const file = isTokenUnstored && isInUse(token) ? ['--output-file', 'FILE'] : []
  return { command: [...rotate, ...file], alternatives: [[...rotate, '--keep-old', '24h']] }
}

export const tokenNeverExpires = auditCheck({
  code: 'token-never-expires',
  severity: 'medium',
  title: 'Tokens never expire',
  needs: ['tokens'],
  find: ({ tokens, now, ...use }) =>
    tokens
      .filter(({ expiry }) => isNever(expiry, now))
      .map((token) => ({
        subject: subjectOf(token),
        reason: `created on ${token.created.slice(0, 10)}, valid until it is revoked`,
        ...rotated(token, use),
      })),
})

export const tokenLongLived = auditCheck({
  code: 'token-long-lived',
  severity: 'low',
  title: 'Tokens are valid for over a year',
  needs: ['tokens'],
  find: ({ tokens, now, ...use }) =>
    valid(tokens, now)
      .filter((token) => !isNever(token.expiry, now) && lifetimeOf(token) > year)
      .map((token) => ({
        subject: subjectOf(token),
        reason: `created on ${token.created.slice(0, 10)}, valid until ${token.expiry?.slice(0, 10)}`,
        ...rotated(token, use),
      })),
})

export const tokenExpiresSoon = auditCheck({
  code: 'token-expires-soon',
  severity: 'medium',
  title: 'Tokens expire within 14 days',
  needs: ['tokens'],
  find: ({ tokens, now, ...use }) =>
    valid(tokens, now)
      .filter((token) => leftOf(token, now) <= soon)
      .map((token) => ({
        subject: subjectOf(token),
        reason: `expires at ${token.expiry} (UTC)`,
        ...rotated(token, use),
      })),
})
