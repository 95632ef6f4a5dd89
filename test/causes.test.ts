/** An error has the same code and exit code in every command, whether skyctl or the API finds it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { ErrorCode } from '../src/errors'
import { faultServer, reply } from './support/fault-server'
import { rule, ruleSet, ssh } from './support/firewall-rules'
import { cut, lossyProxy } from './support/lossy-proxy'
import { openProxy } from './support/proxy'
import { test as base, type Options } from './support/skyctl'

/** A command line; `HOME` is a folder with the files below. */
type Attempt = string | (Options & { line: string })

const files = {
  'rules.json': JSON.stringify(ruleSet()),
  'grow.yaml': 'volumes:\n  free: { size: 50 }',
  'post.json': JSON.stringify({ label: 'edge', rules: ruleSet() }),
  'resize.json': '{"size": 20}',
  'device.json': '{"id": 9001, "type": "compute"}',
  'label.json': '{"label": "free"}',
}

interface Stage {
  /** Runs a line in the world below, with text and with JSON output. */
  attempt(
    one: Attempt,
    env?: Options['env'],
  ): Promise<{ exit: number; code: ErrorCode; message: string | undefined; text: string }>
}

/** Returns the message as text output has it: shorter for several targets, and without full stop. */
const sentence = ({ code, message }: { code: ErrorCode; message: string }) =>
  code === 'some_failed' ? message.split(': ', 1)[0] : message.replace(/\.$/, '')

/**
 * Creates compute instances 9001 (us-east) and 9002 (eu-west); volumes "free" (7001), "held" (7002, attached to 9001)
 * and "twin" twice; firewalls "edge" (9100), "gate" (9200), which protects 9001, and "full" with 25 rules. Instance
 * 9001 has the addresses 203.0.113.200 and 203.0.113.201, which has 1:1 NAT, and 9002 has 203.0.113.210.
 */
const test = base.extend<Stage>({
  attempt: async ({ skyctl, home, world }, use) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text, { mode: 0o600 })
    world.compute({ id: 9001, label: 'app-1', region: 'us-east' })
    world.compute({ id: 9002, label: 'app-2', region: 'eu-west' })
    world.volume({ id: 7001, label: 'free', region: 'us-east', size: 40 })
    world.volume({ id: 7002, label: 'held', region: 'us-east', compute_id: 9001 })
    for (const id of [7003, 7004]) world.volume({ id, label: 'twin', region: 'us-east', size: 20 })
    world.volume({ id: 7005, label: 'far', region: 'eu-west', compute_id: 9002 })
    world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(ssh, { ...ssh, ports: '80' }) as never })
    world.network.firewall({ id: 9200, label: 'gate', rules: ruleSet(ssh) as never })
    world.network.device(9200, 'compute', 9001)
    const full = Array.from({ length: 25 }, (_, index) => rule(`rule-${index}`, `${8000 + index}`))
    world.network.firewall({ label: 'full', rules: ruleSet(...full) })
    world.network.address({ address: '203.0.113.200', compute_id: 9001 })
    const vpc_nat_1_1 = { address: '10.0.0.2', subnet_id: 1, vpc_id: 1 }
    world.network.address({ address: '203.0.113.201', compute_id: 9001, vpc_nat_1_1 })
    world.network.address({ address: '203.0.113.210', compute_id: 9002, region: 'eu-west' })
    await use(async (one, env) => {
      const { line, ...options } = typeof one === 'string' ? { line: one } : one
      const run = (format: string) =>
        skyctl(`${line.replaceAll('HOME', home)} --retries 0${format}`, { ...options, env: { ...env, ...options.env } })
      const [text, json] = [await run(''), await run(' --json')]
      // A question may precede the error.
      const { error } = JSON.parse(json.stderr.trimEnd().match(/\{\s*"error":[\s\S]*\}$/)?.[0] ?? '')
      expect({ exit: text.exit, record: error.exit_code }).toEqual({ exit: json.exit, record: json.exit })
      return { exit: json.exit, code: error.code, message: sentence(error), text: text.stderr }
    })
  },
})

const errors: readonly [ErrorCode, exit: number, by: Record<string, readonly Attempt[]>][] = [
  [
    'usage',
    2,
    { 'the command': ['volumes resize free --size ten', 'volumes delete free', 'firewalls rules update edge --yes'] },
  ],
  [
    'not_found',
    5,
    {
      'the command': [
        'volumes view nope',
        'firewalls delete nope --yes',
        'firewalls rules list nope',
        'tokens revoke nope --yes',
        'ips assign 203.0.113.250=9001 --region us-east --yes',
      ],
      'the API': [
        'volumes view 77',
        'volumes delete 77 --yes',
        'firewalls rules list 77',
        'ips view 203.0.113.250',
        'api GET /volumes/77',
        'api DELETE /volumes/77',
      ],
    },
  ],
  [
    'context_not_found',
    5,
    {
      'the command': [
        '--context prdo volumes delete 77 --if-present --yes',
        'context use prdo',
        'context remove prdo --yes',
        'auth logout --context prdo',
      ],
    },
  ],
  [
    'exists',
    6,
    {
      'the command': [
        'volumes create --label free --region us-east --yes',
        'volumes create --label free --region us-east --size 99 --if-absent --yes',
        {
          line: 'profile sshkeys add --label laptop --ssh-key - --yes',
          stdin: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA other',
        },
      ],
      'the API': [
        'api POST /networking/firewalls --body HOME/post.json --yes',
        'firewalls update gate --label edge --yes',
      ],
    },
  ],
  [
    'conflict',
    6,
    {
      'the command': [
        'volumes delete held --yes',
        'ips assign 203.0.113.210=9001 --region us-east --yes',
        'ips assign 203.0.113.201=1001 --region us-east --yes',
        'ips assign 203.0.113.210=1009 --yes',
        'ips share 203.0.113.210 --compute-id 9001 --yes',
        'ips share 203.0.113.201 --compute-id 1001 --yes',
      ],
      'the API': [
        'api POST /volumes/7001/resize --body HOME/resize.json --yes',
        'api DELETE /volumes/7002 --yes',
        'api POST /networking/firewalls/9100/devices --body HOME/device.json --yes',
        'ips assign 203.0.113.210=9001 --region us-east --no-validate --yes',
        'ips assign 203.0.113.201=1001 --region us-east --no-validate --yes',
        'ips assign 203.0.113.210=1009 --no-validate --yes',
        'ips share 203.0.113.210 --compute-id 9001 --no-validate --yes',
        'ips share 203.0.113.201 --compute-id 1001 --no-validate --yes',
        'ips allocate --compute-id 1003 --private',
      ],
    },
  ],
  [
    'refused',
    6,
    {
      'the command': [
        { line: 'volumes delete free', interactive: true, stdin: 'n\n' },
        'volumes delete twin --yes',
        'firewalls rules remove edge inbound label:ssh --yes',
        'firewalls open full --port 22 --from 192.0.2.7 --for 1h',
        'ips rdns 192.168.128.11 www.example.net --yes',
      ],
      'the API': ['ips rdns 192.168.128.11 www.example.net --no-validate --yes'],
    },
  ],
  [
    'local',
    12,
    {
      'the command': [
        'volumes create --label new --region us-east --debug-file HOME --yes',
        'plan HOME/nope.yaml',
        'firewalls rules update edge --file HOME/nope.json --yes',
        'api POST /volumes --body HOME/nope.json --yes',
      ],
    },
  ],
  [
    'some_failed',
    9,
    { 'the command': ['volumes view free 77', 'volumes delete 77 78 --yes', 'firewalls enable edge 77 --yes'] },
  ],
  ['wait_timed_out', 10, { 'the command': ['volumes wait free --for attached --wait-timeout 2s'] }],
  [
    'mismatch',
    13,
    {
      'the command': [
        'firewalls rules diff edge --file HOME/rules.json --exit-code',
        'firewalls test edge --protocol tcp --port 22 --from 192.0.2.7 --expect accept',
      ],
    },
  ],
]

describe.for(errors)('%s is exit %i', ([code, exit, by]) => {
  const tries = Object.entries(by).flatMap(([who, lines]) =>
    lines.map((one) => ({ who, line: typeof one === 'string' ? one : one.line, one })),
  )

  test.for(tries)('detected by $who: $line', async ({ one }, { attempt }) => {
    const { message, text, ...result } = await attempt(one)
    expect(result).toEqual({ exit, code })
    expect(text).toContain(message)
  })
})

describe('too_large is exit 12 for an answer of more than 32 MiB', () => {
  test.for(['volumes view free', 'plan HOME/grow.yaml', 'api GET /volumes'])('%s', async (line, { attempt }) => {
    const { env } = await faultServer(reply(200, `"${'x'.repeat(33 * 1024 * 1024)}"`))
    const { message, text, ...result } = await attempt(line, env)
    expect(result).toEqual({ exit: 12, code: 'too_large' })
    expect(text).toContain(message)
  })
})

describe('outcome_unknown is exit 11 after a lost answer to a request that must not be repeated', () => {
  test.for([
    ['POST', 'volumes clone 7001 --label other'],
    ['POST', 'volumes create --label new --region us-east'],
    ['POST', 'tokens create --label ci --scope volumes:read_only'],
    ['POST', 'ips allocate --compute-id 9001 --public'],
    ['POST', 'api POST /volumes --body HOME/label.json'],
  ] as const)('%s: %s', async ([method, line], { attempt, sandbox }) => {
    const proxy = await lossyProxy(sandbox.baseUrl)
    for (const _run of ['people', 'json']) proxy.lose(method, /./, { done: false, reply: cut })
    const { message, text, ...result } = await attempt(`${line} --yes`, { SKYCTL_BASE_URL: proxy.baseUrl })
    await proxy.close()
    expect(result).toEqual({ exit: 11, code: 'outcome_unknown' })
    expect(text).toContain(message)
  })
})

describe('changed is exit 6 if somebody else has changed', () => {
  test('the objects of a saved plan', async ({ attempt, skyctl, home, world }) => {
    await attempt('volumes view nope')
    const path = join(home, 'saved.json')
    expect(await skyctl(`plan ${join(home, 'grow.yaml')} --out ${path}`)).toMatchObject({ exit: 0 })
    const volume = world.volumes.get(7001)
    if (volume) world.volumes.put({ ...volume, size: 45 })
    const { message, text, ...result } = await attempt(`apply ${path} --yes`)
    expect(result).toEqual({ exit: 6, code: 'changed' })
    expect(text).toContain(message)
  })

  test.for([
    ['replaced', 'firewalls rules update edge --file HOME/rules.json'],
    ['edited', 'firewalls rules edit edge'],
  ])('the rules that are %s', async ([, line], { attempt, sandbox, world }) => {
    let turn = 0
    const proxy = await openProxy(sandbox.baseUrl, {
      after({ method, path }) {
        if (method !== 'GET' || !path.endsWith('/rules')) return
        turn += 1
        const edge = world.network.firewalls.get(9100)
        if (edge) world.network.firewalls.put({ ...edge, rules: ruleSet({ ...ssh, ports: String(turn) }) as never })
      },
    })
    const env = { SKYCTL_BASE_URL: proxy.baseUrl, EDITOR: 'sed -i s/DROP/ACCEPT/', PATH: process.env.PATH }
    const { message, text, ...result } = await attempt(`${line} --yes`, env)
    await proxy.close()
    expect(result).toEqual({ exit: 6, code: 'changed' })
    expect(text).toContain(message)
  })
})

test('conflict is exit 6 if another user made the change to undo', async ({ attempt, skyctl, world }) => {
  await attempt('volumes view nope')
  expect(await skyctl('volumes update free --add-tag db')).toMatchObject({ exit: 0 })
  const other = world.users.all().find(({ username }) => username === 'restricted')
  const env = { SKYCTL_TOKEN: world.token('*', other?.id) }
  const { message, text, ...result } = await attempt('history undo 1 --yes', env)
  expect(result).toEqual({ exit: 6, code: 'conflict' })
  expect(text).toContain(message)
})

test.for([
  ['firewalls create --label edges --inbound-policy drop --outbound-policy accept', 'add_firewalls'],
  ['volumes create --label fresh --region us-east', 'add_volumes'],
  ['volumes clone 3001 --label copy', 'add_volumes'],
])('not_allowed names the grant that lets a restricted user create: %s', async ([line, grant], { skyctl, world }) => {
  const other = world.users.all().find(({ username }) => username === 'restricted')
  const { exit, stderr } = await skyctl(`${line} --json`, { env: { SKYCTL_TOKEN: world.token('*', other?.id) } })
  const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
  expect({ exit, error }).toMatchObject({ exit: 4, error: { code: 'not_allowed' } })
  expect(error.hint).toContain(`The user needs the grant ${grant}`)
})
