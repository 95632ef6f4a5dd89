/** What becomes of a token that was replaced: it is revoked, or left for a while to those who use it. */
import { type Token, tokens } from '../../catalogue/tokens'
import type { PlannedRequest } from '../../engine/dry-run'
import { shortTime, supersededLabel, wholeMinute } from '../../rules/superseded'
import { parseTimestamp } from '../../rules/times'

export interface Retirement {
  request: PlannedRequest
  /** A sentence before the question. */
  consequence: string
  /** What is so then, after "12 works". */
  done: string
  /** Whether the token does not work any more then. */
  ends: boolean
}

export function revocation({ id }: Token): Retirement {
  return {
    request: { operation: tokens.revoke, path: { tokenId: id } },
    consequence: 'Clients that still use the old token will be refused',
    done: `${id} is revoked`,
    ends: true,
  }
}

/** The expiry of a token cannot change: its label says until when it is needed, and somebody revokes it then. */
export function superseding({ id, label, expiry }: Token, milliseconds: number, now: number): Retirement {
  const until = wholeMinute(now + milliseconds)
  const time = shortTime(until)
  const expires = parseTimestamp(expiry ?? '')
  const end =
    expires <= until
      ? `expires by itself at ${shortTime(expires)}`
      : `is meant to go at ${time}, which it does not by itself: skyctl tokens revoke ${id} --yes`
  return {
    request: { operation: tokens.update, path: { tokenId: id }, body: { label: supersededLabel(label, until) } },
    consequence: `The old token keeps working until you revoke it, after ${time}`,
    done: `${id} works too, and ${end}`,
    ends: false,
  }
}
