/** Retires a replaced token: revokes it, or leaves it valid for a grace period. */

import type { PlannedRequest } from '../../account/change'
import { type Token, tokens } from '../../catalogue/tokens'
import { shortTime, supersededLabel, wholeMinute } from '../../rules/superseded-label'
import { parseTimestamp } from '../../rules/times'

export interface Retirement {
  request: PlannedRequest
  /** Sentence before the question. */
  consequence: string
  /** Continues the message after "12 works". */
  done: string
  /** True if the token no longer works afterwards. */
  ends: boolean
}

export function revocation({ id }: Token): Retirement {
  return {
    request: { operation: tokens.revoke, path: { tokenId: id } },
    consequence: 'Clients that still use the old token will be rejected',
    done: `${id} is revoked`,
    ends: true,
  }
}

/**
 * Marks a token as superseded. Its expiry cannot be changed, so its label has the end of the grace period; somebody
 * must revoke it then.
 */
export function gracePeriod({ id, label, expiry }: Token, milliseconds: number, now: number): Retirement {
  const until = wholeMinute(now + milliseconds)
  const time = shortTime(until)
  const expires = parseTimestamp(expiry ?? '')
  const end =
    expires <= until
      ? ` and expires at ${shortTime(expires)}`
      : `. Revoke it after ${time}: skyctl tokens revoke ${id} --yes`
  return {
    request: { operation: tokens.update, path: { tokenId: id }, body: { label: supersededLabel(label, until) } },
    consequence: `The old token keeps working until you revoke it, after ${time}`,
    done: `${id} stays valid${end}`,
    ends: false,
  }
}
