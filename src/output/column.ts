/** The fields that a table, CSV or TSV shows, and how one says which. */
import { Problem } from '../errors'
import { didYouMean } from '../rules/nearest'
import type { Styling } from './style'
import type { TimeView } from './times'

export interface Column<Path extends string = string> {
  /** Dotted: `resolvers.ipv4`. */
  path: Path
  /** In a table; the path where none is given. */
  heading?: string
  /** Stands behind the heading of a table, and behind the number where one record is shown: `GiB`. */
  unit?: string
  /** The colour of a value in a table, in addition to its text. */
  tone?: ReadonlyMap<unknown, Styling>
  /** The text in a table, escaped afterwards; other formats show the value itself. */
  show?: (value: unknown, record: Record<string, unknown>, view: TimeView) => string
}

/**
 * The dotted paths of what a record of type R has: `resolvers.ipv4`, but not `resolvers`; a list is one value. Keys that
 * the service may add one day are none.
 */
export type FieldPath<R> = Leaves<Named<R>>

type Named<R> = { [K in keyof R as string extends K ? never : K]: R[K] }
type Leaves<R> = { [K in keyof R & string]-?: Below<K, NonNullable<R[K]>> }[keyof R & string]
type Below<K extends string, V> = V extends readonly unknown[] ? K : V extends object ? Inner<K, FieldPath<V>> : K
type Inner<K extends string, P extends string> = [P] extends [never] ? K : `${K}.${P}`

/** What is shown of records of type R. */
export type Columns<R> = readonly Column<FieldPath<R>>[]

/** What is said of a column: its path alone where that says it all. */
export type ColumnSpec<Path extends string> = Path | Column<Path>

/** Columns of records of our own; those of an operation's answer are in engine/columns.ts. */
export function columnsFor<R>(specs: readonly ColumnSpec<FieldPath<R>>[]): Columns<R> {
  return specs.map(columnOf)
}

/** The states that the service tells of. */
const states: ReadonlyMap<unknown, Styling> = new Map([
  ['ok', 'green'],
  ['active', 'green'],
  ['enabled', 'green'],
  ['creating', 'yellow'],
  ['resizing', 'yellow'],
  ['migrating', 'yellow'],
  ['outage', 'red'],
  ['offline', 'red'],
])

/** Where nothing but the path is said, and that is `status`, its values are states. */
export function columnOf<Path extends string>(spec: ColumnSpec<Path>): Column<Path> {
  if (typeof spec !== 'string') return spec
  return spec === 'status' ? { path: spec, tone: states } : { path: spec }
}

/** `SIZE (GiB)`. */
export function headingOf({ path, heading = path, unit }: Column): string {
  return `${heading.toUpperCase()}${unit === undefined ? '' : ` (${unit})`}`
}

export interface Choice {
  /** What table, CSV and TSV show where nothing was chosen. */
  columns: readonly Column[]
  /** Dotted paths, in order. They also cut JSON and YAML, to flat objects with the paths as keys. */
  chosen?: readonly string[] | undefined
  /** At which place of those stands what records have besides: every field was asked for. */
  others?: number | undefined
}

/** The columns to show. */
export function columnsOf({ columns, chosen }: Choice): readonly Column[] {
  return chosen ? chosen.map((path) => columns.find((column) => column.path === path) ?? columnOf(path)) : columns
}

/**
 * The columns that were asked for, in order: each text is a name or several with commas between; `all` is every known
 * one, and what records have besides. A name that is not known is told to `unknown`, which by itself throws a
 * problem `usage`.
 */
export function chooseColumns(
  texts: readonly string[],
  known: readonly string[],
  unknown: (name: string) => void = (name) => {
    throw unknownField('--columns', name, known)
  },
): Required<Pick<Choice, 'chosen'>> & Pick<Choice, 'others'> {
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim())
  if (names.length === 0) throw unknownField('--columns', '', known)
  const fields = (name: string) => (name === 'all' ? known : [name])
  for (const name of names.flatMap(fields)) if (!known.includes(name)) unknown(name)
  const all = names.indexOf('all')
  return {
    chosen: names.flatMap(fields),
    ...(all >= 0 && { others: names.slice(0, all + 1).flatMap(fields).length }),
  }
}

/** What is said of a field that a flag names, but no record has. */
export function unknownField(flag: string, name: string, known: readonly string[]): Problem {
  const hint = didYouMean(name, known) ?? `The fields are: ${known.join(', ')}`
  return new Problem('usage', `${flag}: unknown field "${name}"`, { hint })
}
