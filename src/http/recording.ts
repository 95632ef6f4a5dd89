/**
 * Types of the history of changes, which is written before a request is sent and after it has ended (account/history).
 */
import type { Method } from '../catalogue/operation'
import type { ErrorCode } from '../errors'

/** State of an object before a change. */
export interface About {
  /** Null if the answer has none. */
  label?: string | null | undefined
  /** Previous values of the changed fields, or the whole previous state. */
  before?: Readonly<Record<string, unknown>> | undefined
  /** True if `before` is the whole previous state, whatever its keys. */
  whole?: true
  /** Id of a backup of the previous state. */
  copy?: string | undefined
}

/** A change that is about to be sent. */
export interface Outgoing {
  method: Method
  /** Template of an operation's path, with `pathParameters` for its parameters; otherwise the sent path, without secrets. */
  path: string
  pathParameters?: Readonly<Record<string, string | number>> | undefined
  about?: About | undefined
}

export interface Ended {
  outcome: 'ok' | 'failed' | 'unknown'
  /** Reason of the failure, or of the unknown outcome. */
  code?: ErrorCode
  status?: number
  /** The service's id of the exchange. */
  requestId?: string
  /** The answer, or a substitute if it was lost. */
  answer?: unknown
}

/** A recorded request. The last outcome that is set is the valid one. */
export interface Recorded {
  /** Never throws. */
  ended(how: Ended): Promise<void>
}

export interface Recording {
  /** Never throws, even if nothing can be written. */
  begin(outgoing: Outgoing): Promise<Recorded>
  /** Id of an apply, to undo all changes of this run at once: `history undo --apply ID`. */
  readonly apply?: string
  /** True if the previous state of an object is worth another request. */
  readonly looks: boolean
  /** Returns a recording for a command that another one runs, with the state that the outer one is about to replace. */
  within(command: string, options: { looks: boolean; before?: About['before'] }): Recording
  /** Returns a recording of changes that undo a change, by its entry, or an apply, by its id. */
  undoing(undoes: string, options: { isApply: boolean }): Recording
  /** Ends the recording of a run. */
  close?(): void
}
