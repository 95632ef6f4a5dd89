/** Other programs, and this one once more: what a command does with the operating system besides files. */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import { Problem } from './errors'
import { errorCode } from './files/problem'
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
  /** Passed on to it where it tells of SIGTERM; what runs beside us is ended by any. */
  signal?: AbortSignal
  /** It reads nothing, and what it prints goes to stderr, or nowhere. */
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

async function runProgram({ words, shell = false, signal, beside }: Program, io: Surroundings): Promise<number> {
  const [file = '', ...more] = words
  const told = beside === 'heard' ? 2 : 'ignore'
  const stdio: StdioOptions = beside ? ['ignore', told, told] : 'inherit'
  // As system(3) does: whoever presses Ctrl-C means the program that they see.
  const release = beside ? () => {} : io.catchSignals(['SIGINT', 'SIGQUIT'], () => {})
  try {
    const child = spawn(file, more, { stdio, shell, env: withoutToken(io.env) })
    if (!signal) return await endOf(child)
    const stop = () => {
      if (beside || signal.reason.code === 'terminated') child.kill('SIGTERM')
    }
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    return await endOf(child).finally(() => signal.removeEventListener('abort', stop))
  } catch (error) {
    throw new Problem('local', `"${file}" cannot be run: ${reasonOf(error)}`)
  } finally {
    release()
  }
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
