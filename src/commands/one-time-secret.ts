/** Prints one-time secrets; if stdout fails, nothing else has a copy. */
import { join } from 'node:path'
import { openStateFolder } from '../account/state-subfolders'
import type { Session } from '../engine/session'
import { Problem } from '../errors'
import { ClosedPipe } from '../output/sink'
import { writeSecret } from './secret-file'

export interface OneTimeSecret {
  /** Name at the beginning of a sentence: `the scratch code`. */
  name: string
  /** Name of the backup file, without the time. */
  file: string
  secret: string
}

/** Reason why a secret was not printed, and its backup. */
export interface UnreadSecret {
  reason: Error
  /** Undefined if it could not be stored either. */
  path: string | undefined
}

/**
 * Prints a secret. If stdout is closed or the disk is full, it stores the secret in the state folder, readable only by
 * its owner. Resolves to undefined if it was printed.
 */
export async function printOrKeep(
  secret: Omit<OneTimeSecret, 'name'>,
  session: Session,
  print: () => Promise<void>,
): Promise<UnreadSecret | undefined> {
  // The only exception from redaction: the user has requested it. It may already be in use, if it was tested.
  session.account.local.secrets.reveal(secret.secret)
  try {
    if (session.ui.stdout.wasClosed) throw new ClosedPipe()
    await print()
    return undefined
  } catch (reason) {
    if (!(reason instanceof Problem || reason instanceof ClosedPipe)) throw reason
    return { reason, path: await keep(secret, session).catch(() => undefined) }
  }
}

async function keep({ file, secret }: Omit<OneTimeSecret, 'name'>, session: Session): Promise<string> {
  const time = new Date(session.clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const path = join(await openStateFolder('unread', session.account), `${file}-${time}`)
  await writeSecret(path, secret)
  return path
}

export function unreadProblem({ reason, path }: UnreadSecret, name: string): Problem {
  const where = path === undefined ? 'was not printed, and could not be saved' : `is in the private file "${path}"`
  return new Problem('local', `${reason.message}; ${name} ${where}`, { cause: reason })
}

/** Prints a secret, or throws `local` with the file that has it. */
export async function printOnce(
  { name, ...secret }: OneTimeSecret,
  session: Session,
  print: () => Promise<void>,
): Promise<void> {
  const unread = await printOrKeep(secret, session, print)
  if (unread) throw unreadProblem(unread, name)
}
