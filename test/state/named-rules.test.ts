/**
 * Random files with networks and groups of rules against an expander that is written from the contract alone (state.md,
 * For teams): the file with names and the expanded file have the same plan.
 */
import { expect, test } from 'vitest'
import { Problem } from '../../src/errors'
import { readDesiredState } from '../../src/state/desired-state'
import { type Plan, planFor } from '../../src/state/plan'
import fc, { runs } from '../support/fast-check'

type Names = readonly string[]
interface Rule {
  action: string
  protocol: string
  ports?: string
  label: string
  peers: Names
}
interface Uses {
  use: string
}
interface Account {
  networks: Record<string, Names>
  groups: Record<string, { direction: 'inbound' | 'outbound'; rules: Rule[] }>
  firewalls: Record<string, { inbound: (Rule | Uses)[]; outbound: (Rule | Uses)[] }>
}

const names = ['office', 'vpn', 'b.c-d_1', 'constructor', 'toString']
const address = fc.constantFrom(
  ...['192.0.2.7', '192.0.2.7/32', '192.0.2.0/24', '0.0.0.0/0', '10.0.0.0/8', '2001:db8::/48', '2001:DB8:0::/48'],
  ...['::1', '::1/128', '::/0', '198.51.100.0/25'],
)
const networks = fc.dictionary(fc.constantFrom(...names), fc.array(address, { minLength: 1, maxLength: 6 }), {
  minKeys: 1,
})

const ruleOf = (known: Names): fc.Arbitrary<Rule> =>
  fc
    .record({
      action: fc.constantFrom('accept', 'DROP'),
      protocol: fc.constantFrom('tcp', 'ICMP'),
      ports: fc.option(fc.constantFrom('22', '80, 443'), { nil: undefined }),
      label: fc.constantFrom('one', 'two', 'three'),
      peers: fc.array(fc.oneof(fc.constantFrom(...known, 'anywhere', 'Anywhere'), address), {
        minLength: 1,
        maxLength: 4,
      }),
    })
    .map(({ ports, ...rule }) => (ports !== undefined && rule.protocol === 'tcp' ? { ...rule, ports } : rule))

const account: fc.Arbitrary<Account> = networks.chain((networks) => {
  const rule = ruleOf(Object.keys(networks))
  const group = fc.record({
    direction: fc.constantFrom('inbound' as const, 'outbound' as const),
    rules: fc.array(rule, { maxLength: 3 }),
  })
  return fc.dictionary(fc.constantFrom('ssh', 'valueOf', 'a group'), group).chain((groups) => {
    const side = (direction: string) => {
      const own = Object.keys(groups).filter((name) => groups[name]?.direction === direction)
      const uses = own.map((use) => fc.constant({ use }))
      return fc.array(fc.oneof(rule, ...uses), { maxLength: 4 })
    }
    const firewall = fc.record({ inbound: side('inbound'), outbound: side('outbound') })
    return fc.record({
      networks: fc.constant(networks),
      groups: fc.constant(groups),
      firewalls: fc.dictionary(fc.constantFrom('web', 'db1', 'spare'), firewall, { minKeys: 1 }),
    })
  })
})

/** The account with names, in two files: each definition is in one of them, or in both. */
function withNames({ networks, groups, firewalls }: Account, split: number): string[] {
  const peered = (direction: string) => (rule: Rule | Uses) => {
    if ('use' in rule) return rule
    const { peers, ...others } = rule
    const [only] = peers
    return { ...others, [direction === 'inbound' ? 'from' : 'to']: peers.length === 1 ? only : peers }
  }
  const definitions = {
    networks,
    rules: mapped(groups, ({ direction, rules }) => rules.map(peered(direction))),
  }
  const used = {
    firewalls: mapped(firewalls, ({ inbound, outbound }) => ({
      rules: {
        ...{ inbound_policy: 'drop', outbound_policy: 'accept' },
        ...{ inbound: inbound.map(peered('inbound')), outbound: outbound.map(peered('outbound')) },
      },
    })),
  }
  const both = { ...definitions, ...used }
  return [[used, definitions], [definitions, used], [both], [both, definitions]][split]?.map((file) =>
    JSON.stringify(file),
  ) as string[]
}

/** The account without names. A repeated address is left out; two spellings of one are the same address. */
function withoutNames({ networks, groups, firewalls }: Account): string {
  const spelling: Record<string, string> = {
    '192.0.2.7': '192.0.2.7/32',
    '2001:DB8:0::/48': '2001:db8::/48',
    '::1': '::1/128',
  }
  const expanded = (rule: Rule | Uses): object[] => {
    if ('use' in rule) return (groups[rule.use]?.rules ?? []).flatMap(expanded)
    const { peers, ...others } = rule
    const addresses: { ipv4: string[]; ipv6: string[] } = { ipv4: [], ipv6: [] }
    for (const peer of peers)
      for (const typed of peer.toLowerCase() === 'anywhere'
        ? ['0.0.0.0/0', '::/0']
        : Object.hasOwn(networks, peer)
          ? (networks[peer] ?? [])
          : [peer]) {
        const one = spelling[typed] ?? typed
        const list = one.includes(':') ? addresses.ipv6 : addresses.ipv4
        if (!list.includes(one)) list.push(one)
      }
    const { ipv4, ipv6 } = addresses
    return [{ ...others, addresses: { ...(ipv4.length > 0 && { ipv4 }), ...(ipv6.length > 0 && { ipv6 }) } }]
  }
  return JSON.stringify({
    firewalls: mapped(firewalls, ({ inbound, outbound }) => ({
      rules: {
        ...{ inbound_policy: 'drop', outbound_policy: 'accept' },
        ...{ inbound: inbound.flatMap(expanded), outbound: outbound.flatMap(expanded) },
      },
    })),
  })
}

const mapped = <T, U>(named: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [name, change(value)]))

/** Firewall "web" exists, with a rule of the office. */
const existing = {
  firewall: {
    ...{ id: 4001, label: 'web', status: 'enabled', tags: [], created: '', updated: '' },
    rules: {
      ...{ inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' },
      inbound: [
        { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['192.0.2.7/32'] }, label: 'one' },
      ],
    },
  },
  ...{ devices: [], asOf: 0 },
}

async function planOf(texts: readonly string[]): Promise<Plan> {
  const sources = texts.map((text, index) => ({
    ...{ name: `${index}.json`, text },
    read: () => Promise.reject(new Problem('local', 'no file is named')),
  }))
  return planFor(await readDesiredState(sources, {}), new Map([['firewalls', [structuredClone(existing)]]]), {
    prune: false,
  })
}

/** The steps, with each address in one spelling. */
const stepsIn = ({ objects, same }: Plan) =>
  JSON.stringify({ objects, same })
    .replaceAll('2001:DB8:0::/48', '2001:db8::/48')
    .replaceAll(/"ifMatch":"[^"]+"/g, '""')

test('a file with names has the plan of the file with their addresses in place of them', {
  timeout: 600_000,
}, async () => {
  let used = 0
  await fc.assert(
    fc.asyncProperty(account, fc.nat(3), async (account, split) => {
      const [named, plain] = await Promise.all([planOf(withNames(account, split)), planOf([withoutNames(account)])])
      if (JSON.stringify(account).includes('"use"')) used += 1
      expect(stepsIn(named)).toBe(stepsIn(plain))
    }),
    { numRuns: runs(60) },
  )
  // Else no group was tried.
  expect(used).toBeGreaterThan(0)
})
