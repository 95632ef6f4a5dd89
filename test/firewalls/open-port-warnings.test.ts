/** Warnings of ports that a change opens to everybody, judged as `firewalls test` does, and of impossible addresses. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { everybody } from '../support/audited-world'
import { ruleThat as rule, rulesOf } from '../support/firewall-rules'
import { test } from '../support/skyctl'

const warningsIn = (stderr: string) =>
  stderr
    .split('\n')
    .flatMap((line) =>
      line.includes('gives away') || line.includes('more') ? [line.replace('skyctl: warning: ', '')] : [],
    )

const redis = rule({ ports: '6379', ipv4: everybody, ipv6: ['::/0'], label: 'cache' })
const ssh = rule({ label: 'ssh' })
const text = 'lets everybody reach Redis (6379), which gives away data'
const addRedis = '--action accept --protocol tcp --port 6379 --from anywhere'

test.for([
  ['create', 'create --label new --file -', `inbound rule 2 ${text} (line 1)`],
  ['rules add', `rules add edge inbound ${addRedis}`, `inbound rule 2 ${text}`],
  ['rules update', 'rules update edge --file - --yes', `inbound rule 2 ${text} (line 1)`],
  ['rules edit', 'rules edit edge --yes', `inbound rule 2 ${text} (line 12)`],
  ['test', 'test --file - --port 80 --from 8.8.8.8', `inbound rule 2 ${text} (line 1)`],
  ['open', 'open edge --port 6379 --from anywhere --for 1h --dry-run', `inbound rule 1 ${text}`],
])('%s warns of a database that it opens', async ([name, line = '', warning], { skyctl, world, home }) => {
  world.network.firewall({ id: 9100, label: 'edge', rules: rulesOf([ssh]) as never })
  const editor = join(home, 'editor.sh')
  const draft = join(home, 'draft.json')
  writeFileSync(draft, '#\n'.repeat(11) + JSON.stringify(rulesOf([ssh, redis])))
  writeFileSync(editor, `#!/bin/sh\ncp '${draft}' "$1"\n`, { mode: 0o700 })
  const { exit, stderr } = await skyctl(`firewalls ${line}`, {
    stdin: JSON.stringify(rulesOf([ssh, redis])),
    env: { EDITOR: editor },
  })
  expect({ exit, warnings: warningsIn(stderr) }, name).toEqual({ exit: 0, warnings: [warning] })
})

test('a change warns of two halves of the internet, which a later rule completes', async ({ skyctl, world }) => {
  const half = (ipv4: string) => rule({ ports: '22', ipv4: [ipv4] })
  world.network.firewall({ id: 9100, label: 'edge', rules: rulesOf([ssh, half('0.0.0.0/1')]) as never })
  const add = 'rules add edge inbound --action accept --protocol tcp --port 22 --from 128.0.0.0/1'
  expect(warningsIn((await skyctl(`firewalls ${add}`)).stderr)).toEqual([
    'inbound rules 2 and 3 let any IPv4 address reach SSH (22), which gives away a shell',
  ])
})

test('a change does not warn of a port that an earlier rule drops', async ({ skyctl, world }) => {
  const drop = rule({ action: 'DROP', ports: '6379', ipv4: everybody, ipv6: ['::/0'] })
  world.network.firewall({ id: 9100, label: 'edge', rules: rulesOf([drop]) as never })
  const { exit, stderr } = await skyctl(`firewalls rules add edge inbound ${addRedis}`)
  expect({ exit, warnings: warningsIn(stderr) }).toEqual({ exit: 0, warnings: [] })
  expect(JSON.parse((await skyctl('firewalls test edge --port 6379 --from 8.8.8.8 --json')).stdout).action).toBe('DROP')
})

test('a policy that accepts is a warning, with the ports that it opens', async ({ skyctl, world }) => {
  world.network.firewall({ id: 9100, label: 'edge', rules: rulesOf([ssh]) as never })
  const line = 'firewalls rules update edge --inbound-policy accept --yes'
  const { exit, stderr } = await skyctl(line)
  expect({ exit, warnings: warningsIn(stderr) }).toEqual({
    exit: 0,
    warnings: [
      expect.stringMatching(/^the inbound policy lets everybody reach SSH \(22\), Telnet \(23\), .* and \d+ more$/),
    ],
  })
})

test('a change does not warn again of ports that were open before', async ({ skyctl, world }) => {
  world.network.firewall({ id: 9100, label: 'edge', rules: rulesOf([ssh, redis], 'ACCEPT') as never })
  const { exit, stderr } = await skyctl('firewalls rules remove edge inbound label:ssh --yes')
  expect({ exit, warnings: warningsIn(stderr) }).toEqual({ exit: 0, warnings: [] })
})

test.for([
  ['rules add', 'rules add edge inbound --action accept --protocol tcp --port 80 --from ::,203.0.113.0/24', '::/128'],
  ['open', 'open edge --port 80 --from 0.0.0.0 --for 1h --dry-run', '0.0.0.0/32'],
  ['rules update', 'rules update edge --file - --yes', 'ff00::/8'],
])('%s warns of an address that no packet has', async ([, line = '', network = ''], { skyctl, world }) => {
  world.network.firewall({ id: 9100, label: 'edge', rules: rulesOf([ssh]) as never })
  const stdin = JSON.stringify(rulesOf([rule({ ports: '80', ipv6: ['ff00::/8'] })]))
  const { exit, stderr } = await skyctl(`firewalls ${line}`, { stdin })
  const all = network.includes(':') ? 'all IPv6 is ::/0' : 'all IPv4 is 0.0.0.0/0'
  expect(exit).toBe(0)
  expect(stderr).toContain(`: ${network} matches nothing; ${all}`)
})
