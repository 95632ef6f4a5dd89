/**
 * The watcher: a process of its own, in no terminal, which undoes what another one has done for a while. It is told what
 * over its stdin, whose end tells it that the other one has died. Its deadline is one of the machine's own clock, which
 * nobody sets. It lives until all is undone, and says what it did in its record (./records).
 */
import type { Command } from '../../../engine/command'
import { isRunning, leaveFolder, sinceBoot } from '../../../files/self'
import type { Host } from '../../../host'
import type { Session } from '../../../session'
import { type OwnRecord, openRecord } from './records'
import { undo } from './undo'
import type { Answer, Order, Outcome, Watch } from './watch'

/** How often it looks whether its record was taken away, and whether the machine has slept over its deadline. */
const longestPauseMs = 2_000

export const watch: Command = {
  name: 'watch',
  summary: 'Undo what another process of skyctl does for a while',
  flags: [],
  hidden: true,
  forShells: true,
  background: true,
  async run(_input, session) {
    const host = await session.host()
    const events = eventsOf(host)
    // What would end it makes it do its work now.
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

/** Those whose default action ends a process and that a process can catch; where a system lacks one, nobody sends it. */
const endingSignals: readonly NodeJS.Signals[] = [
  ...(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM'] as const),
  ...(['SIGXCPU', 'SIGIO', 'SIGPWR', 'SIGBREAK'] as const),
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
  const outcome = await undoNow(watched)
  await finish(watched, outcome, { record, session })
}

interface Watching extends Work {
  record: OwnRecord
  undoNow(watch: Watch): Promise<Outcome>
}

/** Resolves to what is to be undone, when it is; undefined where all is to stay. */
async function watching(
  first: Order,
  { events, record, session, loadAll, undoNow }: Watching,
): Promise<Watch | undefined> {
  let { watch } = first
  for (let event: Event | undefined = first; ; event = await events.next(pauseUntil(watch))) {
    if (typeof event === 'object') {
      watch = event.watch
      if (event.what === 'undo') return watch
      if (event.what === 'watch') record.keep(watch)
      await answer({ heard: event.number }, session)
      // Before the next order is heard, and so before anything is done that is to be undone.
      if (event === first) loadAll()
      if (event.what === 'forget') return undefined
    }
    if (event === 'now' || (event === 'ended' && watch.attached)) return watch
    if (record.isGone() || (isDue(watch) && !mayStillWrite(watch))) return watch
    if (isDue(watch)) await undoNow({ ...watch, stage: 'written' })
  }
}

const isDue = ({ deadline }: Watch) => deadline !== null && sinceBoot() >= deadline

/** What the first process has begun to write may arrive late: then what has arrived is undone, and looked for again. */
const mayStillWrite = ({ stage, attached, first }: Watch) =>
  stage === 'writing' && attached && isRunning(first) !== false

/** Until the deadline; from then on, until the next look. */
function pauseUntil({ deadline }: Watch): number {
  const left = (deadline ?? Number.POSITIVE_INFINITY) - sinceBoot()
  return left > 0 ? Math.min(longestPauseMs, left) : longestPauseMs
}

/** The record first: whoever is told may die before they have told a person. */
async function finish(
  watched: Watch,
  outcome: Outcome,
  { record, session }: Pick<Watching, 'record' | 'session'>,
): Promise<void> {
  if (outcome.texts.length === 0 || record.isGone()) record.remove()
  else record.end(watched, outcome)
  await answer({ outcome }, session)
}

/** Nobody may be there any more to read it. */
async function answer(text: Answer, session: Session): Promise<void> {
  await session.stdout.write(`${JSON.stringify(text)}\n`).catch(() => {})
}

interface Events {
  put(event: Event): void
  /** The next event; undefined where there is none within that time. */
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
