/** Texts of problems in guided flows. */
import { Problem } from '../../errors'

/** State after an incomplete flow, and the next step. */
interface Left {
  state: string
  hint: string
}

/** Runs steps. If they fail or are interrupted (Ctrl-C), the error also describes the incomplete state. */
export async function withStateInProblem<T>({ state, hint }: Left, steps: () => Promise<T>): Promise<T> {
  try {
    return await steps()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw error.with({ message: `${error.message}; ${state}`, hint })
  }
}

/** Returns the service's message without full stop, for use within a sentence. */
export const sentence = ({ message }: Problem): string => message.replace(/\.$/, '')
