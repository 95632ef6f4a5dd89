/** Command lines for answers that lack fields, and the fields without which they may fail. */
import type { Case } from './absent-fields'
import { requestingCommands } from './answers'
import type { Path } from './hostile-answers'
import { commands, publicKey, type Sample, samples } from './samples'
import type { Fixtures } from './skyctl'

const arranged =
  (...paths: string[]) =>
  async (fixtures: Fixtures) => {
    for (const path of paths) await samples[path]?.arrange?.(fixtures)
  }

const otherKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPqjR4aYn3mS1S8kQvTq1tVtq3i0bWYk3m0b7vJ0p1xZ other'

const volumeFile = {
  volumes: {
    'data-2': { size: 30, compute_id: 1001, tags: ['kept'] },
    'data-1': { compute_id: null },
    media: { region: 'eu-west' },
  },
}

const rule = { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['203.0.113.0/24'] }, label: 'ssh' }
const firewallFile = {
  firewalls: {
    sample: {
      tags: ['kept'],
      rules: { inbound: [rule], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' },
      devices: { computes: [9002], balancers: [2002] },
    },
  },
}

const otherFile = {
  sshkeys: { laptop: { ssh_key: otherKey } },
  ips: { '203.0.113.201': { compute_id: 1001 } },
  rdns: { '203.0.113.200': 'www.example.net' },
  profile: { timezone: 'UTC', email: 'other@example.net' },
}

const prunedFile = { owner: 'owned', volumes: {}, firewalls: {} }
const owned = async (fixtures: Fixtures) => {
  const { world } = fixtures
  world.compute({ id: 9002, region: 'us-east' })
  world.volume({ id: 9001, label: 'sample', compute_id: 9002, tags: ['owned'] })
  world.network.firewall({ id: 9100, label: 'sample', tags: ['owned'] })
  world.network.device(9100, 'compute', 9002)
}

const file = (document: object, line: string, ...paths: string[]): Sample => ({
  line,
  stdin: JSON.stringify(document),
  arrange: arranged(...paths),
})

const firewall = 'firewalls update'
const addresses = 'ips rdns'

const asRestricted = ({ world, env }: Fixtures) => {
  const { id = 0 } = world.users.all().find(({ grants }) => grants !== null) ?? {}
  env.SKYCTL_TOKEN = world.token('account:read_only', id)
}

const withOwnOpening = async (fixtures: Fixtures) => {
  await arranged(firewall)(fixtures)
  await fixtures.skyctl('firewalls open sample --port 22 --from 198.51.100.7 --for 1h --yes')
}

const withExpiringToken = ({ world, env }: Fixtures) => {
  env.SKYCTL_TOKEN = world.token('account:read_only')
  const token = world.tokens.all().at(-1)
  if (token) world.tokens.put({ ...token, expiry: '2026-12-31T00:00:00' })
}

/**
 * Lines for what the samples do not reach. `firewalls open -- COMMAND` is missing: each run draws a random mark, and
 * looks for it in rules that recorded answers do not have.
 */
const lines: readonly (readonly [path: string, name: string, Sample])[] = [
  ...(['apply', 'plan'] as const).flatMap((path) => {
    const line = path === 'apply' ? '- --yes' : '-'
    return [
      [path, 'volumes', file(volumeFile, line)],
      [path, 'firewalls', file(firewallFile, line, firewall, addresses)],
      [path, 'others', file(otherFile, line, addresses)],
      [path, '--prune', { line: `${line} --prune --max-deletes 9`, stdin: JSON.stringify(prunedFile), arrange: owned }],
    ] as const
  }),
  ['export', 'firewalls', { line: '', arrange: arranged(firewall, addresses) }],
  [
    'firewalls open',
    '--dry-run',
    { line: 'sample --port 22 --from 198.51.100.7 --for 1h --dry-run', arrange: arranged(firewall) },
  ],
  ['firewalls rules edit', '', samples['firewalls rules edit'] ?? { line: '' }],
  [
    'firewalls rules add',
    '--if-absent',
    {
      line: 'sample inbound --action drop --protocol udp --from 192.0.2.0/24 --if-absent',
      arrange: arranged(firewall),
    },
  ],
  ['firewalls close', 'own', { line: '', arrange: withOwnOpening }],
  ['firewalls close', '--expired', { line: '--expired', arrange: arranged('firewalls close') }],
  ['volumes create', '--wait', { line: '--label fresh --region us-east --wait' }],
  [
    'volumes create',
    '--if-absent',
    { line: '--label sample --region us-east --if-absent', arrange: arranged('volumes update') },
  ],
  ['volumes attach', '--wait', { line: 'sample --compute-id 9002 --wait', arrange: arranged('volumes update') }],
  ['volumes detach', '--wait', { line: 'sample --yes --wait', arrange: arranged('volumes detach') }],
  ['volumes resize', '--wait', { line: 'sample --size 40 --wait', arrange: arranged('volumes update') }],
  ['volumes update', '--add-tag', { line: 'sample --add-tag more', arrange: arranged('volumes update') }],
  ['volumes delete', '--if-present', { line: '9001 --if-present --yes', arrange: arranged('volumes delete') }],
  ['volumes list', '--filter', { line: '--filter size>10 --sort size' }],
  ['firewalls list', '--filter', { line: '--filter status=enabled --sort label' }],
  ['ips rdns', '--reset', { line: '203.0.113.200 --reset --yes', arrange: arranged(addresses) }],
  ['profile update', 'already', { line: '--email-notifications' }],
  ['profile sshkeys add', '--if-absent', { line: '--label laptop --file - --if-absent', stdin: publicKey }],
  ['profile grants', 'restricted', { line: '', arrange: asRestricted }],
  ['profile preferences view', 'some', { line: '', arrange: arranged('profile preferences edit') }],
  ['profile security-questions list', 'answered', { line: '', arrange: arranged('profile tfa enable') }],
  ['auth status', 'expiring', { line: '', arrange: withExpiringToken }],
  ['tokens list', '--superseded', { line: '--superseded' }],
  [
    'history undo',
    'rules',
    {
      line: '1 --yes',
      async arrange(fixtures) {
        await arranged(firewall)(fixtures)
        await fixtures.skyctl('firewalls rules remove sample inbound label:ssh --yes')
      },
    },
  ],
  [
    'history undo',
    'rdns',
    {
      line: '1 --yes',
      async arrange(fixtures) {
        await arranged(addresses)(fixtures)
        await fixtures.skyctl('ips rdns 203.0.113.200 www.example.net')
      },
    },
  ],
]

const commandOf = (path: string) => {
  const line = commands.find((one) => one.path === path)
  if (!line) throw new Error(`there is no command ${path}`)
  return line
}

export const cases: readonly Case[] = [
  ...requestingCommands.map((line) => ({ ...line, name: '' })),
  ...lines.map(([path, name, sample]) => ({ ...commandOf(path), name, sample })),
]

/** Fields that identify an object, by the end of the path, and fields without which a list cannot be read. */
const identities: readonly (readonly [path: RegExp, ...fields: string[]])[] = [
  [/\/networking\/ips(\/[\d.]+)?$/, 'address'],
  [/\/ipv6\/(ranges|pools)/, 'range'],
  [/\/vlans$/, 'label'],
  [/\/regions\/availability$/, 'region', 'plan'],
  [/\/devices(\/\d+)?$/, 'id', 'entity', 'entity.id', 'entity.type'],
  [/\/profile$/, 'username', 'uid'],
  [/\/security-questions$/, 'security_questions', 'security_questions.id'],
  [/./, 'id'],
]

const ofRules = ['inbound', 'outbound', 'action', 'protocol', 'addresses', 'inbound_policy', 'outbound_policy', 'rules']

/** Other fields that a command needs: words of the command, the request, and the last word of the field. */
const deciding: readonly (readonly [line: RegExp, request: RegExp, fields: readonly string[]])[] = [
  // An object is looked up by its label.
  [/./, /^GET \S+ \{.*"label"/, ['label']],
  [/^volumes (create|clone|update)|^profile sshkeys add/, /^GET/, ['label']],
  [/^profile sshkeys add --if-absent/, /^GET/, ['ssh_key']],
  [/^tokens (create|revoke|rotate)/, /tokens/, ['token']],
  // The current token may belong to an app, unless it is in the list of personal tokens.
  [/^profile apps revoke/, /^GET \/v4\/profile\/tokens/, ['token']],
  // The answer hands over a secret that is shown once.
  [/^profile tfa enable/, /^POST/, ['secret']],
  [/^profile tfa confirm/, /^POST/, ['scratch']],
  // All keys belong to the user: a missing one was removed by somebody else.
  [/^profile preferences set/, /^GET \/v4\/profile\/preferences/, ['theme']],
  [/^tokens rotate/, /^GET/, ['label', 'scopes', 'expiry', 'created', 'uid']],
  [/^ips share/, /ipv6\/ranges\//, ['computes']],
  // Rules are compared, assessed and sent back as a whole.
  [
    /^(firewalls (rules|open|close|create)|history undo|apply firewalls)/,
    /\/rules$|^GET \/v4\/networking\/firewalls\?/,
    ofRules,
  ],
  [/^firewalls (test|view|enable|disable|devices)/, /^GET \/v4\/networking\/firewalls/, [...ofRules, 'status']],
  // Decide whether there is anything to do, and whether it is done.
  [/^volumes (attach|detach)|^history undo volumes/, /^GET \/v4\/volumes/, ['compute_id']],
  [/^volumes (create --if-absent|clone)/, /^GET \/v4\/volumes/, ['size', 'region', 'tags']],
  [/^volumes (wait|create|clone|resize|attach|detach)|^apply/, /^GET \/v4\/volumes\/\d+$/, ['status', 'compute_id']],
  [/^volumes resize|^apply/, /^GET \/v4\/volumes/, ['size']],
  [/^volumes update --add-tag|^apply --prune/, /^GET \/v4\/(volumes|networking\/firewalls)\/\d+$/, ['tags']],
  // Has the tag of protected objects (state.md, For teams).
  [
    /^(volumes (delete|detach)|firewalls (delete|disable|update|devices delete|rules))|^history undo|^apply/,
    /^GET/,
    ['tags'],
  ],
  // A file sets these. The firewalls of the account decide what it may take over.
  [/^(plan|apply)/, /^GET \/v4\/volumes\?/, ['label', 'size', 'region', 'compute_id', 'tags']],
  [/^(plan|apply|export)/, /^GET \/v4\/networking\/firewalls\?/, ['label', 'status', 'tags', ...ofRules]],
  [/^(plan|apply|export)/, /^GET \/v4\/profile\/sshkeys/, ['label', 'ssh_key']],
  [/^((plan|apply) others|history undo rdns)/, /^GET \/v4\/networking\/ips/, ['rdns']],
  [/^(plan|apply) others/, /^GET \/v4\/networking\/ips/, ['compute_id', 'region', 'type']],
  [/^(plan|apply)/, /^GET \/v4\/profile$/, ['email', 'timezone']],
  [/^export/, /^GET \/v4\/volumes/, ['label']],
  // Each check reports what it could not read.
  [/^audit/, /^GET/, [...ofRules, 'label', 'status', 'tags', 'public', 'type', 'created', 'scopes', 'token', 'expiry']],
  [/^overview/, /^GET/, [...ofRules, 'label', 'status', 'tags', 'public', 'type']],
  [/^audit/, /^GET \/v4\/profile/, ['ssh_key', 'datetime', 'ip', 'two_factor_auth', 'response', 'last_remote_addr']],
]

/** Fields that are part of a message, which is shorter without them. */
const printedFields: readonly (readonly [line: RegExp, fields: readonly string[]])[] = [
  [/^audit/, ['label', 'rdns', 'compute_id', 'size', 'region']],
  // It counts the findings of the audit, which has none for an unknown reverse DNS name.
  [/^overview/, ['label', 'rdns', 'compute_id', 'size', 'region', 'status', 'prefix', 'computes']],
  // The prefix identifies the current token. Otherwise its expiry is "unknown".
  [/^auth status/, ['token', 'expiry']],
  [/^plan/, ['size', 'hardware_type', 'compute_label']],
  // Its diagram shows who can connect, or that this is unknown.
  [/^firewalls view/, ['status', ...ofRules]],
  // Without its services, it assesses the firewall itself, and prints that they are unknown.
  [/^firewalls rules diff/, ['data', 'pages', 'id', 'entity', 'type']],
  // Its table has JSON in a cell.
  [/^profile security-questions answer/, ['question_id', 'security_question']],
  // An unknown value passes no filter, and is sorted last.
  [/^(volumes|firewalls) list --filter/, ['size', 'status', 'label']],
]

const wordsOf = ({ path, name = '' }: Case) => `${path} ${name}`.trim()

export const isOnlyPrinted = (one: Case, path: Path): boolean =>
  printedFields.some(([line, fields]) => line.test(wordsOf(one)) && fields.includes(String(path.at(-1))))

/** Reports whether a command may fail for lack of a field, because it identifies the object or decides something. */
export function decides(one: Case, request: string, path: Path): boolean {
  const [, url = ''] = request.split(' ')
  const [place = ''] = url.split('?')
  const field = path.filter((step) => typeof step === 'string' && step !== 'data').join('.')
  const last = String(path.at(-1))
  if (path.length === 1 && (last === 'data' || last === 'pages')) return true
  const identity: readonly unknown[] = identities.find(([pattern]) => pattern.test(place)) ?? []
  if (identity.includes(field)) return true
  return deciding.some(
    ([line, pattern, fields]) => line.test(wordsOf(one)) && pattern.test(request) && fields.includes(last),
  )
}
