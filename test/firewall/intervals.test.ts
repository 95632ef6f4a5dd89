/** Splitting ports and addresses at the boundaries of rules, and sets of the parts as bits. */
import { describe, expect, test } from 'vitest'
import { addressIntervals, portIntervals } from '../../src/firewall/intervals'

const range = (first: number, last = first) => ({ first, last })

describe('Ports', () => {
  test('are one interval without rules', () => {
    const cuts = portIntervals([])
    expect(cuts.all).toBe(0b1n)
    expect(cuts.rangesOf(0b1n)).toEqual([range(1, 65_535)])
    expect(cuts.rangesOf(0n)).toEqual([])
    expect(cuts.bitsOf([])).toBe(0n)
  })

  test('are split before and behind each range, once per boundary', () => {
    // 1-21, 22, 23-79, 80-84, 85-90, 91-65535
    const cuts = portIntervals([range(80, 90), range(22), range(85, 90), range(22)])
    expect(cuts.all).toBe(0b11_1111n)
    expect(cuts.bitsOf([range(22)])).toBe(0b00_0010n)
    expect(cuts.bitsOf([range(80, 90), range(22)])).toBe(0b01_1010n)
    expect(cuts.bitsOf([range(85, 90), range(80, 90)])).toBe(0b01_1000n)
    expect(cuts.rangesOf(0b00_0110n)).toEqual([range(22, 79)])
    expect(cuts.rangesOf(0b10_1001n)).toEqual([range(1, 21), range(80, 84), range(91, 65_535)])
    expect(cuts.rangesOf(cuts.all)).toEqual([range(1, 65_535)])
  })

  test('end with 65535, also if a range does', () => {
    const cuts = portIntervals([range(65_535), range(1, 65_535)])
    expect(cuts.all).toBe(0b11n)
    expect(cuts.bitsOf([range(65_535)])).toBe(0b10n)
    expect(cuts.bitsOf([range(1, 65_535)])).toBe(0b11n)
    expect([0b01n, 0b10n].map(cuts.rangesOf)).toEqual([[range(1, 65_534)], [range(65_535)]])
  })
})

describe('Addresses', () => {
  const end = 2n ** 32n - 1n
  const at = (a: number, b = 0) => BigInt(a * 2 ** 24 + b * 2 ** 16)
  const cut = (...rules: (readonly string[])[]) => {
    const cuts = addressIntervals(rules.map((networks, index) => ({ bits: 1n << BigInt(index), networks })))
    const of = (family: string) =>
      cuts.filter((one) => one.family === family).map((one) => [one.first, one.last, one.rules])
    return { ipv4: of('ipv4'), ipv6: of('ipv6') }
  }

  test('are one interval per family without rules or with invalid networks', () => {
    const wholeSpace = { ipv4: [[0n, end, 0n]], ipv6: [[0n, 2n ** 128n - 1n, 0n]] }
    expect(cut()).toEqual(wholeSpace)
    expect(cut([], ['x'])).toEqual(wholeSpace)
  })

  test('are split where a network begins and ends, in order', () => {
    expect(cut(['12.0.0.0/8', '10.0.0.0/8']).ipv4).toEqual([
      [0n, at(10) - 1n, 0n],
      [at(10), at(11) - 1n, 1n],
      [at(11), at(12) - 1n, 0n],
      [at(12), at(13) - 1n, 1n],
      [at(13), end, 0n],
    ])
  })

  test('are split per family', () => {
    expect(cut(['::/0']).ipv4).toEqual([[0n, end, 0n]])
    expect(cut(['::/0']).ipv6).toEqual([[0n, 2n ** 128n - 1n, 1n]])
  })

  test('of adjacent networks are split only between them', () => {
    expect(cut(['0.0.0.0/1'], ['128.0.0.0/1']).ipv4).toEqual([
      [0n, at(128) - 1n, 0b01n],
      [at(128), end, 0b10n],
    ])
  })

  test('within several networks have the bits of all of them, even if boundaries coincide', () => {
    expect(cut(['10.0.0.0/16'], ['10.0.0.0/8'], ['10.255.0.0/16']).ipv4).toEqual([
      [0n, at(10) - 1n, 0n],
      [at(10), at(10, 1) - 1n, 0b011n],
      [at(10, 1), at(10, 255) - 1n, 0b010n],
      [at(10, 255), at(11) - 1n, 0b110n],
      [at(11), end, 0n],
    ])
    expect(cut(['0.0.0.0/0'], ['128.0.0.0/1'], ['255.0.0.0/8']).ipv4).toEqual([
      [0n, at(128) - 1n, 0b001n],
      [at(128), at(255) - 1n, 0b011n],
      [at(255), end, 0b111n],
    ])
  })

  test('of a network in several rules have the bits of all of them', () => {
    const outside = [
      [0n, at(10) - 1n, 0n],
      [at(11), end, 0n],
    ]
    for (const others of [['10.0.0.0/8'], ['10.0.0.0/8', '::/0']]) {
      const [before, own, after] = cut(['10.0.0.0/8'], others, ['x']).ipv4
      expect([before, after]).toEqual(outside)
      expect(own).toEqual([at(10), at(11) - 1n, 0b011n])
    }
  })
})
