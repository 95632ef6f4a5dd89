/** Every command with a line that succeeds, for tests of rules that hold for all commands. */
import { Secret, TOTP } from 'otpauth'
import { program } from '../../src/commands/index'
import type { Command, CommandGroup } from '../../src/engine/command'
import { loadCommands } from '../../src/engine/command-tree'
import { openingRule } from '../../src/firewall/temporary-opening'
import { manualClock } from './clock'
import type { Fixtures } from './skyctl'

export interface Sample {
  /** Words after those of the command. */
  line: string
  /** Prepares the world or the disk. */
  arrange?(world: Fixtures): void | Promise<void>
  stdin?: string
}

const signIn = async ({ skyctl, sandbox }: Fixtures) => {
  await skyctl(`auth login --context prod --with-token --base-url ${sandbox.baseUrl}`, { stdin: sandbox.ownerToken })
}

const volume = ({ world }: Fixtures) => {
  world.volume({ id: 9001, label: 'sample', region: 'us-east' })
  world.compute({ id: 9002, region: 'us-east' })
}
const attachedVolume = ({ world }: Fixtures) => {
  world.compute({ id: 9002, region: 'us-east' })
  world.volume({ id: 9001, label: 'sample', compute_id: 9002 })
}

const rule = { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['203.0.113.0/24'] }, label: 'ssh' }
const ping = { action: 'ACCEPT', protocol: 'ICMP', addresses: { ipv4: ['203.0.113.0/24'] } }
const rules = { inbound: [rule, ping], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }
const rulesFile = JSON.stringify({ ...rules, inbound: [rule] })

const firewall = ({ world }: Fixtures) => {
  const { id, created, updated } = world.network.firewall({ id: 9100, label: 'sample', rules })
  world.compute({ id: 9002, region: 'us-east' })
  world.network.devices.put({ id: 9101, firewall: id, type: 'balancer', entity: 2002, created, updated })
}

const disabledFirewall = (fixtures: Fixtures) => {
  firewall(fixtures)
  const { firewalls } = fixtures.world.network
  const record = firewalls.get(9100)
  if (record) firewalls.put({ ...record, status: 'disabled' })
}

const changedFirewall = async (fixtures: Fixtures) => {
  firewall(fixtures)
  await fixtures.skyctl('firewalls rules remove sample inbound label:ssh --yes')
}

const openFirewall = (fixtures: Fixtures) => {
  firewall(fixtures)
  const { firewalls } = fixtures.world.network
  const record = firewalls.get(9100)
  const opening = openingRule(rule, { mark: '0123456789abcdef', until: fixtures.clock.now() - 60_000 })
  if (record) firewalls.put({ ...record, rules: { ...rules, inbound: [opening, ping] } })
}

const pastChange = async (fixtures: Fixtures) => {
  volume(fixtures)
  await fixtures.skyctl('volumes update sample --label other')
}

const addresses = ({ world }: Fixtures) => {
  world.compute({ id: 9002, region: 'us-east' })
  for (const host of [200, 201]) world.network.address({ address: `203.0.113.${host}`, compute_id: 9002 })
}

const owner = ({ world }: Fixtures, changes: object) => {
  const user = world.users.all().find(({ username }) => username === 'owner')
  if (user) world.users.put({ ...user, ...changes })
}

export const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA laptop'

const token = ({ world }: Fixtures) => {
  world.token('volumes:read_only')
  const { id = 0 } = world.tokens.all().at(-1) ?? {}
  const record = world.tokens.get(id)
  if (record) world.tokens.put({ ...record, label: 'sample' })
}

const phoneCode = ({ world, clock }: Fixtures) => {
  world.profile.phone_codes.put({ id: 1, phone_number: '+49301234567', code: '123456', expires: clock.now() + 600_000 })
}

export const answers = [1, 2, 3].map((question_id) => ({ question_id, response: `what only I know, ${question_id}` }))
const answeredQuestions = ({ world }: Fixtures) => {
  world.profile.security_answers.put({ id: 1, answers })
}

export const tfaSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
export const tfaCode = new TOTP({ secret: Secret.fromBase32(tfaSecret) }).generate({ timestamp: manualClock().now() })
const tfaStarted = ({ world }: Fixtures) => {
  world.profile.tfa_secrets.put({ id: 1, user: 1, secret: tfaSecret, expiry: '2026-02-01T00:00:00' })
}

/** Lines that succeed, for commands whose first example in their help serves not. */
const ownSamples: Record<string, Sample> = {
  api: { line: 'GET /profile' },
  audit: { line: '' },
  overview: { line: '' },
  'auth login': { line: '--with-token --context fresh', arrange: signIn, stdin: 'TOKEN' },
  'auth logout': { line: '--context prod', arrange: signIn },
  'auth status': { line: '' },
  'completion bash': { line: '' },
  'completion fish': { line: '' },
  'completion powershell': { line: '' },
  'completion values': { line: 'volumes' },
  'completion zsh': { line: '' },
  'context delete': { line: 'prod --yes', arrange: signIn },
  'context list': { line: '' },
  'context rename': { line: 'prod other', arrange: signIn },
  'context update': { line: 'prod --region us-east', arrange: signIn },
  'context use': { line: 'sandbox' },
  'context view': { line: 'prod', arrange: signIn },
  'firewalls close': { line: 'sample', arrange: openFirewall },
  'firewalls openings': { line: '', arrange: openFirewall },
  'firewalls create': { line: '--label fresh --file -', stdin: rulesFile },
  'firewalls delete': { line: 'sample --yes', arrange: firewall },
  'firewalls devices add': { line: 'sample --compute-id 9002 --yes', arrange: firewall },
  'firewalls devices delete': { line: 'sample 9101 --yes', arrange: firewall },
  'firewalls devices list': { line: 'sample', arrange: firewall },
  'firewalls devices view': { line: 'sample 9101', arrange: firewall },
  'firewalls disable': { line: 'sample --yes', arrange: firewall },
  'firewalls enable': { line: 'sample --yes', arrange: disabledFirewall },
  'firewalls list': { line: '' },
  'firewalls open': { line: 'sample --port 22 --from 198.51.100.7 --for 1h', arrange: firewall },
  'firewalls rules add': { line: 'sample inbound --action drop --protocol udp --from 192.0.2.0/24', arrange: firewall },
  'firewalls rules diff': { line: 'sample --file -', arrange: firewall, stdin: rulesFile },
  'firewalls rules edit': {
    line: 'sample --yes',
    arrange(fixtures) {
      firewall(fixtures)
      // Changes the port once: a rejected file is opened again.
      fixtures.env.EDITOR = "sed -i 's/\\b22\\b/2222/'"
    },
  },
  'firewalls rules list': { line: 'sample', arrange: firewall },
  'firewalls rules move': { line: 'sample inbound match:icmp --at 1', arrange: firewall },
  'firewalls rules remove': { line: 'sample inbound label:ssh --yes', arrange: firewall },
  'firewalls rules undo': { line: 'sample --yes', arrange: changedFirewall },
  'firewalls rules update': { line: 'sample --file - --yes', arrange: firewall, stdin: rulesFile },
  'firewalls test': { line: 'sample --protocol tcp --port 22 --from 203.0.113.9', arrange: firewall },
  'firewalls update': { line: 'sample --label other', arrange: firewall },
  'firewalls view': { line: 'sample', arrange: firewall },
  help: { line: 'exit-codes' },
  'ips allocate': { line: '--compute-id 9002 --public', arrange: addresses },
  'ips assign': { line: '203.0.113.201=1001 --region us-east --yes', arrange: addresses },
  'ips list': { line: '' },
  'ips rdns': { line: '203.0.113.200 www.example.net', arrange: addresses },
  'ips share': { line: '203.0.113.201 --compute-id 1001', arrange: addresses },
  'ips view': { line: '203.0.113.200', arrange: addresses },
  'ipv6 pools list': { line: '' },
  'ipv6 ranges create': { line: '--prefix-length 64 --compute-id 1009' },
  'ipv6 ranges delete': { line: '2001:db8:114:100:: --yes' },
  'ipv6 ranges list': { line: '' },
  'ipv6 ranges view': { line: '2001:db8:118:200::/56' },
  'profile apps list': { line: '' },
  'profile apps revoke': { line: 'backups --yes' },
  'profile apps view': { line: 'backups' },
  'profile devices list': { line: '' },
  'profile devices revoke': { line: '1 --yes' },
  'profile devices view': { line: '1' },
  'profile grants': { line: '' },
  'profile logins list': { line: '' },
  apply: { line: '- --yes', stdin: 'volumes: { data-2: { size: 30 } }' },
  'history clear': { line: '--yes', arrange: pastChange },
  'history list': { line: '', arrange: pastChange },
  'history undo': { line: '1 --yes', arrange: pastChange },
  'history view': { line: '1', arrange: pastChange },
  doctor: { line: '' },
  export: { line: '' },
  version: { line: '' },
  plan: { line: '-', stdin: 'volumes: { data-2: { size: 30 } }' },
  validate: { line: '-', stdin: 'volumes: { data-2: { size: 30 } }' },
  'profile logins view': { line: '6' },
  'profile phone delete': {
    line: '--yes',
    arrange: (fixtures) => owner(fixtures, { verified_phone_number: '+49301234567' }),
  },
  'profile phone send': {
    line: '--iso-code DE --phone-number 0301234567',
    arrange: (fixtures) => owner(fixtures, { verified_phone_number: null }),
  },
  'profile phone verify': { line: '--otp-code 123456', arrange: phoneCode },
  'profile preferences edit': {
    line: '--yes',
    arrange({ world, env }) {
      world.profile.preferences.put({ id: 1, user: 1, app: null, text: '{"theme":"dark"}' })
      env.EDITOR = 'sed -i s/dark/light/'
    },
  },
  'profile preferences set': { line: '--body -', stdin: '{"theme":"dark"}' },
  'profile preferences view': { line: '' },
  'profile security-questions answer': { line: '--body -', stdin: JSON.stringify({ security_questions: answers }) },
  'profile security-questions list': { line: '' },
  'profile sshkeys add': { line: '--label fresh --file -', stdin: publicKey },
  'profile sshkeys delete': { line: 'laptop --yes' },
  'profile sshkeys list': { line: '' },
  'profile sshkeys view': { line: 'laptop' },
  'profile tfa confirm': { line: `--tfa-code ${tfaCode}`, arrange: tfaStarted },
  'profile tfa disable': { line: '--yes', arrange: (fixtures) => owner(fixtures, { two_factor_auth: true }) },
  'profile tfa enable': { line: '', arrange: answeredQuestions },
  'profile update': { line: '--timezone UTC' },
  'profile view': { line: '' },
  'regions availability': { line: '' },
  'regions list': { line: '' },
  'regions view': { line: 'us-east' },
  'sandbox outbox': { line: '' },
  'sandbox reset': { line: '--yes' },
  'sandbox world': { line: '' },
  'tokens create': { line: '--label fresh --scope volumes:read_only' },
  'tokens list': { line: '' },
  'tokens revoke': { line: 'sample --yes', arrange: token },
  'tokens rotate': { line: 'sample --yes', arrange: token },
  'tokens update': { line: 'sample --label other', arrange: token },
  'tokens view': { line: 'sample', arrange: token },
  'vlans list': { line: '' },
  'volumes attach': { line: 'sample --compute-id 9002', arrange: volume },
  'volumes clone': { line: 'sample --label copy', arrange: volume },
  'volumes create': { line: '--label fresh --region us-east' },
  'volumes delete': { line: 'sample --yes', arrange: volume },
  'volumes detach': { line: 'sample --yes', arrange: attachedVolume },
  'volumes list': { line: '' },
  'volumes update': { line: 'sample --label other', arrange: volume },
  'volumes view': { line: 'sample', arrange: volume },
  'volumes wait': { line: 'sample', arrange: volume },
}

/** Commands that run until they are stopped, or ask at every step: processes and terminals test them. */
export const testedElsewhere = new Set(['sandbox start', 'profile phone setup', 'profile tfa setup'])

export const commands = await leaves()

async function leaves(): Promise<{ path: string; command: Command }[]> {
  const walk = async (entry: Command | CommandGroup, path: string): Promise<{ path: string; command: Command }[]> => {
    if (!('commands' in entry)) return [{ path, command: entry }]
    const inner = await loadCommands(entry)
    return (await Promise.all(inner.map((one) => walk(one, `${path} ${one.name}`)))).flat()
  }
  const allCommands = await Promise.all(program.entries.map(async ({ name, load }) => walk(await load(), name)))
  // Hidden commands are started by other commands, and answer those in their own way.
  return allCommands.flat().filter(({ path, command }) => !testedElsewhere.has(path) && !command.hidden)
}

/** Samples by command: its own, or else the first example of its help, which succeeds in the built-in world. */
export const samples: Record<string, Sample> = {
  ...Object.fromEntries(commands.flatMap(({ path, command }) => exampleOf(path, command))),
  ...ownSamples,
}

function exampleOf(path: string, { examples = [] }: Command): [path: string, sample: Sample][] {
  const start = `skyctl ${path} `
  return examples
    .filter(({ line }) => line.startsWith(start))
    .map(({ line }): [string, Sample] => [path, { line: line.slice(start.length) }])
    .slice(0, 1)
}
