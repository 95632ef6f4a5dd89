/** QR codes, whose modules are read back from the printed characters. */
import { encode } from 'uqr'
import { describe, expect, test } from 'vitest'
import { type Area, type QrStyle, qrLines } from '../../src/commands/flows/qr'

const address = 'otpauth://totp/api.example.net:owner?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=api.example.net'
const modules = (border: number) => encode(address, { ecc: 'L', border }).data

/** Dark modules of a line of half blocks: the upper row and the lower one. */
const halves = new Map([
  ['█', [true, true]],
  ['▀', [true, false]],
  ['▄', [false, true]],
  [' ', [false, false]],
])

function readHalfBlocks(lines: readonly string[], drawnIsDark: boolean): boolean[][] {
  return lines.flatMap((line) => {
    const cells = Array.from(line.replaceAll(/\x1b\[[\d;]*m/g, ''), (char) => halves.get(char) ?? [])
    return [0, 1].map((half) => cells.map((cell) => cell[half] === drawnIsDark))
  })
}

const largeArea = { columns: 120, rows: 60 }
const draw = async (style: QrStyle, area: Area = largeArea) => {
  const lines = await qrLines(address, style, area)
  return Array.isArray(lines) ? lines : []
}

describe('A QR code', () => {
  test('in half blocks has its own light background', async () => {
    const lines = await draw({ unicode: true, colors: 16 })
    expect(lines.every((line) => line.startsWith('\x1b[30;107m') && line.endsWith('\x1b[0m'))).toBe(true)
    expect(readHalfBlocks(lines, true).slice(0, modules(2).length)).toEqual(modules(2))
  })

  test('in half blocks without colour fits a dark background', async () => {
    const lines = await draw({ unicode: true, colors: 0 })
    const read = readHalfBlocks(lines, false)
    expect(read.slice(0, modules(2).length)).toEqual(modules(2))
    // The remaining half line is a part of the border.
    expect(read.slice(modules(2).length).map((row) => row.some((dark) => dark))).toEqual([false])
  })

  test('in ASCII consists of coloured blanks', async () => {
    const lines = await draw({ unicode: false, colors: 16 })
    const read = lines.map((line) => [...line.matchAll(/\x1b\[([\d;]+)m {2}/g)].map(([, color]) => color === '97;40'))
    expect(read).toEqual(modules(2))
    expect(lines.join('')).toMatch(/^[\x20-\x7e\x1b]*$/)
  })

  test('in ASCII without colour consists of # and blanks', async () => {
    const lines = await draw({ unicode: false, colors: 0 })
    expect(lines.map((line) => (line.match(/../g) ?? []).map((pair) => pair === '  '))).toEqual(modules(2))
  })

  test('has a border of two modules or one; if neither fits, its required size is returned', async () => {
    const style: QrStyle = { unicode: true, colors: 0 }
    const sizes = await Promise.all(
      [41, 40, 39, 38].map(async (columns) => (await draw(style, { columns, rows: 60 }))[0]?.length),
    )
    expect(sizes).toEqual([41, 39, 39, undefined])
    const heights = await Promise.all(
      [21, 20, 19].map(async (rows) => (await draw(style, { columns: 80, rows })).length),
    )
    expect(heights).toEqual([21, 20, 0])
    expect(await qrLines(address, style, { columns: 38, rows: 10 })).toEqual({ columns: 39, rows: 20 })
    expect(await qrLines(address, { ...style, unicode: false }, { columns: 80, rows: 24 })).toEqual({
      columns: 78,
      rows: 39,
    })
  })
})
