/** All targets are found before the first is changed, in every command with several targets (interface.md, Targets). */
import { describe, expect } from 'vitest'
import { ruleThat as rule, rulesOf } from './support/firewall-rules'
import { type Fixtures, test } from './support/skyctl'

type World = Fixtures['world']

const sent = (world: World) => world.requests().filter(({ method }) => method !== 'GET')

/** Lines whose last target does not exist; two that exist come before. */
const lines = [
  'firewalls rules add 9001 9002 8443 inbound --action accept --protocol tcp --port 8080 --from anywhere',
  'firewalls enable 9001 9002 8443',
  'firewalls disable 9001 9002 8443',
  'firewalls delete edge-1 9002 nowhere',
  'firewalls close 9001 9002 8443',
  'firewalls devices delete edge-1 9101 9102 8443',
  'volumes delete 9001 data-9002 8443',
  'volumes detach 9001 9002 nowhere',
  'tokens revoke 9001 9002 8443',
  'profile sshkeys delete key-1 key-2 nothing',
  'profile apps revoke app-1 app-2 nothing',
  'profile devices revoke 9001 9002 8443',
  'ipv6 ranges delete 2001:db8:ffff:1:: 2001:db8:ffff:2:: 2001:db8:ffff:3::',
]

function arrange(world: World) {
  const rules = rulesOf([rule({ label: 'ssh' })]) as never
  for (const [index, id] of [9001, 9002].entries()) {
    world.compute({ id, region: 'us-east' })
    world.network.firewall({ id, label: `edge-${index + 1}`, rules, status: index === 0 ? 'enabled' : 'disabled' })
    world.volume({ id, label: `data-${id}`, region: 'us-east', compute_id: null })
  }
}

describe('if one of several targets does not exist, nothing is sent', () => {
  test.for(lines)('%s', async (line, { skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(`${line} --yes`)
    expect({ exit, sent: sent(world) }).toEqual({ exit: 9, sent: [] })
    expect(stderr).toMatch(/^0 of 3 \w+(, [12] not tried)?$/m)
    expect(stderr).toContain('not found')
  })

  test('reverse DNS of a file', async ({ skyctl, world }) => {
    arrange(world)
    world.network.address({ address: '203.0.113.200', compute_id: 9001 })
    const stdin = ['203.0.113.200', '203.0.113.250'].map((address) =>
      JSON.stringify({ address, rdns: 'a.example.net' }),
    )
    const { exit } = await skyctl('ips rdns --body -', { stdin: stdin.join('\n') })
    expect({ exit, sent: sent(world) }).toEqual({ exit: 9, sent: [] })
  })

  test('a label of several objects stops all, too', async ({ skyctl, world }) => {
    for (const id of [9001, 9002]) world.volume({ id, label: 'twin' })
    world.volume({ id: 9003, label: 'single' })
    const { exit, stderr } = await skyctl('volumes delete single twin --yes')
    expect({ exit, sent: sent(world), stderr }).toMatchObject({
      ...{ exit: 9, sent: [] },
      stderr: expect.stringContaining('0 of 2 deleted, 1 not tried'),
    })
  })

  test('many targets are looked up with few requests', async ({ skyctl, world }) => {
    const ids = Array.from({ length: 30 }, (_, index) => world.volume({ label: `many-${index}` }).id)
    const { exit } = await skyctl(`volumes delete ${ids.join(' ')} 999998 --yes`)
    expect({ exit, sent: sent(world) }).toEqual({ exit: 9, sent: [] })
    expect(world.requests('GET').length).toBeLessThan(5)
    const before = world.requests('GET').length
    expect((await skyctl(`volumes delete ${ids.join(' ')} --yes`)).exit).toBe(0)
    expect(world.requests('GET').length - before).toBeLessThan(5)
  })

  test('records of all are printed for scripts', async ({ skyctl, world }) => {
    arrange(world)
    const { stdout } = await skyctl('volumes delete 9001 8443 --yes --json')
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({
        ...{ id: 9001, ok: false },
        error: expect.objectContaining({ code: 'refused', message: 'not tried: volume 8443 not found' }),
      }),
      expect.objectContaining({ id: 8443, ok: false, error: expect.objectContaining({ code: 'not_found' }) }),
    ])
  })
})

test('--if-present changes the targets that exist', async ({ skyctl, world }) => {
  arrange(world)
  expect((await skyctl('volumes delete 9001 8443 nowhere --if-present --yes')).exit).toBe(0)
  expect(sent(world).map(({ path }) => path)).toEqual(['/volumes/9001'])
})
