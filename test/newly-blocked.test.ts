/** Changes that newly block traffic ask on a terminal, and need --yes elsewhere. Those that block nothing do not ask. */
import { describe, expect } from 'vitest'
import { ruleThat as rule, rulesOf } from './support/firewall-rules'
import { type Fixtures, test } from './support/skyctl'

type World = Fixtures['world']

const ssh = rule({ label: 'ssh' })
const web = rule({ label: 'web', ports: '443', ipv4: ['0.0.0.0/0'] })
const drop = rule({ label: 'drop', action: 'DROP', ipv4: ['203.0.113.7/32'] })

/** Two instances, one protected by an enabled firewall, and the other by a disabled one; a third without any. */
function arrange(world: World) {
  for (const [index, id] of [9001, 9002, 9003].entries())
    world.compute({ id, label: `app-${index + 1}`, region: 'us-east' })
  world.network.firewall({ id: 9100, label: 'edge', rules: rulesOf([ssh, web, drop]) as never })
  world.network.firewall({ id: 9101, label: 'off', rules: rulesOf([web]) as never, status: 'disabled' })
  world.network.firewall({ id: 9102, label: 'idle', rules: rulesOf([web]) as never })
  world.network.firewall({ id: 9103, label: 'open', rules: rulesOf([], 'ACCEPT') as never, status: 'disabled' })
  world.network.device(9100, 'compute', 9001)
  world.network.device(9101, 'compute', 9002)
}

const sent = (world: World) => world.requests().filter(({ method }) => method !== 'GET').length
const add = 'firewalls rules add'
const dropSsh = 'inbound --action drop --protocol tcp --port 22 --from 203.0.113.9 --at 1'

const blocking: [line: string, traffic: string, question: string][] = [
  [
    `${add} edge ${dropSsh}`,
    'newly blocked at app-1: tcp/22 from 203.0.113.9',
    'Update the rules of firewall "edge" (9100)',
  ],
  [
    `${add} edge idle ${dropSsh}`,
    'newly blocked at app-1: tcp/22 from 203.0.113.9',
    'Update the rules of firewall "edge" (9100)',
  ],
  [
    'firewalls rules move edge inbound label:drop --at 1',
    'newly blocked at app-1: tcp/22 from 203.0.113.7',
    'Update the rules of firewall "edge" (9100)',
  ],
  ['firewalls enable off', 'newly blocked at app-2: ', 'Enable firewall "off" (9101)'],
  ['firewalls enable edge off open', 'newly blocked at app-2: ', 'Enable firewall "off" (9101)'],
  ['firewalls update off --status enabled', 'newly blocked at app-2: ', 'Update firewall "off" (9101)'],
  [
    'firewalls devices add edge --compute-id 9003',
    'newly blocked at compute 9003: ',
    'Assign firewall "edge" (9100) to compute 9003',
  ],
  [
    'firewalls create --label new --inbound-policy drop --outbound-policy accept --compute-id 9003',
    'newly blocked at compute 9003: ',
    'Create firewall "new"',
  ],
]

/** Lines that open traffic, protect nothing, change nothing, or repeat what other rules decide. */
const harmless = [
  `${add} edge inbound --action accept --protocol tcp --port 80 --from anywhere`,
  `${add} edge inbound --action drop --protocol tcp --port 22 --from 203.0.113.9`,
  `${add} edge idle inbound --action accept --protocol tcp --port 80 --from anywhere`,
  `${add} idle ${dropSsh}`,
  `${add} off ${dropSsh}`,
  `${add} edge inbound --action accept --protocol tcp --port 22 --from 203.0.113.0/24 --if-absent`,
  'firewalls rules move edge inbound label:web --at 1',
  'firewalls enable edge open',
  'firewalls update 9100 --label other',
  'firewalls update open --status enabled',
  'firewalls devices add off --compute-id 9003',
  'firewalls devices add edge --compute-id app-1',
  'firewalls create --label new --inbound-policy drop --outbound-policy accept',
  'firewalls create --label new --inbound-policy accept --outbound-policy accept --compute-id 9003',
]

const asTerminal = (answer: string) => ({ interactive: true, stdin: `${answer}\n`, env: { TERM: 'dumb' } })

describe('a change that newly blocks traffic', () => {
  test.for(blocking)('%s', async ([line, traffic, question], { skyctl, world }) => {
    arrange(world)
    const refused = await skyctl(line)
    expect(refused).toMatchObject({ exit: 2, stderr: expect.stringContaining(traffic) })
    expect(refused.stderr).toContain(
      `. ${question}? This must be confirmed, and there is no terminal for questions. Add --yes`,
    )
    const json = await skyctl(`${line} --json`)
    expect({ exit: json.exit, stdout: json.stdout }).toEqual({ exit: 2, stdout: '' })
    expect(json.stderr).toContain(traffic)
    const no = await skyctl(line, asTerminal('n'))
    expect(no).toMatchObject({ exit: 6, stderr: expect.stringContaining(traffic) })
    expect(no.stderr).toContain(`Traffic will be newly blocked, as listed above. ${question}? (y/N)`)
    expect((await skyctl(`${line} --dry-run`)).exit).toBe(0)
    expect(sent(world)).toBe(0)
    expect((await skyctl(line, asTerminal('y'))).exit).toBe(0)
    expect(sent(world)).toBeGreaterThan(0)
  })

  test.for(blocking)('is made with --yes: %s', async ([line], { skyctl, world }) => {
    arrange(world)
    expect((await skyctl(`${line} --yes`)).exit).toBe(0)
    expect(sent(world)).toBeGreaterThan(0)
  })
})

describe('a change that newly blocks nothing does not ask', () => {
  test.for(harmless)('%s', async (line, { skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(line)
    expect({ exit, stderr }).toMatchObject({ exit: 0 })
  })

  test.for(harmless)('on a terminal: %s', async (line, { skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(line, asTerminal('n'))
    expect({ exit, isAsked: stderr.includes('(y/N)') }).toEqual({ exit: 0, isAsked: false })
  })
})

test('whether traffic is blocked is unknown without the services: it must be confirmed', async ({
  skyctl,
  meanwhile,
  world,
}) => {
  arrange(world)
  await meanwhile({ before: ({ path }) => (path.includes('/9100/devices') ? 'drop' : undefined) })
  const { exit, stderr } = await skyctl(`${add} edge ${dropSsh} --retries 0`)
  expect({ exit, stderr }).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('newly blocked at the services of firewall "edge" (9100)'),
  })
})
