/** The history of changes as its writers see it: a request is noted before it is sent, and again when it has ended. */
import type { Method } from '../../catalogue/operation'
import type { RequestOutcome } from '../../http/client'
import { once } from '../../rules/once'

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
  /** Id of its entry, if something else refers to it. */
  id?: string | undefined
  method: Method
  /** Template of an operation's path, with `pathParameters` for its parameters; otherwise the sent path, without secrets. */
  path: string
  pathParameters?: Readonly<Record<string, string | number>> | undefined
  about?: About | undefined
}

export type Failed = Exclude<RequestOutcome, { is: 'ok' }>

/** The entry of a request in the history. The last outcome that is noted is the valid one. It never throws. */
export interface HistoryEntry {
  /** `answer` may be a substitute for a lost one. */
  done(answer: unknown, got?: RequestOutcome): Promise<void>
  failed(got: Failed): Promise<void>
}

/** Receives the entry of a request, before it is sent. */
export type EntryListener = (entry: HistoryEntry) => void

export interface History {
  /** Never throws, even if nothing can be written. An entry that is never completed means an unknown outcome. */
  begin(outgoing: Outgoing): Promise<HistoryEntry>
  /** Returns an entry of an earlier run by its id; undefined if this machine has none. Its request must be no PUT. */
  earlier(id: string): Promise<HistoryEntry | undefined>
  /** Id of an apply, to undo all changes of this run at once: `history undo --apply ID`. */
  readonly apply?: string
  /** True if the previous state of an object is worth another request. */
  readonly looks: boolean
  /** Returns the history for a command that another one runs, with the state that the outer one is about to replace. */
  within(command: string, options: { looks: boolean; before?: About['before'] }): History
  /** Returns the history for changes that undo a change, by its entry, or an apply, by its id. */
  undoing(undoes: string, options: { isApply: boolean }): History
  /** Closes the file of a run. */
  close?(): void
}

/** Account, as far as its history is needed. */
interface Recorded {
  history(): Promise<History | undefined>
}

interface Sending extends Omit<Outgoing, 'about'> {
  /** Returns the state before it; `looks`: a request for that alone is allowed. */
  about?(looks: boolean): Promise<About>
}

const unrecorded: HistoryEntry = { done: async () => {}, failed: async () => {} }

/** Notes a request that is about to be sent, unless it only reads or nothing is recorded. */
export async function sending({ about, ...request }: Sending, account: Recorded): Promise<HistoryEntry> {
  const history = request.method === 'GET' ? undefined : await account.history()
  if (!history) return unrecorded
  // A previous state that cannot be read must not prevent the change.
  const before = await about?.(history.looks).catch(() => ({}))
  return history.begin({ ...request, about: before })
}

/** Returns the account for the undo of a change, by its entry, or of a whole apply, by its id. */
export function undoing<A extends Recorded>(account: A, undoes: string, { isApply = false } = {}): A {
  return { ...account, history: once(async () => (await account.history())?.undoing(undoes, { isApply })) }
}
