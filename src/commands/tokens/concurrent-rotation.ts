/** Handles concurrent rotations of a token: one of the new tokens is kept, and the other rotation gives way. */
import { readAll } from '../../account/read-all'
import { tokenName } from '../../account/resources/token'
import { isInUse } from '../../account/token-in-use'
import { type Token, tokens } from '../../catalogue/tokens'
import type { Session } from '../../engine/session'
import { isGone, Problem } from '../../errors'
import type { Client } from '../../http/client'
import { supersededUntil } from '../../rules/expiry'
import { parseTimestamp } from '../../rules/times'

export interface Rotated {
  old: Token
  next: Token
  /** Ids of earlier tokens with the label. */
  others: readonly number[]
}

/** Maximum duration of a rotation in milliseconds: limits the search for tokens of others. */
const longestRotation = 10 * 60_000

/** Returns tokens like the old one, in the order of creation. */
async function alike({ old, next }: Rotated, client: Client): Promise<Token[]> {
  const isAlike = ({ label, scopes }: Token) => label === old.label && scopes === old.scopes
  const others = (await readAll(client, tokens.list)).filter(({ id }) => id !== old.id && id !== next.id)
  return others.filter(isAlike).sort(inOrder)
}

function inOrder(a: Token, b: Token): number {
  if (a.created !== b.created) return a.created < b.created ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/**
 * Revokes the new token if another rotation created one before, and throws `refused`. Both rotations check after the
 * creation. So the second one sees the first token, even without shared files. The exception is a first token that
 * already existed when the second rotation began: see `yieldLate`.
 */
export async function yieldToRival(rotated: Rotated, client: Client): Promise<void> {
  const { others, next } = rotated
  const first = (await alike(rotated, client)).find((one) => !others.includes(one.id) && inOrder(one, next) < 0)
  await giveWayTo(first, rotated, client)
}

/**
 * Gives way after somebody else has revoked the old token, or replaced it in a context, during this rotation. The other
 * rotation wins, whichever token is older: its token may have existed before this one began.
 */
export async function yieldLate(rotated: Rotated, client: Client): Promise<void> {
  const earliest = parseTimestamp(rotated.next.created) - longestRotation
  const first = (await alike(rotated, client)).find(({ created }) => parseTimestamp(created) >= earliest)
  await giveWayTo(first, rotated, client)
}

async function giveWayTo(first: Token | undefined, { old, next }: Rotated, client: Client): Promise<void> {
  if (!first) return
  await client.call(tokens.revoke, { path: { tokenId: next.id } })
  const message = `${tokenName(old)} was replaced meanwhile by ${first.id}; ${next.id}, which this command created, is revoked again`
  throw new Yielded('changed', message, { hint: 'Use the token of the other rotation' })
}

/** Thrown when this rotation has given way and left nothing behind. */
export class Yielded extends Problem {}

/** Throws `refused` if another process has replaced the token since it was read. */
export async function refuseReplaced(old: Token, session: Session): Promise<void> {
  const client = await session.account.client()
  try {
    const { label } = await client.call(tokens.view, { path: { tokenId: old.id } })
    if (supersededUntil(label) === undefined) return
  } catch (error) {
    if (!(error instanceof Problem) || !(await tellsOfReplacement(error, old, session))) throw error
  }
  throw replacedMeanwhile(old)
}

export function replacedMeanwhile(old: Token): Problem {
  return new Problem('changed', `${tokenName(old)} was replaced or revoked meanwhile; no new token was created`, {
    hint: 'Check which tokens are valid: skyctl tokens list',
  })
}

/** Reports whether a problem means that the token was revoked: it has just worked. */
async function tellsOfReplacement(problem: Problem, old: Token, session: Session): Promise<boolean> {
  return isGone(problem) || (problem.code === 'not_signed_in' && (await isInUse(old, session.account)))
}
