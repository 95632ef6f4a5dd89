/** `rules add --if-absent`: an equivalent rule exists, at any position and with any label. */
import { describe, expect } from 'vitest'
import type { FirewallRule } from '../src/catalogue/firewall-rules'
import { ruleThat as rule, rulesOf } from './support/firewall-rules'
import { type Fixtures, test } from './support/skyctl'

const web = rule({ ports: '80, 443', label: 'web', ipv4: ['0.0.0.0/0'] })
const ssh = rule({ label: 'ssh' })
const add = 'firewalls rules add edge inbound --action accept --protocol tcp --if-absent'
const addSsh = `${add} --port 22 --from 203.0.113.0/24`

const arrange = ({ network }: Fixtures['world'], ...inbound: FirewallRule[]) =>
  network.firewall({ id: 9100, label: 'edge', rules: rulesOf(inbound) as never })
const labels = ({ network }: Fixtures['world']) => network.firewalls.get(9100)?.rules.inbound.map(({ label }) => label)
const puts = (world: Fixtures['world']) => world.requests('PUT').length

describe('rules add --if-absent', () => {
  test('adds a rule once, however often it runs', async ({ skyctl, world }) => {
    arrange(world, web)
    for (const run of [1, 2, 3]) {
      expect({ run, exit: (await skyctl(`${addSsh} --label new`)).exit }).toEqual({ run, exit: 0 })
      expect({ labels: labels(world), puts: puts(world) }).toEqual({ labels: ['web', 'new'], puts: 1 })
    }
  })

  test.for([
    ['another label', `${addSsh} --label other --description text`],
    ['ports in another order', `${add} --port 443,80 --from 0.0.0.0/0`],
    ['host bits', `${add} --port 22 --from 203.0.113.7/24`],
    ['a network twice', `${add} --port 22 --from 203.0.113.0/24,203.0.113.0/24`],
    ['a place after it', `${addSsh} --at 2`],
    ['a place before it, which makes no difference', `${addSsh} --at 1`],
  ])('finds an existing rule with %s', async ([, line = ''], { skyctl, world }) => {
    arrange(world, web, ssh)
    const { exit, stderr } = await skyctl(line)
    expect({ exit, stderr, puts: puts(world) }).toEqual({
      exit: 0,
      stderr: expect.stringMatching(
        /^inbound rule [12] \(ACCEPT TCP .*\) of firewall "edge" \(9100\) already exists\n/m,
      ),
      puts: 0,
    })
  })

  test.for([
    ['another action', addSsh.replace('accept', 'drop')],
    ['more ports', `${add} --port 22-23 --from 203.0.113.0/24`],
    ['another network', `${add} --port 22 --from 203.0.113.0/25`],
    ['the other direction', addSsh.replace('inbound', 'outbound').replace('--from', '--to')],
  ])('adds a rule with %s', async ([, line = ''], { skyctl, world }) => {
    arrange(world, ssh)
    expect((await skyctl(line)).exit).toBe(0)
    expect(puts(world)).toBe(1)
  })

  test('warns if earlier rules block the traffic, with the command that moves the rule', async ({ skyctl, world }) => {
    arrange(world, web, rule({ action: 'DROP', ports: '22', label: 'drop', ipv4: ['203.0.113.7/32'] }), ssh)
    const { exit, stderr } = await skyctl(addSsh)
    expect({ exit, stderr, puts: puts(world) }).toEqual({
      exit: 0,
      stderr: expect.stringContaining(
        'warning: inbound rule 3 of firewall "edge" (9100) exists, but earlier rules match tcp/22 from 203.0.113.7. Move it: ',
      ),
      puts: 0,
    })
    const [, line = ''] = /Move it: skyctl (.*)\n/.exec(stderr) ?? []
    expect((await skyctl(`${line} --yes`)).exit).toBe(0)
    expect((await skyctl(addSsh)).stderr).not.toContain('earlier rules')
  })

  test('fails if --at requires a position before a rule that blocks the traffic', async ({ skyctl, world }) => {
    arrange(world, rule({ action: 'DROP', ports: '22', label: 'drop', ipv4: ['203.0.113.7/32'] }), ssh)
    const { exit, stderr } = await skyctl(`${addSsh} --at 1 --json`)
    expect({ exit, puts: puts(world), error: JSON.parse(stderr).error }).toMatchObject({
      exit: 6,
      puts: 0,
      error: {
        code: 'exists',
        hint: expect.stringMatching(/^Move it: skyctl firewalls rules move 9100 inbound 2 --at 1/),
      },
    })
  })

  test('skips existing ones of several rules, and adds the others', async ({ skyctl, world }) => {
    arrange(world, ssh)
    const lines = [ssh, web].map((one) => `${JSON.stringify({ ...one, label: `new-${one.label}` })}\n`).join('')
    for (const run of [1, 2]) {
      const { exit } = await skyctl('firewalls rules add edge inbound --if-absent --body -', { stdin: lines })
      expect({ run, exit, labels: labels(world) }).toEqual({ run, exit: 0, labels: ['ssh', 'new-web'] })
    }
    expect(puts(world)).toBe(1)
  })

  test('fails with an outdated hash even if the rule has been added since', async ({ skyctl, world }) => {
    arrange(world, web)
    const hash = (await skyctl('firewalls rules list edge --hash')).stdout.trim()
    for (const expectedExit of [0, 6]) {
      const { exit } = await skyctl(`${addSsh} --if-match ${hash}`)
      expect({ exit, puts: puts(world) }).toEqual({ exit: expectedExit, puts: 1 })
    }
  })
})
