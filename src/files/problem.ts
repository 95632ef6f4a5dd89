import { Problem } from '../errors'

/** Returns the code of a failed system call, such as `ENOENT`; undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' ? code : undefined
}

/**
 * Converts a failed system call to a message: `cannot write /home/a/x.json: no space left on device`. Other errors are
 * returned unchanged, so that defects remain visible.
 */
export function fileProblem(doing: string, path: string, error: unknown): unknown {
  const reason = error instanceof Error && /^E[A-Z0-9]+: ([^,]+)/.exec(error.message)?.[1]
  return reason ? new Problem('local', `cannot ${doing} ${path}: ${reason}`, { cause: error }) : error
}
