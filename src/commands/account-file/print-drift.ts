/** Reports how the account differs from the files: `plan --drift`. */

import { driftOf, unlistedIn } from '../../account-file/drift'
import { formatVersion } from '../../account-file/plan'
import { expectAllRead } from '../../account-file/unreadable-records'
import type { Flags } from '../../engine/command'
import { extraFormatOf } from '../../engine/extra-formats'
import { listFlag } from '../../engine/flag-values'
import { viewOf } from '../../engine/printing'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { columnsFor } from '../../output/column'
import { printMany, printOne, type View, wantsDocument, wantsScreen } from '../../output/print'
import { styles } from '../../output/style'
import { wrap } from '../../output/wrap'
import { createPlan, desiredStateFrom } from './account-plan'
import { lastChangeOf, readOwnChanges, renamedFrom } from './drift-history'
import { type DriftReport, linesOf, notesOf, reportOf, summaryOf } from './drift-texts'
import { accountRecord, expectationsIn } from './plan-document'
import { titleOf, unmetCount, unmetLines } from './plan-screen'
import { printReport } from './print-plan'
import { readSources } from './read-files'

type Row = ReturnType<typeof rowsOf>[number]

const columns = columnsFor<Row>([
  ...(['kind', 'name', 'id', 'state', 'field', 'account', 'files', 'last_change', 'by'] as const),
])

/** Prints the report, and returns the number of objects that differ. */
export async function printDrift(paths: readonly string[], flags: Flags, session: Session): Promise<number> {
  refuseOthers(flags)
  const view = await viewOf({ columns, key: 'name' }, flags, session)
  const report = await readDrift(paths, flags, session)
  const own = extraFormatOf(flags)
  if (own !== undefined) await printReport(reportOf(report), own, session)
  else if (wantsScreen(view)) await session.ui.stdout.write(await screenOf(report, view))
  else if (wantsDocument(view)) await printOne(await documentOf(report, session), view, session.ui.stdout)
  else await printMany(view.quiet === undefined ? rowsOf(report) : report.objects, view, session.ui.stdout)
  expectAllRead(report.unreadable)
  return report.objects.length + unmetCount(report)
}

const surplus = ['out', 'prune', 'adopt', 'max-deletes', 'force', 'full', 'keep-open', 'allow-lockout']

function refuseOthers(flags: Flags): void {
  const other = surplus.find((name) => flags[name] !== undefined)
  if (other === undefined) return
  const hint =
    other === 'prune' ? 'The report has all resources with the tag of the owner that are in no file' : undefined
  throw new Problem(
    'usage',
    `--${other} and --drift contradict each other: --drift plans no changes`,
    hint ? { hint } : {},
  )
}

async function readDrift(paths: readonly string[], flags: Flags, session: Session): Promise<DriftReport> {
  const named = await desiredStateFrom(await readSources(paths, flags, session), flags, session)
  const only = listFlag(flags, 'only')
  const planning = { prune: false, force: true, reports: true, only, flags }
  const { plan, desired, world } = await createPlan(named, planning, session)
  const drifted = driftOf(plan, desired, world)
  const { changes, unread } = drifted.length > 0 ? await readOwnChanges(session) : { changes: [], unread: null }
  const objects = drifted.map((object) => {
    const renamed = renamedFrom(object, changes, { world, entries: desired.entries })
    const differences = object.fields.map((one) => ({
      ...one,
      lastChange: renamed ? lastChangeOf(renamed, 'label', changes) : lastChangeOf(object, one.field, changes),
    }))
    return { ...object, renamed, differences }
  })
  const notes = only === undefined ? unlistedIn(plan, desired, world) : []
  return { objects, same: plan.same, unmet: plan.unmet ?? [], notes, unread, unreadable: plan.unreadable }
}

const marks = { differs: '~', missing: '-', extra: '+' } as const

async function screenOf(report: DriftReport, { width, color }: Pick<View, 'width' | 'color'>): Promise<string> {
  const { bold, dim, red, yellow, green } = await styles(color)
  const toneOf = { differs: yellow, missing: red, extra: green }
  const line = (text: string, indent: number) => wrap(`${' '.repeat(indent)}${text}`, width, ' '.repeat(indent + 2))
  const blocks = report.objects.flatMap((object) => [
    toneOf[object.state](bold(line(`${marks[object.state]} ${titleOf(object)}`, 0))),
    ...linesOf(object).map((text) => line(text.trimStart(), 4 + text.length - text.trimStart().length)),
  ])
  const unmet = report.unmet.flatMap((one) => [
    yellow(bold(line(`! ${titleOf(one)}`, 0))),
    ...unmetLines(one).map((text) => line(text, 4)),
  ])
  return [
    ...blocks,
    ...unmet,
    ...notesOf(report).map((text) => dim(line(text, 2))),
    line(summaryOf(report), 0),
    '',
  ].join('\n')
}

async function documentOf(report: DriftReport, session: Session): Promise<Record<string, unknown>> {
  const { objects, same, notes, unread } = report
  return {
    format_version: formatVersion,
    account: accountRecord(await session.account.identity()),
    objects: objects.map(({ kind, name, id = null, state, differences, renamed }) => ({
      ...{ kind, name, id, state },
      ...(renamed && { renamed_to: { id: renamed.id ?? null, name: renamed.name } }),
      differences: differences.map(({ field, account = null, files = null, rules, reason = null, lastChange }) => ({
        ...{ field, account, files, ...(rules && { rules }), reason, last_change: lastChange },
      })),
    })),
    same,
    expectations: expectationsIn(report),
    notes,
    unread: { history: unread },
  }
}

function rowsOf({ objects, unmet }: DriftReport) {
  const rows = objects.flatMap(({ kind, name, id = null, state, differences }) =>
    differences.map(({ field, account, files, lastChange }) => ({
      ...{ kind, name, id, state, field, account, files },
      ...{ last_change: lastChange?.time ?? null, by: lastChange?.by ?? null },
    })),
  )
  const expected = unmet.flatMap(({ kind, name, id = null, differences }) =>
    differences.map(({ field, text }) => ({
      ...{ kind, name, id, state: 'unexpected', field, account: text, files: null },
      ...{ last_change: null, by: null },
    })),
  )
  return [...rows, ...expected]
}
