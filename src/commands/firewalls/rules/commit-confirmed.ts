/**
 * Applies changes that must be confirmed. A watcher is started before they are written. It restores the previous rules
 * if the answer is no, or if this process has ended.
 */
import type { WriteRules } from '../../../account/actions/edit-rules'
import type { Session } from '../../../engine/session'
import { Problem } from '../../../errors'
import { sinceBoot } from '../../../files/process-id'
import { isJson } from '../../../output/formats'
import { spanText } from '../../../rules/durations'
import { problemOf, undoFailed, undoNow } from '../watch/outcomes'
import { startWatcher, type Watcher } from '../watch/start'
import { type Undoing, undoTimeAt, type Watch } from '../watch/watch'

/** The confirmation of a change: its time limit, and a command or a question. */
export interface Confirmation {
  timeMs: number
  /** A shell command; without it the user is asked. */
  command: string | undefined
}

/** A change of rules that must be confirmed to stay. */
export interface CommitConfirmed {
  /** Runs the work, which must announce each write before it. */
  write: WriteRules
  /** Waits for the confirmation; throws if it was not confirmed, with the current state. */
  settle(): Promise<void>
}

/** Pause between two attempts of the command. */
const pauseMs = 1_000

export function commitConfirmed(
  firewall: { firewallId: number; name: string },
  confirmation: Confirmation,
  session: Session,
): CommitConfirmed {
  let settle = async () => {}
  return {
    async write(work) {
      const pending = await startKeeping({ undoings: [], stage: 'nothing' }, { confirmation, session })
      const done = await whileWatched(pending, { session, several: false }, () =>
        work(({ now, next }) =>
          pending.begin({ undoings: [{ kind: 'restore', ...firewall, before: now, written: next }] }),
        ),
      )
      if (done.written)
        settle = () => confirmed(pending, { what: `the rules of ${firewall.name}`, confirmation, session })
      else await pending.watcher.keep()
      return done
    },
    settle: () => settle(),
  }
}

/**
 * Applies known rule changes that must be confirmed: `work` writes them, and calls `begin` before each write of rules.
 * The time begins with the first call, or without one, when the work is done.
 */
export async function commitAllConfirmed(
  undoings: readonly Undoing[],
  { confirmation, session }: { confirmation: Confirmation; session: Session },
  work: (begin: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const pending = await startKeeping({ undoings, stage: 'writing' }, { confirmation, session })
  await whileWatched(pending, { session, several: undoings.length > 1 }, () => work(() => pending.begin()))
  const names = undoings.map(({ name }) => name).join(', ')
  await confirmed(pending, { what: `the rules of ${names}`, confirmation, session })
}

/** Written rules that must be confirmed in time. */
interface PendingConfirmation {
  watcher: Watcher
  /** Announces a write. The time begins with the first one; throws `refused` when it is over. */
  begin(change?: Pick<Watch, 'undoings'>): Promise<void>
  /** Returns the deadline, by `sinceBoot`; the time begins now if it has not begun. */
  end(): number
}

async function startKeeping(
  initial: Pick<Watch, 'undoings' | 'stage'>,
  { confirmation, session }: { confirmation: Confirmation; session: Session },
): Promise<PendingConfirmation> {
  const watcher = await startWatcher({ ...initial, deadline: null }, session)
  let deadline: number | undefined
  const end = () => {
    deadline ??= sinceBoot() + confirmation.timeMs
    return deadline
  }
  return {
    watcher,
    end,
    async begin(change) {
      if (sinceBoot() >= end()) throw lateProblem(confirmation)
      await watcher.watch({ ...change, stage: 'writing', deadline: undoTimeAt(end(), session.clock) })
    },
  }
}

/** Runs the work; after a failure, restores written rules. */
async function whileWatched<T>(
  { watcher }: PendingConfirmation,
  /** True for several firewalls: if rules of one are refused, those of another may have been written. */
  { session, several }: { session: Session; several: boolean },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await (several ? undoNow(watcher, session) : undoFailed(error, watcher, session))
    throw error
  }
}

interface Asking {
  /** Name in messages: `the rules of firewall "web" (9100)`. */
  what: string
  confirmation: Confirmation
  session: Session
}

async function confirmed(pending: PendingConfirmation, asking: Asking): Promise<void> {
  const { watcher } = pending
  const end = pending.end()
  await watcher.finishWriting(undoTimeAt(end, asking.session.clock))
  const reason = await whyNot(end, asking)
  const outcome = await (reason ? watcher.undo() : watcher.keep())
  // The watcher measures the time itself, as this process may have been suspended.
  if (outcome) throw notKept(reason ?? new Problem('refused', 'it was confirmed too late'), outcome)
  await asking.session.ui.status(`Kept ${asking.what}`)
}

function notKept({ code, message }: Problem, outcome: Parameters<typeof problemOf>[0]): Problem {
  const { message: text, details } = problemOf(outcome)
  return new Problem(code, `${message}. ${text}`, details)
}

function lateProblem({ timeMs, command }: Confirmation): Problem {
  const what = command === undefined ? 'no answer was given' : 'it did not succeed'
  return new Problem('refused', `${what} within ${timeText(timeMs)}`)
}

/** Returns the reason why it was not confirmed; undefined if it was confirmed. The watcher decides whether that was in time. */
async function whyNot(end: number, { what, confirmation, session }: Asking): Promise<Problem | undefined> {
  const { command } = confirmation
  const over = new AbortController()
  const answered = new AbortController()
  const left = () => Math.max(0, end - sinceBoot())
  const timer = session.clock.sleep(left(), answered.signal).then(
    () => over.abort(lateProblem(confirmation)),
    () => {},
  )
  const signal = AbortSignal.any([over.signal, session.signal])
  try {
    if (command !== undefined) return await tryUntil(signal, { command, left: left(), session })
    const ask = await session.ui.ask({ signal, always: true })
    const keep = await ask.confirm(`Keep ${what}?`, { left: () => timeText(left()) })
    return keep ? undefined : new Problem('refused', 'not confirmed')
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  } finally {
    answered.abort()
    await timer
  }
}

interface Trying {
  command: string
  left: number
  session: Session
}

/** Runs the command until it succeeds; only an exit code of 0 before the signal confirms the change. */
async function tryUntil(signal: AbortSignal, { command, left, session }: Trying): Promise<Problem | undefined> {
  await session.ui.status(`Waiting up to ${timeText(left)} until it is confirmed by: ${command}`)
  const { run } = await session.host()
  const beside = isJson(session.ui.format) ? 'hidden' : 'shown'
  for (let last = ''; ; ) {
    const code = await run({ words: [command], shell: true, signal, beside })
    if (signal.aborted) return notTried(signal.reason, `it was still running${last && `; ${last}`}`)
    if (code === 0) return undefined
    if (hopeless.includes(code))
      return new Problem('refused', `--keep-if: the command cannot be run; its exit code was ${code}`)
    last = `its last exit code was ${code}`
    await session.clock.sleep(pauseMs, signal).catch(() => {})
    if (signal.aborted) return notTried(signal.reason, last)
  }
}

const notTried = ({ code, message }: Problem, last: string) => new Problem(code, `--keep-if: ${message}; ${last}`)

/** Exit codes of a shell for a missing or non-executable command (POSIX, 2.8.2): retries would not help. */
const hopeless: readonly number[] = [126, 127]

/** Returns `90 s`: up to two minutes in seconds. */
function timeText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  return seconds <= 120 ? `${seconds} s` : spanText(seconds * 1000)
}
