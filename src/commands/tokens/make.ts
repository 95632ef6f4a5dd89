/** Making a token, whose text the service shows once. */
import { existsSync } from 'node:fs'
import { type Token, tokens } from '../../catalogue/tokens'
import type { Flags } from '../../engine/command'
import { compareFields, ifAllowed, lookAt } from '../../engine/look'
import { findCreated, type Made } from '../../engine/lost'
import { fieldPaths, viewOf } from '../../engine/printing'
import { nameOf } from '../../engine/resource'
import type { RequestBody } from '../../engine/situation'
import { Problem } from '../../errors'
import { printOne, type View } from '../../output/print'
import type { Session } from '../../session'
import { expectReplaceable, type Predecessor, proveSecretFile, writableFile, writeSecret } from '../secret-file'
import { printOrKeep, unreadProblem } from '../shown-once'
import { tokenColumns } from './columns'
import { sameStart, shownCharacters } from './in-use'
import { tokenResource } from './resource'

/** Where a token goes: to a file of its own, or with its record to stdout. */
export interface Delivery {
  file: string | undefined
  /** Throws `local` where the file exists and must not be replaced. */
  expectReplaceable(): void
  view: View
  session: Session
}

/** Refuses, before anything is sent, what would lose the text of a token. Throws `usage` and `local`. */
export async function prepareDelivery(flags: Flags, session: Session): Promise<Delivery> {
  const view = await viewOf({ fields: fieldPaths(tokens.create), columns: tokenColumns }, flags, session)
  const file = writableFile(flags, 'output-file')
  const isHidden = view.quiet !== undefined || (view.chosen !== undefined && !view.chosen.includes('token'))
  if (file === undefined && isHidden) {
    throw new Problem('usage', 'the token is shown once, and would not be', { hint: 'Add --output-file FILE' })
  }
  return { file, expectReplaceable() {}, view, session }
}

/** The delivery to a new file, to one that holds the old token, or with --force to any. Throws `local`. */
export function guardFile(delivery: Delivery, flags: Flags, old?: Token): Delivery {
  const { file } = delivery
  if (file === undefined) return delivery
  const guard = () => expectReplaceable(file, flags, old && predecessor(old))
  guard()
  return { ...delivery, expectReplaceable: guard }
}

const predecessor = (old: Token): Predecessor => ({
  name: nameOf(tokenResource, { id: old.id, record: old }),
  isIn: (text) => /^\S+\s*$/.test(text) && old.token.length > 0 && sameStart(text.trimEnd(), old.token),
})

/** Says where the new token will be written; undefined where it is only printed. */
export function fileSentence({ file }: Delivery): string | undefined {
  if (file === undefined) return undefined
  return existsSync(file) ? `The new token replaces what "${file}" holds` : `The new token is written to "${file}"`
}

/** Says for a dry run where the new token would be written. */
export async function sayFile(delivery: Delivery): Promise<void> {
  const sentence = fileSentence(delivery)
  if (sentence) await delivery.session.say(sentence)
}

/** Sees that the token can be written where it goes, before there is one. Throws `local`. */
export async function proveDelivery({ file, expectReplaceable }: Delivery): Promise<void> {
  expectReplaceable()
  if (file !== undefined) await proveSecretFile(file)
}

/** The request for a new token, and what had its label before; it throws `outcome_unknown` where the answer, and with it the token's text, was lost. */
export async function tokenRequest(body: RequestBody, session: Session) {
  const before = await ifAllowed(lookAt(String(body.label), tokenResource, session))
  return {
    operation: tokens.create,
    body,
    before,
    async recover(lost: Problem) {
      throw await afterLoss(lost, { body, resource: tokenResource, session, before, compare: compareFields })
    },
  }
}

/** A token that nobody knows is of no use, but valid: it is looked for, and revoked where one agrees. */
async function afterLoss(lost: Problem, made: Made): Promise<Problem> {
  const { id, label } = await findCreated(lost, made)
  const message = `${lost.message}; token "${label}" (${id}) was created, but nobody knows its text`
  if (!(await agreed(id, made.session))) {
    const hint = `Revoke it, then try again: skyctl tokens revoke ${id}`
    return new Problem('outcome_unknown', message, { ...lost.details, hint })
  }
  await revoke(id, made.session)
  return new Problem('outcome_unknown', `${message}; it is revoked`, { ...lost.details, hint: 'Try again' })
}

async function agreed(id: number, session: Session): Promise<boolean> {
  if (!session.interactive) return false
  const ask = await session.ask()
  return ask.confirm(`The answer was lost, and with it the text of the new token ${id}. Revoke it?`)
}

/** Shows a token, or writes it to its file. Where that fails it is shown after all: there is no other copy. */
export async function deliverToken(token: Token, { file, expectReplaceable, view, session }: Delivery): Promise<void> {
  if (file === undefined) return showToken(token, view, session)
  try {
    // Another command may have written it meanwhile.
    expectReplaceable()
    await writeSecret(file, token.token)
  } catch (error) {
    await showToken(token, { ...view, quiet: undefined, chosen: undefined }, session)
    throw error
  }
  await session.say(`The token is in "${file}".`)
  await printOne({ ...token, token: token.token.slice(0, shownCharacters) }, view, session.stdout)
}

/** A token whose text went nowhere, and which is not valid any more. */
export class TakenBack extends Problem {}

/** Where nobody read the token, it is kept in a file, or else revoked: throws `local` that says which. */
async function showToken(token: Token, view: View, session: Session): Promise<void> {
  const secret = { file: `token-${token.id}`, secret: token.token }
  const unread = await printOrKeep(secret, session, () => printOne(token, view, session.stdout))
  if (!unread) return
  const name = `token "${token.label}" (${token.id})`
  if (unread.path !== undefined) throw unreadProblem(unread, `the text of ${name}`)
  const message = `${unread.reason.message}; ${name} was created, but nobody knows its text`
  const revoked = await revoke(token.id, session).then(
    () => true,
    () => false,
  )
  if (revoked) throw new TakenBack('local', `${message}; it is revoked`, { created: undefined, cause: unread.reason })
  throw new Problem('local', message, { hint: `Revoke it: skyctl tokens revoke ${token.id}`, cause: unread.reason })
}

async function revoke(tokenId: number, session: Session): Promise<void> {
  const client = await session.client()
  await client.call(tokens.revoke, { path: { tokenId } })
}
