/**
 * A precondition that does not hold ends with its cause, exit 6, in every command that has the flag for it (interface.md,
 * Errors). Nothing is sent where skyctl finds it.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type ErrorCode, exitCodes } from '../src/errors'
import { rule, ruleSet, ssh, web } from './support/firewall-rules'
import { commands } from './support/samples'
import { type Fixtures, test } from './support/skyctl'

interface Sample {
  /** A line, after the command's words, whose precondition does not hold; `HOME` is a folder with the files below. */
  line: string
  arrange?(world: Fixtures): unknown
  stdin?: string
  /** Another cause than that of the flag's other commands. */
  code?: ErrorCode
}

const added = `--action accept --protocol tcp --port 8443 --from 192.0.2.0/24`
const change = ({ skyctl }: Fixtures, line: string) => skyctl(`${line} --yes --quiet`)
const addDns = async (fixtures: Fixtures) =>
  change(fixtures, 'firewalls rules add edge inbound --action accept --protocol udp --port 53 --from 203.0.113.0/24')
const addDnsThenOthers = async (fixtures: Fixtures) => {
  await addDns(fixtures)
  put(fixtures, { rules: ruleSet(ssh, web, rule('other', '8080')) })
}
const put = ({ world }: Fixtures, changes: object) => {
  const edge = world.network.firewalls.get(9100)
  if (edge) world.network.firewalls.put({ ...edge, ...changes })
}
const guarded =
  (changes: object = {}) =>
  (fixtures: Fixtures) =>
    put(fixtures, { tags: ['protected'], ...changes })
const blocked = {
  ...rule('tcp', '22'),
  action: 'DROP',
  ports: null,
  addresses: { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] },
}
const disabled = (fixtures: Fixtures) => put(fixtures, { status: 'disabled' })

const hash = '--if-match abcdef012345'
const kept = (traffic: string) => `--keep-open ${traffic}`
const closed = kept('tcp/2222@203.0.113.7')
const accountFile = JSON.stringify({ firewalls: { edge: { rules: ruleSet() } } })

/** Firewall "edge" (9100) lets in SSH and HTTPS from 203.0.113.0/24, and protects compute instance 9001. */
const rows: readonly { flag: string; code: ErrorCode; isSent?: true; samples: Record<string, Sample> }[] = [
  {
    flag: 'compute-id',
    code: 'conflict',
    // Only the service knows every protection and region.
    isSent: true,
    samples: {
      'firewalls create': { line: '--label fresh --inbound-policy drop --outbound-policy accept --compute-id 9001' },
      'firewalls devices add': {
        line: '9200 --compute-id 9001',
        arrange: ({ world }) => world.network.firewall({ id: 9200, label: 'other' }),
      },
      'ips share': {
        line: '203.0.113.200 --compute-id 9002',
        arrange: ({ world }) => world.network.address({ address: '203.0.113.200', compute_id: 9001 }),
      },
      'volumes attach': {
        line: '7001 --compute-id 9002',
        arrange: ({ world }) => world.volume({ id: 7001, region: 'us-east' }),
      },
      'volumes create': { line: '--label fresh --region us-east --compute-id 9002' },
    },
  },
  {
    flag: 'if-match',
    code: 'changed',
    samples: {
      'firewalls rules add': { line: `edge inbound ${added} ${hash}` },
      'firewalls rules move': { line: `edge inbound label:web --at 1 ${hash}` },
      'firewalls rules remove': { line: `edge inbound label:web ${hash}` },
      'firewalls rules update': { line: `edge --inbound-policy accept ${hash}` },
    },
  },
  {
    flag: 'force',
    code: 'protected',
    samples: {
      apply: { line: '-', stdin: JSON.stringify({ firewalls: { edge: { status: 'disabled' } } }), arrange: guarded() },
      'firewalls delete': { line: 'edge', arrange: guarded() },
      'firewalls devices delete': { line: 'edge 9300', arrange: guarded() },
      'firewalls disable': { line: 'edge', arrange: guarded() },
      'firewalls rules add': {
        line: 'edge inbound --at 1 --action accept --protocol tcp --from 0.0.0.0/0 --from ::/0',
        arrange: guarded({ rules: { ...ruleSet(blocked), inbound_policy: 'ACCEPT' } }),
      },
      'firewalls rules edit': {
        line: 'edge',
        arrange(fixtures) {
          guarded()(fixtures)
          Object.assign(fixtures.env, { EDITOR: "sed -i 's/inbound_policy: DROP/inbound_policy: ACCEPT/I'" })
        },
      },
      'firewalls rules move': {
        line: 'edge inbound label:open --at 1',
        arrange: guarded({
          rules: { ...ruleSet(blocked, { ...blocked, action: 'ACCEPT', label: 'open' }), inbound_policy: 'ACCEPT' },
        }),
      },
      'firewalls rules remove': {
        line: 'edge inbound label:tcp',
        arrange: guarded({ rules: { ...ruleSet(blocked), inbound_policy: 'ACCEPT' } }),
      },
      'firewalls rules undo': { line: 'edge', arrange: addDnsThenOthers, code: 'changed' },
      'firewalls rules update': { line: 'edge --inbound-policy accept', arrange: guarded() },
      'firewalls update': { line: 'edge --status disabled --no-tags --no-validate', arrange: guarded() },
      'history undo': { line: '1', arrange: addDnsThenOthers, code: 'changed' },
      'volumes delete': { line: '7001', arrange: ({ world }) => world.volume({ id: 7001, tags: ['protected'] }) },
      'volumes detach': {
        line: 'data',
        arrange: ({ world }) => world.volume({ id: 7001, label: 'data', compute_id: 9001, tags: ['a', 'protected'] }),
      },
    },
  },
  {
    flag: 'keep-open',
    code: 'locked_out',
    samples: {
      apply: { line: `- ${kept('tcp/22@203.0.113.7')}`, stdin: accountFile },
      'firewalls create': {
        line: `--label fresh --inbound-policy drop --outbound-policy accept --compute-id 9002 ${closed}`,
      },
      'firewalls devices add': { line: `edge --compute-id 9002 ${closed}` },
      'firewalls enable': { line: `edge ${closed}`, arrange: disabled },
      'firewalls rules add': { line: `edge inbound ${added} ${closed}` },
      'firewalls rules edit': {
        line: `edge ${kept('tcp/22@203.0.113.7')}`,
        arrange: ({ env }) => Object.assign(env, { EDITOR: "sed -i 's/\\b22\\b/2222/'" }),
      },
      'firewalls rules move': {
        line: `edge inbound label:ssh --at 2 ${kept('tcp/22@203.0.113.7')}`,
        arrange: (fixtures) => put(fixtures, { rules: ruleSet(ssh, { ...ssh, label: 'no-ssh', action: 'DROP' }) }),
      },
      'firewalls rules remove': { line: `edge inbound label:ssh ${kept('tcp/22@203.0.113.7')}` },
      'firewalls rules undo': { line: `edge ${kept('udp/53@203.0.113.7')}`, arrange: addDns },
      'firewalls rules update': { line: `edge --file HOME/none.json ${kept('tcp/22@203.0.113.7')}` },
      'firewalls update': { line: `edge --status enabled ${closed}`, arrange: disabled },
      'history undo': { line: `1 ${kept('udp/53@203.0.113.7')}`, arrange: addDns },
      plan: { line: `- ${kept('tcp/22@203.0.113.7')}`, stdin: accountFile },
    },
  },
]

/**
 * Commands with such a flag that cannot meet its cause: a default, a filter, what is made where the instance is, and
 * --force for files and for the current token.
 */
const exempt = new Set([
  'context update --keep-open',
  'ips allocate --compute-id',
  'ips list --compute-id',
  'ipv6 ranges create --compute-id',
  'plan --force',
  'profile apps revoke --force',
  'profile tfa confirm --force',
  'profile tfa setup --force',
  'tokens create --force',
  'tokens revoke --force',
  'tokens rotate --force',
])

describe.for(rows)('--$flag', ({ flag, code, isSent, samples }) => {
  test(`no command with --${flag} is left out`, () => {
    const having = commands.filter(({ path, command }) => {
      return !exempt.has(`${path} --${flag}`) && command.flags.some(({ name }) => name === flag)
    })
    expect(Object.keys(samples)).toEqual(having.map(({ path }) => path).sort())
  })

  test.for(Object.entries(samples))(
    `"%s" ends with ${code}, exit 6, for people and as JSON`,
    async ([path, { line, arrange, stdin = '', code: cause = code }], { skyctl, sandbox, world, env, home, clock }) => {
      world.compute({ id: 9001, label: 'app-1', region: 'us-east' })
      world.compute({ id: 9002, label: 'app-2', region: 'eu-west' })
      world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(ssh, web) as never })
      world.network.device(9100, 'compute', 9001)
      writeFileSync(join(home, 'none.json'), JSON.stringify(ruleSet()))
      await arrange?.({ skyctl, sandbox, world, env, home, clock })
      const writes = () => world.requests().filter(({ method }) => method !== 'GET').length
      const before = writes()
      const run = (format: string) => skyctl(`${path} ${line.replace('HOME', home)} --yes${format}`, { stdin })
      const [people, json] = [await run(''), await run(' --json')]
      const { error } = JSON.parse(json.stderr.trimEnd().split('\n').at(-1) || '{}')
      expect({ exits: [people.exit, json.exit], code: error?.code, sent: writes() > before }).toEqual({
        exits: [exitCodes[cause], exitCodes[cause]],
        code: cause,
        sent: isSent === true,
      })
      expect(error.exit_code).toBe(6)
      expect(people.stderr).toContain(error.message.replace(/\.$/, ''))
    },
  )
})
