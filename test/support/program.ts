/** The program that tests start as a process. */
import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { env, execPath } from 'node:process'

const root = join(import.meta.dirname, '../..')

/** An executable, named by `npm run test:executable`, to start instead of `node bin/skyctl.js`. */
export const executable = env.EXECUTABLE ? resolve(root, env.EXECUTABLE) : undefined

/**
 * Whether the executable has bun, which takes more memory than Node and keeps some signals for itself
 * (docs/install.md).
 */
export const isOfBun = executable !== undefined && /"runtime": "bun /.test(versionOf(executable))

function versionOf(path: string): string {
  return execFileSync(path, ['version', '--json'], { encoding: 'utf8' })
}

/** A file that can be linked into a folder of PATH. */
export const file = executable ?? join(root, 'bin/skyctl.js')

/** Command that starts skyctl, before the words of the line. */
export const program: readonly string[] = executable ? [executable] : [execPath, file]

/** Copies the program to a folder. Returns the names of its parts, and the command that starts it there. */
export function copyProgram(folder: string): { parts: readonly string[]; program: readonly string[] } {
  const parts = executable ? [executable] : ['bin', 'dist', 'package.json'].map((part) => join(root, part))
  const names = parts.map((part) => basename(part))
  for (const part of parts) cpSync(part, join(folder, basename(part)), { recursive: true })
  return {
    parts: names,
    program: executable ? [join(folder, basename(executable))] : [execPath, join(folder, 'bin/skyctl.js')],
  }
}

/** Returns the environment in which the program first runs a script, in either runtime. */
export function preloading(script: string): Record<string, string> {
  // Both split at blanks, and accept quotes: bun only around a whole word.
  return {
    NODE_OPTIONS: `--require ${JSON.stringify(script)}`,
    BUN_OPTIONS: JSON.stringify(`--preload=${script}`),
  }
}
