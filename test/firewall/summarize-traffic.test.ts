/** Combining traffic into as few readable pieces as possible. */
import { describe, expect, test } from 'vitest'
import { portIntervals } from '../../src/firewall/intervals'
import { groupCells, trafficOf } from '../../src/firewall/summarize-traffic'

describe('Pieces of ports and addresses', () => {
  // 1-21, 22, 23-79, 80, 81-65535
  const ports = portIntervals([
    { first: 22, last: 22 },
    { first: 80, last: 80 },
  ])
  const cut = (first: bigint, last: bigint, family: 'ipv4' | 'ipv6' = 'ipv4') => ({ family, first, last, rules: 0n })
  const pieces = (...matches: [bigint, ReturnType<typeof cut>][]) =>
    groupCells(
      matches.map(([bits, cut]) => ({ cut, bits })),
      ports,
    ).map(({ ports, addresses }) => ({
      ports: ports.map(({ first, last }) => `${first}-${last}`).join(),
      ipv4: addresses.ipv4.map(({ first, last }) => `${first}-${last}`).join(),
      ipv6: addresses.ipv6.map(({ first, last }) => `${first}-${last}`).join(),
    }))
  const [one, other] = [cut(0n, 9n), cut(20n, 29n)]

  test('are empty without traffic', () => {
    expect(pieces()).toEqual([])
  })

  test('are grouped by port, each with all of its addresses', () => {
    expect(pieces([0b01010n, one], [0b00010n, other])).toEqual([
      { ports: '22-22', ipv4: '0-9,20-29', ipv6: '' },
      { ports: '80-80', ipv4: '0-9', ipv6: '' },
    ])
    expect(pieces([0b00010n, one], [0b01010n, other])).toEqual([
      { ports: '22-22', ipv4: '0-9,20-29', ipv6: '' },
      { ports: '80-80', ipv4: '20-29', ipv6: '' },
    ])
  })

  test('are grouped by address if that makes fewer pieces', () => {
    expect(pieces([0b01010n, one], [0b11000n, other])).toEqual([
      { ports: '22-22,80-80', ipv4: '0-9', ipv6: '' },
      { ports: '80-65535', ipv4: '20-29', ipv6: '' },
    ])
  })

  test('join adjacent addresses, per family', () => {
    expect(pieces([0b10n, one], [0b10n, cut(10n, 19n)], [0b10n, other], [0b10n, cut(30n, 30n, 'ipv6')])).toEqual([
      { ports: '22-22', ipv4: '0-29', ipv6: '30-30' },
    ])
  })
})

test('Traffic of the same peers is combined, with its protocols and their ports as in rules', () => {
  const here = { ipv4: [{ first: 0n, last: 2n ** 32n - 1n }], ipv6: [] }
  const there = { ipv4: [], ipv6: [{ first: 1n, last: 1n }] }
  const all = [{ first: 1, last: 65_535 }]
  const some = [
    { first: 22, last: 22 },
    { first: 80, last: 90 },
  ]
  expect(
    trafficOf(
      [
        { protocol: 'TCP', ports: some, addresses: here },
        { protocol: 'TCP', ports: [{ first: 1, last: 1 }], addresses: there },
        { protocol: 'ICMP', ports: all, addresses: here },
      ],
      'inbound',
    ),
  ).toEqual([
    {
      direction: 'inbound',
      protocols: [
        { protocol: 'TCP', ports: '22,80-90' },
        { protocol: 'ICMP', ports: null },
      ],
      networks: ['0.0.0.0/0'],
      except: [],
    },
    { direction: 'inbound', protocols: [{ protocol: 'TCP', ports: '1' }], networks: ['::1/128'], except: [] },
  ])
})
