/**
 * Compute instances and balancers by label (interface.md, Targets), which the API reports only in volumes and firewall
 * devices.
 */
import type { ServerResponse } from 'node:http'
import { describe, expect } from 'vitest'
import { test } from './support/skyctl'

describe('--compute-id', () => {
  test('accepts the label of an instance with an attached volume', async ({ skyctl, world }) => {
    world.compute({ id: 5001, label: 'mail-1' })
    world.volume({ label: 'told', compute_id: 5001 })
    const { id } = world.volume({ label: 'free' })
    expect(await skyctl('volumes attach free --compute-id mail-1')).toMatchObject({ exit: 0 })
    expect(world.volumes.get(id)?.compute_id).toBe(5001)
  })

  test('accepts the label of an instance that a firewall protects', async ({ skyctl, world }) => {
    world.compute({ id: 5001, label: 'mail-1' })
    world.network.device(world.network.firewall().id, 'compute', 5001)
    expect(await skyctl('volumes create --label data --compute-id label:mail-1 --json')).toMatchObject({ exit: 0 })
    expect(world.requests('POST').map(({ body }) => body)).toEqual([{ label: 'data', compute_id: 5001 }])
  })

  test('accepts digits as an id, without a lookup', async ({ skyctl, world }) => {
    const withPrefix = await skyctl('volumes create --label data --compute-id id:1001 --dry-run --json')
    expect(JSON.parse(withPrefix.stdout)).toMatchObject({ body: { compute_id: 1001 } })
    const plain = await skyctl('volumes create --label data --compute-id 1001 --dry-run --json')
    expect(plain.stdout).toBe(withPrefix.stdout)
    expect(world.requests()).toEqual([])
  })

  test('looks a label up for --dry-run, and sends nothing else', async ({ skyctl, world }) => {
    world.compute({ id: 5001, label: 'mail-1' })
    world.volume({ compute_id: 5001 })
    const { stdout } = await skyctl('volumes create --label data --compute-id mail-1 --dry-run --json')
    expect(JSON.parse(stdout)).toMatchObject({ body: { compute_id: 5001 } })
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('accepts a label of digits only with the prefix label:', async ({ skyctl, world }) => {
    world.compute({ id: 5001, label: '77' })
    world.volume({ compute_id: 5001 })
    const withPrefix = await skyctl('volumes create --label data --compute-id label:77 --dry-run --json')
    expect(JSON.parse(withPrefix.stdout)).toMatchObject({ body: { compute_id: 5001 } })
    expect(await skyctl('volumes create --label data --compute-id 1.5')).toMatchObject({ exit: 2 })
    expect(await skyctl('volumes create --label data --compute-id id:web-1')).toMatchObject({ exit: 2 })
  })

  test('rejects an unknown label, with similar ones and the source of labels', async ({ skyctl, world }) => {
    world.compute({ id: 5001, label: 'mail-1' })
    world.volume({ compute_id: 5001 })
    const { exit, stderr } = await skyctl('volumes create --label data --compute-id mial-1')
    expect(exit).toBe(5)
    expect(stderr).toContain('no known compute instance has the label "mial-1"')
    expect(stderr).toContain('Did you mean "mail-1"?')
    expect(stderr).toContain('The API reports instance labels only in volumes and firewall devices')
    expect(stderr).toContain('Name others by id')
    expect(world.requests('POST')).toEqual([])
  })

  test('rejects a label of several instances, with their ids', async ({ skyctl, world }) => {
    world.compute({ id: 5001, label: 'twin' })
    world.compute({ id: 5002, label: 'twin' })
    world.volume({ compute_id: 5001 })
    world.network.device(world.network.firewall().id, 'compute', 5002)
    const { exit, stderr } = await skyctl('volumes create --label data --compute-id twin')
    expect(exit).toBe(6)
    expect(stderr).toContain('id:5001, id:5002')
    expect(world.requests('POST')).toEqual([])
  })

  test('never uses an outdated id of the completion cache', async ({ skyctl, world }) => {
    world.compute({ id: 5001, label: 'mail-1' })
    world.compute({ id: 5002, label: 'spare-1' })
    world.volume({ compute_id: 5001 })
    world.volume({ compute_id: 5002 })
    expect((await skyctl('completion values computes')).stdout).toContain('mail-1\t5001\n')
    for (const [id, label] of [
      [5001, 'gone-1'],
      [5002, 'mail-1'],
    ] as const) {
      const compute = world.computes.get(id)
      if (compute) world.computes.put({ ...compute, label })
    }
    const { stdout } = await skyctl('volumes create --label data --compute-id mail-1 --dry-run --json')
    expect(JSON.parse(stdout)).toMatchObject({ body: { compute_id: 5002 } })
  })

  test('works without permission for firewalls if volumes suffice', async ({ skyctl, world }) => {
    world.compute({ id: 5001, label: 'mail-1' })
    world.volume({ compute_id: 5001 })
    const env = { SKYCTL_TOKEN: world.token('volumes:read_write computes:read_write') }
    const { exit } = await skyctl('volumes create --label data --compute-id mail-1', { env })
    expect(exit).toBe(0)
    const unknown = await skyctl('volumes create --label data --compute-id other-1', { env })
    expect(unknown).toMatchObject({ exit: 5 })
    expect(unknown.stderr).toContain('may not read firewalls')
  })

  test('works even if a firewall is deleted while its devices are read', async ({ skyctl, meanwhile, world }) => {
    const { network } = world
    const [deleted, stays] = [network.firewall().id, network.firewall().id]
    network.device(stays, 'compute', world.compute({ label: 'mail-1' }).id)
    await meanwhile({
      before: ({ path }) =>
        void (path.startsWith(`/networking/firewalls/${deleted}/devices`) && network.firewalls.delete(deleted)),
    })
    const { exit, stderr } = await skyctl('volumes create --label data --compute-id mail-1')
    expect({ exit, stderr, deleted: network.firewalls.get(deleted) }).toMatchObject({ exit: 0, deleted: undefined })
  })

  test.for([
    [503, 8],
    [401, 3],
  ] as const)(
    'fails with the error if the devices of a firewall are answered with %i',
    async ([status, exit], { skyctl, lossy, world }) => {
      world.network.firewall()
      const reply = (outgoing: ServerResponse) => void outgoing.writeHead(status).end('{"errors":[{"reason":"No"}]}')
      for (let tries = 0; tries < 20; tries += 1) lossy.lose('GET', /\/devices/, { done: false, reply })
      const result = await skyctl('volumes create --label data --compute-id none-such')
      expect(result).toMatchObject({ exit, stderr: expect.not.stringContaining('none-such') })
    },
  )

  test('reports the missing permission if the token can read neither', async ({ skyctl, world }) => {
    const env = { SKYCTL_TOKEN: world.token('ips:read_write') }
    expect(await skyctl('ips list --compute-id mail-1', { env })).toMatchObject({ exit: 4, stdout: '' })
  })
})

describe('the label of a service replaces its id', () => {
  test.for([
    ['ips allocate --compute-id mail-1 --public', { compute_id: 5001 }],
    ['ipv6 ranges create --prefix-length 64 --compute-id mail-1', { compute_id: 5001 }],
    [
      'firewalls create --label fresh --inbound-policy drop --outbound-policy accept --compute-id mail-1,5002',
      { devices: { computes: [5001, 5002] } },
    ],
    [
      'firewalls create --label fresh --inbound-policy drop --outbound-policy accept --balancer-id front-2',
      { devices: { balancers: [2002] } },
    ],
    ['firewalls devices add told --compute-id mail-1', { id: 5001, type: 'compute' }],
    ['firewalls devices add told --balancer-id front-2', { id: 2002, type: 'balancer' }],
    ['ips share 203.0.113.99 --compute-id mail-1', { compute_id: 5001, ips: ['203.0.113.99'] }],
    ['ips assign 203.0.113.99=mail-1 --yes', { assignments: [{ address: '203.0.113.99', compute_id: 5001 }] }],
  ] as const)('in %s', async ([line, body], { skyctl, world }) => {
    world.compute({ id: 5001, label: 'mail-1' })
    world.compute({ id: 5002, label: 'mail-2' })
    world.volume({ compute_id: 5001 })
    world.network.device(world.network.firewall({ label: 'told' }).id, 'balancer', 2002)
    world.network.address({ address: '203.0.113.99', compute_id: 5002, region: 'us-east' })
    const { stdout, stderr } = await skyctl(`${line} --dry-run --json --no-validate`)
    expect({ stderr, request: JSON.parse(stdout || 'null') }).toMatchObject({ request: { body } })
  })

  test('in ips list', async ({ skyctl, world }) => {
    world.compute({ id: 5001, label: 'mail-1' })
    world.volume({ compute_id: 5001 })
    world.network.address({ address: '203.0.113.99', compute_id: 5001, region: 'us-east' })
    expect(await skyctl('ips list --compute-id mail-1 --quiet')).toMatchObject({ exit: 0, stdout: '203.0.113.99\n' })
  })
})
