/**
 * Draws rows for a terminal with cli-table3. Laying out a row takes 0.12 ms, but another line in a cell only a
 * microsecond (measured with 7 columns). Therefore the records of a chunk are lines of one row.
 *
 * cli-table3 measures text by Unicode of 2020, which misaligns columns after newer emoji. Its measuring functions,
 * imported by path, are therefore replaced; test/output/table.test.ts fails if they move.
 */
import Table from 'cli-table3/src/table.js'
import measures from 'cli-table3/src/utils.js'
import { textWidth } from './width'

export type Align = 'left' | 'right'

interface Grid {
  widths: readonly number[]
  aligns: readonly Align[]
  /** Text between columns. */
  gap: string
}

const linesAtOnce = 200

/** Draws rows, each ending with a newline. Cells have no line breaks and are no wider than their columns. */
export function gridText(rows: readonly string[][], grid: Grid): string {
  const chunks: string[] = []
  for (let start = 0; start < rows.length; start += linesAtOnce) {
    chunks.push(chunkText(rows.slice(start, start + linesAtOnce), grid))
  }
  return chunks.join('')
}

const borders = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) => [
  side,
  `${side}-mid`,
  `${side}-left`,
  `${side}-right`,
])
const noBorders = Object.fromEntries(borders.map((name) => [name, '']))

function chunkText(rows: readonly string[][], { widths, aligns, gap }: Grid): string {
  const table = new Table({
    chars: { ...noBorders, middle: gap },
    colWidths: [...widths],
    colAligns: aligns.map((align, index) => (align === 'left' && index === aligns.length - 1 ? 'ragged' : align)),
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  })
  table.push(widths.map((_, index) => rows.map((row) => row[index]).join('\n')))
  return `${table.toString()}\n`
}

/** Colour sequences (ECMA-48: SGR), the only control sequences in a cell. */
const colours = /\x1b\[[\d;]*m/g

function widthOf(text: string): number {
  return textWidth(text.includes('\x1b') ? text.replace(colours, '') : text)
}

measures.strlen = (text) => Math.max(...text.split('\n').map(widthOf))
measures.truncate = (text) => text
/** Each cell ends its colours itself. */
measures.colorizeLines = (lines) => lines
/** The last column is not padded, so that no line ends with a blank. */
measures.pad = (text, width, blank, align) => {
  if (align === 'ragged') return text
  const spare = blank.repeat(Math.max(0, width - widthOf(text)))
  return align === 'right' ? spare + text : text + spare
}
