/**
 * Compares random files with networks and groups of rules with their expansion by an expander of this test, which follows
 * the contract alone (state.md, For teams): both have the same plan.
 */
import { expect, test } from 'vitest'
import { readDesiredState } from '../../src/account-file/desired-state'
import type { Plan } from '../../src/account-file/plan'
import { Problem } from '../../src/errors'
import fc, { runs } from '../support/fast-check'
import { planFor } from '../support/pure-plans'

type Names = readonly string[]
interface Rule {
  action: string
  protocol: string
  ports?: string
  label: string
  peers: Names
}
interface GroupUse {
  use: string
}
interface Account {
  networks: Record<string, Names>
  groups: Record<string, { direction: 'inbound' | 'outbound'; rules: Rule[] }>
  firewalls: Record<string, { inbound: (Rule | GroupUse)[]; outbound: (Rule | GroupUse)[] }>
}

const names = ['office', 'vpn', 'b.c-d_1', 'constructor', 'toString']
const address = fc.constantFrom(
  ...['192.0.2.7', '192.0.2.7/32', '192.0.2.0/24', '0.0.0.0/0', '10.0.0.0/8', '2001:db8::/48', '2001:DB8:0::/48'],
  ...['::1', '::1/128', '::/0', '198.51.100.0/25'],
)
const networks = fc.dictionary(fc.constantFrom(...names), fc.array(address, { minLength: 1, maxLength: 6 }), {
  minKeys: 1,
})

const ruleWith = (defined: Names): fc.Arbitrary<Rule> =>
  fc
    .record({
      action: fc.constantFrom('accept', 'DROP'),
      protocol: fc.constantFrom('tcp', 'ICMP'),
      ports: fc.option(fc.constantFrom('22', '80, 443'), { nil: undefined }),
      label: fc.constantFrom('one', 'two', 'three'),
      peers: fc.array(fc.oneof(fc.constantFrom(...defined, 'anywhere', 'Anywhere'), address), {
        minLength: 1,
        maxLength: 4,
      }),
    })
    .map(({ ports, ...rule }) => (ports !== undefined && rule.protocol === 'tcp' ? { ...rule, ports } : rule))

const account: fc.Arbitrary<Account> = networks.chain((networks) => {
  const rule = ruleWith(Object.keys(networks))
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

/** Writes the account with names, in one or two files: each definition is in one of them, or in both. */
function withNames({ networks, groups, firewalls }: Account, split: number): string[] {
  const withPeers = (direction: string) => (rule: Rule | GroupUse) => {
    if ('use' in rule) return rule
    const { peers, ...others } = rule
    const [only] = peers
    return { ...others, [direction === 'inbound' ? 'from' : 'to']: peers.length === 1 ? only : peers }
  }
  const definitions = {
    networks,
    rules: mapValues(groups, ({ direction, rules }) => rules.map(withPeers(direction))),
  }
  const used = {
    firewalls: mapValues(firewalls, ({ inbound, outbound }) => ({
      rules: {
        ...{ inbound_policy: 'drop', outbound_policy: 'accept' },
        ...{ inbound: inbound.map(withPeers('inbound')), outbound: outbound.map(withPeers('outbound')) },
      },
    })),
  }
  const both = { ...definitions, ...used }
  return [[used, definitions], [definitions, used], [both], [both, definitions]][split]?.map((file) =>
    JSON.stringify(file),
  ) as string[]
}

/** Writes the account without names. Repeated addresses are left out, also in another spelling. */
function withoutNames({ networks, groups, firewalls }: Account): string {
  const spelling: Record<string, string> = {
    '192.0.2.7': '192.0.2.7/32',
    '2001:DB8:0::/48': '2001:db8::/48',
    '::1': '::1/128',
  }
  const expand = (rule: Rule | GroupUse): object[] => {
    if ('use' in rule) return (groups[rule.use]?.rules ?? []).flatMap(expand)
    const { peers, ...others } = rule
    const addresses: { ipv4: string[]; ipv6: string[] } = { ipv4: [], ipv6: [] }
    for (const peer of peers)
      for (const written of peer.toLowerCase() === 'anywhere'
        ? ['0.0.0.0/0', '::/0']
        : Object.hasOwn(networks, peer)
          ? (networks[peer] ?? [])
          : [peer]) {
        const one = spelling[written] ?? written
        const list = one.includes(':') ? addresses.ipv6 : addresses.ipv4
        if (!list.includes(one)) list.push(one)
      }
    const { ipv4, ipv6 } = addresses
    return [{ ...others, addresses: { ...(ipv4.length > 0 && { ipv4 }), ...(ipv6.length > 0 && { ipv6 }) } }]
  }
  return JSON.stringify({
    firewalls: mapValues(firewalls, ({ inbound, outbound }) => ({
      rules: {
        ...{ inbound_policy: 'drop', outbound_policy: 'accept' },
        ...{ inbound: inbound.flatMap(expand), outbound: outbound.flatMap(expand) },
      },
    })),
  })
}

const mapValues = <T, U>(named: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [name, change(value)]))

/** Firewall "web" of the account, with one rule. */
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

/** Returns the steps, with each address in one spelling. */
const stepsIn = ({ objects, same }: Plan) =>
  JSON.stringify({ objects: objects.map(({ at: _place, ...object }) => object), same })
    .replaceAll('2001:DB8:0::/48', '2001:db8::/48')
    .replaceAll(/"ifMatch":"[^"]+"/g, '""')

test('a file with names has the same plan as the file with their addresses', {
  timeout: 600_000,
}, async () => {
  let used = 0
  await fc.assert(
    fc.asyncProperty(account, fc.nat(3), async (account, split) => {
      const [withNamesPlan, expandedPlan] = await Promise.all([
        planOf(withNames(account, split)),
        planOf([withoutNames(account)]),
      ])
      if (JSON.stringify(account).includes('"use"')) used += 1
      expect(stepsIn(withNamesPlan)).toBe(stepsIn(expandedPlan))
    }),
    { numRuns: runs(60) },
  )
  // Otherwise no random account used a group.
  expect(used).toBeGreaterThan(0)
})
