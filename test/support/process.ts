/** The built skyctl as a process of its own, over pipes, and shell lines around it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { expect, inject } from 'vitest'
import { file, program } from './program'
import { test as base, words } from './skyctl'

export interface Ended {
  /** null where a signal ended it. */
  exit: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Running {
  stdin: Writable
  /** Resolves when stdout or stderr holds the text, to what that holds. */
  until(text: string): Promise<string>
  kill(signal: NodeJS.Signals): void
  /** Sends a signal that the process listens for once, and resolves when it has heard it. */
  signal(signal: 'SIGINT' | 'SIGTERM'): Promise<void>
  end: Promise<Ended>
}

export interface ProcessOptions {
  /** On top of those that sign in to the sandbox; undefined takes a variable away. */
  env?: Record<string, string | undefined>
  cwd?: string
  /** All of stdin; it stays open without. */
  stdin?: string
}

export interface ProcessFixtures {
  /** What a process gets from its surroundings: a home, and a PATH on which skyctl is. */
  surroundings: Record<string, string>
  /** Starts a program and its arguments; what of it still runs at the end of the test is killed. */
  started(program: readonly string[], options: ProcessOptions): Running
  /** Starts skyctl with the words of the line. */
  start(line: string, options?: ProcessOptions): Running
  /** Runs a line of the shell to its end; `skyctl` is on its PATH. */
  shell(line: string, options?: ProcessOptions): Promise<Ended>
}

export const test = base.extend<ProcessFixtures>({
  surroundings: async ({ env, home }, use) => {
    const programs = join(home, 'bin')
    mkdirSync(programs)
    symlinkSync(file, join(programs, 'skyctl'))
    symlinkSync(process.execPath, join(programs, 'node'))
    linkCode(join(home, '.cache'))
    const { XDG_CACHE_HOME: _ours, ...signedIn } = env
    await use({
      PATH: `${programs}:/usr/bin:/bin`,
      HOME: home,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      PAGER: 'cat',
      ...signedIn,
    })
  },
  started: async ({ surroundings }, use) => {
    const children: ChildProcess[] = []
    await use((program, options) => {
      const { child, running } = startProcess(program, surroundings, options)
      children.push(child)
      return running
    })
    await Promise.all(children.map(killed))
  },
  start: async ({ started }, use) => use((line, options = {}) => started([...program, ...words(line)], options)),
  shell: async ({ started }, use) =>
    use((line, options = {}) => started(['/bin/sh', '-c', line], { stdin: '', ...options }).end),
})

/** Puts what is compiled of the program into a cache folder (XDG_CACHE_HOME). Without, it is compiled again. */
export function linkCode(cache: string): void {
  const from = inject('codeCache')
  try {
    for (const build of readdirSync(from)) linkFiles(join(from, build), join(cache, 'skyctl/code', build))
  } catch {
    // There is none: mutants and the executable are tried without.
  }
}

function linkFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(from)) linkFile(join(from, name), join(to, name))
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    // The temporary folder is on another disk.
    copyFileSync(from, to)
  }
}

/** Ends what a process and its group still do, so that nothing writes to a home that is about to go. */
async function killed(child: ChildProcess): Promise<void> {
  const running = child.exitCode === null && child.signalCode === null
  const exit = running && once(child, 'exit')
  killGroup(child.pid)
  await exit
}

/** Without what is undefined. */
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
  // Not everyone reads what is sent to it.
  child.stdin.on('error', () => {})
  if (options.stdin !== undefined) child.stdin.end(options.stdin)
  const end = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exit, signal) => resolve({ exit, signal, stdout: stdout.text(), stderr: stderr.text() }))
  })
  const running: Running = {
    stdin: child.stdin,
    end,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    signal: async (signal: 'SIGINT' | 'SIGTERM') => {
      child.kill(signal)
      await expect.poll(() => isExpected(child.pid, signal)).toBe(false)
    },
    until: (text: string) =>
      new Promise<string>((resolve, reject) => {
        for (const { stream, text: held } of [stdout, stderr]) {
          const look = () => {
            if (held().includes(text)) resolve(held())
          }
          stream.on('data', look)
          look()
        }
        end.then(({ stdout, stderr }) => reject(new Error(`ended without "${text}": ${stdout}${stderr}`)))
      }),
  }
  return { child, running }
}

/** Whether a signal waits for a process, or for its listener. Linux knows; elsewhere only the signal itself would tell. */
const isExpected = (pid: number | undefined, signal: NodeJS.Signals) =>
  isIn(['SigPnd', 'ShdPnd', 'SigCgt'], pid, signal)

/** Whether a process has a listener for a signal. */
export const catches = (pid: number, signal: NodeJS.Signals) => isIn(['SigCgt'], pid, signal)

function isIn(sets: readonly string[], pid: number | undefined, signal: NodeJS.Signals): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const bit = 1n << BigInt(constants.signals[signal] - 1)
  return sets.some((name) => {
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
