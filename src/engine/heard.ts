/** What is found wrong on disk, and repaired, while something works that cannot wait until it is said. */
import type { Warn } from '../files/own'
import type { Session } from '../session'

/** Does the work, and then says what it had to tell, also where it failed. */
export async function heard<T>(session: Pick<Session, 'warn'>, work: (tell: Warn) => T | Promise<T>): Promise<T> {
  const told: string[] = []
  try {
    return await work((message) => told.push(message))
  } finally {
    for (const message of told) await session.warn(message)
  }
}
