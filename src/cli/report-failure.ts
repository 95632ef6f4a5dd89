/** Reports the failure of a run: a message or JSON lines, and an exit code. */
import { formatJson } from '../data/json'
import { Problem, ProgramEnded } from '../errors'
import { failureText, problemRecord } from '../errors/failures'
import { errorCode, fileLimitProblem } from '../files/file-problem'
import { ClosedPipe, messageSink, type Sink, wrapped } from '../output/sink'
import type { Io } from '../platform/io'
import { escapeJson, escapeLines, escapeText } from '../rules/escape'
import type { KnownSecrets } from '../rules/secrets'

interface Failed extends Pick<Io, 'argv' | 'stderr'> {
  secrets: KnownSecrets
  /** Prints the problem as a JSON object in the last line. */
  json: boolean
}

/** Prints what ended a command; resolves to the exit code. */
export async function reportFailure(error: unknown, { argv, stderr, secrets, json }: Failed): Promise<number> {
  // A closed pipe is no failure: its reader has seen enough.
  if (error instanceof ClosedPipe) return 0
  if (error instanceof ProgramEnded) return error.exitCode
  const problem = await problemOf(error)
  // Other problems name their cause, and their place in the source explains nothing.
  const isTraced = problem.code === 'defect' && argv.includes('--debug')
  const trace = isTraced && error instanceof Error ? error.stack : undefined
  const sink = messageSink(stderr)
  const text = json ? await jsonLines(problem, trace, sink) : await textLines(problem, trace, { sink, secrets })
  await sink.write(secrets.inMessage(text))
  return problem.exitCode
}

/** Returns JSON lines; the problem is the last one. On a terminal a person reads it, and each field has a line. */
async function jsonLines(problem: Problem, trace: string | undefined, { isTTY }: Sink): Promise<string> {
  const records = [...(trace === undefined ? [] : [{ debug: { message: trace } }]), { error: problemRecord(problem) }]
  const lines = await Promise.all(records.map((one) => formatJson(one, isTTY ? 2 : 0)))
  return escapeJson(lines.map((line) => `${line}\n`).join(''))
}

async function textLines(
  problem: Problem,
  trace: string | undefined,
  { sink, secrets }: { sink: Sink; secrets: KnownSecrets },
): Promise<string> {
  // Wrapping could break a secret, so it is redacted first.
  return `${await wrapped(secrets.inMessage(sentence(problem)), sink)}${trace === undefined ? '' : escapeLines(`\n${trace}`)}\n`
}

/**
 * Returns `skyctl: volume "dta-1" not found. Did you mean "data-1"?`; for several failures a line for each, and a
 * summary.
 */
function sentence({ message, details: { hint, failures, summary = message } }: Problem): string {
  if (failures) {
    const tried = failures.filter(({ tried }) => tried)
    const lines = tried.map((failure) => line(failureText(failure), failure.problem.details.hint))
    return [...lines, hint === undefined ? summary : `${summary}. ${hint}`].join('\n')
  }
  return line(message, hint)
}

function line(message: string, hint: string | undefined): string {
  return escapeText(`skyctl: ${message.replace(/\.$/, '')}${hint ? `. ${hint}` : ''}`)
}

/** Converts whatever ended a command to a problem: a refusal of the system, or a defect of the program. */
async function problemOf(error: unknown): Promise<Problem> {
  if (error instanceof Problem) return error
  if (errorCode(error) === 'ERR_ACCESS_DENIED')
    return (await import('../files/node-permissions')).missingPermission(error)
  return fileLimitProblem(error) ?? defect(error)
}

function defect(error: unknown): Problem {
  const message = error instanceof Error ? error.message : String(error)
  return new Problem('defect', `internal error: ${message}`, {
    hint: 'Run it again with --debug, and report the output',
  })
}
