/** docs/conformance.md: every rule of api.md has its row there, and every row its test. The rules are listed by hand. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/conformance.md'), 'utf8')
const rows = [...page.matchAll(/^\| (\S[^|]*: [^|]+|Firewall labels) \| (?:`([^`]+)`|—) \|$/gm)].map(
  ([, rule, cited]) => ({
    rule: rule as string,
    cited,
  }),
)

/** How many numbered rules, or bullets, each part of api.md has. */
const numbered: Record<string, number> = {
  Conventions: 7,
  'What the service does': 6,
  Profile: 3,
  Volumes: 6,
  Firewalls: 9,
  Ports: 6,
  Assign: 6,
  Ranges: 4,
  Authentication: 10,
  Versioning: 5,
}

const events = ['create', 'enable', 'disable', 'device_add', 'device_remove'].map(
  (event) => `Events: firewall_${event}`,
)

const resources = [
  ...['profile', 'authorized app', 'trusted device', 'grants', 'login', 'SSH key', 'token', 'security question'],
  ...['preferences', 'volume', 'region', 'region availability', 'firewall', 'firewall rule', 'firewall device'],
  ...['IP address', 'IPv6 range', 'IPv6 pool', 'VLAN'],
].map((resource) => `Resources: ${resource}`)

const limits = [
  ...['Firewall rules', 'Addresses per rule', 'Ports string', 'Firewall label', 'Rule label', 'Rule description'],
  ...['Balancers per firewall', 'Active firewalls per service', 'Volume label', 'Volume size'],
  ...['Volumes per compute instance', 'SSH key label', 'Token label', 'Preferences', 'Security question answers'],
  ...['Phone verification code validity', 'Login history window', 'Trusted device session', 'IPv6 ranges'],
  ...['Private IPv4 per compute instance', 'IPv6 ranges per compute instance', 'Referral information'],
].map((limit) => `Limits: ${limit}`)

/** Errors 4, bullet by bullet; a bullet that names several conditions has several. */
const conditions = [
  ...['a firewall label that breaks the label rules', 'a firewall label that is not unique'],
  ...['more than 25 rules', 'a rule with more than 255 addresses', 'an empty address list'],
  ...['ports that break the ports rules', 'ports with ICMP', 'ports with IPENCAP'],
  'enabling a firewall while another active one is assigned to the same service',
  ...['a firewall update during a live migration', 'a firewall rules update during a live migration'],
  'a firewall device of an instance with a live migration',
  'removing a firewall device during a live migration',
  'creating a firewall for an instance with a live migration',
  'setting a firewall to deleted',
  ...['cloning a volume that is not active', 'resizing a volume that is not active'],
  ...['resizing a volume to a smaller size', 'deleting a volume that migrates', 'attaching a volume across regions'],
  'creating a volume without compute_id and region',
  'creating an IPv6 range with both compute_id and route_target',
  'creating an IPv6 range with neither',
  ...['creating a second IPv6 range in a region', 'creating a second IPv6 range for one instance'],
  'assigning away the only public IPv4 address of an instance',
  ...['assigning a second private IPv4 address', 'assigning a second IPv6 range'],
  ...['answering two security questions', 'answering four security questions', 'answering one security question twice'],
  'a two-factor secret before the security questions',
  ...['a token with wider scopes than the acting one', 'a token of a proxy user'],
  'preferences over 65,535 characters',
].map((condition) => `Errors 4: ${condition}`)

/** What the tables of fields state besides names and types. */
const fields = [
  'email of a proxy user',
  'read-only fields of the profile',
  'ip_whitelist_enabled',
  'restricted user, with grants to tell',
  'uid, username',
  'token text in full once',
  'token expiry null',
  'token scopes cannot change',
  'security question without an answer',
  'preferences of each OAuth client',
  'volume path follows the label',
  'volume instance',
  'firewall is enabled when new',
  'firewall label is unique',
  'rule addresses over both families',
  'rule faults, all of them',
  'address rdns by default',
  'address that is private',
  'address 1:1 NAT',
  'IPv6 range instances',
  'new IPv6 range',
].map((statement) => `Fields: ${statement}`)

/** The steps of the flows in the profile area. */
const flows = [
  'phone code by SMS',
  'phone code again',
  'phone code of the same user',
  'phone number is assigned',
  'phone number is removed',
  'security answers are stored',
  'two-factor secret',
  'two-factor confirmed',
  'two-factor disabled',
  'token revoked',
  'trusted device revoked',
].map((statement) => `Flows: ${statement}`)

/** What the tables of endpoints state besides paths, scopes and required fields. */
const endpoints = [
  'Profile View',
  'Profile Update',
  'authorized_keys array or null',
  'Logins List',
  'Phone Number Verification Code Send',
  'User Preferences Update',
  'Security Questions Answer',
  'SSH Key Add',
  'SSH Key Update',
  'SSH Key Delete',
  'Personal Access Token Create',
  'Volumes List',
  'Volume Create, default size',
  'Volume Create, compute_id',
  'Volume View, page and page_size',
  'Volume Update',
  'Volume Clone',
  'Region Availability View',
  'Firewall Create, devices',
  'Firewall Update',
  'Firewall Delete',
  'Firewall Devices List',
  'Firewall Rules List',
  'IP Addresses List',
  'skip_ipv6_rdns',
  'IP Address Allocate',
  'IP Addresses Assign, one region',
  'IP Addresses Share, both fields',
  'IP Addresses Share, access',
  'IPv6 Ranges List',
  'IPv6 Range Delete',
  'IPv6 Range View',
].map((statement) => `Endpoints: ${statement}`)

/** What real clients send and the document leaves open. */
const clients = [
  ...['null for what is optional', 'null where it means something', 'unknown keys', 'unknown keys of firewall rules'],
  ...['whole records sent back', 'a slash at the end of a path', 'booleans of Python in a query', 'an empty filter'],
  ...['RFC 3339 for an expiry', 'exact integers in preferences', 'three statuses of volumes'],
  ...['keys to filter and order by', 'none of it with --strict'],
].map((liberty) => `Clients: ${liberty}`)

const wanted = [
  ...Object.entries(numbered).flatMap(([part, count]) =>
    Array.from({ length: count }, (_, index) => `${part} ${index + 1}: `),
  ),
  ...[1, 2, 3, 5, 6].map((number) => `Errors ${number}: `),
  ...[...conditions, ...events, ...resources, ...limits, ...fields, ...flows, ...endpoints, ...clients],
  ...['volume', 'firewall', 'region', 'phone flow', 'two-factor flow', 'revoking'].map((flow) => `States: ${flow}`),
]

/** Words, purposes, and what no request of this API can bring about or see. */
const unseen = [
  ...['Conventions 4: ', 'Conventions 7: ', 'Profile 3: ', 'Volumes 5: ', 'Firewalls 5: ', 'Assign 6: '],
  ...['Authentication 8: ', 'Errors 6: ', 'Versioning 5: '],
]

describe('docs/conformance.md', () => {
  test.for(wanted)('has a row for %s', (rule) => {
    const found = rows.filter((row) => (rule.endsWith(': ') ? row.rule.startsWith(rule) : row.rule === rule))
    expect(found).toHaveLength(1)
    expect(found[0]?.cited === undefined).toBe(unseen.includes(rule))
  })

  test.for(rows.flatMap(({ cited }) => cited ?? []))('cites a test that there is: %s', (cited) => {
    const [, file = '', title = ''] = /^([\w-]+): (.+)$/.exec(cited) ?? []
    const found = ['conformance', 'sandbox'].filter((folder) =>
      readdirSync(join(root, 'test', folder)).includes(`${file}.test.ts`),
    )
    expect(found).toHaveLength(1)
    expect(readFileSync(join(root, 'test', found[0] ?? '', `${file}.test.ts`), 'utf8')).toContain(`'${title}'`)
  })
})
