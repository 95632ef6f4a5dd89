/**
 * Types of a watch: temporary changes of one process, which another one undoes after a time or if the first has ended.
 */

import type { User } from '../../../account/account'
import type { FirewallRules } from '../../../catalogue/firewall-rules'
import type { ProcessName } from '../../../files/process-id'

/** The firewall. */
interface Subject {
  firewallId: number
  /** Name in messages: `firewall "web" (9100)`. */
  name: string
}

/** A change to undo. */
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

export interface Watch {
  /** Name of its record. */
  id: string
  /** Base URL of the service, or `sandbox`. */
  service: string
  /** User who made the change, if known. */
  user?: User | undefined
  /** Flags for commands on the same account: ` --context prod`, or an empty string. */
  account: string
  undoings: readonly Undoing[]
  /** `writing`: the service may have the change, or still get it. */
  stage: 'nothing' | 'writing' | 'written'
  /** Time of the undo, by `sinceBoot`; null for an undo only on request, or when the first process ends. */
  deadline: number | null
  /** True if it is also undone when the first process ends. */
  attached: boolean
  first: ProcessName
  /** Leads the process group of the check that the first process runs, or has run last. */
  check?: ProcessName
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

/** Message from the first process to the watcher, one per line. */
export interface Order {
  number: number
  watch: Watch
  /** Continue to watch, with a new check or other new data; undo now, or keep the changes. */
  what: 'watch' | 'check' | 'undo' | 'forget'
}

/** Message to the first process: an order was received, an undo was delayed, or the outcome. */
export type WatcherReply = { heard: number } | { trying: string } | { outcome: WatchOutcome }
