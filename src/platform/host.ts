/** Runs other programs and this one, and handles signals. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Writable } from 'node:stream'
import { Problem } from '../errors'
import { errorCode } from '../files/file-problem'
import { runtime, sendSignal } from '../files/process-id'
import { type Environment, withoutToken } from '../rules/environment'
import type { Io } from './io'

export interface Host {
  readonly platform: NodeJS.Platform
  /**
   * Runs a program on this terminal and resolves to its exit code, or to 128 plus the number of the signal that ended
   * it. The program does not get the token, but it gets Ctrl-C. Throws `local` if it cannot be run.
   */
  run(program: Program): Promise<number>
  /**
   * Starts this program again in a session of its own, so that no terminal ends it. It has its own environment, so no
   * secret needs to be in its arguments. Either process may outlive the other; `onExit` is called if this one does.
   */
  detach(words: readonly string[], env: Environment, onExit: () => void): void
  /** Handles these signals, each time, instead of their default action. */
  onSignals: Io['catchSignals']
  /** Loads all modules, for a process that must continue if skyctl is updated or removed. */
  loadAll: Io['loadAll']
}

interface Program {
  words: readonly string[]
  /** True if `words` is a shell command line. */
  shell?: boolean
  /**
   * The program gets SIGTERM if the signal's reason is SIGTERM. A background program ends for any reason, with all its
   * children.
   */
  signal?: AbortSignal
  /** Runs the program in the background without terminal and stdin; its output goes to stderr, or nowhere. */
  beside?: 'shown' | 'hidden'
}

type HostIo = Pick<Io, 'env' | 'program' | 'platform' | 'catchSignals' | 'loadAll'>

export function openHost(io: HostIo): Host {
  return {
    platform: io.platform,
    run: (program) => runProgram(program, io),
    detach: (words, env, onExit) => detach([...io.program, ...words], env, onExit),
    onSignals: io.catchSignals,
    loadAll: io.loadAll,
  }
}

async function runProgram(program: Program, io: HostIo): Promise<number> {
  try {
    return await (program.beside ? runBeside(program, io) : runHere(program, io))
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('local', `"${program.words[0] ?? ''}" cannot be run: ${reasonOf(error)}`)
  }
}

async function runHere({ words, shell = false, signal }: Program, io: HostIo): Promise<number> {
  const [file = '', ...more] = words
  // Like system(3): Ctrl-C is for the program that the user sees.
  const release = io.catchSignals(['SIGINT', 'SIGQUIT'], () => {})
  try {
    const child = spawn(file, more, { stdio: 'inherit', shell, env: withoutToken(io.env) })
    return await endOrTerminate(child, signal)
  } finally {
    release()
  }
}

/** A program on this terminal, such as a pager, that reads what it is sent. */
export interface Feed {
  stdin: Writable
  /** Its exit code: that of a shell if it cannot be started. */
  end: Promise<number>
}

interface FeedOptions extends Required<Pick<Program, 'words' | 'shell' | 'signal'>> {
  env: Environment
}

/** Starts a program that reads what it is sent. It gets Ctrl-C, which does not end this process until it has ended. */
export function feed({ words, shell, env, signal }: FeedOptions, io: Pick<Io, 'catchSignals'>): Feed {
  const [file = '', ...more] = words
  const release = io.catchSignals(['SIGINT', 'SIGQUIT'], () => {})
  const child = spawn(file, more, { stdio: ['pipe', 'inherit', 'inherit'], shell, env })
  // A pager may be left before it has read everything: the write reports it.
  child.stdin.on('error', () => {})
  return {
    stdin: child.stdin,
    end: endOrTerminate(child, signal)
      .catch(() => notFound)
      .finally(release),
  }
}

/** Exit code of a shell for a program that it cannot find (POSIX: Exit Status for Commands). */
const notFound = 127

/** Time for a program to exit after SIGTERM, in milliseconds. */
const patienceMs = 1_000

/** Runs a program in a process group of its own, so that its children can be ended with it. */
async function runBeside({ words, shell = false, signal, beside }: Program, io: HostIo): Promise<number> {
  const [file = '', ...more] = words
  const output = beside === 'shown' ? 2 : 'ignore'
  const detached = runtime().platform !== 'win32'
  const stdio: StdioOptions = ['ignore', output, output]
  const child = spawn(file, more, { stdio, shell, detached, env: withoutToken(io.env) })
  const send = (one: NodeJS.Signals) => child.pid !== undefined && sendSignal(one, child.pid, detached)
  // It has no terminal that could end it, so it gets the signals that end this process.
  const release = io.catchSignals(['SIGHUP', 'SIGQUIT'], (one) => {
    release()
    send('SIGKILL')
    sendSignal(one)
  })
  let timer: NodeJS.Timeout | undefined
  let isKept = false
  try {
    const code = await whileListening(signal, endOf(child), () => {
      send('SIGTERM')
      timer = setTimeout(() => send('SIGKILL'), patienceMs)
    })
    // Its children may have ignored SIGTERM.
    isKept = timer === undefined
    return code
  } finally {
    clearTimeout(timer)
    if (!isKept) send('SIGKILL')
    release()
  }
}

/** Waits for the end of a program on this terminal, which SIGTERM ends, too. */
const endOrTerminate = (child: ChildProcess, signal: AbortSignal | undefined) =>
  whileListening(signal, endOf(child), ({ code }) => {
    if (code === 'terminated') child.kill('SIGTERM')
  })

/** Waits for `end`, and calls `act` if the signal is aborted before. */
async function whileListening<T>(
  signal: AbortSignal | undefined,
  end: Promise<T>,
  act: (reason: Problem) => void,
): Promise<T> {
  const onAbort = () => act(signal?.reason)
  if (signal?.aborted) onAbort()
  signal?.addEventListener('abort', onAbort)
  return end.finally(() => signal?.removeEventListener('abort', onAbort))
}

const reasons: Readonly<Record<string, string>> = { ENOENT: 'no such program', EACCES: 'it is not executable' }

function reasonOf(error: unknown): string {
  return reasons[errorCode(error) ?? ''] ?? (error instanceof Error ? error.message : String(error))
}

function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
}

function detach([file = '', ...words]: readonly string[], env: Environment, onExit: () => void): void {
  const child = spawn(file, words, { env, detached: true, stdio: 'ignore', windowsHide: true })
  // A process that could not be started never exits.
  child.once('exit', onExit).once('error', onExit).unref()
}
