/**
 * Implements the watcher: a background process without a terminal, which undoes temporary changes of another process.
 * It reads their file several times a second, and lives until everything is undone, or the changes are kept.
 */
import type { Command } from '../../../engine/command'
import type { Session } from '../../../engine/session'
import { ignoreProblem } from '../../../errors'
import { isRunning, leaveFolder, self, sinceBoot } from '../../../files/process-id'
import { undo } from './undo'
import { hasFirstEnded, isDue, type Watch, type WatchOutcome } from './watch'
import { WatchFile } from './watch-file'

/** Pause between two looks at the file. */
const pauseMs = 200

/** Pause between two looks at rules that the first process may still write. */
const lateWriteMs = 2_000

export const watch: Command = {
  name: 'watch',
  summary: 'Undo a temporary change of another process',
  arguments: [{ name: 'file', description: 'File of the change' }],
  flags: [],
  hidden: true,
  forShells: true,
  background: true,
  async run({ arguments: [path = ''] }, session) {
    const host = await session.host()
    const interruption = new AbortController()
    // A signal that would end the process triggers the undo.
    const release = host.onSignals(endingSignals, () => interruption.abort())
    leaveFolder()
    // Before the first process sees that it may write.
    host.loadAll()
    const file = WatchFile.open(path)
    try {
      await work(file, { session, signal: interruption.signal })
    } finally {
      file.close()
      release()
    }
  },
}

/** Signals that people and systems send to end a process. One that another signal ended is started again. */
const endingSignals: readonly NodeJS.Signals[] = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGBREAK']

interface Watching {
  session: Session
  /** Aborted to undo now. */
  signal: AbortSignal
}

async function work(file: WatchFile, { session, signal }: Watching): Promise<void> {
  const { watcher } = await file.append({ watcher: self() })
  // Of several watchers that were started at once, the first one in the file works.
  if (watcher?.pid !== self().pid) return
  await untilOver(file, { session, signal })
  if (file.read().decision === 'keep') return
  if ((await appended(file, { decision: 'undo' })).decision === 'keep') return
  await undoLateWrites(file, session)
  await finish(file, await undoFor(file, file.read(), session), session)
}

/** Resolves at the time of the undo, or when the changes are kept. */
async function untilOver(file: WatchFile, { session, signal }: Watching): Promise<void> {
  for (;;) {
    const watched = file.read()
    const isOver = isDue(watched, session.clock) || hasFirstEnded(watched) || watched.decision !== undefined
    if (isOver || signal.aborted || file.isGone()) return
    const left = (watched.deadline?.sinceBoot ?? Number.POSITIVE_INFINITY) - sinceBoot()
    await session.clock.sleep(left > 0 ? Math.min(pauseMs, left) : pauseMs, signal).catch(() => {})
  }
}

/** Undoes each write of the first process that arrives after the time, until it has its answer or has ended. */
async function undoLateWrites(file: WatchFile, session: Session): Promise<void> {
  const mayStillWrite = () => {
    const { stage, attached, first, ended } = file.read()
    return stage === 'writing' && attached && !ended && isRunning(first) !== false
  }
  while (mayStillWrite()) {
    await undoFor(file, { ...file.read(), stage: 'written' }, session)
    for (let waited = 0; mayStillWrite() && waited < lateWriteMs; waited += pauseMs) await session.clock.sleep(pauseMs)
  }
}

async function undoFor(file: WatchFile, watched: Watch, session: Session): Promise<WatchOutcome> {
  return undo(watched, session, async (retry) => {
    await appended(file, { retry })
    return !file.isWithdrawn()
  })
}

/** Appends fields if possible: a full disk must not prevent the undo. */
const appended = (file: WatchFile, fields: Partial<Watch>): Promise<Watch> =>
  file.append(fields).catch((error) => {
    ignoreProblem(error)
    return { ...file.read(), ...fields }
  })

/** Writes the outcome, for the first process or, if that has ended, the next command. */
async function finish(file: WatchFile, outcome: WatchOutcome, { clock }: Session): Promise<void> {
  const { temporary } = await appended(file, { outcome: { ...outcome, time: clock.now() } })
  if (outcome.texts.length === 0 || temporary !== undefined) file.remove()
}
