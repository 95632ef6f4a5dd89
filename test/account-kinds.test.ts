/** Addresses that a file assigns and tokens that it expects, with text and JSON output. */
import { describe, expect } from 'vitest'
import { test } from './support/account-files'
import fc, { runs } from './support/fast-check'
import { lossyProxy } from './support/lossy-proxy'
import type { World } from './support/sandbox'

const changesIn = (world: World) =>
  world
    .requests()
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`)
const readsOf = (world: World, path: string) => world.requests().filter((one) => one.path.split('?')[0] === path).length

const swap = `ips:
  192.0.2.12: { compute_id: 1004 }
  192.0.2.14: { compute_id: 1002 }
`
const assignees = (world: World) =>
  ['192.0.2.12', '192.0.2.14'].map((address) => world.network.findAddress(address)?.compute_id)

describe('addresses of a file', () => {
  test('are assigned in one request, with one JSON action each', async ({ skyctl, file, world }) => {
    const path = file('a.yaml', swap)
    expect(await skyctl(`plan ${path}`)).toMatchObject({
      exit: 0,
      stdout: `~ address 192.0.2.12
    assigned to: compute instance 1002 -> compute instance 1004
    cuts off: compute instance 1002 from traffic to 192.0.2.12
~ address 192.0.2.14
    assigned to: compute instance 1004 -> compute instance 1002
    cuts off: compute instance 1004 from traffic to 192.0.2.14
2 to update; 0 unchanged
`,
    })
    const { exit, stdout } = await skyctl(`apply ${path} --yes --json`)
    expect({ exit, ...JSON.parse(stdout) }).toMatchObject({
      ...{ exit: 0, changed: true },
      actions: ['192.0.2.12', '192.0.2.14'].map((name) => ({
        kind: 'ips',
        name,
        id: name,
        action: 'update',
        ok: true,
      })),
    })
    expect(changesIn(world)).toEqual(['POST /networking/ips/assign'])
    expect(assignees(world)).toEqual([1004, 1002])
    expect(await skyctl(`plan ${path} --exit-code`)).toMatchObject({ exit: 0, stdout: 'No changes; 2 unchanged\n' })
  })

  test('are assigned by a saved plan unless one has moved since', async ({ skyctl, file, world, home }) => {
    const path = file('a.yaml', swap)
    await skyctl(`plan ${path} --out ${home}/plan.json`)
    const [back, other] = [
      'ips assign 192.0.2.12=1001 192.0.2.11=1002 --yes',
      'ips assign 192.0.2.12=1002 192.0.2.11=1001 --yes',
    ]
    expect(await skyctl(back)).toMatchObject({ exit: 0 })
    expect(await skyctl(`apply ${home}/plan.json --yes`)).toMatchObject({ exit: 6 })
    expect(await skyctl(other)).toMatchObject({ exit: 0 })
    expect(await skyctl(`apply ${home}/plan.json --yes`)).toMatchObject({ exit: 0 })
    expect(assignees(world)).toEqual([1004, 1002])
  })

  test('are returned by the command in the history', async ({ skyctl, file, world }) => {
    const undo = 'To reverse it: skyctl ips assign 192.0.2.12=1002 192.0.2.14=1004'
    await skyctl(`apply ${file('a.yaml', swap)} --yes`)
    expect(JSON.parse((await skyctl('history list --json')).stdout)).toMatchObject([{ undo: null, no_undo: undo }])
    await skyctl(`${undo.replace('To reverse it: skyctl ', '')} --yes`)
    expect(assignees(world)).toEqual([1002, 1004])
    const [last] = JSON.parse((await skyctl('history list --json')).stdout)
    expect(last).toMatchObject({
      command: 'ips assign',
      no_undo: 'To reverse it: skyctl ips assign 192.0.2.12=1004 192.0.2.14=1002',
    })
  })

  test('stay where they are if one of them has been assigned since the plan', async ({
    skyctl,
    file,
    sandbox,
    world,
  }) => {
    const proxy = await lossyProxy(sandbox.baseUrl)
    proxy.pass('GET', /^\/networking\/ips/)
    const request = proxy.hold('GET', /^\/networking\/ips/)
    const result = skyctl(`apply ${file('a.yaml', swap)} --yes --json`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await request.arrived
    await skyctl('ips assign 192.0.2.12=1001 192.0.2.11=1002 --yes')
    request.release()
    const { exit, stderr } = await result
    await proxy.close()
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringContaining('192.0.2.12 was assigned to compute instance 1001 since the plan was made'),
    })
    expect(assignees(world)).toEqual([1001, 1004])
  })

  test('all stay where they are if the API refuses one of them', async ({ skyctl, file, world }) => {
    const address = world.network.findAddress('192.0.2.14')
    if (address) world.network.addresses.put({ ...address, shared_with: [1001] })
    const { exit, stdout, stderr } = await skyctl(`apply ${file('a.yaml', swap)} --yes --json`)
    expect({ exit, ...JSON.parse(stdout) }).toMatchObject({ exit: 6, actions: [{ ok: false }, { ok: false }] })
    expect(stderr).toContain('192.0.2.14 is shared')
    expect(assignees(world)).toEqual([1002, 1004])
  })

  test('accept an instance label unless two instances have it', async ({ skyctl, file, world, problems }) => {
    world.volume({ label: 'v', compute_id: 1004 })
    const label = world.computes.get(1004)?.label ?? ''
    const path = file('a.yaml', `ips:\n  192.0.2.31: { compute_id: ${label} }\n`)
    expect((await skyctl(`plan ${path}`)).stdout).toContain('compute instance 1001 -> compute instance 1004')
    const other = world.computes.get(1005)
    if (other) world.computes.put({ ...other, label })
    world.volume({ label: 'w', compute_id: 1005 })
    const { exit, stderr } = await skyctl(`plan ${path}`)
    expect({ exit, problems: problems(stderr) }).toEqual({
      exit: 6,
      problems: [
        expect.stringMatching(/^a\.yaml:2: ips\.192\.0\.2\.31\.compute_id: 2 compute instances have the label/),
      ],
    })
  })

  test('are read once, also for reverse DNS', async ({ skyctl, file, world }) => {
    const path = file('a.yaml', 'ips: { 192.0.2.12: { compute_id: 1002 } }\nrdns: { 192.0.2.12: null }')
    expect(await skyctl(`plan ${path}`)).toMatchObject({ exit: 0, stdout: 'No changes; 2 unchanged\n' })
    expect(readsOf(world, '/networking/ips')).toBe(1)
  })
})

/** Addresses and ranges, with their name in a file and their region. */
const movable: readonly { address: string; name: string; prefix?: number; region?: string }[] = [
  ...['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'].map((address) => ({ address, name: address })),
  ...[64, 56].map((prefix) => ({
    address: `2001:db8:114:${prefix}00::`,
    prefix,
    name: `2001:db8:114:${prefix}00::/${prefix}`,
  })),
  { address: '203.0.113.5', name: '203.0.113.5', region: 'eu-west' },
]
const instances = [
  { id: 7001, region: 'us-east' },
  { id: 7002, region: 'us-east' },
  { id: 7003, region: 'eu-west' },
]
const east = fc.constantFrom<number>(7001, 7002)
/** Valid assignments: each instance of the region has an address, and none has both ranges. */
const currentAssignments = fc
  .tuple(east, east, east, east, east)
  .filter(([...ids]) => [7001, 7002].every((id) => ids.slice(0, 4).includes(id)))
  .map(([a, b, c, d, range]) => [a, b, c, d, range, range === 7001 ? 7002 : 7001, 7003])
const desiredAssignments = fc.tuple(
  ...movable.map(() => fc.option(fc.constantFrom(7001, 7001, 7002, 7002, 7003), { freq: 2 })),
)

test('a plan refuses an assignment if and only if the API refuses it', { timeout: 120_000 }, async ({
  sandbox,
  world,
  skyctl,
}) => {
  for (const one of instances) world.compute(one)
  const records = movable.map(({ address, prefix, region = 'us-east' }) =>
    world.network.address({ address, region, compute_id: 7003, ...(prefix && { type: 'ipv6/range', prefix }) }),
  )
  const assign = (region: string, assignments: object[]) =>
    fetch(`${sandbox.baseUrl}/networking/ips/assign`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.ownerToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ region, assignments }),
    })
  const outcomes = new Set<boolean>()
  await fc.assert(
    fc.asyncProperty(currentAssignments, desiredAssignments, async (before, desired) => {
      for (const [index, record] of records.entries())
        world.network.addresses.put({ ...record, compute_id: before[index] ?? 0 })
      const moves = movable.flatMap(({ name, region = 'us-east' }, index) => {
        const compute_id = desired[index]
        return compute_id == null || compute_id === before[index] ? [] : [{ address: name, compute_id, region }]
      })
      const ips = Object.fromEntries(moves.map(({ address, compute_id }) => [address, { compute_id }]))
      const { exit } = await skyctl('plan -', { stdin: JSON.stringify({ ips }) })
      let isAccepted = true
      for (const region of new Set(moves.map((move) => move.region))) {
        const movesInRegion = moves.filter((move) => move.region === region)
        const { ok } = await assign(
          region,
          movesInRegion.map(({ address, compute_id }) => ({ address, compute_id })),
        )
        isAccepted &&= ok
      }
      outcomes.add(isAccepted)
      expect({ ips, exit }).toEqual({ ips, exit: isAccepted ? 0 : 6 })
    }),
    { numRuns: runs(60) },
  )
  // Both outcomes must have occurred.
  expect(outcomes.size).toBe(2)
})

describe('export', () => {
  test('has assignments and tokens only if they are named, and matches its account', async ({ skyctl }) => {
    expect((await skyctl('export')).stdout).not.toMatch(/^(ips|tokens):/m)
    const { stdout, stderr } = await skyctl('export ips tokens')
    expect(stderr).toBe('')
    expect(stdout).toContain('  # id 4\n  volumes-read-only: { scopes: ["volumes:read_only"] }\n')
    expect(stdout).toContain('  192.0.2.12:\n    compute_id: 1002\n')
    // SLAAC addresses belong to their instance, and an expired token is as good as none.
    expect(stdout).not.toMatch(/f03c|^ {2}expired:/m)
    expect(await skyctl('plan - --exit-code', { stdin: stdout })).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^No changes; \d+ unchanged\n$/),
    })
  })
})

const expectedTokens = `tokens:
  ci: { scopes: volumes:read_only, longest_life: 90d }
  owner: { scopes: "*" }
`
const create = 'skyctl tokens create --label ci --scope volumes:read_only --expiry 90d'

describe('an expected token', () => {
  test('that is missing is a difference, with its line and the command that creates it', async ({
    skyctl,
    file,
    home,
  }) => {
    const path = file('a.yaml', expectedTokens)
    const planned = {
      stdout: `! token "ci"
    No token has this label (${home}/a.yaml:2)
    apply changes no tokens. Create it: ${create}
No changes; 1 unchanged; 1 not as expected
`,
    }
    expect(await skyctl(`plan ${path}`)).toMatchObject({ ...planned, exit: 0 })
    expect(await skyctl(`plan ${path} --exit-code`)).toMatchObject({
      ...planned,
      exit: 13,
      stderr: expect.stringContaining('the account differs from the files: 1 object'),
    })
    expect(JSON.parse((await skyctl(`plan ${path} --json`)).stdout)).toMatchObject({
      ...{ objects: [], same: 1 },
      expectations: [
        {
          ...{ kind: 'tokens', name: 'ci', id: null, checked: true, fix: `Create it: ${create}` },
          differences: [{ field: null, place: `${home}/a.yaml:2`, text: 'No token has this label' }],
        },
      ],
    })
    expect((await skyctl(`plan ${path} -o tsv --no-headers`)).stdout).toBe(
      `tokens\tci\t\texpect\tNo token has this label (${home}/a.yaml:2); apply changes no tokens. Create it: ${create}\n`,
    )
    expect((await skyctl(`plan ${path} -q`)).stdout).toBe('')
  })

  test('matches once that command has created it', async ({ skyctl, file, home }) => {
    const path = file('a.yaml', expectedTokens)
    expect(await skyctl(`${create.replace('skyctl ', '')} --output-file ${home}/ci.token`)).toMatchObject({ exit: 0 })
    expect(await skyctl(`plan ${path} --exit-code`)).toMatchObject({ exit: 0, stdout: 'No changes; 2 unchanged\n' })
  })

  test('is never created by apply, which warns and keeps its own exit code', async ({ skyctl, file, world }) => {
    const path = file('a.yaml', expectedTokens)
    const warning = `warning: token "ci": No token has this label (${path}:2). apply changes no tokens. Create it: ${create}`
    const idle = await skyctl(`apply ${path} --yes`)
    expect(idle).toMatchObject({ exit: 0, stderr: expect.stringContaining(warning) })
    expect(idle.stderr).toContain('No changes; 1 unchanged; 1 not as expected')
    expect(changesIn(world)).toEqual([])
    const both = file('b.yaml', `${expectedTokens}rdns: { 192.0.2.12: a.example.net }\n`)
    const busy = await skyctl(`apply ${both} --yes`)
    expect(busy).toMatchObject({ exit: 0, stderr: expect.stringContaining(`! token "ci"\n`) })
    expect(changesIn(world)).toEqual(['PUT /networking/ips/192.0.2.12'])
    const again = await skyctl(`apply ${both} --yes --json`)
    expect(again).toMatchObject({ exit: 0, stderr: expect.stringContaining('No token has this label') })
    expect(JSON.parse(again.stdout)).toMatchObject({ changed: false, actions: [] })
  })

  test('is not checked if the token may not read tokens', async ({ skyctl, file, world, home }) => {
    const env = { SKYCTL_TOKEN: world.token('volumes:read_only') }
    const path = file('a.yaml', `${expectedTokens}volumes: { data-1: {} }`)
    expect(await skyctl(`plan ${path} --exit-code`, { env })).toMatchObject({
      exit: 0,
      stdout: `! token "ci"
    Not checked: the token may not read tokens (${home}/a.yaml:2)
! token "owner"
    Not checked: the token may not read tokens (${home}/a.yaml:3)
No changes; 1 unchanged
`,
    })
    const { stdout } = await skyctl(`plan ${path} --json`, { env })
    expect(JSON.parse(stdout).expectations).toMatchObject([{ checked: false }, { checked: false }])
  })
})
