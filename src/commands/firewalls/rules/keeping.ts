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
import type { Undoing } from '../watch/watch'
import { startWatcher, type Watcher } from '../watch/watcher'
import type { Confirmation, Keeping } from './keeping-flags'

/** The watcher acts by itself a little later, where this process does not answer at all. */
const graceMs = 3_000

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
      const watcher = await startWatcher({ undoings: [], deadline: null, stage: 'nothing' }, session)
      const done = await whileWatched({ watcher, session, several: false }, () =>
        work((change) => watcher.watch({ stage: 'writing', undoings: [{ kind: 'put back', ...firewall, ...change }] })),
      )
      if (done.written)
        settle = () => confirmed({ watcher, what: `the rules of ${firewall.name}`, confirmation, session })
      else await watcher.forget()
      return done
    },
    settle: () => settle(),
  }
}

/** The same of rules that are known before: `work` writes them. */
export async function keepAll(
  undoings: readonly Undoing[],
  { confirmation, session }: { confirmation: Confirmation; session: Session },
  work: () => Promise<void>,
): Promise<void> {
  const watcher = await startWatcher({ undoings, deadline: null, stage: 'writing' }, session)
  await whileWatched({ watcher, session, several: undoings.length > 1 }, work)
  const names = undoings.map(({ name }) => name).join(', ')
  await confirmed({ watcher, what: `the rules of ${names}`, confirmation, session })
}

interface Watched {
  watcher: Watcher
  session: Session
  /** Where the rules of one firewall are refused, those of another may have been written. */
  several: boolean
}

/** What failed is put back, as far as it was written. */
async function whileWatched<T>({ watcher, session, several }: Watched, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await (several ? undoNow(watcher, session) : undoFailed(error, watcher, session))
    throw error
  }
}

interface Asking {
  watcher: Watcher
  /** `the rules of firewall "web" (9100)` */
  what: string
  confirmation: Confirmation
  session: Session
}

async function confirmed({ watcher, what, confirmation, session }: Asking): Promise<void> {
  await watcher.watch({ stage: 'written', deadline: sinceBoot() + confirmation.timeMs + graceMs })
  const reason = await whyNot(what, confirmation, session)
  const outcome = await (reason ? watcher.undo() : watcher.forget())
  // The watcher was faster where this process was stopped for a while.
  if (outcome) throw notKept(reason ?? new Problem('refused', 'it was confirmed too late'), outcome)
  await session.say(`Kept ${what}`)
}

function notKept({ code, message }: Problem, outcome: Parameters<typeof problemOf>[0]): Problem {
  const { message: text, details } = problemOf(outcome)
  return new Problem(code, `${message}. ${text}`, details)
}

/** Undefined where it is confirmed. */
async function whyNot(what: string, { timeMs, command }: Confirmation, session: Session): Promise<Problem | undefined> {
  const end = sinceBoot() + timeMs
  const over = new AbortController()
  const asked = new AbortController()
  const late = new Problem(
    'refused',
    `${command === undefined ? 'no answer was given' : 'it did not succeed'} within ${timeText(timeMs)}`,
  )
  const timer = session.clock.sleep(timeMs, asked.signal).then(
    () => over.abort(late),
    () => {},
  )
  const signal = AbortSignal.any([over.signal, session.signal])
  try {
    if (command !== undefined) return await tryUntil({ timeMs, command }, signal, session)
    const ask = await session.ask({ signal, always: true })
    const left = () => timeText(Math.max(0, end - sinceBoot()))
    const keep = await ask.confirm(`Keep ${what}?`, { left })
    return keep ? undefined : new Problem('refused', 'not confirmed')
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  } finally {
    asked.abort()
    await timer
  }
}

async function tryUntil(
  { timeMs, command }: { timeMs: number; command: string },
  signal: AbortSignal,
  session: Session,
): Promise<Problem | undefined> {
  await session.say(`Waiting up to ${timeText(timeMs)} until it is confirmed by: ${command}`)
  const { run } = await session.host()
  const beside = isJson(session.format) ? 'unheard' : 'heard'
  for (;;) {
    const code = await run({ words: [command], shell: true, signal, beside })
    if (code === 0) return undefined
    if (hopeless.includes(code))
      return new Problem('refused', `--keep-if: the command cannot be run; its exit code was ${code}`)
    await session.clock.sleep(pauseMs, signal).catch(() => {})
    if (!signal.aborted) continue
    const { code: kind, message }: Problem = signal.reason
    return new Problem(kind, `--keep-if: ${message}; its last exit code was ${code}`)
  }
}

/** What a shell ends with where the command is not there, or is no program (POSIX, 2.8.2): it will be the same again. */
const hopeless: readonly number[] = [126, 127]

/** Of two minutes each second counts: `90 s`. */
function timeText(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  return seconds <= 120 ? `${seconds} s` : spanText(seconds * 1000)
}
