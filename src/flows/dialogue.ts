/** Access of guided flows to the user and the account, independent of the command line and the prompt library. */
import type { Answer, Operation } from '../catalogue/operation'
import type { Clock } from '../engine/session'
import type { Client } from '../http/client'
import type { Prompts } from '../prompt/questions'

export interface Dialogue {
  ask: Prompts
  client: Client
  /** Sends a change, and resolves to its answer. */
  send<O extends Operation>(operation: O, body?: Record<string, unknown>): Promise<Answer<O>>
  clock: Pick<Clock, 'now' | 'monotonic'>
  /** Prints a message to the user on its own line. */
  say(text: string): Promise<void>
}
