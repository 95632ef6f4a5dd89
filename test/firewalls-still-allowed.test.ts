/** Changes of rules that remove something but block nothing: each command prints what still allows the traffic. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { FirewallRule, FirewallRules } from '../src/catalogue/firewall-rules'
import { ruleThat as rule } from './support/firewall-rules'
import { test } from './support/skyctl'

const postgres = rule({ ports: '5432', label: 'postgres', ipv4: ['0.0.0.0/0'] })
const ssh = rule({ label: 'ssh' })
const rules = (...inbound: FirewallRule[]): FirewallRules => ({
  inbound,
  inbound_policy: 'ACCEPT',
  outbound: [],
  outbound_policy: 'ACCEPT',
})

const text = 'tcp/5432 from 0.0.0.0/0 is still allowed by the inbound policy'

test.for([
  ['remove', 'rules remove edge inbound label:postgres --yes'],
  ['update', 'rules update edge --file - --yes'],
  ['edit', 'rules edit edge --yes'],
  ['undo', 'rules undo edge --yes'],
  ['a dry run', 'rules remove edge inbound label:postgres --dry-run'],
])('%s warns that the accept policy still allows the traffic', async ([name, line = ''], { skyctl, world, home }) => {
  world.network.firewall({
    id: 9100,
    label: 'edge',
    rules: rules(ssh, ...(name === 'undo' ? [] : [postgres])) as never,
  })
  if (name === 'undo') {
    const add = 'rules add edge inbound --action accept --protocol tcp --port 5432 --from 0.0.0.0/0 --label postgres'
    expect((await skyctl(`firewalls ${add}`)).stderr).not.toContain('still')
  }
  const editor = join(home, 'editor.sh')
  writeFileSync(editor, `#!/bin/sh\nsed -i 's/5432/5433/' "$1"\n`, { mode: 0o700 })
  const { exit, stderr } = await skyctl(`firewalls ${line}`, {
    stdin: JSON.stringify(rules(ssh)),
    env: { EDITOR: editor },
  })
  const warnings = stderr.split('\n').filter((one) => one.includes('still allowed'))
  expect({ exit, warnings }).toEqual({ exit: 0, warnings: [`skyctl: warning: ${text}`] })
})

test('the warning is JSON on stderr with --json, and names a rule by number and label', async ({ skyctl, world }) => {
  const wide = rule({ ports: '5000-6000', label: 'wide', ipv4: ['0.0.0.0/0'] })
  const rulesWithDrop = { ...rules(ssh, wide, postgres), inbound_policy: 'DROP' }
  world.network.firewall({ id: 9100, label: 'edge', rules: rulesWithDrop as never })
  const { exit, stdout, stderr } = await skyctl('firewalls rules remove edge inbound label:postgres --yes --json')
  expect({
    exit,
    stderr: stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  }).toEqual({
    exit: 0,
    stderr: [{ warning: { message: 'tcp/5432 from 0.0.0.0/0 is still allowed by inbound rule 2 "wide"' } }],
  })
  expect(JSON.parse(stdout).inbound).toHaveLength(2)
})

test('at most three warnings are printed, and the number of the others', async ({ skyctl, world }) => {
  const ports = ['5432', '6379', '3306', '9200', '27017']
  const all = ports.map((port) => rule({ ports: port, label: `port-${port}`, ipv4: ['0.0.0.0/0'] }))
  world.network.firewall({ id: 9100, label: 'edge', rules: rules(ssh, ...all) as never })
  const warnings = async (stdin: string) => {
    const { stderr } = await skyctl('firewalls rules update edge --file - --dry-run', { stdin })
    return stderr.split('\n').filter((line) => line.includes('warning'))
  }
  const more = await warnings(JSON.stringify(rules(ssh)))
  expect({ count: more.length, last: more.at(-1) }).toEqual({
    count: 4,
    last: 'skyctl: warning: 2 more of these changes block nothing. See: skyctl help lockout',
  })
  expect(await warnings(JSON.stringify(rules(ssh, ...all.slice(3))))).toHaveLength(3)
})

test('move warns about traffic that it does not block', async ({ skyctl, world }) => {
  const drop = rule({ action: 'DROP', ports: '5432', label: 'drop', ipv4: ['198.51.100.0/24'] })
  world.network.firewall({ id: 9100, label: 'edge', rules: rules(postgres, ssh, drop) as never })
  const { stderr } = await skyctl('firewalls rules move edge inbound label:drop --at 2')
  expect(stderr).toContain(
    'skyctl: warning: tcp/5432 from 198.51.100.0/24 is still allowed by inbound rule 1 "postgres"\n',
  )
})

test('close warns about traffic that is still allowed', async ({ skyctl, world }) => {
  world.network.firewall({ id: 9100, label: 'edge', rules: rules() as never })
  expect((await skyctl('firewalls open edge --port 22 --from 198.51.100.7 --for 1h')).exit).toBe(0)
  const { exit, stderr } = await skyctl('firewalls close edge')
  expect({ exit, stderr }).toEqual({
    exit: 0,
    stderr: expect.stringContaining('warning: tcp/22 from 198.51.100.7 is still allowed by the inbound policy\n'),
  })
})

test('no warning is printed for traffic that is blocked, or allowed by a new rule', async ({ skyctl, world }) => {
  world.network.firewall({
    id: 9100,
    label: 'edge',
    rules: { ...rules(ssh, postgres), inbound_policy: 'DROP' } as never,
  })
  const removed = await skyctl('firewalls rules remove edge inbound label:postgres --yes')
  expect(removed.stderr).not.toContain('still allowed')
  const stdin = JSON.stringify({ inbound: [rule({ ports: '20-30', label: 'all' })] })
  const updated = await skyctl('firewalls rules update edge --file - --yes', { stdin })
  expect({ exit: updated.exit, stderr: updated.stderr }).toEqual({
    exit: 0,
    stderr: expect.not.stringContaining('still allowed'),
  })
})

test('plan lists the traffic that is still allowed, also in JSON', async ({ skyctl, world }) => {
  world.network.firewall({ id: 9100, label: 'edge', rules: rules(ssh, postgres) as never })
  const stdin = JSON.stringify({ firewalls: { edge: { rules: rules(ssh) } } })
  const traffic = 'tcp/5432 from 0.0.0.0/0 by the inbound policy'
  expect((await skyctl('plan -', { stdin })).stdout).toContain(`    still allowed: ${traffic}\n`)
  const { objects } = JSON.parse((await skyctl('plan - --json', { stdin })).stdout)
  expect(objects[0].steps[0].consequences).toMatchObject([{ kind: 'still allowed', text: traffic }])
})

test('apply prints it once, in its plan or as a warning for scripts', async ({ skyctl, world }) => {
  const stdin = JSON.stringify({ firewalls: { edge: { rules: rules(ssh) } } })
  const message = 'still allowed: tcp/5432 from 0.0.0.0/0 by the inbound policy'
  for (const flags of ['', '--json']) {
    world.network.firewalls.delete(9100)
    world.network.firewall({ id: 9100, label: 'edge', rules: rules(ssh, postgres) as never })
    const { exit, stderr } = await skyctl(`apply - --yes ${flags}`, { stdin })
    expect({ exit, times: stderr.split(message).length - 1 }).toEqual({ exit: 0, times: 1 })
    expect(stderr.match(/still allowed/g)).toHaveLength(1)
    if (flags) expect(stderr).toContain(`firewall \\"edge\\" (9100): ${message}`)
  }
})
