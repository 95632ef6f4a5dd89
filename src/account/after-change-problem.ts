/** Reads a resource again after a change. */
import { type Details, Problem } from '../errors'

interface Done extends Pick<Details, 'created' | 'answer'> {
  /** Continues a message after "after": `the rules of firewall "web" (2001) were replaced`. */
  what: string
}

/** Reads; if that fails or is interrupted, the problem says that the change was made. */
export async function readAfterChange<T>(done: Done, look: () => Promise<T>): Promise<T> {
  try {
    return await look()
  } catch (error) {
    throw error instanceof Problem ? afterChangeProblem(error, done) : error
  }
}

/** Adds the completed change to a problem. */
export function afterChangeProblem(problem: Problem, { what, created, answer }: Done): Problem {
  const message = `${problem.message}, after ${what}`
  return problem.with({ message, ...(created && { created }), ...(answer && { answer }), retryable: false })
}
