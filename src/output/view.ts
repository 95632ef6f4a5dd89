/** Settings of a command's output: which fields of its records it prints, and how. */
import type { Layout } from './column'
import type { FormatName } from './formats'
import type { Memory } from './memory'
import type { SortBy } from './sort'

export interface View extends Layout {
  format: FormatName
  /** Field of which only the value is printed, one per line in any format. A query runs first. */
  quiet?: string | undefined
  /** JMESPath query on the JSON; `warn` gets the reason why it finds nothing in any such document. */
  query?: string | undefined
  warn?: ((text: string) => Promise<void>) | undefined
  /** Fields to sort by, most significant first. */
  sort?: readonly SortBy[] | undefined
  /** Maximum number of records to print, after sorting. */
  limit?: number | undefined
  /** Inspects the records before printing; may reject them. */
  inspect?: ((records: readonly unknown[]) => Promise<void>) | undefined
  /** True to read a list completely before printing, because the output feeds destructive commands. */
  atOnce?: boolean
  /** Limit for what is held before it is printed. */
  memory?: Memory
}
