/** Assigning several services with one request each, reported like other bulk commands (interface.md, Targets). */
import { expect } from 'vitest'
import { test as base } from '../support/skyctl'

const test = base.extend<{ edge: number }>({
  edge: async ({ world }, use) => {
    const { id } = world.network.firewall({ label: 'edge' })
    for (const [index, label] of ['app-1', 'app-2', 'app-3'].entries())
      world.compute({ id: 9001 + index, label, region: 'us-east' })
    await use(id)
  },
})

for (const flags of [
  '--compute-id 9001 --compute-id 9002',
  '--compute-id 9001,9002',
  '--compute-id 9001 --compute_id 9002,9001',
]) {
  test(`devices add protects each instance with its own request: ${flags}`, async ({ skyctl, world, edge }) => {
    const { exit, stdout } = await skyctl(`firewalls devices add edge ${flags} --yes --json`)
    expect({ exit, records: JSON.parse(stdout) }).toMatchObject({
      exit: 0,
      records: [
        { entity: { id: 9001, type: 'compute' }, ok: true },
        { entity: { id: 9002, type: 'compute' }, ok: true },
      ],
    })
    expect(world.requests('POST').map(({ path, body }) => ({ path, body }))).toEqual(
      [9001, 9002].map((id) => ({ path: `/networking/firewalls/${edge}/devices`, body: { id, type: 'compute' } })),
    )
  })
}

test('A rejected service does not prevent the protection of others', async ({ skyctl, world, edge }) => {
  const { exit, stdout, stderr } = await skyctl('firewalls devices add edge --compute-id 9001,1001,9003 --yes --json')
  const records = JSON.parse(stdout)
  expect({ exit, records }).toMatchObject({
    exit: 9,
    records: [
      { entity: { id: 9001 }, ok: true },
      { id: 1001, label: null, ok: false, error: { exit_code: 6 } },
      { entity: { id: 9003 }, ok: true },
    ],
  })
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'some_failed',
    message: expect.stringMatching(/^2 of 3 assigned: /),
    failures: [{ target: '1001' }],
  })
  expect(world.network.devicesOf(edge).map(({ entity }) => entity)).toEqual([9001, 9003])
})

test('A service that is already protected counts as done', async ({ skyctl, world, edge }) => {
  await skyctl('firewalls devices add edge --compute-id 9002 --yes')
  const { exit, stderr } = await skyctl('firewalls devices add edge --compute-id 9001 --compute-id 9002 --yes')
  expect({ exit, stderr }).toEqual({
    exit: 0,
    stderr: expect.stringContaining(
      `Assigned firewall "edge" (${edge}) to compute 9001\nfirewall "edge" (${edge}) is already assigned to compute 9002\n1 of 2 assigned, 1 unchanged\n`,
    ),
  })
  expect(world.network.devicesOf(edge)).toHaveLength(2)
})

test('A dry run shows the request for each service and sends none', async ({ skyctl, world }) => {
  const { exit, stdout } = await skyctl('firewalls devices add 4005 --compute-id 9001,9002 --dry-run --json')
  expect({ exit, bodies: JSON.parse(stdout).map(({ body }: { body: unknown }) => body) }).toEqual({
    exit: 0,
    bodies: [
      { id: 9001, type: 'compute' },
      { id: 9002, type: 'compute' },
    ],
  })
  expect(world.requests('POST')).toEqual([])
})

test('An invalid id leaves all services unchanged', async ({ skyctl, world }) => {
  const { exit } = await skyctl('firewalls devices add 4005 --compute-id 9001 --compute-id 0')
  expect({ exit, sent: world.requests('POST') }).toEqual({ exit: 2, sent: [] })
})
