/** What the service shows once: where stdout does not take it, nothing else has a copy. */
import { join } from 'node:path'
import { openStateFolder } from '../engine/state-folder'
import { Problem } from '../errors'
import { ClosedPipe } from '../output/sink'
import type { Session } from '../session'
import { writeSecret } from './secret-file'

export interface ShownOnce {
  /** As a sentence begins with it: `the scratch code`. */
  name: string
  /** Of the file that keeps it, without the time. */
  file: string
  secret: string
}

/** Why nobody read a secret, and where it is now. */
export interface Unread {
  reason: Error
  /** Undefined where it could not be kept either. */
  path: string | undefined
}

/**
 * Prints a secret. Where there is no reader or the disk is full, it is kept in a file of the state folder, for its
 * owner alone; resolves to that, and to undefined where it was printed.
 */
export async function printOrKeep(
  secret: Omit<ShownOnce, 'name'>,
  session: Session,
  print: () => Promise<void>,
): Promise<Unread | undefined> {
  // The one exception from the door (KnownSecrets): it was asked for, and may sign in by now, where it was proved.
  session.secrets.reveal(secret.secret)
  try {
    if (session.stdout.wasClosed) throw new ClosedPipe()
    await print()
    return undefined
  } catch (reason) {
    if (!(reason instanceof Problem || reason instanceof ClosedPipe)) throw reason
    return { reason, path: await keep(secret, session).catch(() => undefined) }
  }
}

async function keep({ file, secret }: Omit<ShownOnce, 'name'>, session: Session): Promise<string> {
  const time = new Date(session.clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const path = join(await openStateFolder('unread', session), `${file}-${time}`)
  await writeSecret(path, secret)
  return path
}

/** Says where an unread secret is. */
export function unreadProblem({ reason, path }: Unread, name: string): Problem {
  const where = path === undefined ? 'was not read, and could not be kept' : `is in "${path}", for you alone`
  return new Problem('local', `${reason.message}; ${name} ${where}`, { cause: reason })
}

/** Prints a secret, or throws `local` that says in which file it is kept. */
export async function printOnce(
  { name, ...secret }: ShownOnce,
  session: Session,
  print: () => Promise<void>,
): Promise<void> {
  const unread = await printOrKeep(secret, session, print)
  if (unread) throw unreadProblem(unread, name)
}
