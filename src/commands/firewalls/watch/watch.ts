/** What one process does for a while, and another one undoes when the time is over or the first has died. */
import type { FirewallRules } from '../../../catalogue/firewall-rules'
import type { ProcessName } from '../../../files/self'

/** One firewall, as sentences name it. */
interface Subject {
  firewallId: number
  /** `firewall "web" (9100)` */
  name: string
}

/** What is to be undone. */
export type Undoing = Subject &
  (
    | {
        kind: 'close'
        mark: string
        /** `tcp/22 from 198.51.100.7/32` */
        passage: string
      }
    | {
        kind: 'put back'
        before: FirewallRules
        /** What must still stand. */
        written: FirewallRules
      }
  )

export interface Watch {
  /** The name of its record. */
  id: string
  /** The origin of the service, or `sandbox`. */
  service: string
  /** What follows the words of a command for the same account: ` --context prod`, or nothing. */
  account: string
  undoings: readonly Undoing[]
  /** `writing`: the service may have it, or get it yet. */
  stage: 'nothing' | 'writing' | 'written'
  /** When it is undone, by `sinceBoot`; null where that is only said, or the first process dies. */
  deadline: number | null
  /** It is undone as well when the process that did it has ended. */
  attached: boolean
  first: ProcessName
}

/** What became of it, as sentences without full stops. */
export type Outcome =
  /** All is as it should be. */
  | { ok: true; texts: readonly string[] }
  /** It may still stand: `next` is the command that shows or mends it. */
  | { ok: false; texts: readonly string[]; next: string }

/** From the first process to the watcher, a line each. */
export interface Order {
  number: number
  watch: Watch
  /** Go on watching, undo it now, or leave all as it is. */
  what: 'watch' | 'undo' | 'forget'
}

/** And back: that an order was heard, what keeps it from being undone, and what became of it. */
export type Answer = { heard: number } | { trying: string } | { outcome: Outcome }
