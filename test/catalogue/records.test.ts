/**
 * What the fields of answers hold, and what lists can be filtered by, typed by hand from api.md ("Resources and their
 * fields") and gaps.md ("Filterable, and to order by"). Client and sandbox share the catalogue, so that a mistake there
 * would go unseen by tests that use both.
 */
import { getMetadata } from 'valibot'
import { expect, test } from 'vitest'
import { firewallRules } from '../../src/catalogue/firewall-rules'
import { firewallDevices, firewalls } from '../../src/catalogue/firewalls'
import { ips } from '../../src/catalogue/ips'
import { ipv6Pools, ipv6Ranges } from '../../src/catalogue/ipv6'
import { type Operation, partsOf, type Schema } from '../../src/catalogue/operation'
import { apps } from '../../src/catalogue/profile/apps'
import { devices } from '../../src/catalogue/profile/devices'
import { logins } from '../../src/catalogue/profile/logins'
import { profile } from '../../src/catalogue/profile/profile'
import { securityQuestions } from '../../src/catalogue/profile/security-questions'
import { sshkeys } from '../../src/catalogue/profile/sshkeys'
import { tfa } from '../../src/catalogue/profile/tfa'
import { regions } from '../../src/catalogue/regions'
import { tokens } from '../../src/catalogue/tokens'
import { vlans } from '../../src/catalogue/vlans'
import { volumes } from '../../src/catalogue/volumes'
import { catalogued } from '../support/catalogue'

/** A field in the words of api.md; lists and objects hold such. */
type Kind = string | readonly Kind[] | { readonly [field: string]: Kind }

function kindOf(schema: Schema): Kind {
  const { type, entries, item, wrapped, options, pipe = [] } = partsOf(schema)
  if (wrapped) return type === 'nullable' ? orNull(kindOf(wrapped)) : kindOf(wrapped)
  if (entries) return Object.fromEntries(Object.entries(entries).map(([name, field]) => [name, kindOf(field)]))
  if (item) return [kindOf(item)]
  if (options) return options.join(', ')
  const { pattern, 'x-known-values': known, 'x-kind': special }: Record<string, unknown> = getMetadata(schema)
  if (Array.isArray(known)) return known.join(', ')
  if (pattern !== undefined) return special === 'deadline' ? 'date-time to come' : 'date-time'
  if (special === 'address') return 'ip'
  return pipe.some((part) => part.type === 'integer') ? 'integer' : type
}

const orNull = (kind: Kind): Kind => (typeof kind === 'string' ? `${kind} or null` : ['null', kind])

const profileRecord = {
  authentication_type: 'password, idp',
  authorized_keys: ['null', ['string']],
  email: 'string',
  email_notifications: 'boolean',
  ip_whitelist_enabled: 'boolean',
  shell_auth_method: 'password_keys, keys_only, disabled',
  referrals: {
    code: 'string',
    completed: 'number',
    credit: 'number',
    pending: 'number',
    total: 'number',
    url: 'string',
  },
  restricted: 'boolean',
  timezone: 'string',
  two_factor_auth: 'boolean',
  uid: 'integer',
  username: 'string',
  verified_phone_number: 'string or null',
}

// null: gaps.md, Grants.
const permissions = 'read_only, read_write or null'
const entityGrants = [{ id: 'integer', label: 'string', permissions }]
const grants = {
  global: {
    account_access: permissions,
    add_databases: 'boolean',
    add_domains: 'boolean',
    add_firewalls: 'boolean',
    add_images: 'boolean',
    add_computes: 'boolean',
    add_monitors: 'boolean',
    add_balancers: 'boolean',
    add_scripts: 'boolean',
    add_volumes: 'boolean',
    add_vpcs: 'boolean',
    cancel_account: 'boolean',
    child_account_access: 'boolean or null',
    monitor_subscription: 'boolean',
  },
  database: entityGrants,
  domain: entityGrants,
  image: entityGrants,
  compute: entityGrants,
  monitor: entityGrants,
  balancer: entityGrants,
  script: entityGrants,
  volume: entityGrants,
  vpc: entityGrants,
}

const app = {
  created: 'date-time',
  expiry: 'date-time to come or null',
  id: 'integer',
  label: 'string',
  scopes: 'string',
  thumbnail_url: 'string or null',
  website: 'string',
}

const device = {
  created: 'date-time',
  expiry: 'date-time to come',
  id: 'integer',
  last_authenticated: 'date-time',
  last_remote_addr: 'ip',
  user_agent: 'string',
}

const login = {
  datetime: 'date-time',
  id: 'integer',
  ip: 'ip',
  restricted: 'boolean',
  status: 'successful, failed',
  username: 'string',
}

const sshkey = { created: 'date-time', id: 'integer', label: 'string', ssh_key: 'string' }

const token = {
  created: 'date-time',
  expiry: 'date-time to come or null',
  id: 'integer',
  label: 'string',
  scopes: 'string',
  token: 'string',
}

const volume = {
  created: 'date-time',
  filesystem_path: 'string',
  hardware_type: 'hdd, nvme',
  id: 'integer',
  label: 'string',
  compute_id: 'integer or null',
  compute_label: 'string or null',
  region: 'string',
  size: 'integer',
  status: 'creating, active, resizing',
  tags: ['string'],
  updated: 'date-time',
}

const region = {
  capabilities: ['string'],
  country: 'string',
  id: 'string',
  label: 'string',
  resolvers: { ipv4: 'string', ipv6: 'string' },
  status: 'ok, outage',
}

const availability = { available: 'boolean', plan: 'string', region: 'string' }

const rule = {
  action: 'ACCEPT, DROP',
  addresses: { ipv4: ['string'], ipv6: ['string'] },
  description: 'string or null',
  label: 'string or null',
  ports: 'string or null',
  protocol: 'TCP, UDP, ICMP, IPENCAP',
}

const rules = { inbound: [rule], inbound_policy: 'ACCEPT, DROP', outbound: [rule], outbound_policy: 'ACCEPT, DROP' }

const firewall = {
  created: 'date-time',
  id: 'integer',
  label: 'string',
  rules,
  status: 'enabled, disabled, deleted',
  tags: ['string'],
  updated: 'date-time',
}

const firewallDevice = {
  created: 'date-time',
  entity: { id: 'integer', label: 'string or null', type: 'compute, balancer', url: 'string' },
  id: 'integer',
  updated: 'date-time',
}

const address = {
  address: 'ip',
  gateway: 'ip or null',
  compute_id: 'integer or null',
  prefix: 'integer',
  public: 'boolean',
  rdns: 'string or null',
  region: 'string',
  subnet_mask: 'ip or null',
  type: 'ipv4, ipv6, ipv6/pool, ipv6/range',
  vpc_nat_1_1: ['null', { address: 'ip', subnet_id: 'integer', vpc_id: 'integer' }],
}

const range = { is_bgp: 'boolean', computes: ['integer'], prefix: 'integer', range: 'ip', region: 'string' }

/** gaps.md: api.md shows no fields of these. */
const block = { range: 'ip', prefix: 'integer', region: 'string', route_target: 'ip or null' }
const vlan = { label: 'string', region: 'string', computes: ['integer'], created: 'date-time' }

test.for<[what: string, operations: readonly Operation[], record: Kind]>([
  ['the profile', [profile.view, profile.update], profileRecord],
  ['grants', [profile.grants], ['null', grants]],
  ['an authorized app', [apps.list, apps.view], app],
  ['a trusted device', [devices.list, devices.view], device],
  ['a login', [logins.list, logins.view], login],
  ['an SSH key', [sshkeys.list, sshkeys.add, sshkeys.view, sshkeys.update], sshkey],
  ['a token', [tokens.list, tokens.create, tokens.view, tokens.update], token],
  [
    'a security question',
    [securityQuestions.list],
    { security_questions: [{ id: 'integer', question: 'string', response: 'string or null' }] },
  ],
  [
    'an answered security question',
    [securityQuestions.answer],
    { security_questions: [{ question_id: 'integer', response: 'string', security_question: 'string' }] },
  ],
  ['a two-factor secret', [tfa.enable], { expiry: 'date-time to come', secret: 'string' }],
  ['a scratch code', [tfa.confirm], { scratch: 'string' }],
  [
    'a volume',
    [volumes.list, volumes.create, volumes.view, volumes.update, volumes.attach, volumes.resize, volumes.clone],
    volume,
  ],
  ['a region', [regions.list, regions.view], region],
  ['availability', [regions.availability], availability],
  ['availability in a region', [regions.regionAvailability], [availability]],
  ['a firewall', [firewalls.list, firewalls.create, firewalls.view, firewalls.update], firewall],
  ['rules', [firewallRules.list, firewallRules.update], rules],
  ['a firewall device', [firewallDevices.list, firewallDevices.create, firewallDevices.view], firewallDevice],
  ['an address', [ips.list, ips.allocate, ips.view, ips.rdns], address],
  ['an IPv6 range', [ipv6Ranges.view], range],
  ['a new IPv6 range', [ipv6Ranges.create], { range: 'string', route_target: 'string' }],
  ['a block of IPv6 addresses', [ipv6Pools.list, ipv6Ranges.list], block],
  ['a VLAN', [vlans.list], vlan],
])('the fields of %s hold what api.md says', ([, operations, record]) => {
  for (const { returns } of operations) expect(kindOf(returns)).toEqual(record)
})

/** gaps.md, Filterable. */
const filterable: readonly [operation: Operation, keys: string][] = [
  [apps.list, 'label created expiry'],
  [devices.list, 'created last_authenticated'],
  [sshkeys.list, 'label created'],
  [tokens.list, 'label created expiry'],
  [volumes.list, 'id label tags region size status created compute_id'],
  [firewalls.list, 'id label tags status created updated'],
  [firewallDevices.list, 'id created updated'],
  [ips.list, 'address prefix type rdns region compute_id public'],
  [ipv6Pools.list, 'region'],
  [ipv6Ranges.list, 'region'],
  [vlans.list, 'label region'],
  [regions.list, 'country'],
  [regions.availability, 'region plan available'],
]

test('a list is filtered by the service by those keys that it is known to take', () => {
  for (const { name, operation } of catalogued) {
    const [, keys = ''] = filterable.find(([one]) => one === operation) ?? []
    expect({ name, keys: (operation.filterable ?? []).join(' ') }).toEqual({ name, keys })
  }
})

/** Two records are the same one where they have the same id; these have none (api.md). */
const withoutId: readonly [operation: Operation, keys: string][] = [
  [ips.list, 'address'],
  [ipv6Pools.list, 'range prefix'],
  [ipv6Ranges.list, 'range prefix'],
  [vlans.list, 'region label'],
  [regions.availability, 'region plan'],
]

test('records of a list without an id are told apart by the fields that name them', () => {
  for (const { name, operation } of catalogued) {
    const [, keys] = withoutId.find(([one]) => one === operation) ?? []
    expect({ name, keys: operation.distinct?.join(' ') }).toEqual({ name, keys })
  }
})
