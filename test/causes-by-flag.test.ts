/**
 * A failed precondition has its error code and exit code 6 in every command with that flag. Nothing is sent if skyctl
 * finds it.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type ErrorCode, exitCodes } from '../src/errors'
import { rule, ruleSet, ssh, web } from './support/firewall-rules'
import { commands } from './support/samples'
import { type Fixtures, test } from './support/skyctl'

interface Sample {
  /** A command line, after the command's words, whose precondition fails; `HOME` is a folder with the files below. */
  line: string
  arrange?(world: Fixtures): unknown
  stdin?: string
  /** Overrides the code of the flag's other commands. */
  code?: ErrorCode
}

const newRule = `--action accept --protocol tcp --port 8443 --from 192.0.2.0/24`
const change = ({ skyctl }: Fixtures, line: string) => skyctl(`${line} --yes --quiet`)
const addDns = async (fixtures: Fixtures) =>
  change(fixtures, 'firewalls rules add edge inbound --action accept --protocol udp --port 53 --from 203.0.113.0/24')
const addDnsThenOthers = async (fixtures: Fixtures) => {
  await addDns(fixtures)
  changeEdge(fixtures, { rules: ruleSet(ssh, web, rule('other', '8080')) })
}
const changeEdge = ({ world }: Fixtures, changes: object) => {
  const edge = world.network.firewalls.get(9100)
  if (edge) world.network.firewalls.put({ ...edge, ...changes })
}
const protect =
  (changes: object = {}) =>
  (fixtures: Fixtures) =>
    changeEdge(fixtures, { tags: ['protected'], ...changes })
const dropAll = {
  ...rule('tcp', '22'),
  action: 'DROP',
  ports: null,
  addresses: { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] },
}
const disable = (fixtures: Fixtures) => changeEdge(fixtures, { status: 'disabled' })

const hash = '--if-match abcdef012345'
const keepOpen = (traffic: string) => `--keep-open ${traffic}`
const keepClosedPort = keepOpen('tcp/2222@203.0.113.7')
const accountFile = JSON.stringify({ firewalls: { edge: { rules: ruleSet() } } })

/** Firewall "edge" (9100) allows SSH and HTTPS from 203.0.113.0/24, and protects compute instance 9001. */
const flags: readonly { flag: string; code: ErrorCode; isSent?: true; samples: Record<string, Sample> }[] = [
  {
    flag: 'compute-id',
    code: 'conflict',
    // Only the API has every device and region.
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
      'firewalls rules add': { line: `edge inbound ${newRule} ${hash}` },
      'firewalls rules move': { line: `edge inbound label:web --at 1 ${hash}` },
      'firewalls rules remove': { line: `edge inbound label:web ${hash}` },
      'firewalls rules update': { line: `edge --inbound-policy accept ${hash}` },
    },
  },
  {
    flag: 'force',
    code: 'protected',
    samples: {
      apply: { line: '-', stdin: JSON.stringify({ firewalls: { edge: { status: 'disabled' } } }), arrange: protect() },
      'firewalls delete': { line: 'edge', arrange: protect() },
      'firewalls devices delete': { line: 'edge 9300', arrange: protect() },
      'firewalls disable': { line: 'edge', arrange: protect() },
      'firewalls rules add': {
        line: 'edge inbound --at 1 --action accept --protocol tcp --from 0.0.0.0/0 --from ::/0',
        arrange: protect({ rules: { ...ruleSet(dropAll), inbound_policy: 'ACCEPT' } }),
      },
      'firewalls rules edit': {
        line: 'edge',
        arrange(fixtures) {
          protect()(fixtures)
          Object.assign(fixtures.env, { EDITOR: "sed -i 's/inbound_policy: DROP/inbound_policy: ACCEPT/I'" })
        },
      },
      'firewalls rules move': {
        line: 'edge inbound label:open --at 1',
        arrange: protect({
          rules: { ...ruleSet(dropAll, { ...dropAll, action: 'ACCEPT', label: 'open' }), inbound_policy: 'ACCEPT' },
        }),
      },
      'firewalls rules remove': {
        line: 'edge inbound label:tcp',
        arrange: protect({ rules: { ...ruleSet(dropAll), inbound_policy: 'ACCEPT' } }),
      },
      'firewalls rules undo': { line: 'edge', arrange: addDnsThenOthers, code: 'changed' },
      'firewalls rules update': { line: 'edge --inbound-policy accept', arrange: protect() },
      'firewalls update': { line: 'edge --status disabled --no-tags --no-validate', arrange: protect() },
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
      apply: { line: `- ${keepOpen('tcp/22@203.0.113.7')}`, stdin: accountFile },
      'firewalls create': {
        line: `--label fresh --inbound-policy drop --outbound-policy accept --compute-id 9002 ${keepClosedPort}`,
      },
      'firewalls devices add': { line: `edge --compute-id 9002 ${keepClosedPort}` },
      'firewalls enable': { line: `edge ${keepClosedPort}`, arrange: disable },
      'firewalls rules add': { line: `edge inbound ${newRule} ${keepClosedPort}` },
      'firewalls rules edit': {
        line: `edge ${keepOpen('tcp/22@203.0.113.7')}`,
        arrange: ({ env }) => Object.assign(env, { EDITOR: "sed -i 's/\\b22\\b/2222/'" }),
      },
      'firewalls rules move': {
        line: `edge inbound label:ssh --at 2 ${keepOpen('tcp/22@203.0.113.7')}`,
        arrange: (fixtures) =>
          changeEdge(fixtures, { rules: ruleSet(ssh, { ...ssh, label: 'no-ssh', action: 'DROP' }) }),
      },
      'firewalls rules remove': { line: `edge inbound label:ssh ${keepOpen('tcp/22@203.0.113.7')}` },
      'firewalls rules undo': { line: `edge ${keepOpen('udp/53@203.0.113.7')}`, arrange: addDns },
      'firewalls rules update': { line: `edge --file HOME/none.json ${keepOpen('tcp/22@203.0.113.7')}` },
      'firewalls update': { line: `edge --status enabled ${keepClosedPort}`, arrange: disable },
      'history undo': { line: `1 ${keepOpen('udp/53@203.0.113.7')}`, arrange: addDns },
      plan: { line: `- ${keepOpen('tcp/22@203.0.113.7')}`, stdin: accountFile },
    },
  },
]

/**
 * Commands whose flag of this name is no precondition: a default, a filter, a place, or --force for files and for the
 * current token.
 */
const exempt = new Set([
  'context update --keep-open',
  'firewalls devices delete --compute-id',
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

describe.for(flags)('--$flag', ({ flag, code, isSent, samples }) => {
  test(`has a sample for every command with --${flag}`, () => {
    const commandsWithFlag = commands.filter(({ path, command }) => {
      return !exempt.has(`${path} --${flag}`) && command.flags.some(({ name }) => name === flag)
    })
    expect(Object.keys(samples)).toEqual(commandsWithFlag.map(({ path }) => path).sort())
  })

  test.for(Object.entries(samples))(
    `"%s" fails with ${code}, exit code 6, as text and JSON`,
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
      const [text, json] = [await run(''), await run(' --json')]
      const { error } = JSON.parse(json.stderr.trimEnd().split('\n').at(-1) || '{}')
      expect({ exits: [text.exit, json.exit], code: error?.code, sent: writes() > before }).toEqual({
        exits: [exitCodes[cause], exitCodes[cause]],
        code: cause,
        sent: isSent === true,
      })
      expect(error.exit_code).toBe(6)
      expect(text.stderr).toContain(error.message.replace(/\.$/, ''))
    },
  )
})
