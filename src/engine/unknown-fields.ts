/** Handles fields in flags that are not in the catalogue: the service may have added them, so records decide. */

import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../errors'
import { leaves, valueAt } from '../output/cells'
import { type Column, headingOf } from '../output/column'
import { isFormat } from '../output/formats'
import type { SortBy } from '../output/sort'
import { didYouMean, nearest } from '../rules/nearest'
import { isRecord } from '../rules/records'
import { joinNames } from '../rules/texts'
import type { Flags } from './command'
import type { Session } from './session'

/** An unknown field, and the flag that names it. */
export interface Doubt {
  flag: string
  name: string
}

/**
 * Returns a function that looks for the fields in records. It throws `usage` for a field that no record has, with the
 * nearest name, and warns if the records cannot show it.
 */
export function lookFor(doubts: readonly Doubt[], fields: readonly string[], session: Session) {
  return async (records: readonly unknown[]): Promise<void> => {
    const absent = doubts.filter(({ name }) => !records.some((record) => valueAt(record, name) !== undefined))
    const wrong = records.length === 0 ? [] : absent.filter(({ name }) => !records.some((one) => mayHave(one, name)))
    if (wrong.length > 0) throw unknownFields(wrong, [...new Set([...fields, ...fieldsOf(records)])])
    for (const { flag, name } of absent) {
      const why = records.length === 0 ? 'no record' : 'no value above it'
      const near = didYouMean(name, fields)
      await session.ui.warn(
        `${flag}: "${name}" is not a known field, and there is ${why} to check${near ? `. ${near}` : ''}`,
      )
    }
  }
}

function fieldsOf(records: readonly unknown[]): string[] {
  return records.filter(isRecord).flatMap((record) => leaves(record).map(([path]) => path))
}

/** Reports whether the parent of the field is null, so that the field may exist. */
function mayHave(record: unknown, path: string): boolean {
  const keys = path.split('.')
  return keys.some((_, index) => valueAt(record, keys.slice(0, index + 1).join('.')) === null)
}

/** Fields by what other tools call them. */
const meanings: Readonly<Record<string, string>> = { age: 'created', name: 'label', state: 'status', tag: 'tags' }

/** Returns the field that other tools call `name`. */
export const meaningOfField = (name: string) => (Object.hasOwn(meanings, name) ? meanings[name] : undefined)

/** Returns `-size` for `size` with `desc`, as SQL has it; undefined if the word is no direction. */
export function sortField(field: string, direction: string): string | undefined {
  if (/^asc(ending)?$/i.test(direction)) return field
  return /^desc(ending)?$/i.test(direction) ? `-${field}` : undefined
}

/** Creates the error for the first flag that names unknown fields, with all of these. */
export function unknownFields(doubts: readonly Doubt[], knownFields: readonly string[]): Problem {
  const flag = doubts[0]?.flag ?? ''
  const names = [...new Set(doubts.filter((doubt) => doubt.flag === flag).map(({ name }) => name))]
  const [first = '', ...others] = names
  const likely = names.flatMap((name) => fieldMeant(name, knownFields) ?? [])
  const all = `The fields are: ${knownFields.join(', ')}`
  const ofFirst = fieldByWord(first, knownFields)
  const near = ofFirst === undefined ? didYouMean(first, knownFields) : `Did you mean "${ofFirst}"?`
  const ofAll = likely.length === names.length ? `Did you mean ${joinNames(likely.map(quoted), 'and')}?` : undefined
  const hint = otherFlagHint(flag, first) ?? (others.length === 0 ? near : ofAll) ?? all
  const text = others.length === 0 ? `field "${first}"` : `fields ${joinNames(names.map(quoted), 'and')}`
  return new Problem('usage', `${flag}: unknown ${text}`, { hint })
}

const quoted = (name: string) => `"${name}"`

/** Returns the field for `ID` and `Created At`, as tables of other tools have them, and for a word of theirs. */
function fieldByWord(name: string, fields: readonly string[]): string | undefined {
  const plain = name.trim().toLowerCase().replaceAll(/[ -]+/g, '_')
  return [plain, meaningOfField(plain)].find((word) => word !== undefined && fields.includes(word))
}

/** Returns the field that a name most likely means; undefined if it may be one of several. */
function fieldMeant(name: string, fields: readonly string[]): string | undefined {
  const [near, ...others] = nearest(name, fields)
  return fieldByWord(name, fields) ?? (others.length === 0 ? near : undefined)
}

/** Returns the field that a name most likely means; a field that nobody knows may be one that the service has added. */
export const likelyField = (name: string, fields: readonly string[]) =>
  name === 'all' || fields.includes(name) ? name : (fieldMeant(name, fields) ?? name)

/** Returns a hint for `--sort size:desc`, and for `--format json`, which is another flag in other tools. */
function otherFlagHint(flag: string, name: string): string | undefined {
  if (flag === '--columns') return isFormat(name) ? `Did you mean --output ${name}?` : undefined
  const sort = sortFieldIn(name)
  if (sort !== undefined) return `Write --sort ${sort}`
  return sortField('', name) === undefined
    ? undefined
    : 'To reverse the order, write a minus before the field: --sort -label'
}

/** Returns `-size` for `size:desc`. */
export function sortFieldIn(value: string): string | undefined {
  const [, field, direction = ''] = /^-?([\w.]+)[: ](\w+)$/.exec(value) ?? []
  return field && sortField(field, direction)
}

interface Naming {
  flags: Flags
  columns: readonly string[] | undefined
  sort: readonly SortBy[]
}

/** Returns flags and sort with fields in place of headings, such as `size` for "SIZE (GiB)"; undefined if there are no headings. */
export function withoutHeadings({ flags, columns, sort }: Naming, known: readonly Column[]) {
  const isHeadedBy = (name: string) => (column: Column) =>
    [headingOf(column), column.heading ?? column.path].some((one) => one.toUpperCase() === name.toUpperCase())
  const fieldFor = (name: string) => known.find(isHeadedBy(name))?.path ?? name
  const names = columns?.flatMap((text) => text.split(',')).map((name) => name.trim())
  const fields = names?.map(fieldFor)
  const sortFields = sort.map((by) => ({ ...by, path: fieldFor(by.path) }))
  if (isDeepStrictEqual([fields, sortFields], [names, sort])) return undefined
  return { flags: { ...flags, columns: fields }, sort: sortFields }
}
