/** Starts and controls watchers from the process that needs them; restarts a watcher that was killed. */
import { delimiter, resolve } from 'node:path'
import { serviceOf } from '../../../account/account'
import { knownUser } from '../../../account/identity'
import { SANDBOX } from '../../../config/contexts'
import type { Session } from '../../../engine/session'
import { Problem } from '../../../errors'
import { type ProcessName, self } from '../../../files/process-id'
import { randomMark } from '../../../files/temporary'
import type { Detached } from '../../../platform/host'
import { type Environment, withoutToken } from '../../../rules/environment'
import { shellWord } from '../../../rules/texts'
import type { Order, Watch, WatcherReply, WatchOutcome } from './messages'
import { readRecords, removeRecord } from './records'

export interface Watcher {
  /**
   * Sets the changes to undo; when it resolves, the watcher will undo them even if this process ends. Throws `refused`
   * if the watcher has already undone them: then the work must stop.
   */
  watch(change: Partial<Watch>): Promise<void>
  /** Sets the check to end if this process ends. Throws `refused` if the watcher has already undone everything. */
  check(leader: ProcessName): void
  /**
   * Undoes everything now. The caller prints the outcome, so no later command does. Throws if the run is interrupted;
   * then the watcher continues.
   */
  undo(): Promise<WatchOutcome>
  /** Keeps the changes. Resolves to the outcome if they were already undone, as the time was over. */
  forget(): Promise<WatchOutcome | undefined>
  /** Leaves the undo to the watcher, which lives on. */
  leave(): Promise<void>
}

/** Limit for watchers that get killed. */
const mostStarts = 5

/** Starts a watcher. Throws `local` if that fails: then the temporary change must not be made. */
export async function startWatcher(
  initial: Pick<Watch, 'undoings' | 'deadline' | 'stage'>,
  session: Session,
): Promise<Watcher> {
  const { detach } = await session.host()
  const environment = await environmentFor(session)
  const user = await knownUser(session.account)
  const account = { service: await serviceOf(session.account), user, account: await accountOf(session) }
  const first = { id: randomMark(), ...account, attached: true, first: self(), ...initial }
  const line = new Line(first, () => detach(['firewalls', 'watch'], environment), session)
  await line.ask('watch')
  return {
    watch: (change) => line.ask('watch', change),
    check: (leader) => line.check(leader),
    undo: () => orderUndo(line, first.id, session),
    async forget() {
      await line.ask('forget')
      line.release()
      const outcome = line.outcome()
      if (outcome) await forgetRecord(first.id, outcome, session)
      return outcome
    },
    async leave() {
      await line.ask('watch', { attached: false })
      line.release()
    },
  }
}

async function orderUndo(line: Line, id: string, session: Session): Promise<WatchOutcome> {
  const progress = await session.ui.progress('Undoing the change')
  try {
    await unlessInterrupted(line.ask('undo'), session)
  } catch (error) {
    line.release()
    throw error
  } finally {
    progress.done()
  }
  // Only an outcome answers this order.
  const outcome = line.outcome()
  line.release()
  if (!outcome) throw new Error('the watcher has ended without an outcome')
  await forgetRecord(id, outcome, session)
  return outcome
}

/** Waits for the work; throws if the run is interrupted. An earlier interrupt does not count, as it caused the undo. */
async function unlessInterrupted(work: Promise<void>, { signal }: Session): Promise<void> {
  if (signal.aborted) return work
  let stop = () => {}
  const interrupt = new Promise<never>((_, reject) => {
    stop = () => {
      const { code, message }: Problem = signal.reason
      const text = `${message}; the undo continues in the background, and the next command prints its result`
      reject(new Problem(code, text))
    }
    signal.addEventListener('abort', stop)
  })
  try {
    await Promise.race([work, interrupt])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** The way to a watcher, which is started again if it was killed. */
class Line {
  #watch: Watch
  #order: Order
  #pending: { resolve(): void; reject(error: unknown): void } | undefined
  #outcome: WatchOutcome | undefined
  #over = false
  #lostAll: Problem | undefined
  #starts = 0
  #child: Detached

  constructor(
    first: Watch,
    private readonly start: () => Detached,
    private readonly session: Session,
  ) {
    this.#watch = first
    this.#order = { number: 0, watch: first, what: 'watch' }
    this.#child = this.#begin()
  }

  /**
   * Sends an order; resolves when the watcher has received it, or has already finished. Throws `local` if watchers keep
   * dying.
   */
  async ask(what: Order['what'], change: Partial<Watch> = {}): Promise<void> {
    this.#watch = { ...this.#watch, ...change }
    if (this.#over && what === 'watch') throw endedBefore(this.#outcome)
    if (this.#over) return
    if (this.#lostAll) throw this.#lostAll
    this.#send(what)
    await new Promise<void>((resolve, reject) => {
      this.#pending = { resolve, reject }
    })
  }

  /** Is sent, and not waited for: it arrives although this process is killed. */
  check(leader: ProcessName): void {
    if (this.#over) throw new Problem('refused', 'the background process has ended the wait')
    this.#watch = { ...this.#watch, check: leader }
    this.#send('check')
  }

  outcome(): WatchOutcome | undefined {
    return this.#outcome
  }

  release(): void {
    this.#over = true
    this.#child.release()
  }

  #begin(): Detached {
    this.#starts += 1
    const begun = this.start()
    begun.onLines(
      (line) => this.#hear(line),
      () => this.#lost(),
    )
    if (this.#order.number > 0) begun.send(JSON.stringify(this.#order))
    return begun
  }

  #send(what: Order['what']): void {
    this.#order = { number: this.#order.number + 1, watch: this.#watch, what }
    this.#child.send(JSON.stringify(this.#order))
  }

  #hear(line: string): void {
    const answer = JSON.parse(line) as WatcherReply
    if ('trying' in answer) return void this.session.ui.status(answer.trying)
    if ('outcome' in answer) this.#outcome = answer.outcome
    else if (answer.heard !== this.#order.number) return
    if (this.#outcome || this.#order.what === 'forget') this.#over = true
    this.#pending?.resolve()
    this.#pending = undefined
  }

  #lost(): void {
    if (this.#over) return
    this.#child.release()
    if (this.#starts < mostStarts) {
      this.#child = this.#begin()
      return
    }
    const text = 'the background process that should undo the change ends whenever it is started'
    this.#lostAll = new Problem('local', text)
    this.#pending?.reject(this.#lostAll)
  }
}

function endedBefore(outcome: WatchOutcome | undefined): Problem {
  const texts = outcome?.texts ?? []
  return new Problem('refused', ['the background process undid the change before it was complete', ...texts].join('; '))
}

/** Returns the watcher's environment, the only place with its token, as in this process. */
async function environmentFor(session: Session): Promise<Environment> {
  const { SKYCTL_TOKEN_FILE: _file, SKYCTL_CONTEXT: _context, SKYCTL_DEBUG_FILE: _debug, ...rest } = session.env
  // The watcher runs in another folder.
  const env = { ...rest, ...absolutePaths(rest) }
  if ((await session.account.access.credential()).sandbox) {
    const { SKYCTL_BASE_URL: _elsewhere, ...others } = withoutToken(env)
    return { ...others, SKYCTL_CONTEXT: SANDBOX }
  }
  const { baseUrl, token } = await session.account.access.signedIn()
  return { ...env, SKYCTL_BASE_URL: baseUrl, SKYCTL_TOKEN: token }
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

/** Returns the flag for the account in later commands; an empty string if it is not from a context. */
async function accountOf(session: Session): Promise<string> {
  const credential = await session.account.access.credential()
  const { context } = credential
  const own = credential.sandbox || ('from' in credential.secret && credential.secret.from === 'context')
  return own && context ? ` --context ${shellWord(context.name)}` : ''
}

/** Deletes the record of an outcome that is printed, unless every command reports it. */
async function forgetRecord(id: string, outcome: WatchOutcome, session: Session): Promise<void> {
  if (!outcome.ok && outcome.refused) return
  for (const record of await readRecords(session)) if (record.watch.id === id) removeRecord(record)
}
