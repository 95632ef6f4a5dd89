/** Implements the context `sandbox`: an embedded service on loopback for this run, with persistent state. */
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import { Problem } from '../errors'
import { deferWarnings } from '../files/deferred-warnings'
import { errorCode, fileLimitProblem } from '../files/file-problem'
import { openState, withStateHint } from '../files/folder'
import type { ServiceClock } from './clock'
import type { Storage } from './database'

/** Parts of an account that its sandbox needs. */
interface SandboxUser {
  clock: ServiceClock
  local: { paths: { state: string } }
  reporter: { warn(text: string): Promise<void> }
}

/** Returns the file with the state of the sandbox. Throws `local` if its folder is not private. */
export async function sandboxFile({ local, reporter }: Omit<SandboxUser, 'clock'>): Promise<string> {
  const { state } = local.paths
  await deferWarnings(reporter, (warn) => openState(state, warn))
  return join(state, 'sandbox.json')
}

export interface ContextSandbox {
  baseUrl: string
  token: string
  /** Returns the problem if an answer failed because the state could not be read or written, or for want of open files. */
  failure(): Problem | undefined
  close(): Promise<void>
}

export async function openContextSandbox(account: SandboxUser): Promise<ContextSandbox> {
  const { openSandbox } = await import('./sandbox')
  const { sharedFile } = await import('./file-storage')
  let failure: Problem | undefined
  const storage = noting(sharedFile(await sandboxFile(account)), (problem) => {
    failure = problem
  })
  const sandbox = await openSandbox({ storage, clock: account.clock })
  const { baseUrl } = await sandbox.listen({ background: true })
  return { baseUrl, token: sandbox.ownerToken, failure: () => failure ?? fileLimit(), close: () => sandbox.close() }
}

/** Wraps a storage to report problems with its file: over HTTP they are errors of the service. */
const noting =
  (storage: Storage, failed: (problem: Problem) => void): Storage =>
  async (tables, seed) => {
    const note = (error: unknown) => {
      const reason = error instanceof Problem && isDenied(error.cause) ? withStateHint(error) : error
      if (reason instanceof Problem) failed(reason)
      throw reason
    }
    const state = await storage(tables, seed).catch(note)
    return {
      transaction(work) {
        let isBegun = false
        const begin = () => {
          isBegun = true
          return work()
        }
        return state.transaction(begin).catch((error) => note(isBegun ? undecided(error) : error))
      },
      read: (work) => state.read(work).catch(note),
      close: () => state.close(),
    }
  }

/** Returns the problem if the process has no open files left for both ends of a connection, which the server just closes. */
function fileLimit(): Problem | undefined {
  const files: number[] = []
  try {
    while (files.length < 2) files.push(openSync(devNull, 'r'))
    return undefined
  } catch (error) {
    return fileLimitProblem(error)
  } finally {
    for (const file of files) closeSync(file)
  }
}

/** Marks the problem of a change that was begun: it may be in the file. */
const undecided = (error: unknown) =>
  error instanceof Problem ? error.with({ mayBeDone: true, cause: error.cause }) : error

const isDenied = (error: unknown) => ['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')
