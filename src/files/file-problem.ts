import { Problem } from '../errors'

/** Returns the code of a failed system call, such as `ENOENT`; undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' ? code : undefined
}

const fileLimitHint = 'Raise the limit, for example with ulimit -n 1024'

/** Returns the problem if a system call failed because too many files are open, in the process or on the machine. */
export function fileLimitProblem(error: unknown): Problem | undefined {
  if (!isFileLimit(error)) return undefined
  return new Problem('local', 'too many open files', { hint: fileLimitHint, cause: error })
}

const isFileLimit = (error: unknown) => ['EMFILE', 'ENFILE'].includes(errorCode(error) ?? '')

/**
 * Converts a failed system call to a message: `cannot write /home/a/x.json: no space left on device`. Other errors are
 * returned unchanged, so that defects remain visible.
 */
export function fileProblem(doing: string, path: string, error: unknown): unknown {
  const reason = error instanceof Error && /^E[A-Z0-9]+: ([^,]+)/.exec(error.message)?.[1]
  if (!reason) return error
  const hint = isFileLimit(error) ? { hint: fileLimitHint } : {}
  return new Problem('local', `cannot ${doing} ${path}: ${reason}`, { ...hint, cause: error })
}

/** Does work with a file; system calls that fail throw the problem of `fileProblem`. */
export function attempt<T>(doing: string, path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw fileProblem(doing, path, error)
  }
}

/** Does work with a file in the same way; undefined if it does not exist. */
export function ifExists<T>(doing: string, path: string, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw fileProblem(doing, path, error)
  }
}
