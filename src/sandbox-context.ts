/** The context `sandbox`: the embedded service, started for this run on loopback over the state that lasts. */
import { join } from 'node:path'
import { heard } from './engine/heard'
import { Problem } from './errors'
import { openState } from './files/state'
import type { Storage } from './sandbox/storage'
import type { Session } from './session'

/** Where the context keeps its world from command to command. Throws `local` where that folder is not private. */
export async function sandboxFile(session: Session): Promise<string> {
  const { state } = session.paths
  await heard(session, (warn) => openState(state, warn))
  return join(state, 'sandbox.ndjson')
}

export interface ContextSandbox {
  baseUrl: string
  token: string
  /** Why the world could not be read or changed, where that was the reason of a failed answer. */
  failure(): Problem | undefined
  close(): Promise<void>
}

export async function openContextSandbox(session: Session): Promise<ContextSandbox> {
  const { openSandbox } = await import('./sandbox/sandbox')
  const { sharedFile } = await import('./sandbox/journal')
  let failure: Problem | undefined
  const storage = noting(sharedFile(await sandboxFile(session)), (problem) => {
    failure = problem
  })
  const sandbox = await openSandbox({ storage, clock: session.clock })
  const { baseUrl } = await sandbox.listen()
  return { baseUrl, token: sandbox.ownerToken, failure: () => failure, close: () => sandbox.close() }
}

/** The same storage, with a listener for what goes wrong with its file: to HTTP it is an error of the service. */
const noting =
  (storage: Storage, failed: (problem: Problem) => void): Storage =>
  async (tables, seed) => {
    const state = await storage(tables, seed)
    const note = (error: unknown) => {
      if (error instanceof Problem) failed(error)
      throw error
    }
    return {
      transaction: (work) => state.transaction(work).catch(note),
      read: (work) => state.read(work).catch(note),
      close: () => state.close(),
    }
  }
