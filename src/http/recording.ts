/** What is sent that changes something, written down: before it leaves, and again when it has ended (engine/history). */
import type { Method } from '../catalogue/operation'
import type { Code } from '../errors'

/** What is known of an object before it is changed. */
export interface About {
  label?: string | undefined
  /** What stood in the fields that are replaced, or all that stood. */
  before?: Readonly<Record<string, unknown>> | undefined
  /** `before` is all that there was, whatever its keys. */
  whole?: true
  /** When what stood before was kept elsewhere, in milliseconds since the epoch: that finds it. */
  copy?: number | undefined
}

/** A request that changes something, and is about to be sent. */
export interface Outgoing {
  method: Method
  /** Of an operation, with the holes that `holes` fill; otherwise as it is sent, without secrets. */
  path: string
  holes?: Readonly<Record<string, string | number>> | undefined
  about?: About | undefined
}

export interface Ended {
  outcome: 'ok' | 'failed' | 'unknown'
  /** Why it failed, or why that is not known. */
  code?: Code
  status?: number
  /** What the service calls the exchange. */
  requestId?: string
  /** What came back, or what stands in its place where that was lost. */
  answer?: unknown
}

/** A request that was written down. What is told last of it holds. */
export interface Recorded {
  /** Throws nothing. */
  ended(how: Ended): Promise<void>
}

export interface Recording {
  /** Throws nothing, also where nothing can be written. */
  begin(outgoing: Outgoing): Promise<Recorded>
  /** What all changes of this run are undone by as one: `history undo --apply ID`. */
  readonly apply?: string
  /** Whether a request more is worth what it tells of the state before a change. */
  readonly looks: boolean
  /** The same for a command that another one runs, with what that knows to be replaced. */
  within(command: string, options: { looks: boolean; before?: About['before'] }): Recording
}

/** Headers in which services and what stands before them tell how they call an exchange. */
export const idHeaders = ['x-request-id', 'request-id', 'x-correlation-id', 'x-trace-id']
