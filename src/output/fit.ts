/** Fits the columns of a table to a terminal: it cuts long texts, and leaves out columns rather than cut everything. */
import type { Column } from './column'
import { gap, least } from './table-cell'

/** Minimum width of a cut column as long as another column can be left out instead. */
const comfortable = 16

interface Fitting {
  columns: readonly Column[]
  /** Widths of the columns' texts. */
  widths: readonly number[]
  /** Columns of the terminal. */
  terminal: number
  /** True if columns may be left out: the user did not choose them. */
  mayLeaveOut: boolean
  /** Reports whether a column has commands, which are copied and differ at their ends. */
  hasCommands(index: number): boolean
}

interface Fitted {
  /** Indexes of the columns that fit. */
  shown: readonly number[]
  /** Widths of these columns. */
  widths: readonly number[]
}

/**
 * Selects the columns that fit, with their widths; undefined if the terminal is too narrow for a table. Columns of low
 * priority are left out before one of high priority is cut, and the others before any column is cut to the least width.
 * A whole column is cut only if it does not fit without the others; commands, a column that is always whole, and the
 * first column never are.
 */
export function fitColumns(fitting: Fitting): Fitted | undefined {
  const { columns, widths, terminal, hasCommands } = fitting
  const all = columns.map((_, index) => index)
  if (lineWidth(widths) <= terminal) return { shown: all, widths }
  const uncut = all.filter((index) => index === 0 || hasCommands(index) || columns[index]?.whole === 'always')
  const whole = all.filter((index) => uncut.includes(index) || columns[index]?.whole === true)
  return selectColumns(fitting, whole) ?? selectColumns(fitting, uncut)
}

/** Selects columns; none of `whole` is cut. */
function selectColumns(
  { columns, widths, terminal, mayLeaveOut }: Fitting,
  whole: readonly number[],
): Fitted | undefined {
  const all = columns.map((_, index) => index)
  const important = all.filter((index) => priorityOf(columns[index]) === 'high')
  const cut = (shown: readonly number[], narrowest: number, uncut: readonly number[]): Fitted | undefined => {
    const texts = shown.map((index) => ({ width: widths[index] ?? 0, isWhole: uncut.includes(index) }))
    const fitted = fitWidths(texts, terminal, narrowest)
    return fitted && { shown, widths: fitted }
  }
  let shown: readonly number[] = all
  let fitted = cut(shown, comfortable, [...whole, ...important])
  for (const priority of ['low', 'normal'] as const) {
    for (const next of mayLeaveOut ? removable(columns, priority) : []) {
      if (fitted) return fitted
      shown = shown.filter((index) => index !== next)
      fitted = cut(shown, comfortable, priority === 'low' ? [...whole, ...important] : whole)
    }
    fitted ??= cut(shown, comfortable, whole)
  }
  return fitted ?? cut(shown, least, whole)
}

/** Returns the indexes of the columns of this priority that may be left out, from the right. */
function removable(columns: readonly Column[], priority: Column['priority']): number[] {
  const indexes = columns.map((_, index) => index)
  return indexes.filter((index) => index > 0 && priorityOf(columns[index]) === priority).reverse()
}

/** Returns the priority of a column: labels and states say which record it is, and how it is. */
function priorityOf(column: Column | undefined): Column['priority'] {
  const isName = column?.path === 'label' || column?.path === 'status'
  return column?.priority ?? (isName ? 'high' : 'normal')
}

/** Returns the width of a line. */
const lineWidth = (widths: readonly number[]) => widths.reduce((sum, width) => sum + gap.length + width, -gap.length)

/** Reduces the widths to fit, the widest columns first. Undefined if they do not fit with the narrowest width. */
function fitWidths(
  texts: readonly { width: number; isWhole: boolean }[],
  terminal: number,
  narrowest: number,
): number[] | undefined {
  const capped = (cap: number) => texts.map(({ width, isWhole }) => (isWhole ? width : Math.min(width, cap)))
  const fits = (cap: number) => lineWidth(capped(cap)) <= terminal
  let cap = Math.max(terminal, narrowest)
  while (cap > narrowest && !fits(cap)) cap -= 1
  return fits(cap) ? capped(cap) : undefined
}
