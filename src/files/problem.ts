import { Problem } from '../errors'

/** The code of a failed system call, such as `ENOENT`; undefined where the error is of another kind. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' ? code : undefined
}

/**
 * A failed system call as a person reads it: `cannot write /home/a/x.json: no space left on device`. Any other error
 * is passed through, so that a defect stays one.
 */
export function fileProblem(doing: string, path: string, error: unknown): unknown {
  const reason = error instanceof Error && /^E[A-Z0-9]+: ([^,]+)/.exec(error.message)?.[1]
  return reason ? new Problem('local', `cannot ${doing} ${path}: ${reason}`, { cause: error }) : error
}
