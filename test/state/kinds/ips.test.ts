/** Plans of the assignment of addresses and IPv6 ranges (api.md, Assign rules). */
import { describe, expect, test } from 'vitest'
import { jobsOf, requestsOf } from '../../../src/account-file/order-steps'
import { linesOf, planOf, refusalsOf, stepsOf } from '../../support/pure-plans'

const ipv4 = (address: string, compute_id: number | null, more: object = {}) => ({
  ...{ address, type: 'ipv4', public: true, compute_id, region: 'us-east', prefix: 24, rdns: null, vpc_nat_1_1: null },
  ...more,
})
const range = (address: string, compute_id: number, more: object = {}) =>
  ipv4(address, compute_id, { type: 'ipv6/range', prefix: 64, ...more })

/** In one region two instances with one address and one with two, an instance of another region, and two ranges. */
const addresses = [
  ipv4('192.0.2.11', 1001),
  ipv4('192.0.2.31', 1001),
  ipv4('192.0.2.12', 1002),
  ipv4('192.0.2.14', 1004),
  ipv4('192.0.2.13', 1003, { region: 'us-ord' }),
  range('2001:db8:1::', 1001),
  range('2001:db8:2::', 1002, { prefix: 56 }),
  ipv4('2001:db8:9::1', 1001, { type: 'ipv6', prefix: 64 }),
]
const account = (...all: object[]) => ({ ips: all, rdns: all })
const present = account(...addresses)
const presentWith = (changed: Record<string, object>) =>
  account(...addresses.map((one) => ({ ...one, ...(changed[String(one.address)] ?? {}) })))
const fileWith = (assignments: Record<string, number>) =>
  ['ips:', ...Object.entries(assignments).map(([name, id]) => `  "${name}": { compute_id: ${id} }`)].join('\n')
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
    expect(await stepsOf(fileWith({ [name]: id }), present)).toEqual([])
  })

  test('is assigned to another instance, and the plan names the instance that this cuts off', async () => {
    expect(await stepsOf(fileWith({ '192.0.2.31': 1002 }), present)).toEqual([assign('192.0.2.31', 1002)])
    expect(await linesOf(fileWith({ '192.0.2.31': 1002 }), present)).toEqual([
      'assigned to: compute instance 1001 -> compute instance 1002',
      'cuts off: compute instance 1001 from traffic to 192.0.2.31',
    ])
  })

  test('cuts nobody off if it had no instance', async () => {
    expect(
      await linesOf(fileWith({ '192.0.2.31': 1002 }), presentWith({ '192.0.2.31': { compute_id: null } })),
    ).toEqual(['assigned to: none -> compute instance 1002'])
  })

  test('may be the last one of its instance if that gets another one', async () => {
    const swap = { '192.0.2.12': 1004, '192.0.2.14': 1002 }
    expect(await stepsOf(fileWith(swap), present)).toEqual([assign('192.0.2.12', 1004), assign('192.0.2.14', 1002)])
  })

  test('may be a range for an instance that gives up its own range', async () => {
    const swap = { '2001:db8:1::/64': 1002, '2001:db8:2::/56': 1001 }
    expect(await stepsOf(fileWith(swap), present)).toHaveLength(2)
  })

  test('moves in one request with all others of its region', async () => {
    const west = [ipv4('198.51.100.1', 1003, { region: 'us-ord' }), ipv4('198.51.100.2', 1007, { region: 'us-ord' })]
    const text = fileWith({ '192.0.2.12': 1004, '198.51.100.1': 1007, '192.0.2.14': 1002 })
    const plan = await planOf(text, account(...addresses, ...west))
    const requests = jobsOf(plan).flatMap(requestsOf)
    const bodyOf = (region: string, ids: Record<string, number>) => ({
      region,
      assignments: Object.entries(ids).map(([address, compute_id]) => ({ address, compute_id })),
    })
    expect(requests.map(({ part: { step }, parts }) => [step.target, step.body, step.replaced, parts.length])).toEqual([
      [
        ['192.0.2.12=1004', '192.0.2.14=1002'],
        bodyOf('us-east', { '192.0.2.12': 1004, '192.0.2.14': 1002 }),
        bodyOf('us-east', { '192.0.2.12': 1002, '192.0.2.14': 1004 }),
        2,
      ],
      [
        ['198.51.100.1=1007'],
        bodyOf('us-ord', { '198.51.100.1': 1007 }),
        bodyOf('us-ord', { '198.51.100.1': 1003 }),
        1,
      ],
    ])
  })

  test('is assigned if a missing field leaves the decision to the API', async () => {
    const unknown = presentWith({ '192.0.2.14': { public: undefined } })
    expect(await stepsOf(fileWith({ '192.0.2.12': 1004 }), unknown)).toEqual([assign('192.0.2.12', 1004)])
  })

  test.for<[cause: string, name: string, id: number, code: string, reason: string]>([
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
  ])('is rejected if it %s', async ([, name, id, code, reason]) => {
    expect(await refusalsOf(fileWith({ [name]: id }), present)).toEqual([['a.yaml:2', code, `ips.${name}: ${reason}`]])
  })

  test.for<[what: string, name: string, id: number, cause: string, reason: string]>([
    [
      'to an unknown instance',
      '192.0.2.31',
      9999,
      'not_found',
      'No address, volume or firewall names compute instance 9999',
    ],
    [
      'to an instance in another region',
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
  ])('is rejected in an assignment %s', async ([, name, id, cause, reason]) => {
    expect(await refusalsOf(fileWith({ [name]: id }), present)).toEqual([
      ['a.yaml:2', cause, `ips.${name}.compute_id: ${reason}`],
    ])
  })

  test('is rejected while it is in use for 1:1 NAT', async () => {
    const nat = { vpc_nat_1_1: { address: '10.0.0.9', subnet_id: 1, vpc_id: 1 } }
    expect(await refusalsOf(fileWith({ '192.0.2.31': 1002 }), presentWith({ '192.0.2.31': nat }))).toEqual([
      [
        'a.yaml:2',
        'conflict',
        'ips.192.0.2.31.compute_id: It is in use for 1:1 NAT, and cannot be assigned to another instance',
      ],
    ])
  })

  test('is rejected as a range if the answer lacks its type', async () => {
    const lacking = presentWith({ '2001:db8:1::': { type: undefined } })
    expect(await refusalsOf(fileWith({ '2001:db8:1::/64': 1002 }), lacking)).toEqual([
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
  ] as const)('is rejected if the answer lacks its %s', async ([field, message]) => {
    const lacking = presentWith({ '192.0.2.31': { [field]: undefined } })
    expect(await refusalsOf(fileWith({ '192.0.2.31': 1002 }), lacking)).toEqual([['a.yaml:2', 'defect', message]])
  })

  test.for<[name: string, reason: string]>([
    ...['web', '192.0.2.0/24', '2001:db8:9::1', '2001:db8::/48'].map((name): [string, string] => [
      name,
      'Must be an IPv4 address, or an IPv6 range with /56 or /64',
    ]),
    ['2001:db8:1::5/64', 'Has host bits: write 2001:db8:1::/64'],
    ['2001:db8:1:2::/56', 'Has host bits: write 2001:db8:1::/56'],
  ])('is rejected with an invalid name: %s', async ([name, reason]) => {
    expect(await refusalsOf(fileWith({ [name]: 1001 }), present)).toEqual([
      ['a.yaml:2', 'usage', `ips.${name}: ${reason}`],
    ])
  })

  test('is rejected if the file has it twice, in another spelling', async () => {
    expect(await refusalsOf(fileWith({ '2001:db8:1::/64': 1001, '2001:DB8:1:0::/64': 1002 }), present)).toEqual([
      ['a.yaml:3', 'usage', 'ips.2001:DB8:1:0::/64: is already in a.yaml:2'],
    ])
  })
})
