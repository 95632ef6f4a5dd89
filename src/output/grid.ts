/**
 * Rows for a terminal, drawn by cli-table3. It takes 0.12 ms to lay a row out, and a microsecond to draw one more line
 * of a cell (measured, 7 columns): so the records of a chunk are lines of one row.
 *
 * It measures text as Unicode was in 2020, which would push what stands behind newer emojis out of its column. So it
 * measures with our own functions; they are found by their path, and test/output/table.test.ts fails when they move.
 */
import Table from 'cli-table3/src/table.js'
import measures from 'cli-table3/src/utils.js'
import { textWidth } from './width'

export type Align = 'left' | 'right'

interface Grid {
  widths: readonly number[]
  aligns: readonly Align[]
  /** Stands between columns. */
  gap: string
}

const linesAtOnce = 200

/** The rows below each other, each ended by a newline; a text has no line break, and is no wider than its column. */
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

/** ECMA-48: SGR, which is all that a text has besides what is seen. */
const colours = /\x1b\[[\d;]*m/g

function widthOf(text: string): number {
  return textWidth(text.includes('\x1b') ? text.replace(colours, '') : text)
}

measures.strlen = (text) => Math.max(...text.split('\n').map(widthOf))
measures.truncate = (text) => text
/** Each text ends its colours by itself. */
measures.colorizeLines = (lines) => lines
/** The last column is ragged: no line ends in a blank. */
measures.pad = (text, width, blank, align) => {
  if (align === 'ragged') return text
  const spare = blank.repeat(Math.max(0, width - widthOf(text)))
  return align === 'right' ? spare + text : text + spare
}
