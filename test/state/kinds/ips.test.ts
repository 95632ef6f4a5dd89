/** Plans of the assignment of addresses and IPv6 ranges (api.md, Assign rules). */
import { describe, expect, test } from 'vitest'
import { jobsOf, requestsOf } from '../../../src/state/schedule'
import { linesOf, planOf, refusalsOf, stepsOf } from '../../support/pure-plans'

const ipv4 = (address: string, compute_id: number | null, more: object = {}) => ({
  ...{ address, type: 'ipv4', public: true, compute_id, region: 'us-east', prefix: 24, rdns: null, vpc_nat_1_1: null },
  ...more,
})
const range = (address: string, compute_id: number, more: object = {}) =>
  ipv4(address, compute_id, { type: 'ipv6/range', prefix: 64, ...more })

/** Two instances with an address and one with two, in one region; one of another region; and two ranges. */
const usual = [
  ipv4('192.0.2.11', 1001),
  ipv4('192.0.2.31', 1001),
  ipv4('192.0.2.12', 1002),
  ipv4('192.0.2.14', 1004),
  ipv4('192.0.2.13', 1003, { region: 'us-ord' }),
  range('2001:db8:1::', 1001),
  range('2001:db8:2::', 1002, { prefix: 56 }),
  ipv4('2001:db8:9::1', 1001, { type: 'ipv6', prefix: 64 }),
]
const account = (...addresses: object[]) => ({ ips: addresses, rdns: addresses })
const there = account(...usual)
const having = (changed: Record<string, object>) =>
  account(...usual.map((one) => ({ ...one, ...(changed[String(one.address)] ?? {}) })))
const assigning = (wanted: Record<string, number>) =>
  ['ips:', ...Object.entries(wanted).map(([name, id]) => `  "${name}": { compute_id: ${id} }`)].join('\n')
const assign = (address: string, compute_id: number) => [
  'ips assign',
  `${address}=${compute_id}`,
  { region: 'us-east', assignments: [{ address, compute_id }] },
]

describe('an address', () => {
  test.for<[name: string, id: number]>([
    ['192.0.2.11', 1001],
    ['2001:db8:1::/64', 1001],
    ['2001:0DB8:1:0::/64', 1001],
  ])('stays where the file has it: %s', async ([name, id]) => {
    expect(await stepsOf(assigning({ [name]: id }), there)).toEqual([])
  })

  test('is assigned to another instance, and the plan says whom that cuts off', async () => {
    expect(await stepsOf(assigning({ '192.0.2.31': 1002 }), there)).toEqual([assign('192.0.2.31', 1002)])
    expect(await linesOf(assigning({ '192.0.2.31': 1002 }), there)).toEqual([
      'assigned to: compute instance 1001 -> compute instance 1002',
      'cuts off: compute instance 1001 from traffic to 192.0.2.31',
    ])
  })

  test('of no instance cuts nobody off', async () => {
    expect(await linesOf(assigning({ '192.0.2.31': 1002 }), having({ '192.0.2.31': { compute_id: null } }))).toEqual([
      'assigned to: none -> compute instance 1002',
    ])
  })

  test('may be the last one of its instance if another one comes', async () => {
    const swap = { '192.0.2.12': 1004, '192.0.2.14': 1002 }
    expect(await stepsOf(assigning(swap), there)).toEqual([assign('192.0.2.12', 1004), assign('192.0.2.14', 1002)])
  })

  test('is a range that may come to an instance which gives up its own', async () => {
    const swap = { '2001:db8:1::/64': 1002, '2001:db8:2::/56': 1001 }
    expect(await stepsOf(assigning(swap), there)).toHaveLength(2)
  })

  test('moves in one request with all others of its region', async () => {
    const west = [ipv4('198.51.100.1', 1003, { region: 'us-ord' }), ipv4('198.51.100.2', 1007, { region: 'us-ord' })]
    const text = assigning({ '192.0.2.12': 1004, '198.51.100.1': 1007, '192.0.2.14': 1002 })
    const plan = await planOf(text, account(...usual, ...west))
    const requests = jobsOf(plan).flatMap(requestsOf)
    const moving = (region: string, ids: Record<string, number>) => ({
      region,
      assignments: Object.entries(ids).map(([address, compute_id]) => ({ address, compute_id })),
    })
    expect(requests.map(({ part: { step }, parts }) => [step.target, step.body, step.replaced, parts.length])).toEqual([
      [
        ['192.0.2.12=1004', '192.0.2.14=1002'],
        moving('us-east', { '192.0.2.12': 1004, '192.0.2.14': 1002 }),
        moving('us-east', { '192.0.2.12': 1002, '192.0.2.14': 1004 }),
        2,
      ],
      [
        ['198.51.100.1=1007'],
        moving('us-ord', { '198.51.100.1': 1007 }),
        moving('us-ord', { '198.51.100.1': 1003 }),
        1,
      ],
    ])
  })

  test('that no field of an answer rules out is left to the service', async () => {
    const unknown = having({ '192.0.2.14': { public: undefined } })
    expect(await stepsOf(assigning({ '192.0.2.12': 1004 }), unknown)).toEqual([assign('192.0.2.12', 1004)])
  })

  test.for<[what: string, name: string, id: number, cause: string, reason: string]>([
    [
      'is unknown',
      '198.51.100.1',
      1001,
      'not_found',
      'The account has no such public address. The service chooses new ones: skyctl ips allocate --public --compute-id 1001',
    ],
    [
      'is private',
      '192.168.128.11',
      1002,
      'refused',
      'The API lists no private addresses. To move it: skyctl ips assign 192.168.128.11=1002',
    ],
    [
      'is an unknown range',
      '2001:db8:3::/56',
      1001,
      'not_found',
      'The account has no such IPv6 range. The service chooses new ones: skyctl ipv6 ranges create --prefix-length 56 --compute-id 1001',
    ],
    [
      'has another prefix length',
      '2001:db8:1::/56',
      1001,
      'not_found',
      'The account has 2001:db8:1::/64, with another prefix length',
    ],
  ])('is refused if it %s', async ([, name, id, cause, reason]) => {
    expect(await refusalsOf(assigning({ [name]: id }), there)).toEqual([['a.yaml:2', cause, `ips.${name}: ${reason}`]])
  })

  test.for<[what: string, name: string, id: number, cause: string, reason: string]>([
    [
      'of an unknown instance',
      '192.0.2.31',
      9999,
      'not_found',
      'No address, volume or firewall names compute instance 9999',
    ],
    [
      'of an instance in another region',
      '192.0.2.31',
      1003,
      'conflict',
      'Compute instance 1003 is in us-ord, the address in us-east',
    ],
    [
      'that takes the last public address away',
      '192.0.2.12',
      1001,
      'conflict',
      'Compute instance 1002 would have no public IPv4 address. Assign another one to it as well',
    ],
    [
      'that gives an instance a second range',
      '2001:db8:1::/64',
      1002,
      'conflict',
      'Compute instance 1002 would have more than one IPv6 range',
    ],
  ])('is refused in an assignment %s', async ([, name, id, cause, reason]) => {
    expect(await refusalsOf(assigning({ [name]: id }), there)).toEqual([
      ['a.yaml:2', cause, `ips.${name}.compute_id: ${reason}`],
    ])
  })

  test('is refused while it is in use for 1:1 NAT', async () => {
    const nat = { vpc_nat_1_1: { address: '10.0.0.9', subnet_id: 1, vpc_id: 1 } }
    expect(await refusalsOf(assigning({ '192.0.2.31': 1002 }), having({ '192.0.2.31': nat }))).toEqual([
      [
        'a.yaml:2',
        'conflict',
        'ips.192.0.2.31.compute_id: It is in use for 1:1 NAT, and cannot be assigned to another instance',
      ],
    ])
  })

  test('is refused as a range whose type the answer lacks', async () => {
    const lacking = having({ '2001:db8:1::': { type: undefined } })
    expect(await refusalsOf(assigning({ '2001:db8:1::/64': 1002 }), lacking)).toEqual([
      [
        'a.yaml:2',
        'defect',
        'ips.2001:db8:1::/64: The answer lacks the type, so skyctl cannot tell whether it is this range',
      ],
    ])
  })

  test.for([
    ['region', 'ips.192.0.2.31: The answer lacks the region, so skyctl cannot assign it'],
    ['compute_id', 'ips.192.0.2.31.compute_id: The answer lacks the compute_id, so skyctl cannot compare it'],
  ] as const)('is refused if the answer lacks its %s', async ([field, message]) => {
    const lacking = having({ '192.0.2.31': { [field]: undefined } })
    expect(await refusalsOf(assigning({ '192.0.2.31': 1002 }), lacking)).toEqual([['a.yaml:2', 'defect', message]])
  })

  test.for<[name: string, reason: string]>([
    ...['web', '192.0.2.0/24', '2001:db8:9::1', '2001:db8::/48'].map((name): [string, string] => [
      name,
      'Must be an IPv4 address, or an IPv6 range with /56 or /64',
    ]),
    ['2001:db8:1::5/64', 'Has host bits: write 2001:db8:1::/64'],
    ['2001:db8:1:2::/56', 'Has host bits: write 2001:db8:1::/56'],
  ])('is refused under the name %s', async ([name, reason]) => {
    expect(await refusalsOf(assigning({ [name]: 1001 }), there)).toEqual([
      ['a.yaml:2', 'usage', `ips.${name}: ${reason}`],
    ])
  })

  test('is refused twice in another spelling', async () => {
    expect(await refusalsOf(assigning({ '2001:db8:1::/64': 1001, '2001:DB8:1:0::/64': 1002 }), there)).toEqual([
      ['a.yaml:3', 'usage', 'ips.2001:DB8:1:0::/64: is already in a.yaml:2'],
    ])
  })
})
