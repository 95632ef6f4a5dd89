/** Lists what a command of the built program loads: a measure of a fast start that does not depend on the machine. */
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

const root = join(import.meta.dirname, '../..')

export interface Loads {
  exit: number | null
  stdout: string
  stderr: string
  /** Names of files such as `main.js`, sorted. */
  files: string[]
  /** Whether it ended the process itself, before nothing was left to do. */
  atOnce: boolean
  /** Total length of these files. */
  bytes: number
  /**
   * Public modules of Node that it loaded, directly or indirectly, without those that every start loads. Node's own
   * fetch is `internal/deps/undici/undici`, and aborting is `internal/abort_controller`.
   */
  builtins: string[]
}

/** `silent`: stdout and stderr are /dev/null instead of pipes. */
export async function loadsOf(
  argv: readonly string[],
  env: NodeJS.ProcessEnv = {},
  { silent = false } = {},
): Promise<Loads> {
  const output = silent ? 'ignore' : 'pipe'
  const words = ['--require', join(import.meta.dirname, 'loads.cjs'), join(root, 'bin/skyctl.js'), ...argv]
  // With its code cache, skyctl does not load through Node's own module table.
  const child = spawn(process.execPath, words, {
    env: { ...env, SKYCTL_CODE_CACHE: '0' },
    stdio: ['ignore', output, output, 'pipe'],
  })
  const exit = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [, stdout, stderr, loads] = await Promise.all(
    child.stdio.map((stream) => (stream ? text(stream as Readable) : '')),
  )
  const { files, builtins, atOnce }: Pick<Loads, 'files' | 'builtins' | 'atOnce'> = JSON.parse(loads ?? '')
  return {
    exit: await exit,
    stdout: stdout ?? '',
    stderr: stderr ?? '',
    files: files.map((file) => basename(file)).sort(),
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
    builtins,
    atOnce,
  }
}
