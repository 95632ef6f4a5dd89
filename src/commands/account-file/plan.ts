import type { AccountIdentity } from '../../account/account'
import { expectAllRead } from '../../account-file/unreadable-records'
import type { Command, Flags } from '../../engine/command'
import { outputFlagWithFormats } from '../../engine/extra-formats'
import { listFlag } from '../../engine/flag-values'
import { outputFlags } from '../../engine/flags'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { counted } from '../../rules/texts'
import { lockoutFlags, lockoutOptions } from '../firewalls/safety-flags'
import { forceFlag, secretFile, writeSecret } from '../secret-file'
import { accountFileExample } from './account-file-example'
import { adoptFlag, createPlan, desiredStateFrom, fullFlag, lockoutProblem, onlyFlag, pruneFlag } from './account-plan'
import { deletionRefusal, maxDeletes, maxDeletesFlag } from './deletion-limit'
import { planOperations } from './operations'
import { unmetCount } from './plan-screen'
import { printPlan, reportFormats, viewOfPlan } from './print-plan'
import { expectOutside, fileArguments, readSources } from './read-files'

const command: Command = {
  name: 'plan',
  summary: 'Preview the changes that would match the files',
  paged: true,
  details:
    'Changes nothing. Reports all impossible changes at once, with file and line. FILE is YAML or JSON, a folder of such ' +
    'files, or - for stdin; later files refine earlier ones.',
  operations: planOperations,
  form: accountFileExample,
  arguments: fileArguments.map((argument) => ({ ...argument, rare: true })),
  flags: [
    onlyFlag,
    pruneFlag,
    { ...adoptFlag, rare: true },
    maxDeletesFlag,
    { name: 'exit-code', description: 'Exit with 13 if the account differs from the files' },
    { name: 'drift', description: 'Report how the account differs, and its last changes' },
    {
      name: 'out',
      value: 'file',
      description: 'Save the plan for apply in a private file',
      values: 'files',
    },
    { ...forceFlag, rare: true },
    ...lockoutFlags,
    fullFlag,
    ...outputFlagWithFormats(reportFormats),
    ...outputFlags,
  ],
  examples: [
    { what: 'Preview the changes', line: 'skyctl plan account.yaml' },
    {
      what: 'A nightly check for drift, as docs/recipes.md has it for cron and CI',
      line: 'skyctl plan account/ --drift --exit-code',
    },
    { what: 'An export never differs from its account', line: 'skyctl export | skyctl plan -' },
  ],
  async run({ arguments: paths, flags }, session) {
    if (flags.drift) return expectSame(await (await import('./print-drift')).printDrift(paths, flags, session), flags)
    await lockoutOptions(flags, session)
    const view = await viewOfPlan(flags, session)
    const out = secretFile(flags, 'out')
    expectOutside(paths, out, 'out')
    maxDeletes(flags)
    const named = await desiredStateFrom(await readSources(paths, flags, session), flags, session)
    const planning = { prune: flags.prune === true, only: listFlag(flags, 'only'), flags }
    const { plan, desired } = await createPlan(named, planning, session)
    const isAsked = session.ui.interactive
    const refusal = deletionRefusal({ plan, desired, flags, isAsked }) ?? (await lockoutProblem(plan, flags, session))
    if (out !== undefined && !refusal) {
      const { savedPlanText } = await import('./saved-plan')
      const identity = await session.account.identity()
      if (!identity.user) await warnOfUnknown(identity, session)
      await writeSecret(out, savedPlanText(plan, { ...planning, identity, desired }))
    }
    await printPlan(plan, view, session, refusal)
    if (refusal) throw refusal
    expectAllRead(plan.unreadable)
    expectSame(plan.objects.length + unmetCount(plan), flags)
  },
}

/** Throws `mismatch` for differences if --exit-code asks for it. */
function expectSame(count: number, flags: Flags): void {
  if (!flags['exit-code'] || count === 0) return
  throw new Problem('mismatch', `the account differs from the files: ${counted(count, 'object')}`)
}

/** Warns that apply will ask for confirmation. */
async function warnOfUnknown(identity: AccountIdentity, session: Session): Promise<void> {
  const { reasonText } = await import('../../account/expect-own-account')
  const why = `the API does not report the user of this token${reasonText(identity)}`
  await session.ui.warn(`the saved plan names no user, so apply will ask for confirmation: ${why}`)
}

export default command
