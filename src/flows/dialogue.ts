/** What guided flows have in common. They know neither the command line nor the library that asks. */

import { Problem } from '../errors'
import type { Client } from '../http/client'
import type { Ask } from '../prompt/questions'
import type { Clock } from '../session'

export interface Dialogue {
  ask: Ask
  client: Client
  clock: Pick<Clock, 'now'>
  /** Tells the person something, on a line of its own. */
  say(text: string): Promise<void>
}

/** What is left half done, and how to go on. */
interface Left {
  state: string
  hint: string
}

/** Takes steps; where they end early, by Ctrl-C too, the failure also says what is left half done. */
export async function orTell<T>(left: () => Left, steps: () => Promise<T>): Promise<T> {
  try {
    return await steps()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { state, hint } = left()
    throw new Problem(error.code, `${error.message}; ${state}`, { ...error.details, hint, cause: error })
  }
}

/** Makes a check for a prompt of a rule that says what is wrong, or nothing. */
export function passing(fault: (text: string) => string | undefined): (text: string) => true | string {
  return (text) => fault(text) ?? true
}

/** What the service said, for a sentence that goes on. */
export const sentence = ({ message }: Problem): string => message.replace(/\.$/, '')
