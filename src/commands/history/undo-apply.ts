/** Implements `history undo --apply ID`: undoes the changes of one apply, the last first, if they have an undo. */

import type { Step } from '../../account/actions'
import { readHistory } from '../../account/history/store'
import { showDifference } from '../../engine/confirm'
import { printRequests } from '../../engine/dry-run'
import { viewOf } from '../../engine/printing'
import { failureText, isGone, Problem, problemRecord, type TargetFailure } from '../../errors'
import { columnsFor, type FieldPath } from '../../output/column'
import { wantsDocument, wantsScreen } from '../../output/output-kind'
import { printMany, printOne, type View } from '../../output/print'
import { escapeText } from '../../rules/escape'
import { nameList, shellWord } from '../../rules/texts'
import { confirmUndo, expectAccount, goesOver } from './confirm-undo'
import { ObjectStates, type Prepared, prepareUndo, type UndoInput } from './prepare-undo'
import {
  type ChangeRecord,
  changeRecordOf,
  noUndoReason,
  objectName,
  printUndoHint,
  serviceIn,
  undoWords,
} from './records'
import { expectNoneProtected, runPrepared } from './run-undo'

/** A change that is not undone, with the reason and the command that reverses it. */
interface Left {
  change: ChangeRecord
  reason: string
}

interface Undo {
  id: string
  /** In the order of undoing. */
  prepared: readonly Prepared[]
  left: readonly Left[]
}

/** Outcome of a change, for scripts. */
interface Undone {
  number: number
  kind: string | null
  id: string | null
  label: string | null
  outcome: 'undone' | 'unchanged' | 'failed' | 'left'
  /** Reason why it is not undone, with the command that reverses it. */
  reason?: string
  error?: Record<string, unknown>
}

const fields: readonly FieldPath<Undone>[] = ['number', 'kind', 'id', 'label', 'outcome']

export async function undoApply(id: string, input: UndoInput): Promise<void> {
  const { flags, session } = input
  const view = await viewOf({ fields, columns: columnsFor<Undone>(fields), key: 'number' }, flags, session)
  const changes = await changesOf(id, input)
  const undo = await planUndo(id, changes, input)
  const toDo = undo.prepared.filter(({ lines }) => lines.length > 0)
  await expectNoneProtected(toDo, input)
  const over = await goesOverLater(toDo, input)
  // The question and the last lines list the changes that cannot be undone.
  const shown = flags['dry-run'] ? undo : { ...undo, left: [] }
  await showDifference(linesOf(shown, toDo), session, `Undo of apply ${id}, the last change first:`)
  for (const { refusal } of toDo) if (refusal) throw refusal
  if (flags['dry-run']) {
    return printRequests(
      toDo.map(({ request }) => request),
      { flags, session },
    )
  }
  if (toDo.length > 0) {
    const bare = unprotected(toDo)
    const open = bare.length > 0 ? `. No firewall of this apply will protect ${nameList(bare)}` : ''
    const left = undo.left.map(({ change, reason }) => ({ input: nameOf(change), reason }))
    const targets = [...toDo.map(({ change, name }) => ({ input: `change ${change.past.number} (${name})` })), ...left]
    await confirmUndo(targets, { over, text: (names) => `${open}. Undo ${names} of apply ${id}`, session })
  }
  const { outcomes, failures } = await undoAll(undo, input)
  if (!wantsScreen(view)) await print(id, outcomes, { view, session })
  if (session.signal.aborted) throw session.signal.reason
  const count = outcomes.filter(({ outcome }) => outcome === 'undone').length
  if (count > 0) await printUndoHint(session)
  const summary = `${count} of ${changes.length} changes of apply ${id} undone`
  if (failures.length > 0) {
    const texts = failures.map(failureText)
    throw new Problem('some_failed', `${summary}: ${texts.join('; ')}`, { failures, summary })
  }
  await session.ui.status(toDo.length === 0 ? `No changes: everything is as before apply ${id}` : summary)
}

/** Returns the changes of an apply, the last first. Throws `not_found` without any. */
async function changesOf(id: string, { session }: UndoInput): Promise<ChangeRecord[]> {
  const past = (await readHistory(session.account)).filter(({ apply }) => apply === id)
  const [first] = past
  if (!first) {
    throw new Problem('not_found', `apply "${escapeText(id)}" is not in the history`, {
      hint: 'See skyctl history list',
    })
  }
  await expectAccount(first, `history undo --apply ${shellWord(id)}`, session)
  // Failed requests have changed nothing.
  return past
    .filter(({ result }) => result?.outcome !== 'failed')
    .map(changeRecordOf)
    .reverse()
}

async function planUndo(id: string, changes: readonly ChangeRecord[], input: UndoInput): Promise<Undo> {
  const states = new ObjectStates(input.session)
  const prepared: Prepared[] = []
  const left: Left[] = []
  for (const change of changes) {
    const undo = await prepareOrReason(change, states, input)
    if (typeof undo === 'string') left.push({ change, reason: undo })
    else prepared.push(undo)
  }
  return keepingProtection({ id, prepared, left })
}

/**
 * Keeps a service with its firewall if the previous firewall is gone: releasing it would leave it without protection.
 */
function keepingProtection({ id, prepared, left }: Undo): Undo {
  const unclaimed = new Set(left.map(({ change }) => serviceIn(change.past)).map((one) => one && textOf(one)))
  const stays = (one: Prepared) => isRelease(one) && unclaimed.has(serviceOf(one))
  const remaining = prepared.filter(stays).map(({ change, service }): Left => {
    const command = `skyctl ${undoWords(change).join(' ')}`
    return { change, reason: `Without it, no firewall would protect ${service && textOf(service)}: ${command}` }
  })
  return { id, prepared: prepared.filter((one) => !stays(one)), left: [...left, ...remaining] }
}

async function prepareOrReason(
  change: ChangeRecord,
  states: ObjectStates,
  input: UndoInput,
): Promise<Prepared | string> {
  const reason = noUndoReason(change)
  if (reason !== undefined) return reason
  try {
    return (await prepareUndo(change, states, input)) ?? 'The rules before it are no longer kept'
  } catch (error) {
    if (isGone(error)) return `It no longer exists: ${error.message}`
    throw error
  }
}

/** Reports whether others have changed something since; throws `changed` if the user cannot decide about it. */
function goesOverLater(toDo: readonly Prepared[], input: UndoInput): Promise<boolean> {
  const errors = toDo.flatMap(({ name: field, changed: reason }) => (reason === undefined ? [] : [{ field, reason }]))
  const texts = errors.map(({ reason }) => reason)
  return goesOver(texts, input, () => ({ hint: 'To undo the apply anyway, add --force', errors }))
}

function linesOf({ left }: Undo, toDo: readonly Prepared[]): string[] {
  return [
    ...toDo.flatMap(({ change, name, lines }) => [`change   ${change.past.number}: ${escapeText(name)}`, ...lines]),
    ...left.map(({ change, reason }) => `left     ${change.past.number}: ${objectName(change)}. ${reason}`),
  ]
}

const textOf = ({ type, id }: NonNullable<Prepared['service']>) => `${type} ${id}`

const serviceOf = ({ service }: Prepared) => service && textOf(service)

const isRelease = ({ step }: Prepared) => step.does === 'firewalls devices delete'

/** Returns the services that are removed from a firewall and assigned to no other one. */
function unprotected(toDo: readonly Prepared[]): string[] {
  const assigned = new Set(toDo.filter((one) => !isRelease(one)).map(serviceOf))
  return toDo.filter(isRelease).flatMap((one) => {
    const service = serviceOf(one)
    return service === undefined || assigned.has(service) ? [] : [service]
  })
}

async function undoAll({ prepared, left }: Undo, input: UndoInput) {
  const outcomes: Undone[] = []
  const failures: TargetFailure[] = []
  const released = new Map<string, Prepared>()
  for (const one of prepared) {
    if (one.lines.length === 0) {
      outcomes.push({ ...recordOf(one.change), outcome: 'unchanged' })
      continue
    }
    try {
      input.session.signal.throwIfAborted()
      await runPrepared(one, input)
      outcomes.push({ ...recordOf(one.change), outcome: 'undone' })
      const service = serviceOf(one)
      if (service !== undefined && isRelease(one)) released.set(service, one)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const problem = await protectAgain(one, released, error, input)
      failures.push({ target: nameOf(one.change), problem, tried: true })
      outcomes.push({ ...recordOf(one.change), outcome: 'failed', error: problemRecord(problem) })
    }
  }
  for (const { change, reason } of left) {
    failures.push({ target: nameOf(change), problem: new Problem('refused', reason), tried: true })
    outcomes.push({ ...recordOf(change), outcome: 'left', reason })
  }
  return { outcomes, failures }
}

/** Assigns a service again to the firewall that it was just removed from, if the previous one could not take it. */
async function protectAgain(
  { service }: Prepared,
  released: ReadonlyMap<string, Prepared>,
  problem: Problem,
  input: UndoInput,
): Promise<Problem> {
  const from = service && released.get(textOf(service))
  if (!from || !service) return problem
  const { firewallId = '' } = from.change.holes
  const text = textOf(service)
  const step: Step = { does: 'firewalls devices add', target: [String(firewallId)], body: service }
  const line = `skyctl firewalls devices add ${firewallId} --${service.type}-id ${service.id}`
  try {
    await runPrepared({ ...from, step }, input)
    return new Problem(problem.code, `${problem.message}; ${text} stays with firewall ${firewallId}`, problem.details)
  } catch {
    const unprotected = `${problem.message}; ${text} is not protected by firewall ${firewallId} either`
    return new Problem(problem.code, unprotected, { ...problem.details, hint: `Protect it: ${line}` })
  }
}

const nameOf = (change: ChangeRecord) => `change ${change.past.number} (${objectName(change)})`

const recordOf = (change: ChangeRecord) => ({
  number: change.past.number,
  kind: change.kind?.kind ?? null,
  id: change.id ?? null,
  label: change.label ?? null,
})

async function print(id: string, outcomes: Undone[], { view, session }: { view: View } & Pick<UndoInput, 'session'>) {
  if (!wantsDocument(view)) return printMany(outcomes, view, session.ui.stdout)
  const changed = outcomes.some(({ outcome }) => outcome === 'undone')
  await printOne({ format_version: 1, apply: id, changed, changes: outcomes }, view, session.ui.stdout)
}
