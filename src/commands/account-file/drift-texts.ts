/** Words how an account differs from its files. */
import type { DriftedObject, FieldDrift } from '../../account-file/drift'
import type { Plan } from '../../account-file/plan'
import type { UnmetExpectation } from '../../account-file/unmet-expectations'
import { changeLine } from '../../firewall/rule-text'
import { escapeText } from '../../rules/escape'
import { counted } from '../../rules/texts'
import type { LastChange } from './drift-history'
import { titleOf, unmetCount } from './plan-screen'
import { type Report, unmetSection } from './report'

type Difference = FieldDrift & { lastChange: LastChange | null }

export interface DriftReport {
  objects: readonly (DriftedObject & {
    differences: readonly Difference[]
    /** Object that had the label of a missing one. */
    renamed: DriftedObject | undefined
  })[]
  same: number
  /** Entries that are only expected, such as tokens, and differ; and failed tests. */
  unmet: readonly UnmetExpectation[]
  /** Sentences about what is in no file. */
  notes: readonly string[]
  /** Reason why the history was not read. */
  unread: string | null
  unreadable: Plan['unreadable']
}

/** Returns `2 resources differ; 7 as in the files`. */
export function summaryOf({ objects, same, unmet }: Pick<DriftReport, 'objects' | 'same' | 'unmet'>): string {
  const unexpected = unmetCount({ unmet })
  const rest = `${same} as in the files${unexpected === 0 ? '' : `; ${unexpected} not as expected`}`
  if (objects.length === 0) return `No drift; ${rest}`
  return `${counted(objects.length, 'resource')} ${objects.length === 1 ? 'differs' : 'differ'}; ${rest}`
}

/** Returns the lines below the title of an object; those about a difference are indented. */
export function linesOf({ state, differences, renamed }: DriftReport['objects'][number]): string[] {
  const verb = state === 'missing' ? 'create' : 'change'
  return differences.flatMap((one) => [
    `${escapeText(differenceText(state, one))}`,
    ...(renamed ? [`  ${titleOf(renamed)} had this label: it may have been renamed`] : []),
    ...(one.rules ?? []).map((change) => `  ${changeLine(change)}`),
    ...(one.reason === undefined ? [] : [`  apply cannot ${verb} it: ${escapeText(one.reason)}`]),
    ...(one.lastChange ? [`  ${escapeText(changeText(one.lastChange))}`] : []),
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

/** Names what is in no file, and why the history was not read. */
export const notesOf = ({ notes, unread }: Pick<DriftReport, 'notes' | 'unread'>) =>
  [...notes, ...(unread === null ? [] : [`The history of this machine was not read: ${unread}`])].map(escapeText)

const groups = [
  { state: 'missing', title: 'Missing in the account', look: 'delete' },
  { state: 'differs', title: 'Different', look: 'update' },
  { state: 'extra', title: 'In no file', look: 'create' },
] as const

/** Words the report for documents. Colors of a missing object are those of a deletion, and the other way round. */
export function reportOf(drift: DriftReport): Report {
  const sections = groups.map(({ state, title, look }) => {
    const objects = drift.objects.filter((object) => object.state === state)
    return {
      id: state,
      title: `${title} (${counted(objects.length, 'resource')})`,
      items: objects.map((object) => ({ look, badge: state, title: titleOf(object), lines: linesOf(object) })),
    }
  })
  return {
    ...{ title: 'Drift of', name: 'The report', command: 'skyctl plan --drift' },
    summary: summaryOf(drift),
    unreadable: drift.unreadable,
    sections: [...sections, unmetSection(drift.unmet), { id: 'notes', title: 'Notes', sentences: notesOf(drift) }],
  }
}
