/** Prints plans, in all formats. */
import { accountOf } from '../../account/account'
import { namesIn, type Plan } from '../../account-file/plan'
import type { Flags } from '../../engine/command'
import { extraFormatOf } from '../../engine/extra-formats'
import { isVerbose } from '../../engine/flag-values'
import { viewOf } from '../../engine/printing'
import type { Session } from '../../engine/session'
import type { Problem } from '../../errors'
import { columnsFor } from '../../output/column'
import { printMany, printOne, type View, wantsDocument, wantsScreen } from '../../output/print'
import { linesOf } from './plan-groups'
import { screenOf, unmetLines } from './plan-screen'
import type { Report } from './report'

/** Formats of reports beside those of all commands. */
export const reportFormats = ['markdown', 'html'] as const

type Row = ReturnType<typeof rowsOf>[number]

const columns = columnsFor<Row>(['kind', 'name', 'id', 'action', 'change'])

interface PlanView extends View {
  /** Format that only plans have. */
  own: string | undefined
  full: boolean
  verbose: boolean
}

export const viewOfPlan = async (flags: Flags, session: Session): Promise<PlanView> => ({
  ...(await viewOf({ columns, key: 'name' }, flags, session)),
  own: extraFormatOf(flags),
  full: flags.full === true,
  verbose: isVerbose(flags),
})

function rowsOf({ objects, unmet = [] }: Plan) {
  const changes = objects.flatMap((object) =>
    object.steps.map((step) => ({ ...namesIn(object), action: step.action, change: linesOf(step).join('; ') })),
  )
  const expected = unmet.map((one) => ({ ...namesIn(one), action: 'expect', change: unmetLines(one).join('; ') }))
  return [...changes, ...expected]
}

/** `refusal` is why the plan may not be applied: a page is read without the message on stderr. */
export async function printPlan(
  plan: Plan,
  view: PlanView,
  session: Session,
  refusal?: Problem | undefined,
): Promise<void> {
  if (view.own !== undefined) {
    const { planReport } = await import('./plan-report')
    await printReport({ ...planReport(plan, view), refusal }, view.own, session)
  } else if (wantsScreen(view)) await session.ui.stdout.write(await screenOf(plan, view))
  else if (wantsDocument(view)) await printDocument(plan, view, session)
  // With --quiet, every object to change is printed once.
  else await printMany(view.quiet === undefined ? rowsOf(plan) : plan.objects, view, session.ui.stdout)
}

export async function printReport(report: Report, format: string, session: Session): Promise<void> {
  const { stdout } = session.ui
  if (format === 'markdown') return stdout.write((await import('./report-markdown')).markdownOf(report))
  const { pageOf } = await import('./report-html')
  await stdout.write(pageOf(report, { account: await accountOf(session.account), now: session.clock.now() }))
}

async function printDocument(plan: Plan, view: PlanView, session: Session): Promise<void> {
  const { documentOf } = await import('./plan-document')
  await printOne(documentOf(plan, await session.account.identity()), view, session.ui.stdout)
}

/** Prints the plan for the question on stderr, as stdout is for scripts. */
export async function showPlan(plan: Plan, flags: Flags, { ui: { stderr, color, unicode } }: Session): Promise<void> {
  const terminal = { width: stderr.isTTY ? stderr.columns : 0, color: color && stderr.isTTY, ascii: !unicode }
  await stderr.write(await screenOf(plan, { ...terminal, full: flags.full === true, verbose: isVerbose(flags) }))
}
