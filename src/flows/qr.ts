/** QR codes on a terminal. They carry their own colours, so that any background will do. */

export interface QrStyle {
  /** Half blocks, two modules a character; else blanks and number signs, a module two characters. */
  unicode: boolean
  color: boolean
  /** Columns of the terminal. */
  columns: number
}

const ink = '\x1b[30;107m'
const inverse = '\x1b[97;40m'
const reset = '\x1b[0m'

/**
 * The lines of a QR code; undefined where it is too wide for the terminal. Without colour light modules are drawn, as
 * a dark background needs it. ISO/IEC 18004 wants four light modules around; readers do with one.
 */
export async function qrLines(text: string, style: QrStyle): Promise<string[] | undefined> {
  const { encode } = await import('uqr')
  const { unicode, columns } = style
  for (const border of [4, 2, 1]) {
    const { data, size } = encode(text, { ecc: 'L', border })
    if (size * (unicode ? 1 : 2) > columns) continue
    return unicode ? halfBlocks(data, style) : blocks(data, style)
  }
  return undefined
}

function halfBlocks(modules: readonly boolean[][], { color }: QrStyle): string[] {
  const lines: string[] = []
  for (let row = 0; row < modules.length; row += 2) {
    const upper = modules[row] ?? []
    const lower = modules[row + 1]
    const text = upper.map((dark, column) => halfBlock(dark === color, (lower?.[column] ?? !color) === color))
    // Dark modules are drawn on a light ground; without colour the light ones, on whatever the ground is.
    lines.push(color ? `${ink}${text.join('')}${reset}` : text.join(''))
  }
  return lines
}

function halfBlock(upper: boolean, lower: boolean): string {
  if (upper) return lower ? '█' : '▀'
  return lower ? '▄' : ' '
}

function blocks(modules: readonly boolean[][], { color }: QrStyle): string[] {
  return modules.map((row) => {
    if (!color) return row.map((dark) => (dark ? '  ' : '##')).join('')
    return `${row.map((dark) => `${dark ? inverse : ink}  `).join('')}${reset}`
  })
}
