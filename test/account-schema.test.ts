/** docs/account.schema.json accepts the same files as skyctl's own reader. */
import { readFileSync } from 'node:fs'
import Ajv2020 from 'ajv/dist/2020'
import { describe, expect, test } from 'vitest'
import { readDesiredState } from '../src/account-file/desired-state'
import { accountSchema } from '../src/account-file/json-schema'

const schema = new Ajv2020({
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: true,
  allowUnionTypes: true,
}).compile(JSON.parse(readFileSync('docs/account.schema.json', 'utf8')))

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE7x6Pz0sOvqsDvrPKSsvVZWZ0lOGJN9FZHkD5kMcSxE work'
const rule = (changes: object) => {
  const defaults = { action: 'accept', protocol: 'tcp', ports: 22, addresses: { ipv4: ['203.0.113.0/24'] } }
  const inbound = [
    Object.fromEntries(Object.entries({ ...defaults, ...changes }).filter(([, value]) => value !== undefined)),
  ]
  return { firewalls: { web: { rules: { inbound } } } }
}
const packet = (changes: object) => {
  const defaults = { from: '203.0.113.9', protocol: 'tcp', port: 22, expect: 'drop' }
  const one = Object.fromEntries(Object.entries({ ...defaults, ...changes }).filter(([, value]) => value !== undefined))
  return { firewalls: { web: { tests: [one] } } }
}
/** Returns a file whose rule names networks of the file. */
const fileWithNetworks = (changes: object, direction = 'inbound') => {
  const defaults = { action: 'accept', protocol: 'tcp', ports: 22 }
  return {
    networks: { office: ['203.0.113.0/24', '2001:db8:1::/48'], vpn: '198.51.100.7', 'a.b-c_9': ['192.0.2.0/24'] },
    rules: { ssh: [{ ...defaults, from: ['office', 'vpn'] }], none: [] },
    firewalls: { web: { rules: { [direction]: [{ ...defaults, ...changes }] } } },
  }
}
const fileWithGroup = (changes: object) => ({
  rules: { ssh: [{ action: 'accept', protocol: 'tcp', from: 'anywhere' }] },
  firewalls: { web: { rules: { inbound: [changes] } } },
})
const fileWithRuleGroup = (rules: unknown) => ({ rules: { ssh: rules } })
const volume = (value: unknown) => ({ volumes: { data: value } })

const valid: unknown[] = [
  {},
  { owner: 'team' },
  { defaults: { region: 'us-east' } },
  { defaults: {} },
  ...['volumes', 'firewalls', 'sshkeys', 'ips', 'rdns', 'tokens', 'profile'].flatMap((kind) => [
    { [kind]: {} },
    { [kind]: null },
  ]),
  ...[null, {}, { size: 60 }, { compute_id: null }, { compute_id: 1001 }, { tags: [] }, { tags: ['a', 'b'] }].map(
    volume,
  ),
  ...['web-1', '1001', 'id:1001', 'label:1.5', 'a b'].map((compute_id) => volume({ compute_id })),
  volume({ tags: 'db' }),
  volume({ was: 'old' }),
  { firewalls: { web: { was: 'old-web' } }, sshkeys: { laptop: { ssh_key: key, was: 'old laptop' } } },
  ...['a', 'x'.repeat(32), '007', 'a b', 'ümlaut', '- a', '__proto__x'].map((label) => ({ volumes: { [label]: {} } })),
  ...['web', 'a.b', 'a-b_c', '1.2', 'x'.repeat(32)].map((label) => ({ firewalls: { [label]: {} } })),
  ...['enabled', 'disabled'].map((status) => ({ firewalls: { web: { status } } })),
  { firewalls: { web: { devices: { computes: [1001, 1002], balancers: [2001] } } } },
  { firewalls: { web: { devices: {} } } },
  { firewalls: { web: { devices: { computes: ['web-1', 1002], balancers: ['front-1'] } } } },
  { firewalls: { web: { devices: { computes: 1001, balancers: 'front-1' } } } },
  { firewalls: { web: { rules: { inbound_policy: 'drop', outbound_policy: 'ACCEPT' } } } },
  { firewalls: { web: { rules: { inbound: [], outbound: [] } } } },
  { firewalls: { web: { tests: [] } } },
  ...['accept', 'ACCEPT', 'Drop'].map((action) => rule({ action })),
  ...['tcp', 'UDP', 'Tcp'].map((protocol) => rule({ protocol })),
  ...['icmp', 'IPENCAP'].map((protocol) => rule({ protocol, ports: undefined })),
  ...[22, 1, 65_535, '22', '22, 80-90', '80-90,443', '99-100, 8080-8443', '1-65535', null, undefined].map((ports) =>
    rule({ ports }),
  ),
  ...[
    { ipv4: ['0.0.0.0/0'] },
    { ipv6: ['::/0'] },
    { ipv4: ['203.0.113.9'], ipv6: ['2001:db8::1'] },
    { ipv4: ['10.0.0.0/8'], ipv6: null },
    { ipv4: '10.0.0.0/8' },
    '0.0.0.0/0',
    '::/0',
    ['203.0.113.9', '2001:db8::1'],
  ].map((addresses) => rule({ addresses })),
  ...[{ networks: {} }, { networks: null }, { rules: {} }, { rules: null }, { networks: { a: '::1' } }],
  ...['office', ['office', 'vpn', 'a.b-c_9'], 'anywhere', ['Anywhere', '192.0.2.7'], '10.0.0.0/8'].flatMap((list) => [
    fileWithNetworks({ from: list }),
    fileWithNetworks({ to: list }, 'outbound'),
  ]),
  ...[
    { from: 'office', addresses: null },
    { from: null, addresses: '0.0.0.0/0' },
  ].map((changes) => fileWithNetworks(changes)),
  fileWithGroup({ use: 'ssh' }),
  ...[
    [],
    [{ action: 'drop', protocol: 'icmp', to: 'anywhere' }],
    [{ action: 'drop', protocol: 'udp', addresses: '::/0' }],
  ].map(fileWithRuleGroup),
  ...[{ label: 'ssh' }, { label: null }, { description: 'From the office' }, { description: null }].map(rule),
  ...[
    {},
    { expect: 'ACCEPT' },
    { protocol: 'Udp' },
    { port: '22' },
    { name: 'ssh' },
    { direction: 'inbound' },
    { service: 'balancer' },
  ].map(packet),
  packet({ protocol: 'icmp', port: undefined }),
  packet({ from: undefined, to: '2001:db8::1' }),
  packet({ from: undefined, to: '192.0.2.1', direction: 'outbound' }),
  { sshkeys: { laptop: { ssh_key: key } } },
  { sshkeys: { ['x'.repeat(64)]: { ssh_key: key } } },
  { rdns: { '192.0.2.11': 'a.example.net', '2001:db8::1': null } },
  ...['a.example.net.', 'set_by.another-tool.example.net'].map((name) => ({ rdns: { '192.0.2.11': name } })),
  ...[1001, '1001', 'web-1', 'label:7'].map((compute_id) => ({ ips: { '192.0.2.11': { compute_id } } })),
  ...[null, {}].map((one) => ({ ips: { '192.0.2.11': one } })),
  ...['2001:db8::/64', '2001:DB8:1::/56'].map((range) => ({ ips: { [range]: { compute_id: 1001 } } })),
  ...[null, {}, { longest_life: '90d' }, { scopes: ['volumes:read_only', 'ips:read'] }].map((ci) => ({
    tokens: { ci },
  })),
  ...['*', 'volumes:read_only', 'volumes:read_only ips:read_write', 'account:read_only, ips:read_only'].map(
    (scopes) => ({
      tokens: { 'a token': { scopes, longest_life: '1w12h', renew_before: '14d' } },
    }),
  ),
  { profile: { timezone: 'Europe/Berlin', email_notifications: true, authorized_keys: [] } },
  { profile: { authorized_keys: 'ssh-ed25519 AAAA' } },
]

const invalid: unknown[] = [
  [],
  'text',
  { volume: {} },
  { owner: '' },
  { owner: 5 },
  { owner: null },
  { defaults: null },
  { defaults: { regoin: 'us-east' } },
  { defaults: { region: '' } },
  { volumes: [] },
  { firewalls: 'web' },
  ...[
    { sise: 60 },
    { size: 0 },
    { size: '60' },
    { size: 10.5 },
    { size: null },
    ...['', '1.5', 'id:web', '..', '0x1f', 'id:'].map((compute_id) => ({ compute_id })),
    { compute_id: 0 },
    ...['', 5, null, ['old']].map((was) => ({ was })),
    { compute_id: ['web-1'] },
    { tags: '' },
    { tags: '-a' },
    { tags: 5 },
    { tags: [1] },
    5,
    [],
  ].map(volume),
  ...['', 'x'.repeat(33)].map((label) => ({ volumes: { [label]: {} } })),
  ...['ab', 'x'.repeat(33), '-web', 'web-', 'a--b', 'a__b', 'a..b', 'a b', 'wéb'].map((label) => ({
    firewalls: { [label]: {} },
  })),
  { firewalls: { web: { status: 'deleted' } } },
  { firewalls: { web: { devices: { balancers: [1, 2] } } } },
  { firewalls: { web: { device: {} } } },
  { firewalls: { web: { rules: { inbound_policy: 'allow' } } } },
  { firewalls: { web: { rules: { inbound: null } } } },
  { firewalls: { web: { rules: { inbuond: [] } } } },
  ...[
    { action: 'allow' },
    { action: undefined },
    { action: null },
    { protocol: 'sctp' },
    { protocol: undefined },
    { prots: 22 },
  ].map(rule),
  ...[0, 65_536, 22.5, '', 'ssh', '22 80', '080', true].map((ports) => rule({ ports })),
  ...['70000', '22, 65536', '443-80', '90-80', '22, 8443-8080', '1000-999', '443-443', '65535-1'].map((ports) =>
    rule({ ports }),
  ),
  rule({ protocol: 'icmp', ports: 22 }),
  rule({ protocol: 'ICMP', ports: '22' }),
  ...[
    {},
    { ipv4: [] },
    { ipv4: null },
    { ipv4: ['office'] },
    { ipv6: ['203.0.113.0/24'] },
    { ipv5: ['1.2.3.4'] },
    undefined,
    'office',
    '',
    [],
    ['203.0.113.9', 'office'],
    ['203.0.113.9', null],
    { ipv4: 'office' },
    { ipv4: '::/0' },
    7,
  ].map((addresses) => rule({ addresses })),
  ...[
    ...[{ office: [] }, { office: null }, { office: 5 }, { office: ['300.1.2.3.4'] }, { office: [['10.0.0.0/8']] }],
    ...[{ office: { ipv4: [] } }, { office: '10.0.0.0/8', vpn: ['office'] }, { anywhere: '::1' }, { '1': '::1' }, []],
    ...[{ 'the office': '::1' }, { '': '::1' }],
  ].map((networks) => ({ networks })),
  ...[{ from: [] }, { from: 5 }, { from: ['office', 5] }, { from: 'the office' }, { from: null }].map((changes) =>
    fileWithNetworks(changes),
  ),
  ...[{ to: 'office' }, { from: 'office', to: 'office' }, { from: 'office', addresses: '::/0' }, {}].map((changes) =>
    fileWithNetworks(changes),
  ),
  ...[{ from: 'office' }, { from: 'office', to: 'office' }].map((changes) => fileWithNetworks(changes, 'outbound')),
  ...[{ use: ['ssh'] }, { use: null }, { use: 'ssh', label: 'ssh' }, { uses: 'ssh' }].map(fileWithGroup),
  ...[null, {}, 'ssh', [{}], [null], [{ use: 'ssh' }], [{ action: 'accept', protocol: 'tcp' }]].map(fileWithRuleGroup),
  fileWithRuleGroup([{ action: 'accept', protocol: 'icmp', ports: 22, from: 'anywhere' }]),
  ...[{ label: 'ab' }, { label: 'x'.repeat(33) }, { description: '' }, { description: 'x'.repeat(101) }].map(rule),
  ...[
    ...[
      { expect: undefined },
      { expect: 'refuse' },
      { expct: 'drop' },
      { protocol: undefined },
      { protocol: 'ssh' },
      { port: undefined },
    ],
    ...[
      { port: 0 },
      { port: 65_536 },
      { port: 'ssh' },
      { protocol: 'icmp' },
      { from: undefined },
      { from: 'office' },
      { from: '10.0.0.0/8' },
    ],
    ...[{ to: '192.0.2.1' }, { direction: 'outbound' }, { direction: 'in' }, { service: 'database' }],
  ].map(packet),
  { sshkeys: { laptop: null } },
  { sshkeys: { laptop: {} } },
  { sshkeys: { laptop: { ssh_key: 'hello' } } },
  { sshkeys: { laptop: { key } } },
  { sshkeys: { ['x'.repeat(65)]: { ssh_key: key } } },
  { rdns: { 'www.example.net': 'a.example.net' } },
  ...[5, '', 'mail', 'bad name.example.net', 'a..example.net', '.example.net'].map((name) => ({
    rdns: { '192.0.2.11': name },
  })),
  ...[1001, { compute_id: null }, { compute_id: 0 }, { compute_id: '' }, { compute_id: 1001, region: 'us-east' }].map(
    (one) => ({ ips: { '192.0.2.11': one } }),
  ),
  ...['web', '192.0.2.0/24', '2001:db8::1', '2001:db8::/48', ''].map((name) => ({
    ips: { [name]: { compute_id: 1001 } },
  })),
  ...['', 'x'.repeat(101)].map((label) => ({ tokens: { [label]: {} } })),
  ...[
    ...['', 'volumes', 'volumes:write', 'volume:read_only', [], [5], 5].map((scopes) => ({ scopes })),
    ...['90', '', 'never', 90, null].flatMap((life) => [{ longest_life: life }, { renew_before: life }]),
    { scope: '*' },
    { token: 'a secret' },
  ].map((ci) => ({ tokens: { ci } })),
  { profile: { timezone: 5 } },
  ...['ops', 'ops @example.net', 'a@b@c'].map((email) => ({ profile: { email } })),
  { profile: { time_zone: 'UTC' } },
  { profile: { shell_auth_method: 'by_magic' } },
]

const read = async (file: unknown) => {
  const text = JSON.stringify(file)
  const source = { name: 'a.json', text, read: () => Promise.reject(new Error('no file is named')) }
  return readDesiredState([source], {}).then(
    () => true,
    () => false,
  )
}

describe('a valid file', () => {
  test.for(valid.map((file) => [JSON.stringify(file), file] as const))(
    'is valid for editors and for plan: %s',
    async ([, file]) => {
      expect({ schema: schema(file), errors: schema.errors, plan: await read(file) }).toEqual({
        schema: true,
        errors: null,
        plan: true,
      })
    },
  )
})

describe('an invalid file', () => {
  test.for(invalid.map((file) => [JSON.stringify(file), file] as const))(
    'is invalid for editors and for plan: %s',
    async ([, file]) => {
      expect({ schema: schema(file), plan: await read(file) }).toEqual({ schema: false, plan: false })
    },
  )
})

test('docs/account.schema.json is up to date', () => {
  const generated = JSON.parse(JSON.stringify(accountSchema()))
  expect(JSON.parse(readFileSync('docs/account.schema.json', 'utf8'))).toEqual(generated)
})
