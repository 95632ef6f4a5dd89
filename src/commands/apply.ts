import type { Command, Flags } from '../engine/command'
import { confirm } from '../engine/confirm'
import { concurrencyFlag, dryRunFlag, outputFlags, waitFlags } from '../engine/flags'
import { sayUndo } from '../engine/history/say-undo'
import { viewOf } from '../engine/printing'
import { waitTimeout } from '../engine/wait'
import { Problem, problemRecord } from '../errors'
import { columnsFor, type FieldPath } from '../output/column'
import { wantsDocument, wantsScreen } from '../output/form'
import { printMany, printOne, type View } from '../output/print'
import type { Session } from '../session'
import type { Plan } from '../state/plan'
import { fileArguments, readSources } from './account-files'
import { accountForm } from './account-form'
import { applyOperations } from './account-operations'
import {
  formatVersion,
  lockoutIn,
  planOf,
  printPlan,
  pruneFlag,
  screenOf,
  summaryOf,
  viewOfPlan,
  wantedBy,
} from './account-plan'
import type { Done, Report } from './apply-plan'
import { lockoutFlags, lockoutHelp } from './firewalls/lockout-flags'
import { confirmationOf, keepingFlags, keepingHelp } from './firewalls/rules/keeping-flags'

const fields: readonly FieldPath<Done>[] = ['kind', 'name', 'id', 'action', 'ok']

const viewOfDone = (flags: Flags, session: Session): Promise<View> =>
  viewOf({ fields, columns: columnsFor<Done>(fields), key: 'name' }, flags, session)

/** It always waits. */
const [, ...waitTimeoutFlags] = waitFlags('')

const apply: Command = {
  name: 'apply',
  summary: 'Make the account as files say it is wanted',
  details:
    'Shows the plan, asks once, carries it out and waits until each step is true. What a file does not name is left ' +
    'alone. It can be cut off anywhere: run again, it goes on where it was, and makes nothing twice. A plan that ' +
    `"plan --out" has saved is refused for another account, where it was edited, and where what it touches has changed since. ${lockoutHelp}\n\n` +
    `${keepingHelp} A plan changes firewalls first, and begins everything else when their rules are confirmed. Only rules are restored.`,
  operations: applyOperations,
  form: accountForm,
  arguments: fileArguments.map((argument) => ({ ...argument, description: `${argument.description}; or a kept plan` })),
  flags: [
    pruneFlag,
    ...lockoutFlags,
    concurrencyFlag,
    ...waitTimeoutFlags,
    ...keepingFlags,
    { ...dryRunFlag, description: 'Show the plan, as skyctl plan does, and send nothing' },
    ...outputFlags,
  ],
  examples: [
    { what: 'Show, ask, do', line: 'skyctl apply account.yaml' },
    { what: 'In CI, after a review of the plan', line: 'skyctl apply account/ --yes' },
    {
      what: 'What was reviewed, and nothing else',
      line: 'skyctl plan account/ --out plan.json && skyctl apply plan.json --yes',
    },
  ],
  async run({ arguments: paths, flags }, session) {
    waitTimeout(flags)
    await (await import('./firewalls/kept-open')).keptOpen(flags, session)
    const confirmation = confirmationOf(flags, session)
    const dry = flags['dry-run'] === true
    const view = await (dry ? viewOfPlan(flags, session) : viewOfDone(flags, session))
    const plan = await planToApply(paths, flags, session)
    if (dry) {
      const refusal = await lockoutIn(plan, flags, session)
      await printPlan(plan, view, session)
      if (refusal) throw refusal
      return
    }
    if (plan.objects.length === 0) {
      await session.say(summaryOf(plan))
      if (!wantsScreen(view)) await printDone({ done: [], changed: false, unprotected: [] }, view, session)
      return
    }
    if (wantsScreen(view)) await showPlan(plan, session)
    const refusal = await lockoutIn(plan, flags, session)
    if (refusal) throw refusal
    await confirm(questionOf(plan), session)
    const { carryOutPlan } = await import('./apply-plan')
    const { keepingRules } = await import('./apply-kept')
    let report: Report | undefined
    const print = async () => {
      if (report && !wantsScreen(view)) await printDone(report, view, session)
      if (report?.changed) await sayUndo(session)
    }
    const heard = (told: Report) => {
      report = told
    }
    try {
      const keep = await keepingRules(plan, { confirmation, session })
      await carryOutPlan(plan, { flags, session, keep, report: heard })
    } catch (error) {
      if (report && confirmation) report = unkept(report, plan, error)
      await print().catch(() => {})
      throw error
    }
    await print()
  },
}

export default apply

/** What is asked about, beside what scripts read. */
async function showPlan(plan: Plan, { stderr, color }: Session): Promise<void> {
  await stderr.write(await screenOf(plan, { width: stderr.isTTY ? stderr.columns : 0, color: color && stderr.isTTY }))
}

async function planToApply(paths: readonly string[], flags: Flags, session: Session): Promise<Plan> {
  const sources = await readSources(paths, flags, session)
  const [only] = sources
  const { expectUnchanged, readKept } = await import('./kept-plan')
  const kept = sources.length === 1 && only ? readKept(only.text, only.name) : undefined
  if (!kept) return planOf(await wantedBy(sources, session), { prune: flags.prune === true, flags }, session)
  if (flags.prune) throw new Problem('usage', '--prune: a kept plan says itself whether it prunes')
  const { expectOwnAccount } = await import('../engine/identity')
  await expectOwnAccount({ made: `${only?.name} is a plan for`, account: kept.account, hint: planAgain }, session)
  const plan = await planOf(kept.wanted, { prune: kept.prune, flags }, session)
  expectUnchanged(kept, plan)
  return plan
}

const planAgain = 'Sign in to that account, or plan again for this one: skyctl plan FILE --out plan.json'

/** What cannot be taken back is said in the question, too. */
function questionOf({ objects }: Plan): string {
  const all = objects.flatMap(({ steps }) => steps.flatMap(({ consequences = [] }) => consequences))
  const kinds = [...new Set(all.map(({ kind }) => kind))]
  return `${kinds.length > 0 ? `It ${kinds.join(', ')}. ` : ''}Carry out this plan`
}

/** What was not confirmed, or is not whole, was put back: that is the rules of firewalls. */
function unkept({ done, ...report }: Report, { objects }: Plan, error: unknown): Report {
  const failed = error instanceof Problem && { error: problemRecord(error) }
  const isPutBack = (index: number) => objects[index]?.steps.some(({ action }) => action === 'rules')
  return {
    ...report,
    done: done.map((one, index) => (one.ok && isPutBack(index) ? { ...one, ok: false, ...failed } : one)),
  }
}

async function printDone({ done, changed, unprotected }: Report, view: View, session: Session): Promise<void> {
  if (!wantsDocument(view)) return printMany([...done], view, session.stdout)
  await printOne({ format_version: formatVersion, changed, actions: done, unprotected }, view, session.stdout)
}
