/**
 * Changes that are kept only when they are confirmed. A watcher is there from before they are written: it puts back what
 * stood before where the answer is no, and where this process is not there any more to ask.
 */
import { Problem } from '../../../errors'
import { sinceBoot } from '../../../files/self'
import { isJson } from '../../../output/formats'
import { spanText } from '../../../rules/durations'
import type { Session } from '../../../session'
import { problemOf, undoFailed, undoNow } from '../watch/outcomes'
import type { Undoing, Watch } from '../watch/watch'
import { startWatcher, type Watcher } from '../watch/watcher'
import type { Confirmation, Keeping } from './keeping-flags'

/** Between two tries of a command. */
const pauseMs = 1_000

export function keepingOne(
  firewall: { firewallId: number; name: string },
  confirmation: Confirmation,
  session: Session,
): Keeping {
  let settle = async () => {}
  return {
    async write(work) {
      const kept = await startKeeping({ undoings: [], stage: 'nothing' }, { confirmation, session })
      const done = await whileWatched(kept, { session, several: false }, () =>
        work((change) => kept.begin({ undoings: [{ kind: 'put back', ...firewall, ...change }] })),
      )
      if (done.written) settle = () => confirmed(kept, { what: `the rules of ${firewall.name}`, confirmation, session })
      else await kept.watcher.forget()
      return done
    },
    settle: () => settle(),
  }
}

/**
 * Does the same for rules that are known before: `work` writes them, and calls `begin` before each of its writes of
 * rules. The time begins with the first of these calls, or where there is none, when the work is done.
 */
export async function keepAll(
  undoings: readonly Undoing[],
  { confirmation, session }: { confirmation: Confirmation; session: Session },
  work: (begin: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const kept = await startKeeping({ undoings, stage: 'writing' }, { confirmation, session })
  await whileWatched(kept, { session, several: undoings.length > 1 }, () => work(() => kept.begin()))
  const names = undoings.map(({ name }) => name).join(', ')
  await confirmed(kept, { what: `the rules of ${names}`, confirmation, session })
}

/** Rules that are written and must be confirmed in time. */
interface Kept {
  watcher: Watcher
  /** Is called before each write. The time begins with the first one; when it is over, throws `refused`. */
  begin(change?: Pick<Watch, 'undoings'>): Promise<void>
  /** When the time is over, by `sinceBoot`; it begins now where nothing has begun. */
  end(): number
}

async function startKeeping(
  wanted: Pick<Watch, 'undoings' | 'stage'>,
  { confirmation, session }: { confirmation: Confirmation; session: Session },
): Promise<Kept> {
  const watcher = await startWatcher({ ...wanted, deadline: null }, session)
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
      await watcher.watch({ ...change, stage: 'writing', deadline: end() })
    },
  }
}

/** What failed is put back, as far as it was written. */
async function whileWatched<T>(
  { watcher }: Kept,
  /** Where the rules of one firewall are refused, those of another may have been written. */
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
  /** `the rules of firewall "web" (9100)` */
  what: string
  confirmation: Confirmation
  session: Session
}

async function confirmed(kept: Kept, asking: Asking): Promise<void> {
  const { watcher } = kept
  const end = kept.end()
  const ended = await watcher.watch({ stage: 'written', deadline: end }).then(() => undefined, problemIn)
  const reason = ended ?? (await whyNot(end, asking))
  const outcome = await (reason ? watcher.undo() : watcher.forget())
  // The watcher counts the time by itself: this process may have been stopped for a while.
  if (outcome) throw notKept(reason ?? new Problem('refused', 'it was confirmed too late'), outcome)
  await asking.session.say(`Kept ${asking.what}`)
}

function problemIn(error: unknown): Problem {
  if (error instanceof Problem) return error
  throw error
}

function notKept({ code, message }: Problem, outcome: Parameters<typeof problemOf>[0]): Problem {
  const { message: text, details } = problemOf(outcome)
  return new Problem(code, `${message}. ${text}`, details)
}

function lateProblem({ timeMs, command }: Confirmation): Problem {
  const what = command === undefined ? 'no answer was given' : 'it did not succeed'
  return new Problem('refused', `${what} within ${timeText(timeMs)}`)
}

/** Undefined where it is confirmed before the time is over. */
async function whyNot(end: number, { what, confirmation, session }: Asking): Promise<Problem | undefined> {
  const { command } = confirmation
  const over = new AbortController()
  const asked = new AbortController()
  const late = lateProblem(confirmation)
  const left = () => Math.max(0, end - sinceBoot())
  const timer = session.clock.sleep(left(), asked.signal).then(
    () => over.abort(late),
    () => {},
  )
  const signal = AbortSignal.any([over.signal, session.signal])
  // The timer of a process that was stopped may be behind what it has heard meanwhile.
  const reason = (): Problem | undefined => (signal.aborted ? signal.reason : left() === 0 ? late : undefined)
  try {
    if (command !== undefined) return await tryUntil(reason, { command, left: left(), signal, session })
    const ask = await session.ask({ signal, always: true })
    const keep = await ask.confirm(`Keep ${what}?`, { left: () => timeText(left()) })
    return keep ? reason() : new Problem('refused', 'not confirmed')
  } catch (error) {
    return problemIn(error)
  } finally {
    asked.abort()
    await timer
  }
}

interface Trying {
  command: string
  left: number
  signal: AbortSignal
  session: Session
}

/** Only an exit code of 0 before there is a reason to end it confirms anything. */
async function tryUntil(
  reason: () => Problem | undefined,
  { command, left, signal, session }: Trying,
): Promise<Problem | undefined> {
  await session.say(`Waiting up to ${timeText(left)} until it is confirmed by: ${command}`)
  const { run } = await session.host()
  const beside = isJson(session.format) ? 'unheard' : 'heard'
  for (let last = ''; ; ) {
    const code = await run({ words: [command], shell: true, signal, beside })
    const ended = reason()
    if (ended) return notTried(ended, `it was still running${last && `; ${last}`}`)
    if (code === 0) return undefined
    if (hopeless.includes(code))
      return new Problem('refused', `--keep-if: the command cannot be run; its exit code was ${code}`)
    last = `its last exit code was ${code}`
    await session.clock.sleep(pauseMs, signal).catch(() => {})
    const over = reason()
    if (over) return notTried(over, last)
  }
}

const notTried = ({ code, message }: Problem, last: string) => new Problem(code, `--keep-if: ${message}; ${last}`)

/** What a shell ends with where the command is not there, or is no program (POSIX, 2.8.2): it will be the same again. */
const hopeless: readonly number[] = [126, 127]

/** Of two minutes each second counts: `90 s`. */
function timeText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  return seconds <= 120 ? `${seconds} s` : spanText(seconds * 1000)
}
