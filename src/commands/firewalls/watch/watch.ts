/** A watch: temporary changes of one process, which another one, the watcher, undoes after a time or if the first ends. */
import type { AccountName, User } from '../../../account/account'
import type { FirewallRules } from '../../../catalogue/firewall-rules'
import { holdsLongNumber } from '../../../data/json'
import { parseLossless } from '../../../data/lossless'
import type { Clock } from '../../../engine/session'
import { isNewer } from '../../../files/newer-format'
import { isRunning, type ProcessName, self, sinceBoot } from '../../../files/process-id'
import { isRecord } from '../../../rules/records'
import { shellWord } from '../../../rules/texts'

interface Subject {
  firewallId: number
  /** Name in messages: `firewall "web" (9100)`. */
  name: string
}

export type Undoing = Subject &
  (
    | {
        kind: 'close'
        mark: string
        /** Traffic in messages: `tcp/22 from 198.51.100.7/32`. */
        passage: string
      }
    | {
        kind: 'restore'
        before: FirewallRules
        /** The written rules; the undo requires that they are still current. */
        written: FirewallRules
      }
  )

export interface UndoTime {
  /** By `sinceBoot`, which no setting of the clock moves. */
  sinceBoot: number
  /** In milliseconds since the epoch, for after a restart of the machine. */
  time: number
  /** The kernel's boot, if it has an id. */
  boot?: string | undefined
}

/** Outcome of an undo, as sentences without full stops. */
export type WatchOutcome =
  /** Undone, or nothing to undo. */
  | { ok: true; texts: readonly string[] }
  /** The change may still be current: `next` is the command that shows or fixes it. */
  | {
      ok: false
      texts: readonly string[]
      next: string
      /** True if the service refused the undo for good: every command reports it until the rules are changed. */
      refused?: true
    }

export interface Watch extends AccountName {
  /** User who made the change, if known. */
  user?: User | undefined
  undoings: readonly Undoing[]
  /** `writing`: the service may have the change, or still get it. */
  stage: 'nothing' | 'writing' | 'written'
  /** Null for an undo only on request, or when the first process ends. */
  deadline: UndoTime | null
  /** True if it is also undone when the first process ends. */
  attached: boolean
  first: ProcessName
  /** True if the first process sends nothing more, and waits for the undo. */
  ended?: boolean
  watcher?: ProcessName
  /** The first process keeps the change, or the watcher undoes it: whoever is first in the file decides. */
  decision?: 'keep' | 'undo'
  /** Reason why the undo is tried again. */
  retry?: string
  /** Outcome, and its time in milliseconds since the epoch. */
  outcome?: WatchOutcome & { time: number }
  /** Private folder of the file, if the state folder cannot have it. */
  temporary?: string | undefined
}

/**
 * Combines the lines of a file; incomplete lines are skipped. `newer` for a file that only a newer version can read,
 * undefined if it is no watch.
 */
export function watchIn(text: string): Watch | 'newer' | undefined {
  let watch: Record<string, unknown> = {}
  for (const line of text.split('\n')) {
    const fields = line === '' ? undefined : parsedLine(line)
    if (isRecord(fields)) watch = { ...watch, ...fields, ...lastingIn(watch) }
  }
  if (isNewer(watch.format_version)) return 'newer'
  return isWatch(watch) ? watch : undefined
}

function parsedLine(line: string): unknown {
  try {
    return holdsLongNumber(line) ? parseLossless(line) : JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Returns the fields that no later line replaces: a decision, and a watcher that may be running. */
const lastingIn = ({ decision, watcher }: Record<string, unknown>): object => ({
  ...(decision !== undefined && { decision }),
  ...(isProcess(watcher) && isRunning(watcher) !== false && { watcher }),
})

const isProcess = (value: unknown): value is ProcessName => isRecord(value) && typeof value.pid === 'number'

/** Validates a watch. Every command reads them first, so a file of another version must not crash it. */
function isWatch(watch: Record<string, unknown>): watch is Record<string, unknown> & Watch {
  const { undoings, first, watcher = first, outcome = { texts: [], time: 0 } } = watch
  return (
    Array.isArray(undoings) && undoings.every(isRecord) && isProcess(first) && isProcess(watcher) && isOutcome(outcome)
  )
}

const isOutcome = (outcome: unknown) => isRecord(outcome) && Array.isArray(outcome.texts) && isTime(outcome.time)

/** Reports whether a number is a valid time: within 100 million days around 1970, as in ECMAScript. */
const isTime = (value: unknown) => Number.isInteger(value) && !Number.isNaN(new Date(Number(value)).getTime())

export function undoTimeAt(time: number, clock: Clock): UndoTime {
  return { sinceBoot: time, time: clock.now() + time - sinceBoot(), boot: self().boot }
}

/** Reports whether the time is over. Without an id of the boot, either clock may show that it is. */
export function isDue({ deadline }: Watch, clock: Clock): boolean {
  if (deadline === null) return false
  if (deadline.boot === undefined) return sinceBoot() >= deadline.sinceBoot || clock.now() >= deadline.time
  return deadline.boot === self().boot ? sinceBoot() >= deadline.sinceBoot : clock.now() >= deadline.time
}

/** Reports whether the first process can neither keep the change nor send anything more. */
export const hasFirstEnded = ({ attached, first, ended }: Watch) =>
  ended === true || (attached && isRunning(first) === false)

/** Returns the flag for commands on the same account: ` --context prod`, or an empty string. */
export const accountFlag = ({ context }: Pick<Watch, 'context'>) => (context ? ` --context ${shellWord(context)}` : '')
