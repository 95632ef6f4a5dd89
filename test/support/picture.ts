/** Draws the screen of a terminal as SVG. Every text is placed by its cells, independent of the reader's fonts. */
import type { Cell } from './terminal'

interface Picture {
  /** Describes the picture for people who do not see it. */
  title: string
  columns: number
  rows: readonly (readonly Cell[])[]
  /** Size, as a part of the usual one. */
  scale?: number | undefined
}

/** A colour on a light background and on a dark one. */
type Ink = readonly [light: string, dark: string]

/** Colours of the window and its text. A contrast of 4.5 is the minimum for good legibility (WCAG AA). */
const inks = {
  text: ['#1f2328', '#e6edf3'],
  muted: ['#59636e', '#9198a1'],
  red: ['#b42318', '#ff8f87'],
  green: ['#116329', '#6fd48b'],
  yellow: ['#7a4e00', '#e3b341'],
  blue: ['#0550ae', '#79c0ff'],
  magenta: ['#6f3fb8', '#d2a8ff'],
  cyan: ['#0b5f6b', '#6bd3dc'],
  window: ['#f6f8fa', '#161b22'],
  // Cameras read QR codes that are dark on light.
  ink: ['#000000', '#000000'],
  paper: ['#ffffff', '#ffffff'],
} as const satisfies Record<string, Ink>

type InkName = keyof typeof inks

const frame: Ink = ['#d0d7de', '#3d444d']

/** Names of the eight colours of a terminal, and of the bright ones. */
const palette: readonly InkName[] = ['text', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'text']

const cell = { width: 10, height: 22, baseline: 16 }
const margin = { x: 24, y: 18 }

export function draw({ title, columns, rows, scale = 1 }: Picture): string {
  const size = { width: columns * cell.width + 2 * margin.x, height: rows.length * cell.height + 2 * margin.y }
  const box = `viewBox="0 0 ${size.width} ${size.height}" width="${size.width * scale}" height="${size.height * scale}"`
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" ${box} role="img" aria-labelledby="title desc">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<desc id="desc">${escapeXml(describe(rows))}</desc>`,
    `<style>\n${styleSheet()}\n</style>`,
    `<rect class="window frame" x="0.5" y="0.5" width="${size.width - 1}" height="${size.height - 1}" rx="10"/>`,
    ...papersIn(rows),
    ...blocksIn(rows),
    ...rows.flatMap(textsIn),
    '</svg>',
  ]
  return `${lines.join('\n')}\n`
}

function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  // Other control characters, halves of pairs and U+FFFE are no characters of XML 1.0.
  const clean = text.replaceAll(/[^\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
  return clean.replaceAll(/[&<>"]/g, (char) => entities[char] ?? char)
}

const blockElement = /[▀▄█]/

export function lineOf(row: readonly Cell[]): string {
  const line = row.map(({ char }) => char).join('')
  return line.trimEnd()
}

/** Returns the text of the screen. A screen reader would read a QR code aloud as hundreds of blocks. */
function describe(rows: Picture['rows']): string {
  const lines = rows.map(lineOf).map((line) => (blockElement.test(line) ? '(QR code)' : line))
  return lines.filter((line, index) => line !== '(QR code)' || line !== lines[index - 1]).join('\n')
}

function styleSheet(): string {
  const rules = (scheme: 0 | 1) => [
    ...Object.entries(inks).map(([name, ink]) => `.${name}{fill:${ink[scheme]}}`),
    `.frame{stroke:${frame[scheme]}}`,
  ]
  return [
    'text{font:16.6px ui-monospace,SFMono-Regular,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;white-space:pre}',
    '.bold{font-weight:700}.underline{text-decoration:underline}',
    '.area{shape-rendering:crispEdges}',
    rules(0).join(''),
    `@media (prefers-color-scheme:dark){${rules(1).join('')}}`,
  ].join('\n')
}

/** Returns the colours of a cell: of its text, and of its background if that is not the window's. */
function colorsOf({ foreground, background, dim, inverse }: Cell): { ink: InkName; paper: InkName | undefined } {
  if (foreground === 16 && background === 231 && !inverse) return { ink: 'ink', paper: 'paper' }
  if (background !== undefined) throw new Error(`no picture has a text of colour ${foreground} on ${background} yet`)
  const ink = inkOf(foreground, dim)
  return inverse ? { ink: 'window', paper: ink } : { ink, paper: undefined }
}

function inkOf(color: number | undefined, dim: boolean): InkName {
  if (color === undefined) return dim ? 'muted' : 'text'
  if (color === 8) return 'muted'
  const ink = color < 16 ? palette[color % 8] : undefined
  if (ink === undefined) throw new Error(`no picture has a text of colour ${color} yet`)
  return ink
}

interface Run {
  column: number
  cells: readonly Cell[]
}

/** Groups adjacent cells of the same kind. */
function runsOf(row: readonly Cell[], kindOf: (cell: Cell) => string): Run[] {
  const runs: { column: number; cells: Cell[]; kind: string }[] = []
  for (const [column, cell] of row.entries()) {
    const kind = kindOf(cell)
    const last = runs.at(-1)
    if (last?.kind === kind) last.cells.push(cell)
    else runs.push({ column, cells: [cell], kind })
  }
  return runs
}

const left = (column: number) => margin.x + column * cell.width
const top = (row: number) => margin.y + row * cell.height

/** Draws backgrounds, each as one rectangle over several rows: a gap between two would be visible. */
function papersIn(rows: Picture['rows']): string[] {
  const areas: { x: number; width: number; paper: string; from: number; to: number }[] = []
  for (const [index, row] of rows.entries()) {
    for (const { column, cells } of runsOf(row, (one) => colorsOf(one).paper ?? '')) {
      const paper = cells[0] && colorsOf(cells[0]).paper
      if (paper === undefined) continue
      const area = { x: left(column), width: cells.length * cell.width, paper }
      const above = areas.find(
        (one) => one.to === index && one.x === area.x && one.width === area.width && one.paper === paper,
      )
      if (above) above.to += 1
      else areas.push({ ...area, from: index, to: index + 1 })
    }
  }
  return areas.map(
    ({ x, width, paper, from, to }) =>
      `<rect class="${paper} area" x="${x}" y="${top(from)}" width="${width}" height="${(to - from) * cell.height}"/>`,
  )
}

/** Draws block elements as one path for each colour. */
function blocksIn(rows: Picture['rows']): string[] {
  const paths = new Map<InkName, string>()
  for (const [index, row] of rows.entries()) {
    for (const { column, cells } of runsOf(row, (one) => `${one.char} ${JSON.stringify(colorsOf(one))}`)) {
      const [first] = cells
      if (first === undefined || !blockElement.test(first.char)) continue
      const { ink } = colorsOf(first)
      const half = cell.height / 2
      const y = top(index) + (first.char === '▄' ? half : 0)
      const height = first.char === '█' ? cell.height : half
      const width = cells.length * cell.width
      paths.set(ink, `${paths.get(ink) ?? ''}M${left(column)} ${y}h${width}v${height}h-${width}z`)
    }
  }
  return [...paths].map(([ink, path]) => `<path class="${ink} area" d="${path}"/>`)
}

/** Draws the texts of a row. Two blanks end a text, so that columns stay where they are in the terminal. */
function textsIn(row: readonly Cell[], index: number): string[] {
  return runsOf(row, styleOf).flatMap(({ column, cells }) => {
    const shape = cells.map(({ char }) => (char === ' ' || blockElement.test(char) ? ' ' : '#')).join('')
    const y = top(index) + cell.baseline
    return [...shape.matchAll(/#+(?: #+)*/g)].map(({ index: start, 0: { length } }) => {
      const text = cells.slice(start, start + length).map(({ char }) => char)
      const place = `x="${left(column + start)}" y="${y}" textLength="${length * cell.width}"`
      const style = cells.slice(0, 1).map(styleOf)
      return `<text class="${style}" ${place} lengthAdjust="spacingAndGlyphs">${escapeXml(text.join(''))}</text>`
    })
  })
}

function styleOf(one: Cell): string {
  const { bold, underline } = one
  return [colorsOf(one).ink, ...(bold ? ['bold'] : []), ...(underline ? ['underline'] : [])].join(' ')
}
