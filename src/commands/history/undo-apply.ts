/** Implements `history undo --apply ID`: a plan from the account of now to the state before the apply. */

import { requestOfStep } from '../../account/actions'
import { readHistory } from '../../account/ledger/reader'
import { jobsOf, requestsOf } from '../../account-file/order-steps'
import type { Plan } from '../../account-file/plan'
import { duplicatesAllowed } from '../../engine/change-command-context'
import type { CommandInput } from '../../engine/command'
import { showDifference } from '../../engine/confirm'
import { printRequests } from '../../engine/dry-run'
import { viewOf } from '../../engine/printing'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { failureText } from '../../errors/failures'
import { columnsFor } from '../../output/column'
import { isJson } from '../../output/formats'
import { printMany, printOne, type View, wantsDocument, wantsScreen } from '../../output/print'
import { escapeText } from '../../rules/escape'
import { nameList, shellWord } from '../../rules/texts'
import { lockoutProblem } from '../account-file/account-plan'
import type { ApplyReport } from '../account-file/apply-outputs'
import { applyPlan } from '../account-file/apply-plan'
import { openText } from '../account-file/apply-restore'
import { titleOf } from '../account-file/plan-screen'
import { showPlan } from '../account-file/print-plan'
import { lockoutOptions } from '../firewalls/safety-flags'
import { confirmUndo, expectAccount, goesOver } from './confirm-undo'
import { type ChangeRecord, changeRecordOf, objectName } from './describe-change'
import { changesSince, locateChanges, rereading } from './locate-changes'
import { type LocatedChange, nameOfObject } from './state-before-apply'
import { printUndoHint, tellOfFile } from './undo-hint'
import { type LeftChange, openedBy, planUndo, type UndoPlan } from './undo-plan'

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

const columns = columnsFor<Undone>(['number', 'kind', 'id', 'label', 'outcome'])

export async function undoApply(id: string, input: CommandInput): Promise<void> {
  const { flags, session } = input
  await lockoutOptions(flags, session)
  const view = await viewOf({ columns, key: 'number' }, flags, session)
  const { changes, located, undo } = await planOf(id, input)
  const toDo = located.filter((one) => undo.steps.get(one)?.length)
  const texts = changesSince(located).flatMap((one) => (toDo.includes(one.located) ? [one] : []))
  const over = await goesOver(
    texts.map(({ reason }) => reason),
    input,
    () => ({
      hint: 'To undo the apply anyway, add --force',
      errors: texts.map(({ located, reason }) => ({ field: nameOfObject(located), reason })),
    }),
  )
  await show(undo, { id, over, toDo, input })
  const refusal = await lockoutProblem(undo.plan, flags, session)
  if (refusal) throw refusal
  if (flags['dry-run']) return printRequests(await requestsIn(undo.plan), { flags, session })
  if (toDo.length > 0) await confirmPlanned(undo, { id, over, toDo, input })
  await run(undo, { id, view, changes, input })
}

export async function isApplyReversed(id: string, input: CommandInput): Promise<boolean> {
  const { plan, left } = (await planOf(id, input)).undo
  return plan.objects.length === 0 && left.length === 0
}

async function planOf(id: string, input: CommandInput) {
  const { flags, session } = input
  const { changes, all } = await changesOf(id, input)
  const { located, world, left } = await locateChanges(changes, all, session)
  const reread = rereading(located, session.account)
  const options = { left, force: flags.force === true, now: session.clock.now(), reread }
  return { changes, located, undo: planUndo(located, world, options) }
}

/** Returns the changes of an apply, the last first, and those of the whole history. Throws `not_found` without any. */
async function changesOf(id: string, { session }: CommandInput) {
  const all = await readHistory(session.account)
  const past = all.filter(({ apply }) => apply === id)
  const [first] = past
  if (!first) {
    throw new Problem('not_found', `apply "${escapeText(id)}" is not in the history`, {
      hint: 'See skyctl history list',
    })
  }
  await expectAccount(first, `history undo --apply ${shellWord(id)}`, session)
  // Failed requests have changed nothing.
  const effects = past.filter(({ result }) => result?.outcome !== 'failed')
  return { changes: effects.map(changeRecordOf).reverse(), all }
}

interface Showing {
  id: string
  /** True if others have changed something since. */
  over: boolean
  toDo: readonly LocatedChange[]
  input: CommandInput
}

/** Shows the plan. For scripts that read JSON, its consequences are warnings. */
async function show({ plan, left }: UndoPlan, { id, toDo, input: { flags, session } }: Showing): Promise<void> {
  const { interactive, yes, quiet, format } = session.ui
  const isAsked = interactive && !yes
  if (toDo.length > 0 && (isAsked || !isJson(format))) {
    await session.ui.print(`Undo of apply ${id}:`)
    await showPlan(plan, flags, session)
  } else if (!quiet || isJson(format)) for (const text of consequencesIn(plan)) await session.ui.warn(text)
  // The question and the last lines list the changes that cannot be undone.
  if (flags['dry-run']) await showDifference(left.map(leftLine), session)
}

const consequencesIn = ({ objects }: Plan) =>
  objects.flatMap((object) =>
    object.steps.flatMap(({ consequences = [] }) =>
      consequences.map(({ kind, text }) => escapeText(`${titleOf(object)}: ${kind}: ${text}`)),
    ),
  )

const leftLine = ({ change, reason }: LeftChange) => `left     ${change.past.number}: ${objectName(change)}. ${reason}`

const requestsIn = (plan: Plan) =>
  Promise.all(
    jobsOf(plan)
      .flatMap(requestsOf)
      .map(({ part }) => requestOfStep(part.step)),
  )

async function confirmPlanned({ plan, left }: UndoPlan, { id, over, toDo, input }: Showing): Promise<void> {
  const bare = plan.objects.flatMap(({ steps }) => steps.flatMap(openedBy))
  const open = bare.length > 0 ? `. No firewall will protect ${nameList(bare)}` : ''
  const targets = [
    ...toDo.map((one) => ({ input: `change ${one.change.past.number} (${nameOfObject(one)})` })),
    ...left.map(({ change, reason }) => ({ input: nameOf(change), reason })),
  ]
  await confirmUndo(targets, {
    over,
    text: (names) => `${open}. Undo ${names} of apply ${id}`,
    session: input.session,
  })
}

/** Carries out the plan, and prints what became of each change, even if it fails. */
async function run(
  undo: UndoPlan,
  { id, view, changes, input }: { id: string; view: View; changes: readonly ChangeRecord[]; input: CommandInput },
): Promise<void> {
  const { session } = input
  const { plan, left } = undo
  const { report, error } = await applied(plan, id, input)
  const outcomes = changes.map((change) => outcomeOf(change, undo, report))
  if (!wantsScreen(view)) await print(id, outcomes, { view, session })
  if (error !== undefined && (session.signal.aborted || !(error instanceof Problem))) throw error
  if (report?.changed) {
    await printUndoHint(session)
    await tellOfFile(
      changes.map(({ past }) => past),
      session,
    )
  }
  const open = report?.unprotected ?? []
  const failures = [
    ...(report?.failures ?? []),
    ...left.map(({ change, reason }) => ({
      target: nameOf(change),
      problem: new Problem('refused', reason),
      tried: true,
    })),
  ]
  const failed = outcomes.filter(({ outcome }) => outcome === 'failed' || outcome === 'left').length
  const count = `${changes.length - failed} of ${changes.length} changes of apply ${id} undone`
  const summary = open.length > 0 ? `${count}; ${openText(open)}` : count
  if (failures.length > 0) {
    const hint = error instanceof Problem && open.length > 0 ? error.details.hint : undefined
    const message = `${summary}: ${failures.map(failureText).join('; ')}`
    throw new Problem('some_failed', message, { failures, summary, ...(hint && { hint }) })
  }
  await session.ui.status(plan.objects.length === 0 ? `No changes: everything is as before apply ${id}` : summary)
}

async function applied(plan: Plan, id: string, { flags, session }: CommandInput) {
  let report: ApplyReport | undefined
  if (plan.objects.length === 0) return { report, error: undefined }
  const hint = `Restore the protection: run skyctl history undo --apply ${id} again`
  const texts = { verb: 'undo', hint, hasSummary: true }
  const onReport = (latest: ApplyReport) => {
    report = latest
  }
  try {
    const stepOptions = { allowDuplicate: duplicatesAllowed(flags, session) }
    await applyPlan(plan, { flags, session, texts, stepOptions, report: onReport })
    return { report, error: undefined }
  } catch (error) {
    return { report, error }
  }
}

function outcomeOf(change: ChangeRecord, { plan, steps, left }: UndoPlan, report: ApplyReport | undefined): Undone {
  const record = recordOf(change)
  const reason = left.find((one) => one.change === change)?.reason
  if (reason !== undefined) return { ...record, outcome: 'left', reason }
  const [, own = []] = [...steps].find(([located]) => located.change === change) ?? []
  const missing = own.find((step) => !report?.steps.has(step))
  if (!missing) return { ...record, outcome: own.length === 0 ? 'unchanged' : 'undone' }
  const index = plan.objects.findIndex((object) => object.steps.includes(missing))
  const error = report?.done[index]?.error
  return { ...record, outcome: 'failed', ...(error && { error }) }
}

const nameOf = (change: ChangeRecord) => `change ${change.past.number} (${objectName(change)})`

const recordOf = (change: ChangeRecord) => ({
  number: change.past.number,
  kind: change.kind?.kind ?? null,
  id: change.id ?? null,
  label: change.label ?? null,
})

async function print(id: string, outcomes: Undone[], { view, session }: { view: View; session: Session }) {
  if (!wantsDocument(view)) return printMany(outcomes, view, session.ui.stdout)
  const changed = outcomes.some(({ outcome }) => outcome === 'undone')
  await printOne({ format_version: 1, apply: id, changed, changes: outcomes }, view, session.ui.stdout)
}
