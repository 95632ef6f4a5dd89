/** QR codes on a terminal: dark on light for scanners, whatever the background. */
import type { PaletteSize } from '../../engine/questions'

export interface QrStyle {
  /** True for half blocks, two modules per character; otherwise each module is two blanks or number signs. */
  unicode: boolean
  /** Colours that the terminal has. Without any, its own are used, and its background is taken for a dark one. */
  colors: PaletteSize
}

/** Size in columns and rows of characters. */
export interface Area {
  columns: number
  rows: number
}

/**
 * Black on white, and white on black. Themes define the first 16 colours, and some have a light one for black; 16 and 231
 * are the ends of the cube of colours, which themes leave alone.
 */
const inks = {
  16: { dark: '\x1b[30;107m', light: '\x1b[97;40m' },
  256: { dark: '\x1b[38;5;16;48;5;231m', light: '\x1b[38;5;231;48;5;16m' },
} as const
const reset = '\x1b[0m'

/** Returns the lines of a QR code with the widest border that fits, or else the size that it needs. */
export async function qrLines(text: string, style: QrStyle, room: Area): Promise<string[] | Area> {
  const { encode } = await import('uqr')
  const encoded = (border: number) => {
    const { data, size } = encode(text, { ecc: 'L', border })
    const area: Area = style.unicode ? { columns: size, rows: Math.ceil(size / 2) } : { columns: 2 * size, rows: size }
    return { data, area, fits: area.columns <= room.columns && area.rows <= room.rows }
  }
  // Border of light modules: ISO/IEC 18004 requires four, but readers accept one, and windows are small.
  const wide = encoded(2)
  const { data, area, fits } = wide.fits ? wide : encoded(1)
  if (!fits) return area
  return style.unicode ? halfBlocks(data, style) : blocks(data, style)
}

function halfBlocks(modules: readonly boolean[][], style: QrStyle): string[] {
  // On a dark background, the light modules are drawn.
  const drawn = style.colors > 0
  return modules.flatMap((upper, row) => {
    if (row % 2 === 1) return []
    const lower = modules[row + 1]
    // If the number of rows is odd, the last line includes half a row more of border.
    const text = upper.map((dark, column) => halfBlock(dark === drawn, (lower?.[column] ?? false) === drawn)).join('')
    return [style.colors ? `${inks[style.colors].dark}${text}${reset}` : text]
  })
}

function halfBlock(upper: boolean, lower: boolean): string {
  if (upper) return lower ? '█' : '▀'
  return lower ? '▄' : ' '
}

function blocks(modules: readonly boolean[][], style: QrStyle): string[] {
  const ink = style.colors ? inks[style.colors] : undefined
  return modules.map((row) => {
    if (!ink) return row.map((dark) => (dark ? '  ' : '##')).join('')
    return `${row.map((dark) => `${dark ? ink.light : ink.dark}  `).join('')}${reset}`
  })
}
