/** Firewalls with the devices that they are assigned to. */
import * as v from 'valibot'
import { type FirewallRule, newFirewallRules, rules } from '../../catalogue/firewall-rules'
import { groupBy } from '../../rules/records'
import type { DeclarationOf, NewOf, RecordOf, TableContext } from '../declaration'
import { id, may, oneOf, string, strings, times } from '../record-fields'
import { replace } from '../seed-serializers'
import type { Table } from '../table'
import { type deviceRecord, type FirewallDeviceRecord, type ServiceType, service } from './firewall-device'

const device = (id: number, firewall: number, type: ServiceType, entity: number): FirewallDeviceRecord => ({
  id,
  firewall,
  type,
  entity,
  created: '2025-10-07T10:05:00',
  updated: '2025-10-07T10:05:00',
})

const builtInDevices: readonly FirewallDeviceRecord[] = [
  device(4101, 4001, 'compute', 1001),
  device(4102, 4001, 'compute', 1002),
  device(4103, 4001, 'balancer', 2001),
  device(4104, 4002, 'compute', 1001),
  device(4105, 4003, 'compute', 1003),
  device(4106, 4004, 'compute', 1007),
  device(4107, 4006, 'compute', 1011),
]

/** Table of devices. In files they are written inside their firewall. */
const firewallDevices: DeclarationOf<typeof deviceRecord, never> = {
  name: 'firewall devices',
  defaults: {
    created: (_, world) => world.timestamp(),
    updated: (_, world) => world.timestamp(),
  },
  builtIn: () => builtInDevices,
  form: null,
}

type ShownDevice = Omit<FirewallDeviceRecord, 'firewall' | 'entity'> & { device_id: number }
const deviceInFile = v.strictObject({ device_id: may(id), type: service, id, ...times })

const deviceShown = ({ id, type, entity, created, updated }: FirewallDeviceRecord): ShownDevice => ({
  device_id: id,
  type,
  created,
  updated,
  id: entity,
})

const firewallRecord = v.strictObject({
  id: may(id),
  label: may(string),
  status: may(oneOf('enabled', 'disabled')),
  rules: may(rules),
  tags: may(strings),
  ...times,
})

export type FirewallRecord = RecordOf<typeof firewallRecord>
type Shown = FirewallRecord & { devices: ShownDevice[] }

const firewallInFile = v.strictObject({
  ...firewallRecord.entries,
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

const builtInFirewalls: readonly FirewallRecord[] = [
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
const firewalls: DeclarationOf<typeof firewallRecord, Shown> = {
  name: 'firewalls',
  defaults: {
    label: ({ id }) => `firewall-${id}`,
    status: () => 'enabled',
    rules: () => ({ inbound: [], inbound_policy: 'ACCEPT', outbound: [], outbound_policy: 'ACCEPT' }),
    tags: () => [],
    created: (_, world) => world.timestamp(),
    updated: (_, world) => world.timestamp(),
  },
  builtIn: () => builtInFirewalls,
  form: {
    file: firewallInFile,
    show(table, { network }) {
      // In one pass; a search per firewall would take quadratic time.
      const devices = groupBy(network.devices.all(), ({ firewall }) => firewall)
      return table.all().map((record) => ({ ...record, devices: (devices.get(record.id) ?? []).map(deviceShown) }))
    },
    restore: (records: readonly v.InferOutput<typeof firewallInFile>[], { table, world }) => {
      for (const { id } of world.network.devices.all()) world.network.devices.delete(id)
      replace(table, records, (record) => restoreFirewall(record, table, world))
    },
  },
}

function restoreFirewall(
  { devices = [], ...fields }: v.InferOutput<typeof firewallInFile>,
  table: Table<FirewallRecord, NewOf<typeof firewallRecord>>,
  { network }: TableContext,
): void {
  const { rules, ...more } = fields
  const { id: firewall } = table.add(rules ? { ...fields, rules: wholeRules(rules) } : more)
  for (const { device_id, id: entity, ...device } of devices) {
    network.devices.add({ ...(device_id && { id: device_id }), firewall, entity, ...device })
  }
}

const wholeRules = ({ inbound = [], outbound = [], ...policies }: v.InferOutput<typeof newFirewallRules>) => ({
  inbound,
  outbound,
  ...policies,
})

export const tables = { firewalls, devices: firewallDevices }
