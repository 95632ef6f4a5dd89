/** docs/conformance.md: every rule of api.md has its row there, and every row its test. The rules are listed by hand. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/conformance.md'), 'utf8')
const rows = [...page.matchAll(/^\| (\S[^|]*: [^|]+) \| (?:`([^`]+)`|—) \|$/gm)].map(([, rule = '', cited]) => ({
  rule,
  cited,
}))

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
  ...['Firewall rules at creation', 'Volume label at update', 'Volume label of a clone', 'SSH key label at update'],
  'Token label at update',
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
  'grants name only what the user has access to',
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
  'authentication_type',
  'values that the profile takes',
  'timezone is not used by the API',
  'two_factor_auth is enabled by a code',
  'restricted',
  'records of the acting user alone',
  'app scopes',
  'app expiry',
  'login of a restricted user, failed login',
  'token expiry',
  'token cannot be renewed',
  'unique ids',
  'volume updated',
  'region label, country, resolvers',
  'region capabilities differ',
  'region availability plans',
  'firewall updated',
  'firewall device entity',
  'address instance',
  'address by SLAAC stays',
  'address prefix and subnet_mask',
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
  'phone country',
  'phone number',
  'phone code that matches',
  'phone number to remove',
  'two-factor secret expires',
  'two-factor code that is current',
  'two-factor to disable',
  'authorized app revoked',
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
  'path parameters',
  'page and page_size of apps, SSH keys and volumes',
  'Authorized Apps List and View',
  'Trusted Devices List and View',
  'Trusted Device Revoke',
  'Grants List',
  'Login View',
  'Phone Number Verify',
  'User Preferences View',
  'Security Questions List',
  'SSH Keys List',
  'SSH Key Add, label',
  'Two Factor Authentication Confirm/Enable',
  'Personal Access Tokens List',
  'Personal Access Token Create, full scope',
  'Personal Access Token Create, one space between scopes',
  'Personal Access Token Update',
  'Volume Create, label',
  'Volume Create, region',
  'Volume Create, no configuration to select',
  'Volume Create, size and tags',
  'Volume Delete',
  'Volume Attach',
  'Volume Attach, compute_id',
  'Volume Attach, config_id',
  'Volume Attach, no configuration to select',
  'Volume Attach, persist_across_boots is true by default',
  'Volume Detach',
  'Volume Resize',
  'Volume Resize, size',
  'Volume Clone, label',
  'Region View',
  'Regions Availability List',
  'Firewalls List',
  'Firewall Create',
  'Firewall Create, required fields',
  'Firewall Create, one balancer',
  'Firewall View',
  'Firewall Update, status',
  'Firewall Device Create',
  'Firewall Device Create, types',
  'Firewall Rules Update',
  'IP Address View',
  'IP Addresses Assign, addresses',
  'IP Addresses Assign, required fields',
  'IP Addresses Share, addresses',
  'IP Addresses Share, one region',
  'IPv6 Range Create, route_target',
].map((statement) => `Endpoints: ${statement}`)

/** Firewall label rules. */
const labels = [
  'it begins and ends with a letter or a digit',
  'it holds letters, digits, hyphens, underscores and periods',
  'none of the three follows itself',
  'it has 3 to 32 characters',
].map((statement) => `Firewall label: ${statement}`)

/** Firewall rule and Address rules. */
const ruleFields = [
  'a rule needs action, addresses and protocol',
  'the action is ACCEPT or DROP',
  'the protocol is TCP, UDP, ICMP or IPENCAP',
  'addresses are ipv4, ipv6 or both',
  'a list of addresses that is present is not empty',
  'addresses are an IP and a mask',
  'an IPv6 address has no zone_id',
  'a rule has 255 addresses, of which a network and a single one count alike',
].map((statement) => `Firewall rule: ${statement}`)

/** What rules and policies do to traffic. */
const traffic = [
  'the policy of a direction is its default',
  'the action of a rule overrides the policy of its direction',
  'of two rules that conflict the first takes precedence',
  '0.0.0.0/0 is every IPv4 address, and no IPv6 address',
  '::/0 is every IPv6 address, and no IPv4 address',
  'a range of ports includes both ends',
  'a rule without ports is for all ports',
  'label and description of a rule change nothing',
  'at a balancer a firewall applies to inbound TCP only',
].map((statement) => `Traffic: ${statement}`)

/** What the document says that it does not show; where a test stands beside it, gaps in it were decided. */
const notShown = [
  'when authorized_keys are ignored',
  'permissions beyond read_only',
  'formats of SSH keys',
  'transitions of volumes',
  'transitions of regions',
  'the configuration that is chosen',
  'other fields of Firewall Update',
  'the body of Firewall Device Create',
  'the body of IP Address Allocate',
  'the body of IP Address RDNS Update',
  'names of the lists to assign and to share',
  'fields of listed IPv6 ranges',
  'the list of events',
  'other status codes',
  'rate limits',
  'sizes of pages',
].map((statement) => `Not shown: ${statement}`)

/** What no request of this API can bring about or see. */
const outside = [
  'mail that the service sends',
  'logins, their IP whitelist and their two-factor and scratch codes',
  'SSH keys on instances and disks',
  'tokens of a proxy user for a child account',
  'bills',
  'data of cloned volumes',
  'firewall_id and interfaces of a new instance',
  'routes of IPv6 pools and ranges',
  'traffic within VLANs, and migrations with one',
].map((statement) => `Outside: ${statement}`)

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
  ...[...labels, ...ruleFields, ...traffic, ...notShown, ...outside],
  ...['volume', 'firewall', 'region', 'phone flow', 'two-factor flow', 'revoking'].map((flow) => `States: ${flow}`),
  ...[
    'volume, cloned and resized while active',
    'volume, deleted after its migration',
    'volume, attached in its region',
    'firewall, live migration',
    'firewall, deleted while disabled',
  ].map((state) => `States: ${state}`),
  'Events: none where nothing changed',
  ...['Share: the whole list', 'Share: an empty list', 'Share: 1:1 NAT', 'VLANs: regions'],
  ...['Reverse DNS: forward DNS first', 'Reverse DNS: null'],
]

/** Words, purposes, and what no request of this API can bring about or see. */
const unseen = [
  ...['Conventions 4: ', 'Conventions 7: ', 'Profile 3: ', 'Volumes 5: ', 'Firewalls 5: ', 'Assign 6: '],
  ...['Authentication 8: ', 'Errors 6: ', 'Versioning 5: '],
  ...['Not shown: when authorized_keys are ignored', 'Not shown: transitions of regions', ...outside],
]

describe('docs/conformance.md', () => {
  test.for(wanted)('has a row for %s', (rule) => {
    const found = rows.filter((row) => (rule.endsWith(': ') ? row.rule.startsWith(rule) : row.rule === rule))
    expect(found).toHaveLength(1)
    expect(found[0]?.cited === undefined).toBe(unseen.includes(rule))
  })

  test('has no row besides', () => {
    expect(page.match(/^\|/gm)).toHaveLength(wanted.length + 2)
    expect(new Set(wanted).size).toBe(wanted.length)
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
