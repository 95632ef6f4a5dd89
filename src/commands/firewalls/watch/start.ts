/** Starts a watcher from the process whose changes it undoes, and starts it again if it was killed. */
import { delimiter, resolve } from 'node:path'
import { accountOf } from '../../../account/account'
import { knownUser } from '../../../account/identity'
import { SANDBOX } from '../../../config/contexts'
import type { Session } from '../../../engine/session'
import { ignoreProblem, Problem } from '../../../errors'
import { isRunning, self } from '../../../files/process-id'
import { randomMark } from '../../../files/temporary'
import { type Environment, withoutToken } from '../../../rules/environment'
import { isDue, type UndoTime, type Watch, type WatchOutcome } from './watch'
import { createWatchFile, type StoredWatch, WatchFile } from './watch-file'

/** Starts a watcher. Throws `local` if that fails: then the temporary change must not be made. */
export async function startWatcher(
  initial: Pick<Watch, 'undoings' | 'deadline' | 'stage'>,
  session: Session,
): Promise<Watcher> {
  const environment = await environmentFor(session)
  const account = { ...(await accountOf(session.account)), user: await knownUser(session.account) }
  const watch = { ...account, attached: true, first: self(), ...initial }
  const { detach } = await session.host()
  const file = await createWatchFile(randomMark(), watch, session)
  const watcher = new Watcher(file, (onExit) => detach(['firewalls', 'watch', file.path], environment, onExit), session)
  await watcher.isWatching()
  return watcher
}

/** Limit for watchers that get killed. */
const mostStarts = 5

/** Pause between two looks at the file while this process waits for the watcher. */
const pauseMs = 20

/** The watcher of this process's changes, which follows the same file. */
export class Watcher {
  #starts = 0
  #isReleased = false

  constructor(
    private readonly file: WatchFile,
    private readonly start: (onExit: () => void) => void,
    private readonly session: Session,
  ) {
    this.#start()
  }

  #start(): void {
    if (this.#isReleased || this.file.read().outcome) return
    this.#starts += 1
    if (this.#starts <= mostStarts) this.start(() => this.#start())
  }

  /** Resolves when a watcher is running, or has ended with an outcome. */
  async isWatching(): Promise<void> {
    await this.#find(
      ({ watcher, outcome }) => outcome ?? (watcher && isRunning(watcher) !== false ? watcher : undefined),
    )
  }

  /**
   * Sets the changes to undo; when it resolves, the watcher will undo them even if this process ends. Throws `refused`
   * if the undo has begun: then the work must stop.
   */
  async watch(fields: Partial<Watch>): Promise<void> {
    await this.isWatching()
    const { decision, outcome } = await this.file.append(fields)
    if (decision === 'undo') throw undoneProblem(outcome)
  }

  /** Sets the time until which the written changes must be kept. */
  async finishWriting(deadline: UndoTime): Promise<void> {
    await this.file.append({ stage: 'written', deadline })
  }

  /** Leaves the undo to the watcher, which lives on. */
  async leave(): Promise<void> {
    await this.watch({ attached: false })
    this.#release()
  }

  /** Keeps the changes. Resolves to the outcome if they were already undone, as the time was over. */
  async keep(): Promise<WatchOutcome | undefined> {
    if (isDue(this.file.read(), this.session.clock)) return this.undo()
    const { decision } = await this.file.append({ decision: 'keep' })
    if (decision === 'undo') return this.undo()
    this.file.remove()
    this.#release()
    return undefined
  }

  /**
   * Undoes everything now. The caller prints the outcome, so no later command does. Throws if the run is interrupted;
   * then the watcher continues.
   */
  async undo(): Promise<WatchOutcome> {
    await this.file.append({ ended: true })
    const { ui, signal } = this.session
    const progress = await ui.progress('Undoing the change')
    // An earlier interrupt has caused the undo.
    const interruption = signal.aborted ? undefined : signal
    try {
      const outcome = await this.#outcome(interruption)
      // Every command reports a refused undo.
      if (outcome.ok || !outcome.refused) this.file.remove()
      return outcome
    } catch (error) {
      throw interruption?.aborted ? leftProblem(interruption.reason) : error
    } finally {
      progress.done()
      this.#release()
    }
  }

  async #outcome(signal: AbortSignal | undefined): Promise<WatchOutcome> {
    for (let printed: string | undefined; ; ) {
      const { outcome, retry } = await this.#find((watch) => {
        return watch.outcome || watch.retry !== printed ? watch : undefined
      }, signal)
      if (outcome) return outcome
      if (retry) await this.session.ui.status(retry)
      printed = retry
    }
  }

  /** Looks at the file until it has something. Throws `local` if watchers keep dying. */
  async #find<T>(find: (watch: Watch) => T | undefined, signal?: AbortSignal): Promise<T> {
    for (;;) {
      const match = find(this.file.read())
      if (match !== undefined) return match
      if (this.#starts > mostStarts)
        throw new Problem('local', 'the background process that should undo the change ends whenever it is started')
      await this.session.clock.sleep(pauseMs, signal)
    }
  }

  #release(): void {
    this.#isReleased = true
    this.file.close()
  }
}

function undoneProblem(outcome: WatchOutcome | undefined): Problem {
  const texts = outcome?.texts ?? []
  return new Problem('refused', ['the background process undid the change before it was complete', ...texts].join('; '))
}

const leftProblem = ({ code, message }: Problem) =>
  new Problem(code, `${message}; the undo continues in the background, and the next command prints its result`)

/**
 * Starts another watcher for a file whose watcher was killed, with the token of this account or of its context. Returns
 * whether it runs.
 */
export async function restartWatcher({ path, watch }: StoredWatch, session: Session): Promise<boolean> {
  const environment = await environmentOf(watch, session).catch(ignoreProblem)
  if (!environment) return false
  const { detach } = await session.host()
  const file = WatchFile.open(path)
  const watcher = new Watcher(file, (onExit) => detach(['firewalls', 'watch', path], environment, onExit), session)
  return watcher.isWatching().then(
    () => true,
    (error) => ignoreProblem(error) ?? false,
  )
}

/** Returns the environment for the account of a watch; undefined if this process has no token for it. */
async function environmentOf({ context, service }: Watch, session: Session): Promise<Environment | undefined> {
  const own = await accountOf(session.account).catch(ignoreProblem)
  if (own?.service === service && (context === null || own.context === context)) return environmentFor(session)
  if (context === null || !(await session.config.read()).contexts.has(context)) return undefined
  const { SKYCTL_BASE_URL: _elsewhere, ...env } = withoutToken(commonEnvironment(session))
  return { ...env, SKYCTL_CONTEXT: context }
}

/** Returns the watcher's environment, the only place with its token, as in this process. */
async function environmentFor(session: Session): Promise<Environment> {
  const env = commonEnvironment(session)
  if ((await session.account.access.credential()).sandbox) {
    const { SKYCTL_BASE_URL: _elsewhere, ...others } = withoutToken(env)
    return { ...others, SKYCTL_CONTEXT: SANDBOX }
  }
  const { baseUrl, token } = await session.account.access.signedIn()
  return { ...env, SKYCTL_BASE_URL: baseUrl, SKYCTL_TOKEN: token }
}

/** Returns this environment without the files and names that the watcher does not need. It runs in another folder. */
function commonEnvironment({ env }: Session): Environment {
  const { SKYCTL_TOKEN_FILE: _file, SKYCTL_CONTEXT: _context, SKYCTL_DEBUG_FILE: _debug, ...rest } = env
  return { ...rest, ...absolutePaths(rest) }
}

/** Returns the variables that name certificate authorities, with absolute paths. Only SSL_CERT_DIR has several. */
function absolutePaths({ NODE_EXTRA_CA_CERTS: extra, SSL_CERT_FILE: file, SSL_CERT_DIR: folders }: Environment) {
  const absolute = (path: string) => path && resolve(path)
  return {
    ...(extra && { NODE_EXTRA_CA_CERTS: resolve(extra) }),
    ...(file && { SSL_CERT_FILE: resolve(file) }),
    ...(folders && { SSL_CERT_DIR: folders.split(delimiter).map(absolute).join(delimiter) }),
  }
}
