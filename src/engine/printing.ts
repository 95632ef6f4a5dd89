/** Builds the view of a command's output from flags, terminal and the command's columns. */

import { type Column, chooseColumns } from '../output/column'
import { isForPeople, isJson, isStructured } from '../output/formats'
import type { View } from '../output/print'
import type { SortBy } from '../output/sort'
import type { Flags } from './command'
import { listFlag, textFlag } from './flag-values'
import type { Session } from './session'
import type { Doubt } from './unknown-fields'

interface Printed {
  /** Valid field paths, from `fieldPaths`; by default those of the columns. */
  fields?: readonly string[]
  /** True if the records are from the service, and may have more fields: unknown ones are looked for in the records. */
  more?: true | undefined
  columns: readonly Column[]
  /** True if the answer is printed as the service sent it, with the items of a list in "data". */
  isAnswer?: boolean
  /** Field that `--quiet` prints. */
  key?: string | undefined
}

/** Builds the view; throws `usage` for invalid flags, before anything is sent. */
export async function viewOf(
  { columns, fields = columns.map(({ path }) => path), more, key = 'id', isAnswer = false }: Printed,
  flags: Flags,
  session: Session,
): Promise<View> {
  const sort = await sortOf(flags)
  const query = textFlag(flags, 'query')
  if (query !== undefined) await (await import('../output/query')).checkQuery(query, isAnswer)
  return {
    format: session.ui.format,
    columns: columns.map((column) => (namesField(flags, column.path) ? { ...column, priority: 'high' } : column)),
    ...(sort && { sort }),
    ...(columns.length === 0 && needsColumns(session, query) && { chosen: [], others: 0 }),
    ...(await namedFields({ fields, more, columns }, { flags, sort, session })),
    headers: flags.headers !== false,
    raw: flags.raw === true,
    // An explicit format wins: then --quiet only suppresses messages.
    ...(session.ui.quiet && !flags.json && flags.output === undefined && { quiet: key }),
    ...(query !== undefined && { query, warn: (text: string) => session.ui.warn(text) }),
    terminal: session.ui.stdout.isTTY,
    width: session.ui.stdout.columns,
    color: session.ui.color,
    ascii: !session.ui.unicode,
    clean: (text) => session.account.local.secrets.inData(text),
    now: session.clock.now(),
  }
}

/** Reports whether the output has a column for each field: without known columns, the fields of the records are found then. */
const needsColumns = ({ ui }: Session, query: string | undefined) =>
  !isForPeople(ui.format) && !isStructured(ui.format) && query === undefined

/** Reports whether a field decides which records are printed, or in which order: its column stays on a narrow terminal. */
const namesField = (flags: Flags, path: string) =>
  [...(listFlag(flags, 'sort') ?? []), ...(listFlag(flags, 'filter') ?? [])].some(
    (text) => /^-?([\w.]+)/.exec(text)?.[1] === path,
  )

/**
 * Resolves the fields that flags name. Unknown ones are looked for in the records; throws `usage` for records that have
 * no more fields.
 */
async function namedFields(
  { fields, more, columns: known }: { fields: readonly string[]; more: true | undefined; columns: readonly Column[] },
  { flags, sort = [], session }: { flags: Flags; sort: readonly SortBy[] | undefined; session: Session },
): Promise<Pick<View, 'chosen' | 'others' | 'inspect' | 'sort'>> {
  const doubts: Doubt[] = []
  const doubt = (flag: string) => (name: string) => void doubts.push({ flag, name })
  for (const { path } of sort) if (!fields.includes(path)) doubt('--sort')(path)
  const columns = listFlag(flags, 'columns')
  const choice = columns && chooseColumns(columns, fields, doubt('--columns'))
  if (doubts.length === 0) return { ...choice }
  const { lookFor, unknownFields, withoutHeadings } = await import('./unknown-fields')
  const inFields = withoutHeadings({ flags, columns, sort }, known)
  if (inFields)
    return { sort: inFields.sort, ...(await namedFields({ fields, more, columns: known }, { ...inFields, session })) }
  if (!more) throw unknownFields(doubts, fields)
  return { ...choice, inspect: lookFor(doubts, fields, session) }
}

/** Returns the sort order; undefined without --sort. */
async function sortOf(flags: Flags): Promise<SortBy[] | undefined> {
  const texts = listFlag(flags, 'sort')
  if (!texts) return undefined
  const { sortBy } = await import('../output/sort')
  return texts.map(sortBy)
}

/** Reports whether somebody reads differences: with --quiet or JSON output only a person who is asked. */
export const showsDifferences = ({ ui }: Session): boolean =>
  (ui.interactive && !ui.yes) || (!ui.quiet && !isJson(ui.format))
