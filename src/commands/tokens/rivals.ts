/** Two rotations of one token at once: one of the two new tokens stays, and the other rotation says which. */
import { type Token, tokens } from '../../catalogue/tokens'
import { isGone, Problem } from '../../errors'
import type { Client } from '../../http/client'
import { safe } from '../../output/safe'
import { supersededUntil } from '../../rules/superseded'
import { parseTimestamp } from '../../rules/times'
import type { Session } from '../../session'
import { isInUse } from './in-use'

export interface Rotated {
  old: Token
  next: Token
  /** The tokens that had the label before. */
  others: readonly number[]
}

/** How long before the new one another may have been made by a rotation that is still on its way. */
const longestRotation = 10 * 60_000

/** What is the same as the old token, in the order of their making. */
async function alike({ old, next }: Rotated, client: Client): Promise<Token[]> {
  const found: Token[] = []
  for await (const page of client.pages(tokens.list)) {
    found.push(...page.filter(({ label, scopes }) => label === old.label && scopes === old.scopes))
  }
  return found.filter(({ id }) => id !== old.id && id !== next.id).sort(inOrder)
}

function inOrder(a: Token, b: Token): number {
  if (a.created !== b.created) return a.created < b.created ? -1 : 1
  return a.id < b.id ? -1 : 1
}

/**
 * Ends the new token where another was made before it to replace the old one, and throws `refused` then. Both look
 * once they have made theirs, so the second sees the first, whichever files they share, unless that had been made
 * before the second began to look: see `giveWayLate`.
 */
export async function giveWay(rotated: Rotated, client: Client): Promise<void> {
  const { others, next } = rotated
  const first = (await alike(rotated, client)).find((one) => !others.includes(one.id) && inOrder(one, next) < 0)
  await giveWayTo(first, rotated, client)
}

/**
 * The same where somebody else has revoked the old token, or taken its place in a context, since this rotation began.
 * Who did that has won, whichever token was made first: it may have been made before this rotation looked.
 */
export async function giveWayLate(rotated: Rotated, client: Client): Promise<void> {
  const earliest = parseTimestamp(rotated.next.created) - longestRotation
  const first = (await alike(rotated, client)).find(({ created }) => parseTimestamp(created) >= earliest)
  await giveWayTo(first, rotated, client)
}

async function giveWayTo(first: Token | undefined, { old, next }: Rotated, client: Client): Promise<void> {
  if (!first) return
  await client.call(tokens.revoke, { path: { tokenId: next.id } })
  const message = `${named(old)} was replaced meanwhile by ${first.id}; ${next.id}, which was made here, is revoked again`
  throw new GaveWay('changed', message, { hint: 'Use the token that the other rotation showed or stored' })
}

/** Nothing is left of this rotation. */
export class GaveWay extends Problem {}

/** Throws `refused` where another process has replaced the token since it was read. */
export async function refuseReplaced(old: Token, session: Session): Promise<void> {
  const client = await session.client()
  try {
    const { label } = await client.call(tokens.view, { path: { tokenId: old.id } })
    if (supersededUntil(label) === undefined) return
  } catch (error) {
    if (!(error instanceof Problem) || !(await tellsOfReplacement(error, old, session))) throw error
  }
  throw replacedMeanwhile(old)
}

export function replacedMeanwhile(old: Token): Problem {
  return new Problem('changed', `${named(old)} was replaced or revoked meanwhile; no other was made`, {
    hint: 'Look which of its label are valid: skyctl tokens list',
  })
}

/** A token that has just worked, and is not known any more, was revoked. */
async function tellsOfReplacement(problem: Problem, old: Token, session: Session): Promise<boolean> {
  return isGone(problem) || (problem.code === 'not_signed_in' && (await isInUse(old, session)))
}

const named = ({ id, label }: Token) => `token "${safe(label)}" (${id})`
