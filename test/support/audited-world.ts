/** An account without findings, and for each audit code a world that triggers it and a similar one that does not. */
import type { AuditCode } from '../../src/audit/checks'
import type { FirewallRule } from '../../src/catalogue/firewall-rules'
import { openingRule } from '../../src/firewall/temporary-opening'
import { rulesOf, ruleThat } from './firewall-rules'
import type { World } from './sandbox'

/** Scopes that an audit needs (docs/audit.md), and no others. */
export const auditScopes = 'account:read_only firewall:read_only ips:read_only volumes:read_only'

/** Returns a time by the clock of tests, which begins at 2026-01-15. */
export const inDays = (days: number) => new Date(Date.UTC(2026, 0, 15 + days)).toISOString().slice(0, 19)

/** Removes everything that an audit reports, and returns a token for the audit. */
export function spotless(world: World): string {
  const { network, profile } = world
  const token = world.token(auditScopes)
  for (const one of world.tokens.all()) {
    if (one.token === token) world.tokens.put({ ...one, expiry: inDays(60) })
    else world.tokens.delete(one.id)
  }
  const tables = [world.volumes, network.addresses, network.devices, network.firewalls]
  for (const table of [...tables, profile.apps, profile.trusted_devices, profile.logins, profile.sshkeys])
    for (const { id } of table.all()) table.delete(id)
  change(world, { two_factor_auth: true })
  answer(world, 3)
  network.address({ address: '192.0.2.1', compute_id: 1001, rdns: 'www.example.net' })
  guard(world, 'web', [ruleThat({ ports: '443', ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] })])
  world.volume({ label: 'data', compute_id: 1001 })
  profile.sshkeys.add({ user: 1, label: 'laptop', ssh_key: key('ssh-ed25519', bytes(1, 32)) })
  return token
}

function change(world: World, changes: object): void {
  const user = world.users.get(1)
  if (user) world.users.put({ ...user, ...changes })
}

function answer(world: World, count: number): void {
  const answers = Array.from({ length: count }, (_, index) => ({ question_id: index + 1, response: 'kept' }))
  world.profile.security_answers.put({ id: 1, answers })
}

/** Creates a firewall that protects instance 1001, another one, or none. */
export function guard(world: World, label: string, inbound: FirewallRule[], { policy = 'DROP', compute = 1001 } = {}) {
  const old = world.network.firewalls.all().find((one) => one.label === label)
  if (old) world.network.firewalls.delete(old.id)
  const rules = { ...rulesOf(inbound, policy), outbound_policy: 'DROP' as const }
  const { id } = world.network.firewall({ label, rules })
  if (compute !== 0) world.network.device(id, 'compute', compute)
  return id
}

export const everybody = ['0.0.0.0/0']
export const bytes = (value: number, length: number) => Buffer.alloc(length, value)

/** Encodes a public key: each field follows its length (RFC 4251, section 5). */
export function key(type: string, ...fields: Buffer[]): string {
  const whole = [Buffer.from(type), ...fields].flatMap((field) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(field.length)
    return [length, field]
  })
  return `${type} ${Buffer.concat(whole).toString('base64')} somebody`
}

/** Encodes an RSA key with a modulus of so many bits, after a zero byte because its first bit is set. */
export const rsa = (bits: number) =>
  key('ssh-rsa', Buffer.from([1, 0, 1]), Buffer.concat([bytes(0, 1), bytes(255, bits / 8)]))

export const sshKey = (world: World, label: string, ssh_key: string) =>
  world.profile.sshkeys.add({ user: 1, label, ssh_key }).id
export const token = (world: World, changes: { label?: string; scopes?: string; expiry?: string | null }) => {
  const expiry = inDays(60)
  return world.tokens.add({ user: 1, label: 'ci', scopes: 'volumes:read_only', expiry, ...changes }).id
}
export const app = (world: World, scopes: string, expiry: string | null) => {
  const more = { website: '', thumbnail_url: '', created: inDays(-1), expiry }
  return world.profile.apps.add({ id: world.profile.apps.nextId(), user: 1, label: 'app', scopes, ...more }).id
}
export const disable = (world: World, id: number) => {
  const firewall = world.network.firewalls.get(id)
  if (firewall) world.network.firewalls.put({ ...firewall, status: 'disabled' })
  return id
}
export const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ruleThat({ ports: `${8000 + index}`, ipv4: ['192.0.2.0/24'] }))
export const networks = (count: number) => Array.from({ length: count }, (_, index) => `203.0.113.${index}/32`)

/** An expected finding: its object as `KIND ID` or `KIND ID PART`, the command that fixes it, and alternatives. */
interface Expected {
  object: string
  command: string
  alternatives?: readonly string[]
}

/** Lists by path, for a service that lists more than the sandbox. */
export type Lists = Readonly<Record<string, readonly object[]>>

interface Case {
  /** Causes the finding in an account without any. */
  has(world: World): Expected
  /** Creates something similar that is not a finding. */
  hasNot(world: World): void
  /** Answers for a service that also lists failed logins: the sandbox lists successful ones only, as in api.md. */
  lists?: { has: Lists; hasNot: Lists }
}

const login = (id: number, status: string) => ({
  ...{ id, status, datetime: '2026-01-10T08:00:00', ip: '198.51.100.9' },
  ...{ username: 'owner', restricted: false },
})

const rotated = (id: number): Expected => {
  const command = `skyctl tokens rotate ${id} --expiry 90d`
  return { object: `token ${id}`, command, alternatives: [`${command} --keep-old 24h`] }
}

/** Assigns the firewall to a balancer that has no other. */
const balance = (world: World, firewall: number) => {
  world.network.device(firewall, 'balancer', 2001)
  return firewall
}

const opening = (until: number): FirewallRule =>
  openingRule(ruleThat({ ports: '443' }), { mark: '0123456789abcdef', until: Date.parse(`${inDays(until)}Z`) })

const allDropped = ['TCP', 'UDP'].map((protocol) =>
  ruleThat({ action: 'DROP', protocol, ports: undefined, ipv4: everybody, ipv6: ['::/0'] }),
)

/** Two worlds for each code: one in which only that is found, and one in which it is not. */
export const cases: Readonly<Record<AuditCode, Case>> = {
  'failed-logins': {
    has: () => ({ object: 'login 198.51.100.9', command: 'skyctl profile logins list --filter ip=198.51.100.9' }),
    hasNot: () => {},
    lists: {
      has: { '/profile/logins': [login(1, 'failed')] },
      hasNot: { '/profile/logins': [login(1, 'successful')] },
    },
  },
  'internal-port-open': {
    has(world) {
      const id = guard(world, 'web', [ruleThat({ ports: '2049', ipv4: everybody })])
      return { object: `firewall ${id} tcp/2049`, command: `skyctl firewalls rules edit ${id}` }
    },
    hasNot: (world) => void guard(world, 'web', [ruleThat({ ports: '2049', ipv4: ['10.0.0.0/8'] })]),
  },
  'amplifier-port-open': {
    has(world) {
      const id = guard(world, 'web', [ruleThat({ protocol: 'UDP', ports: '1900', ipv4: everybody })])
      return { object: `firewall ${id} udp/1900`, command: `skyctl firewalls rules edit ${id}` }
    },
    // DNS and NTP are public on purpose.
    hasNot: (world) => void guard(world, 'web', [ruleThat({ protocol: 'UDP', ports: '53, 123', ipv4: everybody })]),
  },
  'large-network-open': {
    has(world) {
      const id = guard(world, 'web', [ruleThat({ ports: '22', ipv4: ['8.0.0.0/8'] })])
      return { object: `firewall ${id} tcp/22`, command: `skyctl firewalls rules edit ${id}` }
    },
    hasNot: (world) => void guard(world, 'web', [ruleThat({ ports: '22', ipv4: ['8.0.0.0/9', '10.0.0.0/8'] })]),
  },
  'wide-range-open': {
    has(world) {
      const id = guard(world, 'web', [ruleThat({ protocol: 'UDP', ports: '10000-20000', ipv4: everybody })])
      return { object: `firewall ${id} udp/10000-20000`, command: `skyctl firewalls rules edit ${id}` }
    },
    hasNot: (world) => void guard(world, 'web', [ruleThat({ protocol: 'UDP', ports: '27015-27030', ipv4: everybody })]),
  },
  'opening-expired': {
    has(world) {
      const id = guard(world, 'web', [opening(-1)])
      return { object: `firewall ${id} opening/0123456789abcdef`, command: `skyctl firewalls close ${id} --expired` }
    },
    hasNot: (world) => void guard(world, 'web', [opening(1), { ...opening(-1), ports: '444' }]),
  },
  'outbound-open': {
    has(world) {
      const { id } = world.network.firewall({ label: 'out', rules: rulesOf([]) })
      world.network.device(id, 'compute', 1002)
      return { object: `firewall ${id}`, command: `skyctl firewalls rules edit ${id}` }
    },
    hasNot(world) {
      const outbound = [ruleThat({ action: 'DROP', ports: '25', ipv4: everybody, ipv6: ['::/0'] })]
      const { id } = world.network.firewall({ label: 'mail', rules: { ...rulesOf([]), outbound } })
      world.network.device(id, 'compute', 1002)
      balance(world, world.network.firewall({ label: 'front', rules: rulesOf([]) }).id)
      world.network.firewall({ label: 'spare', rules: rulesOf([]) })
      const off = world.network.firewall({ label: 'off', rules: rulesOf([]) })
      world.network.device(disable(world, off.id), 'compute', 1002)
    },
  },
  'balancer-unprotected': {
    has(world) {
      // Grants name the balancer, and no firewall that this user can see is assigned to it.
      const read = ({ id }: { id: number }) => ({ id, permissions: 'read_only' as const })
      const [volume, firewall] = [world.volumes.all().map(read), world.network.firewalls.all().map(read)]
      const [compute, balancer] = [[read({ id: 1001 })], [read({ id: 2001 })]]
      change(world, { grants: { global: { account_access: 'read_only' }, volume, firewall, compute, balancer } })
      const command = 'skyctl firewalls create --label balancer-2001 --file RULES_FILE --balancer-id 2001'
      return { object: 'balancer 2001', command }
    },
    hasNot: (world) => void balance(world, guard(world, 'front', [], { compute: 0 })),
  },
  'token-long-lived': {
    has: (world) => rotated(token(world, { expiry: inDays(367) })),
    hasNot(world) {
      token(world, { expiry: inDays(365) })
      token(world, { expiry: null })
    },
  },
  'two-factor-off': {
    has(world) {
      change(world, { two_factor_auth: false })
      return { object: 'profile null', command: 'skyctl profile tfa setup' }
    },
    hasNot: (world) => change(world, { two_factor_auth: false, authentication_type: 'idp' }),
  },
  'security-questions-unanswered': {
    has(world) {
      answer(world, 2)
      return { object: 'profile null', command: 'skyctl profile security-questions answer' }
    },
    hasNot(world) {
      answer(world, 0)
      change(world, { authentication_type: 'idp' })
    },
  },
  'database-port-open': {
    has(world) {
      const id = guard(world, 'web', [ruleThat({ ports: '443, 5400-5450', ipv4: everybody })])
      return { object: `firewall ${id} tcp/5400-5450`, command: `skyctl firewalls rules edit ${id}` }
    },
    // The rule that drops precedes the one that would accept.
    hasNot: (world) =>
      void guard(world, 'web', [
        ruleThat({ action: 'DROP', ports: '5432', ipv4: everybody }),
        ruleThat({ ports: '5432', ipv4: everybody }),
      ]),
  },
  'admin-port-open': {
    has(world) {
      const id = guard(world, 'web', [ruleThat({ ports: '22', ipv4: ['0.0.0.0/1', '128.0.0.0/1'] })])
      return { object: `firewall ${id} tcp/22`, command: `skyctl firewalls rules edit ${id}` }
    },
    hasNot(world) {
      guard(world, 'web', [ruleThat({ ports: '22', ipv4: ['203.0.113.0/24', '8.0.0.0/5'] })])
      // At a balancer, only TCP is judged.
      const balanced = guard(world, 'front', [ruleThat({ protocol: 'UDP', ports: '161', ipv4: everybody })], {
        compute: 0,
      })
      world.network.device(balanced, 'balancer', 2001)
    },
  },
  'inbound-policy-accept': {
    has(world) {
      const id = guard(world, 'web', allDropped, { policy: 'ACCEPT' })
      return { object: `firewall ${id}`, command: `skyctl firewalls rules update ${id} --inbound-policy drop` }
    },
    hasNot(world) {
      // A firewall that protects nothing allows nothing, and at a balancer the policy decides about TCP alone.
      guard(world, 'spare', [], { policy: 'ACCEPT', compute: 0 })
      balance(world, guard(world, 'front', allDropped, { policy: 'ACCEPT', compute: 0 }))
    },
  },
  'unknown-protocol-open': {
    has(world) {
      const id = guard(world, 'web', [ruleThat({ protocol: 'ALL', ports: undefined, ipv4: everybody })])
      return { object: `firewall ${id} all`, command: `skyctl firewalls rules edit ${id}` }
    },
    hasNot: (world) => void guard(world, 'web', [ruleThat({ protocol: 'ALL', ports: undefined })]),
  },
  'rule-not-judged': {
    has(world) {
      const id = guard(world, 'web', [ruleThat({ ipv4: ['pl:cdn'] })])
      return { object: `firewall ${id} inbound/1`, command: `skyctl firewalls rules edit ${id}` }
    },
    hasNot(world) {
      guard(world, 'web', [ruleThat({ ipv4: ['203.0.113.7'] })])
      // An unknown protocol has a check of its own.
      guard(world, 'other', [ruleThat({ protocol: 'ALL', ports: undefined })], { compute: 1002 })
    },
  },
  'instance-unprotected': {
    has(world) {
      world.network.address({ address: '192.0.2.2', compute_id: 1002, rdns: 'a.example.net' })
      const command = 'skyctl firewalls devices add FIREWALL --compute-id 1002'
      const alternatives = ['skyctl firewalls create --label compute-1002 --file RULES_FILE --compute-id 1002']
      return { object: 'compute 1002', command, alternatives }
    },
    hasNot: (world) => void world.network.address({ address: '192.168.128.2', compute_id: 1002, public: false }),
  },
  'token-full-scope': {
    has(world) {
      const id = token(world, { scopes: '*' })
      const command = 'skyctl tokens create --label ci-scoped --scopes-for COMMAND --expiry 90d'
      return { object: `token ${id}`, command, alternatives: [`skyctl tokens revoke ${id}`] }
    },
    hasNot: (world) => void token(world, { scopes: '*', expiry: inDays(-1) }),
  },
  'token-never-expires': {
    has(world) {
      const id = token(world, { expiry: null })
      return rotated(id)
    },
    hasNot: (world) => void token(world, { expiry: inDays(3650) }),
  },
  'token-expires-soon': {
    has(world) {
      const id = token(world, { expiry: inDays(14) })
      return rotated(id)
    },
    hasNot(world) {
      token(world, { expiry: inDays(15) })
      token(world, { expiry: inDays(-1) })
    },
  },
  'app-write-scopes': {
    has(world) {
      const id = app(world, 'volumes:read_only ips:read_write', null)
      const command = `skyctl profile apps revoke ${id}`
      return { object: `app ${id}`, command, alternatives: [`skyctl profile apps view ${id}`] }
    },
    hasNot: (world) => void app(world, 'ips:read_write', inDays(-1)),
  },
  'ssh-key-weak': {
    has(world) {
      const id = sshKey(world, 'old', rsa(1024))
      const command = 'skyctl profile sshkeys add --label old-new --file NEW_KEY.pub'
      return { object: `sshkey ${id}`, command, alternatives: [`skyctl profile sshkeys delete ${id}`] }
    },
    hasNot: (world) => void sshKey(world, 'new', rsa(2048)),
  },
  'ssh-key-twice': {
    has(world) {
      sshKey(world, 'one', `${rsa(3072)} here`)
      const id = sshKey(world, 'other', `${rsa(3072)} there`)
      const command = `skyctl profile sshkeys delete ${id}`
      return { object: `sshkey ${id}`, command, alternatives: [`skyctl profile sshkeys view ${id}`] }
    },
    hasNot(world) {
      sshKey(world, 'same', rsa(3072))
      sshKey(world, 'same', rsa(4096))
    },
  },
  'firewall-disabled': {
    has(world) {
      const id = disable(world, guard(world, 'strict', [], { compute: 1002 }))
      return { object: `firewall ${id}`, command: `skyctl firewalls enable ${id}` }
    },
    hasNot: (world) => void guard(world, 'strict', [], { compute: 1002 }),
  },
  'firewall-unused': {
    has(world) {
      const id = guard(world, 'spare', [], { compute: 0 })
      const command = `skyctl firewalls devices add ${id} --compute-id COMPUTE_ID`
      return { object: `firewall ${id}`, command, alternatives: [`skyctl firewalls delete ${id}`] }
    },
    hasNot: (world) => void guard(world, 'spare', [], { compute: 1002 }),
  },
  'rule-never-matches': {
    has(world) {
      const inbound = [
        ruleThat({ ports: '80-85', label: 'low' }),
        ruleThat({ ports: '86-90', label: 'high' }),
        ruleThat({ ports: '84-87', label: 'one' }),
      ]
      const id = guard(world, 'web', inbound)
      const command = `skyctl firewalls rules remove ${id} inbound label:one`
      return { object: `firewall ${id} inbound/one`, command }
    },
    hasNot: (world) => void guard(world, 'web', [ruleThat({ ports: '80-90' }), ruleThat({ ports: '85-91' })]),
  },
  'rule-budget': {
    has(world) {
      const id = guard(world, 'web', many(20))
      return { object: `firewall ${id}`, command: `skyctl firewalls rules edit ${id}` }
    },
    hasNot: (world) => void guard(world, 'web', many(19)),
  },
  'address-budget': {
    has(world) {
      const id = guard(world, 'web', [ruleThat({ ports: '443', ipv4: networks(204), label: 'office' })])
      return { object: `firewall ${id} inbound/office`, command: `skyctl firewalls rules edit ${id}` }
    },
    hasNot: (world) => void guard(world, 'web', [ruleThat({ ports: '443', ipv4: networks(203) })]),
  },
  'volume-unattached': {
    has(world) {
      const { id } = world.volume({ label: 'left' })
      const command = `skyctl volumes attach ${id} --compute-id COMPUTE_ID`
      return { object: `volume ${id}`, command, alternatives: [`skyctl volumes delete ${id}`] }
    },
    hasNot: (world) => void world.volume({ label: 'used', compute_id: 1001 }),
  },
  'address-without-rdns': {
    has(world) {
      world.network.address({ address: '2001:db8::7', compute_id: 1001 })
      return { object: 'address 2001:db8::7', command: 'skyctl ips rdns 2001:db8::7 www.example.net' }
    },
    // A range has no reverse DNS name, and an IPv4 address has one of the service by default.
    hasNot(world) {
      world.network.address({ address: '2001:db8:1::', type: 'ipv6/range', compute_id: 1001 })
      world.network.address({ address: '192.0.2.3', compute_id: 1001 })
    },
  },
}
