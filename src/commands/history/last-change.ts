/** Finds the change that `history undo` proposes if none is named. */

import { accountOf, sameAccount } from '../../account/account'
import type { RecordedChange } from '../../account/history/lines'
import { readHistory } from '../../account/ledger/reader'
import type { CommandInput } from '../../engine/command'
import { Problem } from '../../errors'
import { capitalized, counted } from '../../rules/texts'
import { undoRefusal } from './confirm-undo'
import { accountFlag, changeRecordOf, isReversed, noUndoReason, objectName } from './describe-change'

/**
 * Returns the last change of this account that was not undone, and passes over those of which nothing is left to undo.
 * Throws `usage` if nobody can be asked about it. If it has no undo, it says so, and returns the last change that has
 * one if somebody can be asked about that; throws `refused` otherwise.
 */
export async function lastChange(input: CommandInput): Promise<RecordedChange> {
  const { flags, session } = input
  const { account, ui } = session
  const { service } = await accountOf(account)
  const flagOf = await accountFlag(session)
  const isOwn = (past: RecordedChange) => past.service === service && flagOf(past) === ''
  const all = (await readHistory(account)).filter(isOwn)
  const standing = changesToUndo(all)
  const { open, passed } = await withoutPassed(standing, { input, passesLasting: false })
  await printPassed([...endedOpenings(all, standing).reverse(), ...passed], session)
  const last = open.at(-1)
  if (!last) {
    const reason = all.length === 0 ? 'no change was made' : 'no change is left that was made'
    throw new Problem('not_found', `${reason} from this machine with this account`, { hint: 'See skyctl history list' })
  }
  if (noUndoOf(last, open) !== undefined) return earlierChange(last, open, input)
  const text = nameIn(open, last)
  if (!ui.interactive && !ui.yes && !flags['dry-run']) {
    const command = `skyctl history undo ${wordsOf(last)} --yes${await sameAccount(account)}`
    const message = `Undo the last change, ${text}? This must be confirmed, and there is no terminal for questions`
    throw new Problem('usage', message, { hint: `Run: ${command}` })
  }
  await ui.status(`The last change is ${text}`)
  return last
}

/** Returns the reason why a change, or none of the changes of its apply, has an undo. */
function noUndoOf(past: RecordedChange, open: readonly RecordedChange[]): string | undefined {
  if (past.apply === undefined) return noUndoReason(changeRecordOf(past))
  const changes = open.filter(({ apply }) => apply === past.apply)
  const reasons = changes.map((one) => noUndoReason(changeRecordOf(one)))
  if (reasons.includes(undefined)) return undefined
  const [only = '', ...others] = new Set(reasons.map((reason) => firstSentence(reason ?? '')))
  return `none of its changes has an automatic undo${others.length > 0 ? '' : `: ${only}`}`
}

/** Splits off the last changes of which nothing is left to undo, and with `passesLasting` also those without an undo. */
async function withoutPassed(
  changes: readonly RecordedChange[],
  { input, passesLasting }: { input: CommandInput; passesLasting: boolean },
): Promise<{ open: readonly RecordedChange[]; passed: PassedChange[] }> {
  const { undoSkipReason } = await import('./undo-skip-reason')
  const passed: PassedChange[] = []
  let open = changes
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const lasting = noUndoOf(last, open)
    if (lasting !== undefined && !passesLasting) break
    const why = lasting ?? (await undoSkipReason(last, input))
    if (why === undefined) break
    passed.push({ past: last, why: firstSentence(why) })
    open = before(last, open)
  }
  return { open, passed }
}

/** A change, or its whole apply, that is not proposed. */
interface PassedChange {
  past: RecordedChange
  why: string
}

/** A screen still shows the question below so many lines. */
const mostPassed = 8

/** Names the changes that are not proposed, the last one first, each with the reason. */
async function printPassed(passed: readonly PassedChange[], { ui }: CommandInput['session']): Promise<void> {
  for (const { past, why } of passed.slice(0, mostPassed)) await ui.status(`Passed over ${nameOfPassed(past)}: ${why}`)
  const more = passed.length - mostPassed
  if (more > 0) await ui.status(`Passed over ${counted(more, 'earlier change')}. See skyctl history list`)
}

/** Returns the first sentence of a reason, without a capital letter and an end. */
const firstSentence = (reason: string) => `${reason.charAt(0).toLowerCase()}${reason.slice(1).replace(/\. .*/s, '')}`

const nameOfPassed = ({ number, apply }: RecordedChange) => (apply === undefined ? String(number) : `apply ${apply}`)

/** Returns the changes before one, or before all of its apply. */
const before = (last: RecordedChange, changes: readonly RecordedChange[]) =>
  changes.filter((one) => one !== last && (last.apply === undefined || one.apply !== last.apply))

/**
 * Prints why the last change cannot be undone, and returns the last one before it that can. Throws `refused` with its
 * command if nobody can be asked about it, or without one.
 */
async function earlierChange(
  last: RecordedChange,
  open: readonly RecordedChange[],
  input: CommandInput,
): Promise<RecordedChange> {
  const { open: earlier, passed } = await withoutPassed(before(last, open), { input, passesLasting: true })
  const next = earlier.at(-1)
  const hint = next
    ? `The last one with an automatic undo: skyctl history undo ${wordsOf(next)}`
    : furtherBack(before(last, open).at(-1))
  const text = `the apply ${last.apply} cannot be undone: ${noUndoOf(last, open)}`
  const ofChange = last.apply === undefined ? undoRefusal(changeRecordOf(last), [], { hint }) : undefined
  const refusal = ofChange ?? new Problem('refused', text, { hint })
  const { session, flags } = input
  const isAsked = next && session.ui.interactive && !session.ui.yes && !flags['dry-run']
  if (isAsked) await session.ui.status(capitalized(refusal.message))
  if (next) await printPassed(passed, session)
  if (!isAsked) throw refusal
  await session.ui.status(`The last one with an automatic undo is ${nameIn(earlier, next)}`)
  return next
}

/** Says how to reverse the change before one without an undo, if none has an automatic one. */
function furtherBack(earlier: RecordedChange | undefined): string {
  const none = 'No earlier change from this machine has an automatic undo'
  if (!earlier) return none
  const reason = earlier.apply === undefined ? noUndoReason(changeRecordOf(earlier)) : undefined
  const [, command] = /^To reverse it: (.+)$/s.exec(reason ?? '') ?? []
  return command === undefined
    ? `${none}. How to reverse the one before: skyctl history undo ${wordsOf(earlier)}`
    : `${none}. By hand, change ${earlier.number}: ${command}`
}

const wordsOf = ({ apply, number }: RecordedChange) => (apply === undefined ? String(number) : `--apply ${apply}`)

const nameIn = (open: readonly RecordedChange[], past: RecordedChange) =>
  past.apply === undefined ? nameOfChange(past) : nameOfApply(past.apply, open)

const nameOfChange = (past: RecordedChange) => `${past.number}: ${past.command} of ${objectName(changeRecordOf(past))}`

const nameOfApply = (apply: string, open: readonly RecordedChange[]) =>
  `the apply ${apply} with ${counted(open.filter((one) => one.apply === apply).length, 'change')}`

/** Commands that end temporary changes. */
const endings = new Set(['firewalls close', 'firewalls sweep', 'firewalls watch'])

/** Returns the temporary openings that are over, and their ends, that were made after the last change that stands. */
function endedOpenings(all: readonly RecordedChange[], standing: readonly RecordedChange[]): PassedChange[] {
  const since = standing.at(-1)?.number ?? 0
  const later = all.filter(({ number, result }) => number > since && result?.outcome !== 'failed')
  return later.flatMap((past) => {
    if (past.command === opening) return [{ past, why: 'the temporary opening is over' }]
    const isEnd = endings.has(past.command) && past.undoes === undefined
    return isEnd ? [{ past, why: 'it ended a temporary opening' }] : []
  })
}

const opening = 'firewalls open'

const firewallOf = ({ path_parameters: parameters }: RecordedChange) => String(parameters?.firewallId)

/**
 * Returns the changes that were not undone, the last one at the end: no failed ones, no undos, no temporary openings that
 * are over, none that a later change has reversed, and none of objects that were deleted for good since. An automatic rollback of rules is an undo. An undo that
 * was undone itself has undone nothing, and neither has one of an apply that failed in part.
 */
export function changesToUndo(all: readonly RecordedChange[]): RecordedChange[] {
  const partial = new Set(all.flatMap((one) => (one.undoes && one.result?.outcome !== 'ok' ? [one.apply] : [])))
  const undone = new Set<string | undefined>()
  const closed = new Set<string>()
  const deleted = new Set<string>()
  const open: RecordedChange[] = []
  for (const past of [...all].reverse()) {
    const { entry, apply, undoes, command, result } = past
    const isUndone = undone.has(entry) || (apply !== undefined && undone.has(apply))
    if (isUndone || result?.outcome === 'failed') continue
    const isWhole = result?.outcome === 'ok' && (apply === undefined || !partial.has(apply))
    if (undoes !== undefined && isWhole) undone.add(undoes)
    if (endings.has(command) && undoes === undefined) closed.add(firewallOf(past))
    const isClosed = command === opening && closed.has(firewallOf(past))
    const isOver = isClosed || deleted.has(objectOf(past)) || isReversed(changeRecordOf(past), all)
    if (isLastingDeletion(past)) deleted.add(objectOf(past))
    if (undoes === undefined && !endings.has(command) && !isOver) open.push(past)
  }
  return open.reverse()
}

/** Names the object of a change uniquely; its label may change. */
function objectOf(past: RecordedChange): string {
  const { kind, id } = changeRecordOf(past)
  return id === undefined ? `change ${past.number}` : `${kind?.kind} ${id}`
}

const isLastingDeletion = (past: RecordedChange) =>
  past.method === 'DELETE' && past.result?.outcome === 'ok' && noUndoReason(changeRecordOf(past)) !== undefined
