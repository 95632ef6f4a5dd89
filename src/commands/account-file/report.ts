/** Reports about an account and its files as texts, for documents that people read elsewhere: Markdown and HTML pages. */
import type { UnmetExpectation } from '../../account-file/unmet-expectations'
import type { UnreadableRecord } from '../../account-file/unreadable-records'
import type { Problem } from '../../errors'
import { titleOf, unmetLines } from './plan-screen'

/** An object, or several alike, with what happens to it. */
export interface ReportItem {
  look: 'create' | 'update' | 'delete' | 'warning'
  /** The look in a word. */
  badge: string
  title: string
  /** Number of objects; one by default. */
  count?: number
  /** Files that say so, with lines. */
  places?: readonly string[]
  /** Consequences. They come first. */
  warnings?: readonly string[]
  /** True if these destroy, block or open something. */
  isGrave?: boolean
  /** May begin with blanks, which are kept. */
  lines: readonly string[]
}

export interface ReportSection {
  id: string
  title: string
  /** True if a comment may show only the title of a long section. */
  canCollapse?: boolean
  items?: readonly ReportItem[]
  sentences?: readonly string[]
}

export interface Report {
  /** Words before the name of the account. */
  title: string
  /** Subject of a sentence, such as `The plan`, and the command that prints all of it. */
  name: string
  command: string
  summary: string
  /** Why the changes may not be applied. */
  refusal?: Problem | undefined
  unreadable?: readonly UnreadableRecord[] | undefined
  /** Those without items and sentences are left out. */
  sections: readonly ReportSection[]
  /** Sentence at the end. */
  note?: string
  /** True to write long lists of addresses whole. */
  isFull?: boolean
}

/** Returns the section of what is only expected, and differs. */
export const unmetSection = (unmet: readonly UnmetExpectation[] = []): ReportSection => ({
  ...{ id: 'unmet', title: 'Not as expected' },
  items: unmet.map((one) => ({ look: 'warning', badge: 'expected', title: titleOf(one), lines: unmetLines(one) })),
})
