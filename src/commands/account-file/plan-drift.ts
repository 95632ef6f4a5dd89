/** Reports how the account differs from the files: `plan --drift`. */

import { type DriftedObject, driftOf, type FieldDrift } from '../../account-file/drift'
import type { UnmetExpectation } from '../../account-file/expectations'
import type { Plan } from '../../account-file/plan'
import { formatVersion } from '../../account-file/planned-object'
import { expectAllRead } from '../../account-file/unreadable'
import type { Flags } from '../../engine/command'
import { listFlag } from '../../engine/flag-values'
import { ownFormatOf } from '../../engine/own-format'
import { viewOf } from '../../engine/printing'
import type { Session } from '../../engine/session'
import { Problem } from '../../errors'
import { changeLine } from '../../firewall/rule-text'
import { columnsFor, type FieldPath } from '../../output/column'
import { wantsDocument, wantsScreen } from '../../output/output-kind'
import { printMany, printOne, type View } from '../../output/print'
import { styles } from '../../output/style'
import { wrap } from '../../output/wrap'
import { escapeText } from '../../rules/escape'
import { counted } from '../../rules/texts'
import { createPlan, desiredStateFrom } from './account-plan'
import { type LastChange, lastChangeOf, readOwnChanges, renamedFrom } from './drift-history'
import { accountRecord, expectationsIn } from './plan-document'
import { cutBlock, documentWithin, type Section, unmetSection } from './plan-markdown'
import { titleOf, unmetCount, unmetLines } from './plan-screen'
import { readSources } from './read-files'

interface Row {
  kind: string
  name: string
  id: unknown
  state: string
  field: string | null
  account: unknown
  files: unknown
  last_change: string | null
  by: string | null
}

const fields: readonly FieldPath<Row>[] = [
  ...(['kind', 'name', 'id', 'state', 'field', 'account', 'files', 'last_change', 'by'] as const),
]

/** A difference, with its last change from this machine. */
type Difference = FieldDrift & { lastChange: LastChange | null }

interface Report {
  objects: readonly (DriftedObject & {
    differences: readonly Difference[]
    /** Object that had the label of a missing one. */
    renamed: DriftedObject | undefined
  })[]
  same: number
  /** Entries that are only expected, such as tokens, and differ. */
  unmet: readonly UnmetExpectation[]
  /** Reason why the history was not read. */
  unread: string | null
  unreadable: Plan['unreadable']
}

/** Prints the report, and returns the number of objects that differ. */
export async function reportDrift(paths: readonly string[], flags: Flags, session: Session): Promise<number> {
  refuseOthers(flags)
  const view = await viewOf({ fields, columns: columnsFor<Row>(fields), key: 'name' }, flags, session)
  const report = await readDrift(paths, flags, session)
  if (ownFormatOf(flags) === 'markdown') await session.ui.stdout.write(markdownOf(report))
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

async function readDrift(paths: readonly string[], flags: Flags, session: Session): Promise<Report> {
  const named = await desiredStateFrom(await readSources(paths, flags, session), flags, session)
  const planning = { prune: false, force: true, reports: true, only: listFlag(flags, 'only'), flags }
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
  return { objects, same: plan.same, unmet: plan.unmet ?? [], unread, unreadable: plan.unreadable }
}

function summaryOf({ objects, same, unmet }: Report): string {
  const unexpected = unmetCount({ unmet })
  const rest = `${same} as in the files${unexpected === 0 ? '' : `; ${unexpected} not as expected`}`
  if (objects.length === 0) return `No drift; ${rest}`
  return `${counted(objects.length, 'resource')} ${objects.length === 1 ? 'differs' : 'differ'}; ${rest}`
}

const marks = { differs: '~', missing: '-', extra: '+' } as const

async function screenOf(report: Report, { width, color }: Pick<View, 'width' | 'color'>): Promise<string> {
  const { bold, dim, red, yellow, green } = await styles(color)
  const toneOf = { differs: yellow, missing: red, extra: green }
  const line = (text: string, indent: number) => wrap(`${' '.repeat(indent)}${text}`, width, ' '.repeat(indent + 2))
  const blocks = report.objects.flatMap((object) => [
    toneOf[object.state](bold(line(`${marks[object.state]} ${titleOf(object)}`, 0))),
    ...linesOf(object).map((text) => line(text.trimStart(), text.length - text.trimStart().length)),
  ])
  const unmet = report.unmet.flatMap((one) => [
    yellow(bold(line(`! ${titleOf(one)}`, 0))),
    ...unmetLines(one).map((text) => line(text, 4)),
  ])
  return [
    ...blocks,
    ...unmet,
    ...unreadIn(report).map((text) => dim(line(text, 2))),
    line(summaryOf(report), 0),
    '',
  ].join('\n')
}

function linesOf({ state, differences, renamed }: Report['objects'][number]): string[] {
  const verb = state === 'missing' ? 'create' : 'change'
  return differences.flatMap((one) => [
    `    ${escapeText(differenceText(state, one))}`,
    ...(renamed ? [`      ${titleOf(renamed)} had this label: it may have been renamed`] : []),
    ...(one.rules ?? []).map((change) => `      ${changeLine(change)}`),
    ...(one.reason === undefined ? [] : [`      apply cannot ${verb} it: ${escapeText(one.reason)}`]),
    ...(one.lastChange ? [`      ${escapeText(changeText(one.lastChange))}`] : []),
  ])
}

function differenceText(state: DriftedObject['state'], { field, account, files, rules, change }: FieldDrift): string {
  if (state === 'missing') return 'the files have it, the account does not'
  if (state === 'extra') return 'the account has it with the tag of the owner, and no file does'
  if (field === null) return change === undefined ? 'it differs' : `it differs, and apply would change it: ${change}`
  if (rules) return `${field}: they differ; from the account to the files:`
  return `${field}: the account has ${valueText(field, account)}, the files have ${valueText(field, files)}`
}

/** Longest text in full; of keys, only the ends differ. */
const mostOfText = 60

function valueText(field: string, value: unknown): string {
  if (value === null && field === 'rdns') return 'the default name'
  if (value === undefined || value === null || value === '') return 'none'
  if (Array.isArray(value)) return value.map((one) => valueText('', one)).join(', ') || 'none'
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, one]) => `${key} ${valueText(key, one)}`)
      .join('; ')
  const text = String(value)
  if (text.length > mostOfText) return `${text.slice(0, 25)}...${text.slice(-25)}`
  return field === 'size' ? `${text} GiB` : text
}

/** Returns `last changed here: 2026-11-26 03:12:05 UTC by ada (change 12, volumes resize)`. */
function changeText({ number, time, command, by }: LastChange): string {
  const user = by === null ? '' : ` by ${by}`
  return `last changed here: ${time.replace('T', ' ')} UTC${user} (change ${number}, ${command})`
}

const unreadIn = ({ unread }: Report) =>
  unread === null ? [] : [`The history of this machine was not read: ${escapeText(unread)}`]

/** Formats the report for an issue or a chat. GitHub colours the lines of a `diff` by their first character. */
function markdownOf(report: Report): string {
  const headings = { missing: 'Missing in the account', differs: 'Different', extra: 'In no file' } as const
  const notes = unreadIn(report).map((text) => ({ text, count: 1 }))
  const sections = (['missing', 'differs', 'extra'] as const).map((state): Section => {
    const objects = report.objects.filter((object) => object.state === state)
    const mark = state === 'differs' ? '!' : marks[state]
    return {
      heading: `${headings[state]} (${counted(objects.length, 'resource')})`,
      canCollapse: false,
      language: 'diff',
      blocks: objects.map((object) => ({ text: cutBlock(`${mark} ${titleOf(object)}`, linesOf(object)), count: 1 })),
    }
  })
  const all = [
    ...sections,
    unmetSection(report),
    { heading: 'Notes', canCollapse: false, language: 'text' as const, blocks: notes },
  ]
  return documentWithin(
    summaryOf(report),
    all.filter(({ blocks }) => blocks.length > 0),
    { name: 'The report', command: 'skyctl plan --drift' },
  )
}

async function documentOf(report: Report, session: Session): Promise<Record<string, unknown>> {
  const { objects, same, unread } = report
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
    unread: { history: unread },
  }
}

function rowsOf({ objects, unmet }: Report): Row[] {
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
