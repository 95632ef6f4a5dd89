/** Columns of tables, CSV and TSV, their selection by users, and the layout in which they are written. */
import type { FieldChoice } from './cells'
import type { Styling } from './style'
import type { TimeView } from './times'

export interface Column<Path extends string = string> {
  /** Dotted path: `resolvers.ipv4`. */
  path: Path
  /** Heading in a table; defaults to the path. */
  heading?: string
  /** True to leave it out of a table by default, so that the others fit 80 columns. */
  wide?: true
  /** On a narrow terminal, those of low priority are left out first, and none of high priority. Labels and states have a high one. */
  priority?: 'high' | 'normal' | 'low'
  /** True if other columns are left out before its texts are cut; `always` if they never are, as commands differ at their ends. */
  whole?: true | 'always'
  /** Unit after a table heading, or after the number of a single record: `GiB`. */
  unit?: string
  /** Colours by value, in a table. The text must be clear without them. */
  tone?: ReadonlyMap<unknown, Styling>
  /** Returns the text for a table, which is escaped afterwards. Other formats print the value itself. */
  show?: (value: unknown, record: Record<string, unknown>, view: TimeView) => string
}

/**
 * Dotted paths of the fields of type R: `resolvers.ipv4`, but not `resolvers`. A list is one value. Only declared keys
 * count, so keys that the service adds later have no path.
 */
export type FieldPath<R> = Leaves<Named<R>>

type Named<R> = { [K in keyof R as string extends K ? never : K]: R[K] }
type Leaves<R> = { [K in keyof R & string]-?: Below<K, NonNullable<R[K]>> }[keyof R & string]
type Below<K extends string, V> = V extends readonly unknown[] ? K : V extends object ? Inner<K, FieldPath<V>> : K
type Inner<K extends string, P extends string> = [P] extends [never] ? K : `${K}.${P}`

/** Columns for records of type R. */
export type Columns<R> = readonly Column<FieldPath<R>>[]

/** Column definition, or only its path if the defaults suffice. */
export type ColumnSpec<Path extends string> = Path | Column<Path>

/** Creates columns of records; unknown field paths do not compile. */
export function columnsFor<R>(specs: readonly ColumnSpec<FieldPath<R>>[]): Columns<R> {
  return specs.map(columnOf)
}

/** Colours of known states. */
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

/** Creates a column. The bare path `status` gets the colours of states. */
export function columnOf<Path extends string>(spec: ColumnSpec<Path>): Column<Path> {
  if (typeof spec !== 'string') return spec
  return spec === 'status' ? { path: spec, tone: states } : { path: spec }
}

/** Formats a heading: `SIZE (GiB)`. */
export function headingOf({ path, heading = path, unit }: Column): string {
  return `${heading.toUpperCase()}${unit === undefined ? '' : ` (${unit})`}`
}

export interface ColumnChoice extends FieldChoice {
  /** Default columns of table, CSV and TSV. */
  columns: readonly Column[]
}

/** Returns the columns to print. */
export function columnsOf({ columns, chosen }: ColumnChoice): readonly Column[] {
  return chosen ? chosen.map((path) => columns.find((column) => column.path === path) ?? columnOf(path)) : columns
}

/**
 * Parses the requested columns in order. Each text is one name or several separated by commas; `all` means all known
 * fields and any additional fields of the records. `unknown` is called for an unknown name.
 */
export function chooseColumns(
  texts: readonly string[],
  knownFields: readonly string[],
  unknown: (name: string) => void,
): Required<Pick<ColumnChoice, 'chosen'>> & Pick<ColumnChoice, 'others'> {
  const names = texts.flatMap((text) => text.split(',')).map((name) => name.trim())
  if (names.length === 0) unknown('')
  const fields = (name: string) => (name === 'all' ? knownFields : [name])
  for (const name of names.flatMap(fields)) if (!knownFields.includes(name)) unknown(name)
  const all = names.indexOf('all')
  return {
    chosen: names.flatMap(fields),
    ...(all >= 0 && { others: names.slice(0, all + 1).flatMap(fields).length }),
  }
}

/** Layout options of writers. */
export interface Layout extends ColumnChoice {
  headers: boolean
  /** True to leave CSV and TSV cells that look like formulas unchanged. */
  raw: boolean
  /** True if the output is a terminal, even one of unknown width. */
  terminal: boolean
  /** Columns of the terminal; 0 if it is not a terminal or the width is unknown: plain and not truncated. */
  width: number
  color: boolean
  /** True if the terminal shows only ASCII: long cells then end with `...`. */
  ascii?: boolean
  /** Redacts secrets in a text. It must run before the layout, which may cut or pad a secret. */
  clean?: (text: string) => string
  /** Current time in milliseconds since the epoch, for relative times. */
  now: number
  /** True if a single record is printed; set by printOne. */
  single?: boolean
  /** True for the one record of a change: a table does not name the columns that do not fit. */
  isOfChange?: boolean
}

export interface Writer {
  /** True if the text of a page is complete without the pages after it. */
  streams: boolean
  /** Writes the records of all pages, some at a time. */
  many(pages: Pages, layout: Layout): AsyncIterable<string>
  /** Writes a single record. */
  one(record: unknown, layout: Layout): Promise<string>
  /** Writes a query result of any type. */
  value(value: unknown, layout: Layout): Promise<string>
}

export type Pages = AsyncIterable<readonly unknown[]>
