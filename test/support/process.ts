/** Starts the built skyctl as a process, over pipes, and shell lines around it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { expect } from 'vitest'
import { keepCode, linkCode } from './compiled-code'
import { file, program } from './program'
import { test as base, words } from './skyctl'

export interface ProcessResult {
  /** null if a signal ended it. */
  exit: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Running {
  stdin: Writable
  /** Resolves to stdout or stderr when one of them contains the text. */
  until(text: string): Promise<string>
  kill(signal: NodeJS.Signals): void
  /** Sends a signal that the process handles once, and resolves when it was delivered. */
  signal(signal: 'SIGINT' | 'SIGTERM'): Promise<void>
  end: Promise<ProcessResult>
}

export interface ProcessOptions {
  /** Added to the variables that sign in to the sandbox; undefined removes a variable. */
  env?: Record<string, string | undefined>
  cwd?: string
  /** Whole stdin. It stays open if undefined. */
  stdin?: string
}

export interface ProcessFixtures {
  /** Environment of a process: with a home, and a PATH that has skyctl. */
  processEnv: Record<string, string>
  /** Starts a program with its arguments. If it still runs at the end of the test, it is killed. */
  startProgram(program: readonly string[], options: ProcessOptions): Running
  /** Starts skyctl with the words of the line. */
  start(line: string, options?: ProcessOptions): Running
  /** Runs a line of the shell to its end; `skyctl` is on its PATH. */
  shell(line: string, options?: ProcessOptions): Promise<ProcessResult>
}

export const test = base.extend<ProcessFixtures>({
  processEnv: async ({ env, home }, use) => {
    const programs = join(home, 'bin')
    mkdirSync(programs)
    symlinkSync(file, join(programs, 'skyctl'))
    symlinkSync(process.execPath, join(programs, 'node'))
    const cache = join(home, '.cache')
    linkCode(cache)
    const { XDG_CACHE_HOME: _ours, ...signedIn } = env
    await use({
      PATH: `${programs}:/usr/bin:/bin`,
      HOME: home,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      PAGER: 'cat',
      ...signedIn,
    })
    keepCode(cache)
  },
  startProgram: async ({ processEnv }, use) => {
    const children: ChildProcess[] = []
    await use((program, options) => {
      const { child, running } = startProcess(program, processEnv, options)
      children.push(child)
      return running
    })
    await Promise.all(children.map(killTree))
  },
  start: async ({ startProgram }, use) =>
    use((line, options = {}) => startProgram([...program, ...words(line)], options)),
  shell: async ({ startProgram }, use) =>
    use((line, options = {}) => startProgram(['/bin/sh', '-c', line], { stdin: '', ...options }).end),
})

/** Kills a process and its group, so that nothing writes to a home that is about to be removed. */
async function killTree(child: ChildProcess): Promise<void> {
  const running = child.exitCode === null && child.signalCode === null
  const exit = running && once(child, 'exit')
  killGroup(child.pid)
  await exit
}

/** Merges environments, without undefined variables. */
export function environment(...parts: Record<string, string | undefined>[]): Record<string, string> {
  const entries = Object.entries<string | undefined>(Object.assign({}, ...parts))
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

function startProcess(
  [file = '', ...argv]: readonly string[],
  surroundings: Record<string, string>,
  options: ProcessOptions,
) {
  const env = environment(surroundings, options.env ?? {})
  // A group of its own, so that nothing that a shell started outlives the test.
  const child = spawn(file, argv, { env, detached: true, ...(options.cwd && { cwd: options.cwd }) })
  const stdout = gather(child.stdout)
  const stderr = gather(child.stderr)
  // Not every process reads its input.
  child.stdin.on('error', () => {})
  if (options.stdin !== undefined) child.stdin.end(options.stdin)
  const end = new Promise<ProcessResult>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exit, signal) => resolve({ exit, signal, stdout: stdout.text(), stderr: stderr.text() }))
  })
  const running: Running = {
    stdin: child.stdin,
    end,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    signal: async (signal: 'SIGINT' | 'SIGTERM') => {
      child.kill(signal)
      await expect.poll(() => isPendingOrCaught(child.pid, signal)).toBe(false)
    },
    until: (text: string) =>
      new Promise<string>((resolve, reject) => {
        for (const { stream, text: content } of [stdout, stderr]) {
          const check = () => {
            if (content().includes(text)) resolve(content())
          }
          stream.on('data', check)
          check()
        }
        end.then(({ stdout, stderr }) => reject(new Error(`ended without "${text}": ${stdout}${stderr}`)))
      }),
  }
  return { child, running }
}

/** Reports whether a signal is pending, or has a handler. Only Linux shows it. */
function isPendingOrCaught(pid: number | undefined, signal: NodeJS.Signals): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const bit = 1n << BigInt(constants.signals[signal] - 1)
  return ['SigPnd', 'ShdPnd', 'SigCgt'].some((name) => {
    const [, mask = '0'] = status.match(new RegExp(`^${name}:\\s*([0-9a-f]+)$`, 'm')) ?? []
    return (BigInt(`0x${mask}`) & bit) !== 0n
  })
}

export function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // All have ended.
  }
}

function gather(stream: Readable) {
  const chunks: string[] = []
  stream.setEncoding('utf8').on('data', (chunk) => chunks.push(chunk))
  return { stream, text: () => chunks.join('') }
}
