/** Runs skyctl: parses, acts, and turns a failure into a message and an exit code. */
import { setMaxListeners } from 'node:events'
import type { Pager } from './cli/pager'
import type { RunSession } from './cli/run-session'
import { learnFlags, secretSources } from './cli/secret-sources'
import { program } from './commands/index'
import { requestedJson } from './engine/appearance'
import type { Command, Flags } from './engine/command'
import { type ParsedLine, parseArguments } from './engine/parser'
import { Problem, ProgramEnded } from './errors'
import { defaultFormat, isFormat } from './output/formats'
import { lazyStream, messageStream, pipeBytesOn } from './output/lazy-stream'
import { streamSink } from './output/sink'
import type { Io } from './platform/io'
import { homeFolder, systemClock } from './platform/system'
import { once } from './rules/once'

/** Runs one command line to its end and resolves to the exit code. */
export async function run(io: Io): Promise<number> {
  const interruption = once(openInterruption)
  const stop = io.onSignal((name) => interruption().abort(interrupted(name)))
  const secrets = secretSources(io.env)
  let session: RunSession | undefined
  let exitCode: number | undefined
  try {
    const { text, call } = await parse(io)
    if (text !== '') await printHelp(secrets.inData(text), io, interruption)
    if (call) {
      const { command, input, words } = call
      learnFlags(input.flags, secrets)
      const flags = await withFormat(input.flags, command)
      const { signal } = interruption()
      const pager = command.paged ? await pagerOn(io, signal, command.paged) : undefined
      const { RunSession } = await import('./cli/run-session')
      session = await RunSession.open(io, flags, { signal, secrets, command: words, pager })
      // A background command outlives its terminal, and handles signals itself.
      if (command.background) stop()
      await runCommand(call, session, pager)
    }
    exitCode = 0
  } catch (error) {
    const says = error instanceof Problem || error instanceof ProgramEnded
    const { signal } = interruption()
    const failure = signal.aborted && !says ? signal.reason : error
    const json = session?.ui.forScripts ?? requestedJson(io.argv, io.env) !== undefined
    const { reportFailure } = await import('./cli/report-failure')
    exitCode = await reportFailure(failure, { argv: io.argv, stderr: io.stderr, secrets, json })
  } finally {
    stop()
    await session?.close(exitCode)
  }
  return exitCode
}

/** Loading what aborts takes a twentieth of the time that help adds to bare node. */
function openInterruption(): AbortController {
  const interruption = new AbortController()
  // Every request in flight listens, and Node warns of more than ten.
  setMaxListeners(0, interruption.signal)
  return interruption
}

function parse(io: Io): Promise<ParsedLine> {
  const columns = io.stdout.columns ?? 80
  return parseArguments(io.argv, program, { columns, ...helpFor(io) })
}

/** Returns the flags; a format that only this command has becomes the flag `extraFormat`. */
async function withFormat(flags: Flags, command: Command): Promise<Flags> {
  const { output = defaultFormat } = flags
  return isFormat(output) ? flags : (await import('./engine/extra-formats')).withExtraFormat(flags, command)
}

type Call = NonNullable<ParsedLine['call']>

async function runCommand(call: Call, session: RunSession, pager: Pager | undefined): Promise<void> {
  const { command, input } = call
  if (!command.background && !command.forShells) {
    await session.printBackgroundResults()
    await session.ui.warnOfVariables()
  }
  await command
    .run({ ...input, flags: session.flags, program }, session)
    .catch(async (thrown) => {
      if (!(thrown instanceof Problem)) throw thrown
      const { noTarget, lacks: gaps, failures: several } = thrown.details
      const isOfWords = noTarget !== undefined || gaps || several
      const error = isOfWords ? await call.explain(thrown) : thrown
      const { jq, lacks, missing, failures, otherWord } = error.details
      if (lacks || otherWord || jq !== undefined)
        throw (await import('./engine/complete-line')).withCompleteLine(error, call)
      if (missing === undefined && !failures) throw error
      throw (await import('./engine/sibling-command')).withSiblingCommand(error, call, program)
    })
    .finally(() => pager?.close())
  const unusable = pager?.unusable
  if (unusable !== undefined) await session.ui.warn(`cannot run the pager "${unusable}"; set SKYCTL_PAGER to another`)
}

async function pagerOn(io: Io, signal: AbortSignal, use: NonNullable<Command['paged']>): Promise<Pager | undefined> {
  return io.stdout.isTTY ? (await import('./cli/pager')).openPager(io, signal, use) : undefined
}

async function printHelp(text: string, io: Io, interruption: () => AbortController): Promise<void> {
  const pager = io.stdout.isTTY ? await pagerOn(io, interruption().signal, 'long help') : undefined
  await streamSink((pager ?? io).stdout)
    .write(text)
    .finally(() => pager?.close())
}

/** Returns JSON help if it was requested. A format from the environment does not apply to help on a terminal. */
function helpFor({ argv, env, stdout }: Io) {
  const jsonRequest = requestedJson(argv, env)
  if (!jsonRequest || (jsonRequest.by === 'environment' && stdout.isTTY)) return undefined
  const load = () => import('./commands/help/document')
  return { document: async (words: readonly string[]) => (await load()).helpText(program, words, jsonRequest.format) }
}

function interrupted(signal: 'SIGINT' | 'SIGTERM'): Problem {
  return signal === 'SIGINT' ? new Problem('interrupted', 'interrupted') : new Problem('terminated', 'terminated')
}

/**
 * Runs the command line of the process. It sets the exit code, and the process ends when its output is written.
 * `program` is set for an executable: the arguments that start it.
 */
export async function main(
  process: NodeJS.Process,
  { program, loadAll }: Partial<Pick<Io, 'program' | 'loadAll'>> = {},
): Promise<void> {
  const opened: string[] = []
  const open = <N extends 'stdin' | 'stdout' | 'stderr'>(name: N): NodeJS.Process[N] => {
    opened.push(name)
    return process[name]
  }
  const pipeBytes = pipeBytesOn(process.platform)
  const stderr = once(() => messageStream(2, () => open('stderr'), pipeBytes))
  process.exitCode = await run({
    argv: process.argv.slice(2),
    env: process.env,
    // Opened on first use: most runs never read stdin or write to stderr.
    get stdin() {
      return open('stdin')
    },
    stdout: lazyStream(1, () => open('stdout'), pipeBytes),
    get stderr() {
      return stderr()
    },
    platform: process.platform,
    homedir: () => homeFolder(process),
    clock: systemClock,
    random: Math.random,
    onSignal: (handler) => listen(process, handler),
    catchSignals: (signals, handler) => catchAll(process, signals, handler),
    program: program ?? [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
    loadAll: loadAll ?? (() => {}),
    end: (exitCode) => end(process, exitCode, opened),
  })
}

/** Ends the process if it would end anyway, but for its teardown. */
async function end(process: NodeJS.Process, exitCode: number, opened: readonly string[]): Promise<void> {
  // Messages that nobody waits for are written by then, or are among the resources.
  await new Promise((resolve) => setImmediate(resolve))
  if (isIdle(process, opened.length === 0)) process.exit(exitCode)
}

// Requests, writes and timers keep a process running. Bun's list of them is always empty; but nothing is left to write
// where no stream was opened.
function isIdle({ versions, getActiveResourcesInfo }: Partial<NodeJS.Process>, isUnopened: boolean): boolean {
  return versions?.bun === undefined ? getActiveResourcesInfo?.().length === 0 : isUnopened
}

/** A second signal of the same kind has its default action, so pressing Ctrl-C twice ends the process. */
function listen(process: NodeJS.Process, handler: Parameters<Io['onSignal']>[0]): () => void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  const listeners = signals.map((signal) => {
    const listener = () => handler(signal)
    process.once(signal, listener)
    return () => process.off(signal, listener)
  })
  return () => {
    for (const remove of listeners) remove()
  }
}

function catchAll(
  process: NodeJS.Process,
  signals: readonly NodeJS.Signals[],
  handler: (signal: NodeJS.Signals) => void,
): () => void {
  for (const signal of signals) process.on(signal, handler)
  return () => {
    for (const signal of signals) process.off(signal, handler)
  }
}
