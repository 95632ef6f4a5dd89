/** Looking once more at what a change has done. */
import { type Details, Problem } from '../errors'

interface Done extends Pick<Details, 'created'> {
  /** After the word "after": `the rules of firewall "web" (2001) were replaced`. */
  what: string
}

/** Where looking fails, or a signal ends it, the change is done all the same: the problem says so. */
export async function lookAfter<T>({ what, created }: Done, look: () => Promise<T>): Promise<T> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { details } = error
    throw new Problem(error.code, `${error.message}, after ${what}`, {
      ...details,
      ...(created && { created }),
      retryable: false,
      cause: error,
    })
  }
}
