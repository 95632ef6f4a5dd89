/** `firewalls devices delete`: devices are named by their ids, by labels of services, and by flags as for `add`. */
import { describe, expect } from 'vitest'
import { type Fixtures, test } from '../support/skyctl'

type World = Fixtures['world']

/** Two instances and a balancer behind one firewall. Returns the ids of the devices. */
function arrange(world: World) {
  world.network.firewall({ id: 9100, label: 'app' })
  for (const [id, label] of [
    [9001, 'web-1'],
    [9002, 'web-2'],
  ] as const)
    world.compute({ id, label })
  return [
    world.network.device(9100, 'compute', 9001).id,
    world.network.device(9100, 'compute', 9002).id,
    world.network.device(9100, 'balancer', 2002).id,
  ] as const
}

const left = ({ network }: World) => network.devicesOf(9100).map(({ entity }) => entity)
const sent = (world: World) => world.requests('DELETE').length

describe('firewalls devices delete', () => {
  test.for([
    ['web-2', [9001, 2002]],
    ['web-2 web-1', [2002]],
    ['front-2 label:web-1', [9002]],
    ['--compute-id web-2', [9001, 2002]],
    ['--compute-id 9001,web-2', [2002]],
    ['--balancer-id 2002', [9001, 9002]],
    ['--balancer-id front-2 --compute-id 9001', [9002]],
    ['web-2 --compute-id 9002', [9001, 2002]],
  ] as const)('web %s', async ([names, expected], { skyctl, world }) => {
    arrange(world)
    expect(await skyctl(`firewalls devices delete app ${names} --yes`)).toMatchObject({ exit: 0 })
    expect(left(world)).toEqual(expected)
  })

  test('takes ids of devices beside labels, and reads both from stdin', async ({ skyctl, world }) => {
    const [first] = arrange(world)
    const { exit } = await skyctl('firewalls devices delete app - --yes', { stdin: `${first}\nweb-2\n` })
    expect({ exit, left: left(world) }).toEqual({ exit: 0, left: [2002] })
  })

  test.for([
    ['web-3', 'firewall "app" (9100) protects no service "web-3". Did you mean "web-1" or "web-2"?', 5],
    [
      'web-1 --compute-id 7',
      'firewall "app" (9100) protects no compute instance 7. See skyctl firewalls devices list',
      5,
    ],
    ['--balancer-id web-1', 'firewall "app" (9100) protects no balancer "web-1"', 5],
    [
      '',
      'a device is missing. Name it, or its service with --compute-id or --balancer-id. For example: skyctl firewalls devices delete',
      2,
    ],
  ] as const)('refuses "%s" before anything is sent', async ([names, message, code], { skyctl, world }) => {
    arrange(world)
    const { exit, stderr } = await skyctl(`firewalls devices delete app ${names} --yes`)
    expect({ exit, stderr, sent: sent(world) }).toEqual({
      ...{ exit: code, sent: 0 },
      stderr: expect.stringContaining(message),
    })
  })

  test('names the candidates if two services have the label', async ({ skyctl, world }) => {
    arrange(world)
    world.compute({ id: 9003, label: 'web-2' })
    world.network.device(9100, 'compute', 9003)
    const { exit, stderr } = await skyctl('firewalls devices delete app web-2 --yes')
    expect({ exit, sent: sent(world) }).toEqual({ exit: 6, sent: 0 })
    expect(stderr).toMatch(
      /2 services of firewall "app" \(9100\) have the label "web-2"\. .*compute 9002.*compute 9003/,
    )
  })

  test('with --if-present, services without a device count as deleted', async ({ skyctl, world }) => {
    arrange(world)
    for (const run of [1, 2]) {
      const { exit } = await skyctl('firewalls devices delete app web-2 --compute-id 7 --if-present --yes')
      expect({ run, exit, left: left(world) }).toEqual({ run, exit: 0, left: [9001, 2002] })
    }
    expect(sent(world)).toBe(1)
  })

  test('asks once, and prints a record of each for scripts', async ({ skyctl, world }) => {
    const [first, second] = arrange(world)
    const no = await skyctl('firewalls devices delete app web-1 web-2', {
      ...{ interactive: true, stdin: 'n\n', env: { TERM: 'dumb' } },
    })
    expect(no.stderr).toContain(`Delete device ${first}, device ${second}? (y/N)`)
    const { stdout } = await skyctl('firewalls devices delete app web-1 web-2 --yes --json')
    expect(JSON.parse(stdout)).toMatchObject([
      { id: first, ok: true },
      { id: second, ok: true },
    ])
  })
})
