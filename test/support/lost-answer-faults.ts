/** Rules for a command that lost a request or its answer, compared with the same command without a loss. */
import type { Operation } from '../../src/catalogue/operation'
import { isJson, printsPartialResults, printsResultFirst } from './answer-defects'
import type { Cell, CellRun, Kind } from './lost-answer-cases'

export interface CellRuns {
  kind: Kind
  clean: { json: CellRun; text: CellRun }
  /** One run for each clock. The first clock is right. */
  json: readonly CellRun[]
  text: CellRun
}

/**
 * Returns the expected exit codes (interface.md, Exit codes). A creation is `never` sent again. It is adopted if that
 * can be proved, for which it needs a label and no secret.
 */
function rightExits({ line, operation, done }: Cell, kind: Kind): number[] {
  if (kind === 'refused' || kind === 'foreign') return [8]
  if (kind === 'limited') return [0]
  const { idempotency } = operation
  if (idempotency === 'check first') return [0]
  if (idempotency !== 'never') return kind === 'passing' ? [0] : exitsAfterLookup(operation, done)
  // `api` sends nothing but the request that was typed.
  if (!done || line.startsWith('api ')) return [11]
  return adoptable.has(operation.path) ? [0] : [11]
}

/**
 * After a lost or unreadable answer, a lookup shows that the change is done, or its outcome is unknown. Shares are sent
 * again.
 */
function exitsAfterLookup({ method, path }: Operation, done: boolean): number[] {
  const isReadable = method !== 'POST' && path !== '/profile/phone-number'
  const isSentAgain = path === '/networking/ips/share'
  return done ? [isReadable || isSentAgain ? 0 : 11] : [0, 11]
}

const adoptable = new Set(['/volumes', '/volumes/{volumeId}/clone', '/networking/firewalls', '/profile/sshkeys'])

export function lostFaults(cell: Cell, { kind, clean, json, text }: CellRuns): string[] {
  const [right, ...skewed] = json
  if (!right) return ['there is no run']
  const all = [...json, text]
  const exits = rightExits(cell, kind)
  const rules: Record<string, boolean> = {
    'it fails without a loss': clean.json.exit !== 0 || clean.text.exit !== 0,
    'nothing was lost': !all.every(({ met }) => met),
    [`it ends with ${right.exit}, not ${exits.join(' or ')}`]: !exits.includes(right.exit),
    'a wrong clock changes the outcome': skewed.some((one) => outcomeOf(one) !== outcomeOf(right)),
    'the output for people has another outcome': text.exit !== right.exit || sentOf(text) !== sentOf(right),
    ...sendingRules(cell, { kind, all }),
    ...outputRules({ clean, json, text }),
    'a failure prints to stdout':
      !printsResultFirst.test(cell.line) &&
      !printsPartialResults.test(cell.line) &&
      all.some(({ exit, stdout }) => exit !== 0 && stdout !== ''),
    ...problemRules(cell, { kind, right, text }),
  }
  return Object.keys(rules).filter((rule) => rules[rule])
}

const sentOf = ({ sent }: CellRun) => sent.map(({ method, path }) => `${method} ${path}`).join()

/** Returns the outcome without times, which a wrong clock may change, and random marks of openings. */
const outcomeOf = (ran: CellRun) => JSON.stringify([ran.exit, sentOf(ran), timeless(ran.stdout), timeless(ran.stderr)])

const timeless = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/g, 'TIME')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/\b[\da-f]{16}\b/g, 'MARK')

/** Rules for the number of requests that reached the service. */
function sendingRules({ operation, path, done }: Cell, { kind, all }: { kind: Kind; all: readonly CellRun[] }) {
  const counts = all.map(
    ({ sent }) => sent.filter((one) => one.method === operation.method && one.path === path).length,
  )
  const once = operation.idempotency === 'never' && kind !== 'limited'
  return {
    'it is sent again': once && counts.some((count) => count !== (done ? 1 : 0)),
    'it succeeds although the request never arrived': all.some(({ exit }, index) => exit === 0 && counts[index] === 0),
    'it reports "unavailable" although the request was done': all.some(
      ({ exit }, index) => exit === 8 && counts[index] !== 0,
    ),
  }
}

function outputRules({ clean, json, text }: Pick<CellRuns, 'clean' | 'json' | 'text'>) {
  const outputs = [...json.map((ran) => ({ ran, whole: clean.json.stdout })), { ran: text, whole: clean.text.stdout }]
  return {
    'success prints other output': outputs.some(
      ({ ran, whole }) => ran.exit === 0 && timeless(ran.stdout) !== timeless(whole),
    ),
    'stderr is not JSON': json.some(({ stderr }) => stderr.split('\n').some((line) => line !== '' && !isJson(line))),
    'an internal error': [...json, text].some(({ stderr }) => /internal error|undefined|\n\s+at /.test(stderr)),
  }
}

interface ErrorJson {
  code: string
  message: string
  exit_code: number
  retryable: boolean
  hint: string | null
}

/** Rules for the error message. */
function problemRules(
  { operation }: Cell,
  { kind, right, text }: { kind: Kind; right: CellRun; text: CellRun },
): Record<string, boolean> {
  const last = right.stderr.trimEnd().split('\n').at(-1) ?? ''
  const error: ErrorJson | undefined = isJson(last) ? JSON.parse(last).error : undefined
  if (right.exit === 0) return { 'a success prints an error': error !== undefined }
  if (!error) return { 'a failure prints no error': true }
  const sentence = `skyctl: ${error.message.replace(/\.$/, '')}${error.hint ? `. ${error.hint}` : ''}`
  const unknown = right.exit === 11
  return {
    'the message for people differs': timeless(text.stderr.trimEnd().split('\n').at(-1) ?? '') !== timeless(sentence),
    'the JSON has another exit code': error.exit_code !== right.exit,
    'the JSON has another error code': unknown !== (error.code === 'outcome_unknown'),
    'the JSON says that it may be run again': error.retryable && unknown,
    'there is no next step': unknown && !error.hint,
    'no next command was found in the hint': /: skyctl [a-z0-9 -]+$/.test(error.hint ?? '') && right.next.length === 0,
    'the next command does not work': right.next.some(({ exit }) => exit !== 0),
    // Another server would give the same answer again: the base URL must be checked.
    'the JSON does not say whether it may be run again':
      right.exit === 8 && operation.idempotency === 'never' && error.retryable !== (kind !== 'foreign'),
  }
}
