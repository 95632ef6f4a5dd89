/** What must hold of a command that lost a request or its answer, judged by the same command that lost nothing. */
import type { Operation } from '../../src/catalogue/operation'
import { handsOver, isJson, tellsBoth } from './answer-defects'
import type { Cell, Kind, Ran } from './lost-cells'

export interface Met {
  kind: Kind
  clean: { json: Ran; text: Ran }
  /** With each of the clocks; the first is right. */
  json: readonly Ran[]
  text: Ran
}

/**
 * The exit codes that are right (interface.md, Exit codes). What is made anew is `never` sent again: it is adopted where
 * it can be proved, which needs a label and no secret.
 */
function rightExits({ line, operation, done }: Cell, kind: Kind): number[] {
  if (kind === 'refused' || kind === 'foreign') return [8]
  if (kind === 'limited') return [0]
  const { idempotency } = operation
  if (idempotency === 'check first') return [0]
  if (idempotency !== 'never') return kind === 'passing' ? [0] : seen(operation, done)
  // What is typed as a request is sent, and nothing besides.
  if (!done || line.startsWith('api ')) return [11]
  return adoptable.has(operation.path) ? [0] : [11]
}

/** A lost or unreadable answer is looked at: it is done, or that is unknown. A list of shares is sent again. */
function seen({ method, path }: Operation, done: boolean): number[] {
  const isSeen = method !== 'POST' && path !== '/profile/phone-number'
  const isSentAgain = path === '/networking/ips/share'
  return done ? [isSeen || isSentAgain ? 0 : 11] : [0, 11]
}

const adoptable = new Set(['/volumes', '/volumes/{volumeId}/clone', '/networking/firewalls', '/profile/sshkeys'])

export function lostFaults(cell: Cell, { kind, clean, json, text }: Met): string[] {
  const [right, ...skewed] = json
  if (!right) return ['it was not run']
  const all = [...json, text]
  const exits = rightExits(cell, kind)
  const rules: Record<string, boolean> = {
    'without a loss it fails': clean.json.exit !== 0 || clean.text.exit !== 0,
    'nothing was lost': !all.every(({ met }) => met),
    [`it ends with ${right.exit}, not ${exits.join(' or ')}`]: !exits.includes(right.exit),
    'with another clock it ends otherwise': skewed.some((one) => outcomeOf(one) !== outcomeOf(right)),
    'for people it ends otherwise': text.exit !== right.exit || sentOf(text) !== sentOf(right),
    ...sendingRules(cell, { kind, all }),
    ...outputRules({ clean, json, text }),
    'failure prints something':
      !handsOver.test(cell.line) &&
      !tellsBoth.test(cell.line) &&
      all.some(({ exit, stdout }) => exit !== 0 && stdout !== ''),
    ...problemRules(cell, { kind, right, text }),
  }
  return Object.keys(rules).filter((rule) => rules[rule])
}

const sentOf = ({ sent }: Ran) => sent.map(({ method, path }) => `${method} ${path}`).join()

/** Without times, of which a clock that is off may tell others, and the marks of openings, which are random. */
const outcomeOf = (ran: Ran) => JSON.stringify([ran.exit, sentOf(ran), timeless(ran.stdout), timeless(ran.stderr)])

const timeless = (text: string) =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/g, 'TIME')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/\b[\da-f]{16}\b/g, 'MARK')

/** How often the request reached the service. */
function sendingRules({ operation, path, done }: Cell, { kind, all }: { kind: Kind; all: readonly Ran[] }) {
  const counts = all.map(
    ({ sent }) => sent.filter((one) => one.method === operation.method && one.path === path).length,
  )
  const once = operation.idempotency === 'never' && kind !== 'limited'
  return {
    'it is sent again': once && counts.some((count) => count !== (done ? 1 : 0)),
    'success, and it never arrived': all.some(({ exit }, index) => exit === 0 && counts[index] === 0),
    'unavailable, and it was done': all.some(({ exit }, index) => exit === 8 && counts[index] !== 0),
  }
}

function outputRules({ clean, json, text }: Pick<Met, 'clean' | 'json' | 'text'>) {
  const told = [...json.map((ran) => ({ ran, whole: clean.json.stdout })), { ran: text, whole: clean.text.stdout }]
  return {
    'success prints something else': told.some(
      ({ ran, whole }) => ran.exit === 0 && timeless(ran.stdout) !== timeless(whole),
    ),
    'stderr is no JSON': json.some(({ stderr }) => stderr.split('\n').some((line) => line !== '' && !isJson(line))),
    'a defect': [...json, text].some(({ stderr }) => /internal error|undefined|\n\s+at /.test(stderr)),
  }
}

interface Told {
  code: string
  message: string
  exit_code: number
  retryable: boolean
  hint: string | null
}

/** What the problem says. */
function problemRules(
  { operation }: Cell,
  { kind, right, text }: { kind: Kind; right: Ran; text: Ran },
): Record<string, boolean> {
  const last = right.stderr.trimEnd().split('\n').at(-1) ?? ''
  const error: Told | undefined = isJson(last) ? JSON.parse(last).error : undefined
  if (right.exit === 0) return { 'success is told as a failure': error !== undefined }
  if (!error) return { 'a failure is not told': true }
  const sentence = `skyctl: ${error.message.replace(/\.$/, '')}${error.hint ? `. ${error.hint}` : ''}`
  const unknown = right.exit === 11
  return {
    'people are told something else': timeless(text.stderr.trimEnd().split('\n').at(-1) ?? '') !== timeless(sentence),
    'the exit code is told otherwise': error.exit_code !== right.exit,
    'its code is another': unknown !== (error.code === 'outcome_unknown'),
    'it says that it may be run again': error.retryable && unknown,
    'there is no next step': unknown && !error.hint,
    'no next command was found in the hint': /: skyctl [a-z0-9 -]+$/.test(error.hint ?? '') && right.next.length === 0,
    'the next command does not work': right.next.some(({ exit }) => exit !== 0),
    // Somebody in front of the API says the same again: the address is to be checked.
    'it does not say whether it can be run again':
      right.exit === 8 && operation.idempotency === 'never' && error.retryable !== (kind !== 'foreign'),
  }
}
