/** What is drawn is the code that was meant: the modules are read back from the characters. */
import { encode } from 'uqr'
import { describe, expect, test } from 'vitest'
import { qrLines } from '../../src/flows/qr'

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

describe('a QR code', () => {
  test('in half blocks is dark on its own light ground', async () => {
    const lines = (await qrLines(address, { unicode: true, color: true, columns: 80 })) ?? []
    expect(lines.every((line) => line.startsWith('\x1b[30;107m') && line.endsWith('\x1b[0m'))).toBe(true)
    expect(readHalfBlocks(lines, true).slice(0, modules(4).length)).toEqual(modules(4))
  })

  test('in half blocks without colour is light on a dark ground', async () => {
    const lines = (await qrLines(address, { unicode: true, color: false, columns: 80 })) ?? []
    expect(readHalfBlocks(lines, false).slice(0, modules(4).length)).toEqual(modules(4))
  })

  test('in ASCII is made of blanks that are coloured', async () => {
    const lines = (await qrLines(address, { unicode: false, color: true, columns: 120 })) ?? []
    const read = lines.map((line) => [...line.matchAll(/\x1b\[([\d;]+)m {2}/g)].map(([, color]) => color === '97;40'))
    expect(read).toEqual(modules(4))
    expect(lines.join('')).toMatch(/^[\x20-\x7e\x1b]*$/)
  })

  test('in ASCII without colour is made of number signs and blanks', async () => {
    const lines = (await qrLines(address, { unicode: false, color: false, columns: 120 })) ?? []
    expect(lines.map((line) => (line.match(/../g) ?? []).map((pair) => pair === '  '))).toEqual(modules(4))
  })

  test('loses some of its margin where the terminal is narrow, and is left out where that is not enough', async () => {
    const widths = async (columns: number) =>
      (await qrLines(address, { unicode: true, color: false, columns }))?.map((line) => line.length)[0]
    expect(await Promise.all([45, 44, 41, 40, 39, 38].map(widths))).toEqual([45, 41, 41, 39, 39, undefined])
  })
})
