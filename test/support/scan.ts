/** Scans a terminal with a simulated camera: draws its cells as a picture, and reads the QR code in it. */
import { spawnSync } from 'node:child_process'
import jsQR from 'jsqr'
import type { Cell } from './terminal'

type Background = 'dark' | 'light'

/** Pixels per half cell, which is a square in most fonts: several distances, since a person moves the phone. */
const distances = [3, 4, 5, 6]

/** Brightness of colours of a theme, from 0 to 255: of 0 (black), 15 (white), text and background. */
export interface Palette {
  black: number
  white: number
  text: number
  background: number
}

/** xterm's defaults. */
const usual: Record<Background, Palette> = {
  dark: { black: 0, white: 255, text: 229, background: 0 },
  light: { black: 0, white: 255, text: 0, background: 255 },
}

/** Brightness of any other colour. */
const other = 128

/** Shares of the upper and of the lower half of its cell that a character covers. */
const coverage = new Map<string, [upper: number, lower: number]>([
  [' ', [0, 0]],
  ['█', [1, 1]],
  ['▀', [1, 0]],
  ['▄', [0, 1]],
])
/** Coverage of a letter from a distance: about a third of the cell. */
const letter: [number, number] = [0.35, 0.35]

/** A grey picture: a byte for each pixel, line by line. */
interface Picture {
  pixels: Uint8Array
  width: number
  height: number
}

/** Returns the text of the QR code in the window; undefined if none can be read. Light on dark is not read. */
export function scan(cells: readonly Cell[][], theme: Background | Palette): string | undefined {
  return firstReading(cells, theme, ({ pixels, width, height }) => {
    const colors = new Uint8ClampedArray(4 * pixels.length).fill(255)
    for (const [index, shade] of pixels.entries()) colors.fill(shade, 4 * index, 4 * index + 3)
    return jsQR(colors, width, height, { inversionAttempts: 'dontInvert' })?.data
  })
}

/** Returns the text of the QR code in the window, as zbarimg reads it. */
export function scanWithZbar(cells: readonly Cell[][], theme: Background | Palette): string | undefined {
  return firstReading(cells, theme, ({ pixels, width, height }) => {
    // Portable graymap: https://netpbm.sourceforge.net/doc/pgm.html
    const input = Buffer.concat([Buffer.from(`P5 ${width} ${height} 255\n`), pixels])
    const { stdout } = spawnSync('zbarimg', ['--quiet', '--raw', '-'], { input, encoding: 'utf8' })
    return stdout.trimEnd() || undefined
  })
}

function firstReading(
  cells: readonly Cell[][],
  theme: Background | Palette,
  read: (picture: Picture) => string | undefined,
): string | undefined {
  const palette = typeof theme === 'string' ? usual[theme] : theme
  // Two lines of pixels for each row.
  const shades = stretchContrast(
    cells.flatMap((row) => [0, 1].map((half) => row.map((cell) => shadesOf(cell, palette)[half] ?? 0))),
  )
  for (const scale of distances) {
    const text = read(picture(shades, scale))
    if (text !== undefined) return text
  }
  return undefined
}

/** Scales the shades from black to white, as a camera adjusts its contrast. */
function stretchContrast(shades: readonly number[][]): number[][] {
  const all = shades.flat()
  const least = Math.min(...all)
  const range = Math.max(...all) - least || 1
  return shades.map((line) => line.map((shade) => (255 * (shade - least)) / range))
}

/** Draws squares of so many pixels. */
function picture(shades: readonly number[][], scale: number): Picture {
  const width = (shades[0]?.length ?? 0) * scale
  const height = shades.length * scale
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1)
      pixels[y * width + x] = Math.round(shades[Math.floor(y / scale)]?.[Math.floor(x / scale)] ?? 0)
  }
  return { pixels, width, height }
}

function shadesOf({ char, foreground, background }: Cell, palette: Palette): [upper: number, lower: number] {
  const ground = shade(background, palette) ?? palette.background
  const ink = shade(foreground, palette) ?? palette.text
  const [upper, lower] = coverage.get(char) ?? letter
  return [ground + (ink - ground) * upper, ground + (ink - ground) * lower]
}

function shade(color: number | undefined, { black, white }: Palette): number | undefined {
  if (color === undefined) return undefined
  // Themes leave the cube of colours from 16 on alone.
  return (
    new Map([
      [0, black],
      [15, white],
      [16, 0],
      [231, 255],
    ]).get(color) ?? other
  )
}
