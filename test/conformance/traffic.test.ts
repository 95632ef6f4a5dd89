/**
 * api.md, the effect of rules and policies on traffic. The sandbox has no traffic: it stores the rules, with which
 * `skyctl firewalls test` judges packets.
 */
import { describe, expect } from 'vitest'
import { test } from '../support/skyctl'

const accept = (change: object = {}) => ({
  action: 'ACCEPT',
  protocol: 'TCP',
  addresses: { ipv4: ['192.0.2.0/24'] },
  ...change,
})
const drop = (change: object = {}) => accept({ action: 'DROP', ...change })
const inbound = (policy: string, ...rules: object[]) => ({ inbound: rules, inbound_policy: policy })
const outbound = (policy: string, ...rules: object[]) => ({ outbound: rules, outbound_policy: policy })
const ipv4 = { addresses: { ipv4: ['0.0.0.0/0'] } }
const ipv6 = { addresses: { ipv6: ['::/0'] } }

const ssh = '--protocol tcp --port 22 --from 192.0.2.7'
const tcp = (port: number) => `--protocol tcp --port ${port} --from 192.0.2.7`
const from = (address: string) => `--protocol tcp --port 22 --from ${address}`
const out = '--protocol tcp --port 22 --to 192.0.2.7'
const balancer = '--service balancer'

const rows: [statement: string, cases: [rules: object, packet: string, verdict: 'ACCEPT' | 'DROP'][]][] = [
  [
    'the policy of a direction is its default',
    [
      [inbound('DROP'), ssh, 'DROP'],
      [inbound('ACCEPT'), ssh, 'ACCEPT'],
      [{ ...inbound('ACCEPT'), ...outbound('DROP') }, out, 'DROP'],
      [{ ...inbound('DROP'), ...outbound('ACCEPT') }, out, 'ACCEPT'],
      [inbound('DROP', accept({ ports: '80' })), ssh, 'DROP'],
      [inbound('ACCEPT', drop({ protocol: 'UDP' })), ssh, 'ACCEPT'],
    ],
  ],
  [
    'the action of a rule overrides the policy of its direction',
    [
      [inbound('DROP', accept()), ssh, 'ACCEPT'],
      [inbound('ACCEPT', drop()), ssh, 'DROP'],
      [{ ...inbound('ACCEPT', drop()), ...outbound('ACCEPT') }, out, 'ACCEPT'],
      [{ ...inbound('DROP'), ...outbound('DROP', accept()) }, out, 'ACCEPT'],
    ],
  ],
  [
    'the first of two conflicting rules takes precedence',
    [
      [inbound('DROP', accept(), drop()), ssh, 'ACCEPT'],
      [inbound('ACCEPT', drop(), accept()), ssh, 'DROP'],
      [inbound('DROP', drop({ ports: '20-25' }), accept({ ports: '22' })), ssh, 'DROP'],
    ],
  ],
  [
    '0.0.0.0/0 matches every IPv4 address and no IPv6 address',
    [
      [inbound('DROP', accept(ipv4)), from('203.0.113.9'), 'ACCEPT'],
      [inbound('DROP', accept(ipv4)), from('255.255.255.255'), 'ACCEPT'],
      [inbound('DROP', accept(ipv4)), from('2001:db8::1'), 'DROP'],
    ],
  ],
  [
    '::/0 matches every IPv6 address and no IPv4 address',
    [
      [inbound('DROP', accept(ipv6)), from('2001:db8::1'), 'ACCEPT'],
      [inbound('DROP', accept(ipv6)), from('fe80::1'), 'ACCEPT'],
      [inbound('DROP', accept(ipv6)), from('203.0.113.9'), 'DROP'],
    ],
  ],
  [
    'a range of ports includes both ends',
    [
      [inbound('DROP', accept({ ports: '80-90' })), tcp(80), 'ACCEPT'],
      [inbound('DROP', accept({ ports: '80-90' })), tcp(90), 'ACCEPT'],
      [inbound('DROP', accept({ ports: '80-90' })), tcp(79), 'DROP'],
      [inbound('DROP', accept({ ports: '80-90' })), tcp(91), 'DROP'],
    ],
  ],
  [
    'a rule without ports applies to all ports',
    [
      [inbound('DROP', accept()), tcp(1), 'ACCEPT'],
      [inbound('DROP', accept()), tcp(65_535), 'ACCEPT'],
      [inbound('DROP', accept({ ports: null })), tcp(443), 'ACCEPT'],
    ],
  ],
  [
    'label and description of a rule have no effect',
    [
      [inbound('DROP', accept({ label: 'drop-all', description: 'DROP' })), ssh, 'ACCEPT'],
      [inbound('DROP', accept({ label: 'same' }), drop({ label: 'same' })), ssh, 'ACCEPT'],
    ],
  ],
  [
    'at a balancer a firewall applies to inbound TCP only',
    [
      [inbound('DROP'), `${ssh} ${balancer}`, 'DROP'],
      [inbound('DROP'), `--protocol udp --port 53 --from 192.0.2.7 ${balancer}`, 'ACCEPT'],
      [outbound('DROP'), `${out} ${balancer}`, 'ACCEPT'],
    ],
  ],
]

describe('Traffic', () => {
  test.for(rows)('Traffic: %s', async ([, cases], { skyctl, sandbox }) => {
    const headers = { Authorization: `Bearer ${sandbox.ownerToken}`, 'Content-Type': 'application/json' }
    const path = `${sandbox.baseUrl}/networking/firewalls/4005/rules`
    for (const [rules, packet, verdict] of cases) {
      const body = JSON.stringify({ ...inbound('DROP'), ...outbound('ACCEPT'), ...rules })
      expect((await fetch(path, { method: 'PUT', headers, body })).status).toBe(200)
      const { stdout, exit } = await skyctl(`firewalls test 4005 ${packet} --quiet`)
      expect({ body, packet, verdict: stdout.trim(), exit }).toEqual({ body, packet, verdict, exit: 0 })
    }
  })
})
