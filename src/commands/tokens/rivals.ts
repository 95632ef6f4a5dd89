/** Two rotations of one token at once: one of the two new tokens stays, and both say which. */
import { type Token, tokens } from '../../catalogue/tokens'
import { Problem } from '../../errors'
import type { Client } from '../../http/client'
import { safe } from '../../output/safe'
import { supersededUntil } from '../../rules/superseded'
import type { Session } from '../../session'
import { isInUse } from './in-use'

interface Rotated {
  old: Token
  next: Token
  /** The tokens that had the label before. */
  others: readonly number[]
}

/** What else was made to replace the old token; the oldest of them first. */
export async function rivalsOf({ old, next, others }: Rotated, client: Client): Promise<number[]> {
  const found: number[] = []
  for await (const page of client.pages(tokens.list)) {
    for (const { id, label } of page) {
      if (label === old.label && id !== next.id && id !== old.id && !others.includes(id)) found.push(id)
    }
  }
  return found.sort((a, b) => a - b)
}

/** Ends the token of the rotation that came second; resolves to what is to be thrown. */
export async function giveWay({ old, next }: Rotated, rival: number | undefined, client: Client): Promise<Problem> {
  await client.call(tokens.revoke, { path: { tokenId: next.id } })
  const winner = rival === undefined ? 'by another' : `by ${rival}, which works`
  const message = `${named(old)} was replaced meanwhile ${winner}; ${next.id}, which was made here, is revoked again`
  return new Problem('refused', message, { hint: 'Use the token that the other rotation showed or stored' })
}

/** Throws `refused` where another process has replaced the token since it was read. */
export async function refuseReplaced(old: Token, session: Session): Promise<void> {
  const client = await session.client()
  try {
    const { label } = await client.call(tokens.view, { path: { tokenId: old.id } })
    if (supersededUntil(label) === undefined) return
  } catch (error) {
    if (!(error instanceof Problem) || !(await tellsOfReplacement(error, old, session))) throw error
  }
  throw new Problem('refused', `${named(old)} was replaced or revoked meanwhile; no other was made`, {
    hint: 'Look which of its label are valid: skyctl tokens list',
  })
}

/** A token that has just worked, and is not known any more, was revoked. */
async function tellsOfReplacement({ code }: Problem, old: Token, session: Session): Promise<boolean> {
  return code === 'not_found' || (code === 'not_signed_in' && (await isInUse(old, session)))
}

const named = ({ id, label }: Token) => `token "${safe(label)}" (${id})`
