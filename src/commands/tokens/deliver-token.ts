/** Delivers the text of a new token, which the service shows once: to a private file, or to stdout. */
import { existsSync } from 'node:fs'
import { tokenName } from '../../account/resources/token'
import { sameStart, shownCharacters } from '../../account/token-in-use'
import { fieldPaths } from '../../catalogue/operation'
import { type Token, tokens } from '../../catalogue/tokens'
import type { Flag, Flags } from '../../engine/command'
import { viewOf } from '../../engine/printing'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { isForPeople } from '../../output/formats'
import { printOne, type View } from '../../output/print'
import { printOrKeep, unreadProblem } from '../one-time-secret'
import { expectReplaceable, type Predecessor, proveSecretFile, writableFile, writeSecret } from '../secret-file'
import { beginningOf, tokenColumns } from './columns'
import { revokeToken } from './make-token'

/** Destination of a token: a file, or stdout. */
export interface Delivery {
  file: string | undefined
  /** Token that the new one replaces; its file may be overwritten. */
  old?: Token
  flags: Flags
  view: View
  session: Session
}

export const outputFileFlag: Flag = {
  name: 'output-file',
  value: 'file',
  description: 'Write the token to a private file, not to stdout',
  values: 'files',
}

/** Prepares the delivery. Throws `usage` and `local`, before anything is sent, if the text would be lost. */
export async function prepareDelivery(flags: Flags, session: Session): Promise<Delivery> {
  const view = await viewOf({ fields: fieldPaths(tokens.create), columns: tokenColumns }, flags, session)
  const file = writableFile(flags, 'output-file')
  const isHidden = view.quiet !== undefined || (view.chosen !== undefined && !view.chosen.includes('token'))
  if (file === undefined && isHidden) {
    throw new Problem('usage', 'the output would not show the new token, which is shown only once', {
      hint: 'Add --output-file FILE',
    })
  }
  if (file === undefined && isTableInFile(view, session)) {
    throw new Problem('usage', 'the file would get a table with the token, and others may read it', {
      hint: 'Write --output-file FILE in place of > FILE, or choose a format, such as --json',
    })
  }
  return { file, flags, view, session }
}

/** `tokens create … > ci.token`, typed by a person who expects the token in the file, and nothing else. */
const isTableInFile = ({ format, query, chosen }: View, { ui }: Session) =>
  ui.interactive && ui.stdout.isFile === true && isForPeople(format) && query === undefined && chosen === undefined

/** Throws `local` if the file exists, unless it has the old token or --force is set. */
export function guardFile({ file, flags, old }: Delivery): void {
  if (file !== undefined) expectReplaceable(file, flags, old && predecessor(old))
}

const predecessor = (old: Token): Predecessor => ({
  name: tokenName(old),
  isIn: (text) => /^\S+\s*$/.test(text) && sameStart(text.trimEnd(), old.token),
})

/** Returns how to store a token that was shown; people learn how to keep the next one off the screen. */
export function storingAdvice(token: string, { ui }: Session): string {
  const next = ui.interactive ? '. Next time, --output-file FILE writes it to a private file' : ''
  return `Store ${token} now: it cannot be shown again${next}`
}

/** Returns a sentence about the file for the new token; undefined without one. */
export function fileSentence({ file }: Delivery): string | undefined {
  if (file === undefined) return undefined
  return existsSync(file) ? `The new token replaces the contents of "${file}"` : `The new token is written to "${file}"`
}

/** Prints the file for the new token in a dry run. */
export async function sayFile(delivery: Delivery): Promise<void> {
  const sentence = fileSentence(delivery)
  if (sentence) await delivery.session.ui.status(sentence)
}

/** Verifies that the token can be written before it is created. Throws `local`. */
export async function proveDelivery(delivery: Delivery): Promise<void> {
  guardFile(delivery)
  if (delivery.file !== undefined) await proveSecretFile(delivery.file)
}

/** Shows a token, or writes it to its file. If that fails, it is shown: there is no other copy. */
export async function deliverToken(token: Token, delivery: Delivery): Promise<void> {
  const { file, view, session } = delivery
  if (file === undefined) return showToken(token, view, session)
  try {
    // Another command may have written it in the meantime.
    guardFile(delivery)
    await writeSecret(file, token.token)
  } catch (error) {
    await showToken(token, { ...view, quiet: undefined, chosen: undefined }, session)
    throw error
  }
  await session.ui.status(`The token is in "${file}".`)
  await printOne({ ...token, token: token.token.slice(0, shownCharacters) }, namingFile(view, file), session.ui.stdout)
}

/** Names the file beside the beginning of the token on the screen. Other formats have the record of the API. */
const namingFile = (view: View, file: string): View => ({
  ...view,
  columns: view.columns.map((column) =>
    column.path === 'token'
      ? { ...column, show: (value, _record, look) => `${beginningOf(String(value), look)} (written to ${file})` }
      : column,
  ),
})

/** Thrown for a token that could not be delivered and was revoked. */
export class TakenBack extends Problem {}

/** Prints a token. If that fails, the token is stored in a file or else revoked; throws `local` that says which. */
async function showToken(token: Token, view: View, session: Session): Promise<void> {
  const secret = { file: `token-${token.id}`, secret: token.token }
  const unread = await printOrKeep(secret, session, () => printOne(token, view, session.ui.stdout))
  if (!unread) return
  const name = tokenName(token)
  if (unread.path !== undefined) throw unreadProblem(unread, `the text of ${name}`)
  const message = `${unread.reason.message}; ${name} was created, but its text is lost`
  const revoked = await revokeToken(token.id, session).then(
    () => true,
    () => false,
  )
  if (revoked) throw new TakenBack('local', `${message}; it is revoked`, { created: undefined, cause: unread.reason })
  throw new Problem('local', message, { hint: `Revoke it: skyctl tokens revoke ${token.id}`, cause: unread.reason })
}
