/** Sort keys for fields of the catalogue, by the meaning of their values. */
import { describe, expect, test } from 'vitest'
import { ips } from '../../../src/catalogue/ips'
import { tokens } from '../../../src/catalogue/tokens'
import { vlans } from '../../../src/catalogue/vlans'
import { volumes } from '../../../src/catalogue/volumes'
import { sortKeyOf } from '../../../src/engine/filter/kinds'

describe('A list is sorted', () => {
  test.for([
    ['created', volumes.list],
    ['expiry', tokens.list],
  ] as const)('by the time of %s', async ([path, operation]) => {
    const key = await sortKeyOf(path, operation)
    expect(key?.('2026-11-18T09:30:00')).toBe(Date.UTC(2026, 10, 18, 9, 30))
    expect(key?.('2026-11-18T10:30:00+01:00')).toBe(Date.UTC(2026, 10, 18, 9, 30))
    expect([key?.('soon'), key?.(null)]).toEqual([undefined, undefined])
  })

  test('by the bits of an address, IPv4 first', async () => {
    const key = await sortKeyOf('address', ips.list)
    expect(key?.('192.0.2.9')).toBe(0xc0000209n)
    expect(key?.('255.255.255.255')).toBe(0xffffffffn)
    expect(key?.('::')).toBe(0x1_0000_0000n)
    expect(key?.('::7')).toBe(0x1_0000_0007n)
    expect([key?.('x'), key?.(7), key?.(null)]).toEqual([undefined, undefined, undefined])
  })

  test('by digits in a text like by a number', async () => {
    for (const path of ['id', 'size']) expect((await sortKeyOf(path, volumes.list))?.('10')).toBe(10n)
  })

  test('by the value itself for a text, a list and an unknown field', async () => {
    expect(await sortKeyOf('label', volumes.list)).toBeUndefined()
    expect(await sortKeyOf('status', volumes.list)).toBeUndefined()
    expect(await sortKeyOf('computes', vlans.list)).toBeUndefined()
    expect(await sortKeyOf('other', volumes.list)).toBeUndefined()
  })
})

test.for([
  ['9', 9n],
  ['-10', -10n],
  ['0090', 90n],
  ['1'.repeat(40), BigInt('1'.repeat(40))],
  ['1'.repeat(41), undefined],
  ['', undefined],
  ['-', undefined],
  ['x9', undefined],
  ['9x', undefined],
  ['9.5', undefined],
  [9, undefined],
] as const)('The value %j of a number is sorted by %s', async ([value, key]) => {
  expect((await sortKeyOf('size', volumes.list))?.(value)).toBe(key)
})
