/** Looking once more at what a change has done. */
import { type Details, Problem } from '../errors'

interface Done extends Pick<Details, 'created'> {
  /** After the word "after": `the rules of firewall "web" (2001) were replaced`. */
  what: string
}

/** Where looking fails, or a signal ends it, the change is done all the same: the problem says so. */
export async function lookAfter<T>(done: Done, look: () => Promise<T>): Promise<T> {
  try {
    return await look()
  } catch (error) {
    throw error instanceof Problem ? toldAfter(error, done) : error
  }
}

/** Says of a problem what was done before it. */
export function toldAfter(problem: Problem, { what, created }: Done): Problem {
  return new Problem(problem.code, `${problem.message}, after ${what}`, {
    ...problem.details,
    ...(created && { created }),
    retryable: false,
    cause: problem,
  })
}
