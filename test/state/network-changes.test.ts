/** Changes of networks in plans: a changed network that explains the changes of several rules (state.md, For teams). */
import { describe, expect, test } from 'vitest'
import { planOf } from '../support/pure-plans'

const rule = (port: number, ipv4: readonly string[]) => ({
  ...{ action: 'ACCEPT', protocol: 'TCP', ports: String(port), label: `p-${port}` },
  addresses: { ipv4: ipv4.map((one) => `${one}/32`) },
})

/** Addresses or names by the port that they may connect to. */
type Peers = Readonly<Record<number, readonly string[]>>

/** Firewall of the account: ports and the addresses that may connect. */
const firewall = (id: number, rules: Peers) => ({
  firewall: {
    ...{ id, label: `fw-${id}`, status: 'enabled', tags: [], created: '', updated: '' },
    rules: {
      ...{ inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' },
      inbound: Object.entries(rules).map(([port, addresses]) => rule(Number(port), addresses)),
    },
  },
  ...{ devices: [], asOf: 0 },
})

/** Writes the account file: networks, and for each firewall its ports with the names that may connect. */
function file(networks: object, firewalls: Readonly<Record<number, Peers>>): string {
  const inbound = (rules: Peers) =>
    Object.entries(rules).map(([port, from]) => ({
      ...{ action: 'accept', protocol: 'tcp', ports: Number(port), label: `p-${port}` },
      from,
    }))
  const entries = Object.entries(firewalls).map(([id, rules]) => [`fw-${id}`, { rules: { inbound: inbound(rules) } }])
  return JSON.stringify({ networks, firewalls: Object.fromEntries(entries) })
}

/** Returns the changes of networks, a line each. */
async function changesIn(text: string, firewalls: readonly unknown[]): Promise<string[]> {
  const { networks = [] } = await planOf(text, { firewalls })
  return networks.map(
    ({ name, added, removed, changes, firewalls }) =>
      `${name} +${added} -${removed}: ${changes.size} rules, ${firewalls} firewalls`,
  )
}

const office = { office: ['192.0.2.2'] }
const both = { ...office, vpn: ['192.0.2.9'] }

describe('a changed network', () => {
  test('is printed as the cause of all rules that name it and change by the same addresses', async () => {
    const text = file(both, { 1: { 22: ['office', 'vpn'], 80: ['office'], 81: ['vpn'] }, 2: { 22: ['office'] } })
    const account = [
      firewall(1, { 22: ['192.0.2.1', '192.0.2.9'], 80: ['192.0.2.1'], 81: ['192.0.2.9'] }),
      firewall(2, { 22: ['192.0.2.1'] }),
    ]
    expect(await changesIn(text, account)).toEqual(['office +192.0.2.2/32 -192.0.2.1/32: 3 rules, 2 firewalls'])
  })

  test('may only lose addresses', async () => {
    const text = file(office, { 1: { 22: ['office'], 80: ['office'] } })
    const account = firewall(1, { 22: ['192.0.2.2', '192.0.2.3'], 80: ['192.0.2.2', '192.0.2.3'] })
    expect(await changesIn(text, [account])).toEqual(['office + -192.0.2.3/32: 2 rules, 1 firewalls'])
  })

  test('is the one that all of the rules name if addresses are only removed', async () => {
    const text = file(both, { 1: { 22: ['office'], 80: ['vpn', 'office'] } })
    const account = firewall(1, { 22: ['192.0.2.2', '192.0.2.3'], 80: ['192.0.2.2', '192.0.2.9', '192.0.2.3'] })
    expect(await changesIn(text, [account])).toEqual(['office + -192.0.2.3/32: 2 rules, 1 firewalls'])
  })

  const three = ['192.0.2.2', '192.0.2.9', '192.0.2.1']

  test.for<{ why: string; networks: object; rules: Peers; account: Peers }>([
    { why: 'one rule changes', networks: office, rules: { 22: ['office'] }, account: { 22: ['192.0.2.1'] } },
    {
      why: 'the rules name two networks that can be the cause',
      networks: both,
      rules: { 22: ['office', 'vpn'], 80: ['office', 'vpn'] },
      account: { 22: three, 80: three },
    },
    {
      why: 'the new address is not in the network',
      networks: office,
      rules: { 22: ['office', '192.0.2.3'], 80: ['office', '192.0.2.3'] },
      account: { 22: ['192.0.2.2'], 80: ['192.0.2.2'] },
    },
    {
      why: 'a rule with the change names no network',
      networks: office,
      rules: { 22: ['office'], 80: ['192.0.2.2'] },
      account: { 22: ['192.0.2.1'], 80: ['192.0.2.1'] },
    },
    {
      why: 'the rules change by different addresses',
      networks: office,
      rules: { 22: ['office'], 80: ['office'] },
      account: { 22: ['192.0.2.1'], 80: ['192.0.2.3'] },
    },
  ])('is not printed if $why', async ({ networks, rules, account }) => {
    const text = file(networks, { 1: rules })
    expect((await planOf(text, { firewalls: [firewall(1, account)] })).objects).toHaveLength(1)
    expect(await changesIn(text, [firewall(1, account)])).toEqual([])
  })

  test('is not the cause of a rule that changes in other ways, too', async () => {
    const text = file(office, { 1: { 22: ['office'], 80: ['office'], 90: ['office'] } })
    const account = firewall(1, { 22: ['192.0.2.1'], 80: ['192.0.2.1'] })
    account.firewall.rules.inbound.push({ ...rule(90, ['192.0.2.1']), action: 'DROP' })
    expect(await changesIn(text, [account])).toEqual(['office +192.0.2.2/32 -192.0.2.1/32: 2 rules, 1 firewalls'])
  })
})
