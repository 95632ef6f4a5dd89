/** Other programs, and this one once more: what a command does with the operating system besides files. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import { Problem } from './errors'
import { errorCode } from './files/problem'
import { runtime, sendSignal } from './files/self'
import type { Io } from './io'
import { type Environment, withoutToken } from './rules/environment'

export interface Host {
  /**
   * Runs a program on this terminal and resolves to its exit code; 128 and the number of the signal that ended it. It is
   * not given the token, and Ctrl-C is for it meanwhile. Throws `local` where it cannot be run.
   */
  run(program: Program): Promise<number>
  /**
   * Starts this program once more: in a session of its own, so that no terminal ends it, and with nothing but two pipes
   * to here. The environment is its own as well: no secret stands in its words. Throws `local`.
   */
  detach(words: readonly string[], env: Environment): Detached
  /** Hears each line of stdin as it comes, and its end. */
  onLines(heard: (line: string) => void, ended: () => void): () => void
  /** Hears these signals, each time, in place of what they do. */
  onSignals: Io['catchSignals']
  /** For what must go on where this program is updated or removed meanwhile. */
  loadAll: Io['loadAll']
}

interface Program {
  words: readonly string[]
  /** A line of the shell in place of words. */
  shell?: boolean
  /** Passed on to it where it tells of SIGTERM; what runs beside us is ended by any, with all that it has started. */
  signal?: AbortSignal
  /** It has no terminal and reads nothing; what it prints goes to stderr, or nowhere. */
  beside?: 'heard' | 'unheard'
}

/** Another process of this program. It sees the end of its stdin when this one has ended, however that was. */
export interface Detached {
  send(line: string): void
  /** Hears its lines, and that there will be no more. */
  onLines(heard: (line: string) => void, ended: () => void): void
  /** Lets it live without this process, and this one end before it. */
  release(): void
}

type Surroundings = Pick<Io, 'env' | 'stdin' | 'program' | 'catchSignals' | 'loadAll'>

export function openHost(io: Surroundings): Host {
  return {
    run: (program) => runProgram(program, io),
    detach: (words, env) => detach([...io.program, ...words], env),
    onLines: (heard, ended) => linesOf(io.stdin, heard, ended),
    onSignals: io.catchSignals,
    loadAll: io.loadAll,
  }
}

async function runProgram(program: Program, io: Surroundings): Promise<number> {
  try {
    return await (program.beside ? runBeside(program, io) : runHere(program, io))
  } catch (error) {
    throw new Problem('local', `"${program.words[0] ?? ''}" cannot be run: ${reasonOf(error)}`)
  }
}

async function runHere({ words, shell = false, signal }: Program, io: Surroundings): Promise<number> {
  const [file = '', ...more] = words
  // As system(3) does: whoever presses Ctrl-C means the program that they see.
  const release = io.catchSignals(['SIGINT', 'SIGQUIT'], () => {})
  try {
    const child = spawn(file, more, { stdio: 'inherit', shell, env: withoutToken(io.env) })
    return await whileHeard(signal, endOf(child), ({ code }) => {
      if (code === 'terminated') child.kill('SIGTERM')
    })
  } finally {
    release()
  }
}

/** How long a program has to end after SIGTERM. */
const patienceMs = 1_000

/** Runs it in a process group of its own, so that all that it has started can be ended with it. */
async function runBeside({ words, shell = false, signal, beside }: Program, io: Surroundings): Promise<number> {
  const [file = '', ...more] = words
  const output = beside === 'heard' ? 2 : 'ignore'
  const stdio: StdioOptions = ['ignore', output, output]
  const detached = runtime().platform !== 'win32'
  const child = spawn(file, more, { stdio, shell, detached, env: withoutToken(io.env) })
  const send = (one: NodeJS.Signals) => child.pid !== undefined && sendSignal(one, child.pid, detached)
  // No terminal ends it, since it has none: what ends this process ends it as well.
  const release = io.catchSignals(['SIGHUP', 'SIGQUIT'], (one) => {
    release()
    send('SIGKILL')
    sendSignal(one)
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await whileHeard(signal, endOf(child), () => {
      send('SIGTERM')
      timer = setTimeout(() => send('SIGKILL'), patienceMs)
    })
  } finally {
    clearTimeout(timer)
    // Some of what it has started may ignore SIGTERM although it does not.
    if (timer) send('SIGKILL')
    release()
  }
}

/** Waits for `end`, and acts at once where the signal is given before. */
async function whileHeard<T>(
  signal: AbortSignal | undefined,
  end: Promise<T>,
  act: (reason: Problem) => void,
): Promise<T> {
  const heard = () => act(signal?.reason)
  if (signal?.aborted) heard()
  signal?.addEventListener('abort', heard)
  return end.finally(() => signal?.removeEventListener('abort', heard))
}

const reasons: Readonly<Record<string, string>> = { ENOENT: 'there is no such program', EACCES: 'it is no program' }

function reasonOf(error: unknown): string {
  return reasons[errorCode(error) ?? ''] ?? (error instanceof Error ? error.message : String(error))
}

function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals]))
  })
}

function detach([file = '', ...words]: readonly string[], env: Environment): Detached {
  const child = spawn(file, words, { env, detached: true, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true })
  const { stdin, stdout } = child
  // Whoever sends to one that has ended sees so at its stdout.
  for (const stream of [stdin, child]) stream.on('error', () => {})
  return {
    send: (line) => void stdin.write(`${line}\n`),
    onLines: (heard, ended) => void linesOf(stdout, heard, ended),
    release() {
      child.unref()
      stdin.destroy()
      stdout.destroy()
    },
  }
}

function linesOf(stream: NodeJS.ReadableStream, heard: (line: string) => void, ended: () => void): () => void {
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })
  lines.on('line', heard).on('close', ended)
  return () => {
    lines.off('line', heard).off('close', ended).close()
    stream.pause()
  }
}
