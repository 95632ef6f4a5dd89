/** Shell scripts of real jobs, each run twice, as CI and cron do. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../support/in-process-shell'
import type { World } from '../support/sandbox'

const labelsIn = ({ network }: World, label: string) =>
  network.firewalls
    .all()
    .filter((one) => one.label === label)
    .map(({ rules }) => rules.inbound.map((rule) => rule.label))

describe('a script that runs twice', () => {
  test('creates a firewall and its rules once: --if-absent', async ({ shell, world }) => {
    world.compute({ id: 9001, label: 'app-1', region: 'us-east' })
    const lines = [
      'set -eu',
      'skyctl volumes create --label app-data --region us-east --if-absent -q',
      'skyctl firewalls create --label app --inbound-policy drop --outbound-policy accept --if-absent -q',
      'skyctl firewalls rules add app inbound --action accept --protocol tcp --port 443 --from anywhere --label web --if-absent',
      'skyctl firewalls devices add app --compute-id 9001 --yes',
    ]
    const outputs: string[] = []
    for (const run of [1, 2]) {
      const { exit, stdout, stderr } = await shell(lines.join('\n'))
      expect({ run, exit, stderr: exit === 0 ? '' : stderr }).toEqual({ run, exit: 0, stderr: '' })
      outputs.push(stdout.split('\n').slice(0, 2).join())
    }
    expect(outputs[1]).toBe(outputs[0])
    expect(labelsIn(world, 'app')).toEqual([['web']])
    expect(world.volumes.all().filter(({ label }) => label === 'app-data')).toHaveLength(1)
    // The service answers that the second assignment is there.
    expect(world.requests('POST')).toHaveLength(4)
    expect(world.requests('PUT')).toHaveLength(1)
  })

  test('lets only a CDN reach an instance, and follows its ranges', async ({ shell, world, home }) => {
    world.compute({ id: 9001, label: 'app-1', region: 'us-east' })
    const cdn = (ranges: string) => writeFileSync(join(home, 'networks.yaml'), `networks:\n  cdn: [${ranges}]\n`)
    const rules = [
      'inbound_policy: drop',
      'outbound_policy: accept',
      'inbound:',
      '  - { label: cdn, action: accept, protocol: tcp, ports: 443, from: [cdn] }',
      'outbound: []',
    ]
    writeFileSync(join(home, 'origin.yaml'), `${rules.join('\n')}\n`)
    const script = (inside: string) =>
      [
        'set -eu',
        'skyctl firewalls create --label origin --file origin.yaml --if-absent -q >firewall || [ $? = 6 ]',
        'skyctl firewalls rules update origin --file origin.yaml --yes -q',
        'skyctl firewalls devices add origin --compute-id 9001 --yes -q >device',
        'test="skyctl firewalls test origin --protocol tcp"',
        `$test --port 443 --from ${inside} --expect accept -q`,
        '$test --port 443 --from 203.0.113.9 --expect drop -q',
        `$test --port 22 --from ${inside} --expect drop -q`,
      ].join('\n')
    cdn('198.51.100.0/25, "2001:db8:c::/48"')
    for (const run of [1, 2])
      expect({ run, ...(await shell(script('2001:db8:c::1'), { cwd: home })) }).toMatchObject({ run, exit: 0 })
    expect(world.requests('PUT')).toEqual([])
    cdn('198.51.100.128/25')
    expect(await shell(script('::ffff:198.51.100.200'), { cwd: home })).toMatchObject({ exit: 0 })
    expect(world.requests('PUT')).toHaveLength(1)
    expect(labelsIn(world, 'origin')).toEqual([['cdn']])
    const closed = await shell(script('198.51.100.1'), { cwd: home })
    expect(closed).toMatchObject({ exit: 13 })
  })

  test('opens a firewall to a CI runner, and closes only its own opening', async ({ shell, world }) => {
    world.network.firewall({ id: 9100, label: 'gate' })
    const other = await shell('skyctl firewalls open gate --port 22 --from 198.51.100.9 --for 1h --json')
    const { mark } = JSON.parse(other.stdout)
    const job = [
      'set -eu',
      'runner=198.51.100.7',
      'skyctl firewalls open gate --port 22 --from "$runner" --for 15m -q >"$HOME/opened"',
      'skyctl firewalls test gate --protocol tcp --port 22 --from "$runner" --expect accept -q',
      'skyctl firewalls close gate --from "$runner" -q',
    ].join('\n')
    for (const run of [1, 2]) {
      expect({ run, ...(await shell(job)) }).toMatchObject({ run, exit: 0 })
      const open = world.network.firewalls.get(9100)?.rules.inbound.flatMap(({ addresses }) => addresses.ipv4 ?? [])
      expect({ run, open }).toEqual({ run, open: ['198.51.100.9/32'] })
    }
    expect(await shell(`skyctl firewalls close gate --mark ${mark}`)).toMatchObject({ exit: 0 })
    expect(world.network.firewalls.get(9100)?.rules.inbound).toEqual([])
  })
})
