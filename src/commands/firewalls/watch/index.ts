/**
 * Implements the watcher: a background process without a terminal, which undoes temporary changes of another process.
 * It gets orders over stdin, whose end means that the other process has ended. Its deadline is on a monotonic clock. It
 * lives until everything is undone, and writes the outcome to its record (./records).
 */
import type { Command } from '../../../engine/command'
import type { Session } from '../../../engine/session'
import { isRunning, leaveFolder, signalGroup, sinceBoot } from '../../../files/process-id'
import type { Host } from '../../../platform/host'
import type { Order, Watch, WatcherReply, WatchOutcome } from './messages'
import { type OwnRecord, openRecord } from './records'
import { undo } from './undo'

/** Maximum pause between checks of its record, and of the deadline after a sleep of the machine. */
const longestPauseMs = 2_000

/** Time for a check to end after SIGTERM, in milliseconds. */
const patienceMs = 1_000

export const watch: Command = {
  name: 'watch',
  summary: 'Undo a temporary change of another process',
  flags: [],
  hidden: true,
  forShells: true,
  background: true,
  async run(_input, session) {
    const host = await session.host()
    const events = eventsOf(host)
    // A signal that would end the process triggers the undo.
    const release = host.onSignals(endingSignals, () => events.put('now'))
    leaveFolder()
    try {
      await work({ events, session, loadAll: host.loadAll })
    } finally {
      release()
      events.stop()
    }
  },
}

/**
 * Signals that others send and that end a process by default; a signal that a system lacks is never sent. Those of a
 * fault of its own, such as SIGSEGV, end it: its first process starts another watcher.
 */
const endingSignals: readonly NodeJS.Signals[] = [
  ...(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM'] as const),
  ...(['SIGXCPU', 'SIGIO', 'SIGPWR', 'SIGABRT', 'SIGPROF', 'SIGSTKFLT', 'SIGSYS', 'SIGBREAK'] as const),
]

type Event = Order | 'ended' | 'now'

interface Work {
  events: Events
  session: Session
  loadAll: Host['loadAll']
}

async function work({ events, session, loadAll }: Work): Promise<void> {
  const first = await events.next(undefined)
  if (typeof first !== 'object') return
  const record = await openRecord(first.watch.id, session)
  const undoNow = (watch: Watch) => undo(watch, session, (trying) => answer({ trying }, session))
  const watched = await watching(first, { events, record, session, loadAll, undoNow })
  if (!watched) return record.remove()
  const [outcome] = await Promise.all([undoNow(watched), endCheck(watched, session)])
  await finish(watched, outcome, { record, session })
}

interface Watching extends Work {
  record: OwnRecord
  undoNow(watch: Watch): Promise<WatchOutcome>
}

/** Resolves to the changes to undo, at the time to undo them; undefined if they are to stay. */
async function watching(
  first: Order,
  { events, record, session, loadAll, undoNow }: Watching,
): Promise<Watch | undefined> {
  let { watch } = first
  for (let event: Event | undefined = first; ; event = await events.next(pauseUntil(watch))) {
    if (typeof event === 'object') {
      watch = event.watch
      if (event.what === 'undo') return watch
      // A check is of no use to whoever reads the record.
      if (event.what === 'watch' || (event.what === 'check' && event === first)) record.keep(watch)
      await answer({ heard: event.number }, session)
      // Before the next order, and so before the change that may have to be undone.
      if (event === first) loadAll()
      if (event.what === 'forget') return undefined
    }
    if (event === 'now' || (event === 'ended' && watch.attached)) return watch
    if (record.isGone() || (isDue(watch) && !mayStillWrite(watch))) return watch
    if (isDue(watch)) await undoNow({ ...watch, stage: 'written' })
  }
}

/** Ends what is left of a check: the first process may have been killed, or be stopped. It confirms nothing any more. */
async function endCheck({ check }: Watch, { clock }: Session): Promise<void> {
  if (!check || !signalGroup('SIGTERM', check)) return
  await clock.sleep(patienceMs)
  signalGroup('SIGKILL', check)
}

const isDue = ({ deadline }: Watch) => deadline !== null && sinceBoot() >= deadline

/** Reports whether a write of the first process may still arrive: then the undo must be repeated. */
const mayStillWrite = ({ stage, attached, first }: Watch) =>
  stage === 'writing' && attached && isRunning(first) !== false

/** Returns the time until the deadline; after it, until the next check. */
function pauseUntil({ deadline }: Watch): number {
  const left = (deadline ?? Number.POSITIVE_INFINITY) - sinceBoot()
  return left > 0 ? Math.min(longestPauseMs, left) : longestPauseMs
}

/** Writes the record first: the first process may die before it prints the outcome. */
async function finish(
  watched: Watch,
  outcome: WatchOutcome,
  { record, session }: Pick<Watching, 'record' | 'session'>,
): Promise<void> {
  if (outcome.texts.length === 0 || record.isGone()) record.remove()
  else record.end(watched, outcome)
  await answer({ outcome }, session)
}

/** Sends an answer; the first process may have ended. */
async function answer(text: WatcherReply, session: Session): Promise<void> {
  await session.ui.stdout.write(`${JSON.stringify(text)}\n`).catch(() => {})
}

interface Events {
  put(event: Event): void
  /** Returns the next event; undefined after this time. */
  next(withinMs: number | undefined): Promise<Event | undefined>
  stop(): void
}

function eventsOf(host: Host): Events {
  const waiting: Event[] = []
  let wake = () => {}
  const put = (event: Event) => {
    waiting.push(event)
    wake()
  }
  const stop = host.onLines(
    (line) => put(JSON.parse(line) as Order),
    () => put('ended'),
  )
  return {
    put,
    stop,
    async next(withinMs) {
      if (waiting.length === 0) {
        await new Promise<void>((resolve) => {
          const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      return waiting.shift()
    },
  }
}
