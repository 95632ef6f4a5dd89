import type { Account } from '../../account/account'
import type { Plan } from '../../account-file/plan'
import { withPlannedLists } from '../../account-file/reuse-plan-records'
import { expectAllRead } from '../../account-file/unreadable-records'
import { dryRunFlag, protectionFlag, waitTimeoutFlag } from '../../engine/change-flags'
import type { Command, CommandInput, Flag, Flags } from '../../engine/command'
import { confirm } from '../../engine/confirm'
import { extraFormatOf, outputFlagWithFormats } from '../../engine/extra-formats'
import { listFlag } from '../../engine/flag-values'
import { concurrencyFlag, outputFlags } from '../../engine/flags'
import { viewOf } from '../../engine/printing'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { problemRecord } from '../../errors/failures'
import { columnsFor } from '../../output/column'
import { printMany, printOne, type View, wantsDocument, wantsScreen } from '../../output/print'
import { escapeText } from '../../rules/escape'
import type { Confirmation } from '../firewalls/rules/commit-confirmed'
import { commitConfirmedFlags, confirmationOf, lockoutFlags, lockoutOptions } from '../firewalls/safety-flags'
import { accountFileExample } from './account-file-example'
import { adoptFlag, createPlan, desiredStateFrom, fullFlag, lockoutProblem, onlyFlag, pruneFlag } from './account-plan'
import { type ApplyReport, type Done, outcomeOf } from './apply-outputs'
import { deletionRefusal, maxDeletes, maxDeletesFlag } from './deletion-limit'
import { applyOperations } from './operations'
import type { StepPace } from './plan-requests'
import { consequenceSentence, summaryOf, titleOf, unmetLines } from './plan-screen'
import { printPlan, reportFormats, showPlan, viewOfPlan } from './print-plan'
import { fileArguments, readSources } from './read-files'

const columns = columnsFor<Done>(['kind', 'name', 'id', 'action', 'ok'])

const viewOfDone = (flags: Flags, session: Session): Promise<View> => viewOf({ columns, key: 'name' }, flags, session)

const outputsFlag: Flag = {
  name: 'outputs',
  value: 'file',
  description: 'Write the ids of all objects to a file, as JSON',
  values: 'files',
}

const outputsModule = () => import('./outputs-file')
const mustConfirm = (flags: Flags) => commitConfirmedFlags.some(({ name }) => flags[name] !== undefined)
const commitConfirmed = () => import('./apply-commit-confirmed')

const protectedFlag: Flag = { ...protectionFlag, description: 'Change protected resources, too' }

const apply: Command = {
  name: 'apply',
  asks: true,
  summary: 'Apply the files to the account',
  details:
    'Shows the plan, asks once, applies it and waits for each step. Resources in no file stay unchanged. An interrupted ' +
    'run can be repeated: it creates nothing twice. FILE is YAML or JSON, a folder, - for stdin, or a plan of "plan --out".',
  moreDetails:
    'A plan saved by "plan --out" is refused for another account, and if it was edited or its resources have changed since. ' +
    'If nobody is asked, --prune deletes no kind of resource that the files no longer name, without --max-deletes.',
  operations: applyOperations,
  form: accountFileExample,
  arguments: fileArguments.map((argument) => ({
    ...argument,
    description: `${argument.description}; or a saved plan`,
    rare: true,
  })),
  flags: [
    onlyFlag,
    pruneFlag,
    { ...adoptFlag, rare: true },
    maxDeletesFlag,
    protectedFlag,
    outputsFlag,
    ...lockoutFlags,
    concurrencyFlag,
    // Without --wait: apply always waits.
    { ...waitTimeoutFlag, description: 'Maximum time that each step of the plan may wait' },
    ...commitConfirmedFlags,
    { ...dryRunFlag, description: 'Print the plan and send nothing' },
    fullFlag,
    ...outputFlagWithFormats(reportFormats).map((flag): Flag => ({ ...flag, rare: true })),
    ...outputFlags,
  ],
  examples: [
    { what: 'Show the plan, ask, and apply it', line: 'skyctl apply account.yaml' },
    {
      what: 'Apply exactly the plan that was reviewed',
      line: 'skyctl plan account/ --out plan.json && skyctl apply plan.json --yes',
    },
    { what: 'In CI, after a review of the plan', line: 'skyctl apply account/ --yes' },
  ],
  async run({ arguments: paths, flags }, session) {
    await lockoutOptions(flags, session)
    const confirmation = confirmationOf(flags, session)
    const outputs = flags.outputs === undefined ? undefined : (await outputsModule()).outputsFile(flags, paths)
    if (flags['dry-run']) return preview(paths, flags, session)
    const format = extraFormatOf(flags)
    if (format) {
      throw new Problem('usage', `--output ${format} prints a plan, and apply prints one only with --dry-run`)
    }
    const view = await viewOfDone(flags, session)
    const { plan, ...toApply } = await planToApply(paths, flags, session)
    const printed = { view, flags, session, outputs, ...toApply }
    if (plan.objects.length === 0) {
      await warnUnseen(plan, session)
      await session.ui.status(summaryOf(plan))
      await printDone(plan, undefined, printed)
    } else {
      const pace = await confirmPlan(plan, printed)
      await runPlan(plan, { confirmation, pace }, printed)
    }
    expectAllRead(plan.unreadable)
  },
}

export default apply

interface Printed extends CommandInput, Omit<PlanToApply, 'plan'> {
  view: View
  /** File for the outcome. */
  outputs: string | undefined
}

/** Prints the plan, and throws if it is refused. */
async function preview(paths: readonly string[], flags: Flags, session: Session): Promise<void> {
  const view = await viewOfPlan(flags, session)
  const { plan, refusal: tooMany } = await planToApply(paths, flags, session)
  const refusal = tooMany ?? (await lockoutProblem(plan, flags, session))
  await printPlan(plan, view, session, refusal)
  if (refusal) throw refusal
  expectAllRead(plan.unreadable)
}

/** Shows the plan and asks; throws before if it is refused. Announces its requests. */
async function confirmPlan(plan: Plan, { view, flags, session, refusal: tooMany }: Printed): Promise<StepPace> {
  if (wantsScreen(view)) await showPlan(plan, flags, session)
  else await warnUnseen(plan, session)
  const refusal = tooMany ?? (await lockoutProblem(plan, flags, session))
  if (refusal) throw refusal
  if (mustConfirm(flags)) await (await commitConfirmed()).reportUnused(plan, flags, session)
  const consequences = consequenceSentence(plan)
  const unasked = { message: consequences, hint: 'Add --yes to apply it without a terminal' }
  const pace = await (await import('./plan-requests')).planSteps(plan, flags, session.account)
  await confirm(`${consequences}. Apply it`, session, { unasked })
  return pace
}

/** Carries out the plan, and prints its report even if it fails. */
async function runPlan(
  plan: Plan,
  { confirmation, pace }: { confirmation: Confirmation | undefined; pace: StepPace },
  printed: Printed,
): Promise<void> {
  const { flags, session, account, isSaved } = printed
  const { applyPlan } = await import('./apply-plan')
  let report: ApplyReport | undefined
  const print = async () => {
    if (report) await printDone(plan, report, printed)
    if (report?.changed) await (await import('../history/undo-hint')).printUndoHint(session)
  }
  const onReport = (latest: ApplyReport) => {
    report = latest
  }
  try {
    const { confirmPlanRules } = confirmation ? await commitConfirmed() : {}
    const keep = await confirmPlanRules?.(plan, { confirmation, session })
    await applyPlan(plan, { flags, session, account, isSaved, keep, pace, report: onReport })
  } catch (error) {
    if (report && confirmation) report = withRestoredRules(report, plan, error)
    await print().catch(() => {})
    throw error
  }
  await print()
}

/** Warns of what a change of rules does not close, and of what is not as expected, where the plan itself is not printed. */
async function warnUnseen({ objects, unmet = [] }: Plan, session: Session): Promise<void> {
  for (const object of objects)
    for (const { consequences = [] } of object.steps)
      for (const { kind, text } of consequences)
        if (kind === 'still allowed') await session.ui.warn(escapeText(`${titleOf(object)}: ${kind}: ${text}`))
  for (const one of unmet) await session.ui.warn(`${titleOf(one)}: ${unmetLines(one).join('. ')}`)
}

interface PlanToApply {
  plan: Plan
  /** Problem if it deletes more than it may, or cannot be restored. A saved plan was limited when it was made. */
  refusal: Problem | undefined
  /** Account that knows what the plan has read. */
  account: Account
  /** True if the plan was saved. */
  isSaved: boolean
}

async function planToApply(paths: readonly string[], flags: Flags, session: Session): Promise<PlanToApply> {
  const sources = await readSources(paths, flags, session)
  const [only] = sources
  // The file of a large account takes far more memory parsed as a whole.
  const isSaved = sources.length === 1 && only && only.text.includes('"format_version"')
  const saved = isSaved ? (await import('./saved-plan')).readSavedPlan(only.text, only.name) : undefined
  const [force, most] = [flags.force === true, maxDeletes(flags)]
  const planning = { prune: flags.prune === true, only: listFlag(flags, 'only'), force, flags }
  const { plan, desired, ...state } = saved
    ? await (await import('./outdated-plan')).planAgain(saved, String(only?.name), { force, flags }, session)
    : await createPlan(await desiredStateFrom(sources, flags, session), planning, session)
  const { interactive, yes } = session.ui
  const isAsked = !saved && interactive && !yes
  const isLimited = !saved || most !== undefined
  const tooMany = isLimited ? deletionRefusal({ plan, desired, flags, isAsked }) : undefined
  const refusal = tooMany ?? (mustConfirm(flags) ? (await commitConfirmed()).restoreRefusal(plan, flags) : undefined)
  return { plan, account: withPlannedLists(plan, state, session.account), refusal, isSaved: saved !== undefined }
}

/** Marks rule changes as failed in the report: they were restored, as they were not confirmed or incomplete. */
function withRestoredRules({ done, ...report }: ApplyReport, { objects }: Plan, error: unknown): ApplyReport {
  const failed = error instanceof Problem && { error: problemRecord(error) }
  const isRestored = (index: number) => objects[index]?.steps.some(({ action }) => action === 'rules')
  return {
    ...report,
    done: done.map((one, index) => (one.ok && isRestored(index) ? { ...one, ok: false, ...failed } : one)),
  }
}

/** Writes the file for the outcome, and prints the outcome for scripts; without a report, nothing had to be done. */
async function printDone(
  plan: Plan,
  report: ApplyReport | undefined,
  { view, session, outputs }: Printed,
): Promise<void> {
  const outcome = outcomeOf(plan, report)
  try {
    if (outputs !== undefined) await (await outputsModule()).writeOutputs(outputs, outcome)
  } finally {
    if (wantsDocument(view)) await printOne(outcome, view, session.ui.stdout)
    else if (!wantsScreen(view)) await printMany([...(report?.done ?? [])], view, session.ui.stdout)
  }
}
