import { Problem } from '../errors'
import { type Environment, withoutToken } from '../rules/environment'
import { parseToken } from './token'

const COMMAND_LIMIT_MS = 30_000

interface CommandLimits {
  limitMs?: number
  /** Stops the command; its reason is thrown. */
  signal?: AbortSignal | undefined
}

/** Runs a `token_command` in the shell and returns the first line as the token. Its output is never shown. */
export async function runTokenCommand(
  command: string,
  env: Environment,
  { limitMs = COMMAND_LIMIT_MS, signal }: CommandLimits = {},
): Promise<string> {
  const { exec } = await import('node:child_process')
  const output = await new Promise<string>((resolve, reject) => {
    const bounds = { timeout: limitMs, killSignal: 'SIGKILL', maxBuffer: 64 * 1024, signal } as const
    const child = exec(command, { env: withoutToken(env), windowsHide: true, ...bounds }, (error, stdout) => {
      if (error) reject(signal?.aborted ? signal.reason : failed(error, limitMs))
      else resolve(stdout)
    })
    child.stdin?.end()
  })
  const [line = ''] = output.split(/\r?\n/, 1)
  if (line === '') throw new Problem('not_signed_in', 'the token command printed no token')
  return parseToken(line)
}

function failed(error: Error & { code?: unknown; killed?: boolean }, limitMs: number): Problem {
  const end = error.killed
    ? `did not end within ${limitMs / 1000} s`
    : typeof error.code === 'number'
      ? `failed with exit code ${error.code}`
      : 'failed'
  return new Problem('not_signed_in', `the token command ${end}`, {
    hint: 'Run it by itself to see why; "skyctl context view" shows it',
  })
}
