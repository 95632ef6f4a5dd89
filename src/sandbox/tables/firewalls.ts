import * as v from 'valibot'
import { type FirewallRule, newFirewallRules, rules } from '../../catalogue/firewall-rules'
import type { DeclarationOf, NewOf, RecordOf, Surroundings, TableOf } from '../declaration'
import { id, may, oneOf, string, strings, times } from '../fields'
import { replace } from '../serializers'
import type { Table } from '../table'
import { byFirewall, deviceInFile, deviceShown, type firewallDevices, type ShownDevice } from './firewall-devices'

const record = v.strictObject({
  id: may(id),
  label: may(string),
  status: may(oneOf('enabled', 'disabled')),
  rules: may(rules),
  tags: may(strings),
  ...times,
})

export type FirewallRecord = RecordOf<typeof record>
type Shown = FirewallRecord & { devices: ShownDevice[] }

interface Known extends Surroundings {
  readonly network: { readonly devices: TableOf<typeof firewallDevices> }
}

const firewallInFile = v.strictObject({
  ...record.entries,
  rules: may(newFirewallRules),
  devices: may(v.array(deviceInFile, 'Must be an array')),
})

const everyone = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }

const accept = (label: string, ports: string, addresses: FirewallRule['addresses'] = everyone): FirewallRule => ({
  action: 'ACCEPT',
  protocol: 'TCP',
  ports,
  addresses,
  label,
})

const firewall = (
  id: number,
  label: string,
  inbound: FirewallRule[],
  more: Partial<FirewallRecord> = {},
): FirewallRecord => ({
  id,
  label,
  status: 'enabled',
  rules: { inbound, inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' },
  tags: [],
  created: '2025-10-07T10:00:00',
  updated: '2025-10-07T10:00:00',
  ...more,
})

const office = { ipv4: ['203.0.113.0/24'] }

/** Rules of a firewall edited by many people: an audit reports nearly every rule. */
const grown: FirewallRule[] = [
  accept('postgres', '5432'),
  accept('tools', '8080-8090', office),
  accept('debugger', '8085', office),
  accept('partners', '443', { ipv4: Array.from({ length: 204 }, (_, host) => `198.51.100.${host}/32`) }),
  ...Array.from({ length: 16 }, (_, index) => accept(`project-${index + 1}`, String(9001 + index), office)),
]

const builtIn: readonly FirewallRecord[] = [
  firewall(
    4001,
    'web',
    [
      accept('accept-http', '80, 443'),
      accept('accept-ssh', '22', { ipv4: ['203.0.113.0/24'], ipv6: ['2001:db8:f::/48'] }),
      {
        action: 'ACCEPT',
        protocol: 'ICMP',
        addresses: everyone,
        label: 'accept-ping',
        description: 'Let it be pinged',
      },
    ],
    { tags: ['production'] },
  ),
  firewall(4002, 'web-strict', [accept('accept-http', '443')], { status: 'disabled' }),
  firewall(4003, 'database', [
    accept('accept-postgres', '5432', { ipv4: ['192.0.2.11/32', '192.0.2.12/32'] }),
    { ...accept('drop-legacy', '5433-5440'), action: 'DROP' },
  ]),
  firewall(4004, 'mover', [accept('accept-ssh', '22')]),
  firewall(4005, 'spare', []),
  firewall(4006, 'legacy', grown, {
    rules: { inbound: grown, inbound_policy: 'ACCEPT', outbound: [], outbound_policy: 'ACCEPT' },
  }),
]

/** Table of firewalls. A firewall without rules allows everything. */
export const firewalls: DeclarationOf<typeof record, Shown, Known> = {
  name: 'firewalls',
  defaults: {
    label: ({ id }) => `firewall-${id}`,
    status: () => 'enabled',
    rules: () => ({ inbound: [], inbound_policy: 'ACCEPT', outbound: [], outbound_policy: 'ACCEPT' }),
    tags: () => [],
    created: (_, world) => world.timestamp(),
    updated: (_, world) => world.timestamp(),
  },
  builtIn: () => builtIn,
  form: {
    file: firewallInFile,
    show(table, { network }) {
      const devices = byFirewall(network.devices.all())
      return table.all().map((record) => ({ ...record, devices: (devices.get(record.id) ?? []).map(deviceShown) }))
    },
    restore: (given: readonly v.InferOutput<typeof firewallInFile>[], { table, world }) => {
      for (const { id } of world.network.devices.all()) world.network.devices.delete(id)
      replace(table, given, (wanted) => restoreFirewall(wanted, table, world))
    },
  },
}

function restoreFirewall(
  { devices = [], ...wanted }: v.InferOutput<typeof firewallInFile>,
  table: Table<FirewallRecord, NewOf<typeof record>>,
  { network }: Known,
): void {
  const { rules, ...more } = wanted
  const { id: firewall } = table.add(rules ? { ...wanted, rules: wholeRules(rules) } : more)
  for (const { device_id, id: entity, ...device } of devices) {
    network.devices.add({ ...(device_id && { id: device_id }), firewall, entity, ...device })
  }
}

const wholeRules = ({ inbound = [], outbound = [], ...policies }: v.InferOutput<typeof newFirewallRules>) => ({
  inbound,
  outbound,
  ...policies,
})
