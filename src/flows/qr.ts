/** QR codes on a terminal, dark on light as scanners want them, whatever the background is. */

export interface QrStyle {
  /** Half blocks, two modules a character; else blanks and number signs, a module two characters. */
  unicode: boolean
  /** The code brings its own colours. Without them it is drawn in the terminal's, and needs to know the background. */
  color: boolean
  background: 'dark' | 'light'
}

/** Columns and rows of characters. */
export interface Area {
  columns: number
  rows: number
}

const ink = '\x1b[30;107m'
const inverse = '\x1b[97;40m'
const reset = '\x1b[0m'

/** The lines of a QR code with the widest border that the room allows; where none does, how much room it needs. */
export async function qrLines(text: string, style: QrStyle, room: Area): Promise<string[] | Area> {
  const { encode } = await import('uqr')
  const encoded = (border: number) => {
    const { data, size } = encode(text, { ecc: 'L', border })
    const area: Area = style.unicode ? { columns: size, rows: Math.ceil(size / 2) } : { columns: 2 * size, rows: size }
    return { data, area, fits: area.columns <= room.columns && area.rows <= room.rows }
  }
  // Light modules around the code: ISO/IEC 18004 wants four; readers do with one, and a window is small.
  const wide = encoded(2)
  const { data, area, fits } = wide.fits ? wide : encoded(1)
  if (!fits) return area
  return style.unicode ? halfBlocks(data, style) : blocks(data, style)
}

/** Whether a dark module is what is drawn: on a light ground, its own or the terminal's. Else the light ones are. */
const drawsDark = ({ color, background }: QrStyle) => color || background === 'light'

function halfBlocks(modules: readonly boolean[][], style: QrStyle): string[] {
  const drawn = drawsDark(style)
  return modules.flatMap((upper, row) => {
    if (row % 2 === 1) return []
    const lower = modules[row + 1]
    // Below an odd number of rows the last line has half a row more of border.
    const text = upper.map((dark, column) => halfBlock(dark === drawn, (lower?.[column] ?? false) === drawn)).join('')
    return [style.color ? `${ink}${text}${reset}` : text]
  })
}

function halfBlock(upper: boolean, lower: boolean): string {
  if (upper) return lower ? '█' : '▀'
  return lower ? '▄' : ' '
}

function blocks(modules: readonly boolean[][], style: QrStyle): string[] {
  const drawn = drawsDark(style)
  return modules.map((row) => {
    if (!style.color) return row.map((dark) => (dark === drawn ? '##' : '  ')).join('')
    return `${row.map((dark) => `${dark ? inverse : ink}  `).join('')}${reset}`
  })
}
