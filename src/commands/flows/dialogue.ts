/** Access of guided flows to the user and the account, independent of the command line and the prompt library. */
import type { Answer, Operation } from '../../catalogue/operation'
import type { InputCheck, Prompts } from '../../engine/questions'
import type { Clock } from '../../engine/session'
import type { Client } from '../../http/client'
import { codeFault } from '../../rules/profile'
import { withoutBlanks } from '../../rules/secrets'

export interface Dialogue {
  ask: Prompts
  client: Client
  /** Sends a change, and resolves to its answer. */
  send<O extends Operation>(operation: O, body?: Record<string, unknown>): Promise<Answer<O>>
  clock: Pick<Clock, 'now' | 'monotonic'>
  /** Prints a message to the user on its own line. */
  say(text: string): Promise<void>
}

/** Checks a code; an empty input is no code, and none is needed. */
export const codeCheck: InputCheck = (text) => text.trim() === '' || (codeFault(withoutBlanks(text)) ?? true)
