/** Reads the remaining lifetime of the current token. */

import { isInUse } from '../../account/token-in-use'
import { isMissing } from '../../catalogue/normalize'
import { type Token, tokens } from '../../catalogue/tokens'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { isNever } from '../../rules/expiry'
import { parseTimestamp } from '../../rules/times'

const day = 86_400_000

/** Value if the token may not list tokens, none of them is certainly the current one, or it comes without an expiry. */
export const unknown = 'unknown'

export interface Lifetime {
  /** Time in the service's format, `never`, or `unknown`. */
  token_expiry: string
  /** Whole days; null without an expiry, or if it is unknown. */
  days_left: number | null
}

export async function readLifetime(session: Session): Promise<Lifetime> {
  const token = await ownToken(session)
  if (!token || isMissing(token, 'expiry')) return { token_expiry: unknown, days_left: null }
  const now = session.clock.now()
  if (token.expiry === null || isNever(token.expiry, now)) return { token_expiry: 'never', days_left: null }
  const left = parseTimestamp(token.expiry) - now
  return { token_expiry: token.expiry, days_left: Number.isNaN(left) ? null : Math.floor(left / day) }
}

/** Finds the record of the current token: the only one with the same beginning. */
async function ownToken(session: Session): Promise<Token | undefined> {
  const client = await session.account.client()
  const matches: Token[] = []
  try {
    for await (const page of client.pages(tokens.list)) {
      for (const token of page) if (await isInUse(token, session.account)) matches.push(token)
    }
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_allowed') return undefined
    throw error
  }
  return matches.length === 1 ? matches[0] : undefined
}
