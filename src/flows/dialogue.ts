/** Common parts of guided flows, which are independent of the command line and the prompt library. */

import type { Answer, Operation } from '../catalogue/operation'
import type { Clock } from '../engine/session'
import { Problem } from '../errors'
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

/** State after an incomplete flow, and the next step. */
interface Left {
  state: string
  hint: string
}

/** Runs steps. If they fail or are interrupted (Ctrl-C), the error also describes the incomplete state. */
export async function orTell<T>(left: () => Left, steps: () => Promise<T>): Promise<T> {
  try {
    return await steps()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { state, hint } = left()
    throw new Problem(error.code, `${error.message}; ${state}`, { ...error.details, hint, cause: error })
  }
}

/** Converts a validation function to a check for prompts. */
export function passing(fault: (text: string) => string | undefined): (text: string) => true | string {
  return (text) => fault(text) ?? true
}

/** Returns the service's message without full stop, for use within a sentence. */
export const sentence = ({ message }: Problem): string => message.replace(/\.$/, '')
