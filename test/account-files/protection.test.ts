/** Protected objects and limited deletions: refusals of commands, apply and undo, and --force (state.md, For teams). */
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test as base } from '../support/account-files'
import { ruleSet, ssh } from '../support/firewall-rules'
import { openProxy } from '../support/proxy'

interface Protected {
  /** Protected volume that is attached to compute instance 1004. */
  volume: number
  /** Protected firewall that is assigned to compute instance 7001. */
  firewall: number
}

const test = base.extend<Protected>({
  volume: async ({ world }, use) =>
    use(world.volume({ label: 'data', size: 30, tags: ['a', 'protected'], compute_id: 1004 }).id),
  firewall: async ({ world }, use) => {
    const { id } = world.network.firewall({ label: 'gate', tags: ['protected'], rules: ruleSet(ssh) })
    world.compute({ id: 7001, region: 'us-east' })
    world.network.device(id, 'compute', 7001)
    await use(id)
  },
})

const applyId = (stderr: string) => /history undo --apply (\w+)/.exec(stderr)?.[1] ?? ''

describe('a protected object', () => {
  test('is harmed by no command without --force', async ({ skyctl, world, volume, firewall }) => {
    const [device] = world.network.devicesOf(firewall)
    // The other commands are in causes-by-flag.test.ts.
    for (const line of ['volumes detach data --if-present', `volumes delete ${volume}`, 'firewalls disable gate']) {
      const { exit, stderr } = await skyctl(`${line} --yes`)
      const [noun, group, id] = line.startsWith('v')
        ? ['volume "data"', 'volumes', volume]
        : ['firewall "gate"', 'firewalls', firewall]
      expect({ line, exit, stderr }).toEqual({
        ...{ line, exit: 6 },
        stderr: expect.stringMatching(
          `${noun} \\(${id}\\) has the tag "protected", so .* Add --force, or remove the tag first: skyctl ${group} update ${id} --remove-tag protected`,
        ),
      })
    }
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
    const forced = [
      ...['volumes detach data', `volumes delete ${volume}`, `firewalls devices delete gate ${device?.id}`],
      ...['firewalls rules update gate --inbound-policy accept', 'firewalls disable gate', 'firewalls delete gate'],
    ]
    for (const line of forced)
      expect({ line, ...(await skyctl(`${line} --yes --force`)) }).toMatchObject({ line, exit: 0 })
    expect([world.volumes.get(volume), world.network.firewalls.get(firewall)]).toEqual([undefined, undefined])
  })

  test('is named by a command that deletes others', async ({ skyctl, world, volume }) => {
    const other = world.volume({ label: 'other' }).id
    const { exit, stderr } = await skyctl('volumes delete other data --yes')
    expect({ exit, stderr }).toEqual({
      exit: 9,
      stderr: expect.stringContaining(`volume "data" (${volume}) has the tag`),
    })
    expect([world.volumes.get(other), world.volumes.get(volume)?.label]).toEqual([undefined, 'data'])
  })

  test('allows a command that has nothing to do, and no dry run of a deletion', async ({ skyctl, world }) => {
    world.volume({ label: 'free', tags: ['protected'] })
    expect(await skyctl('volumes detach free --yes')).toMatchObject({ exit: 0 })
    expect(await skyctl('volumes delete free --dry-run')).toMatchObject({ exit: 6, stdout: '' })
  })

  test('may lose its tag, with a warning', async ({ skyctl, world, volume, firewall }) => {
    const warning = (name: string) => `skyctl: warning: ${name} loses the tag "protected": it is no longer protected\n`
    const volumes = await skyctl('volumes update data --no-tags')
    expect(volumes).toMatchObject({ exit: 0, stderr: expect.stringContaining(warning(`volume "data" (${volume})`)) })
    const firewalls = await skyctl('firewalls update gate --remove-tag protected')
    expect(firewalls).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining(warning(`firewall "gate" (${firewall})`)),
    })
    expect(world.volumes.get(volume)?.tags).toEqual([])
    const silent = await skyctl('firewalls update gate --add-tag b')
    expect(silent.stderr).not.toContain('protected')
    expect(await skyctl('volumes detach data --yes')).toMatchObject({ exit: 0 })
  })

  test('is exported with protect, and a plan of the export has no changes', async ({ skyctl, volume, firewall }) => {
    expect([volume, firewall].every((id) => id > 0)).toBe(true)
    const { stdout } = await skyctl('export volumes firewalls --json')
    const { volumes, firewalls } = JSON.parse(stdout)
    expect([volumes.data, firewalls.gate]).toMatchObject([
      { tags: ['a'], protect: true },
      { tags: [], protect: true },
    ])
    expect(volumes['data-1']).not.toHaveProperty('protect')
    expect((await skyctl('plan -', { stdin: stdout })).stdout).toMatch(/^No changes/)
  })

  test('is changed by apply --force, but never by a saved plan', async ({ skyctl, file, home, world, volume }) => {
    const path = file('a.yaml', 'volumes:\n  data:\n    protect: true\n    compute_id: null\n')
    const plan = join(home, 'plan.json')
    expect(await skyctl(`plan ${path} --out ${plan} --force`)).toMatchObject({ exit: 6 })
    expect(await skyctl(`apply ${path} --yes`)).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining(
        'a.yaml:4:5: volumes.data.compute_id: It is protected, and the plan would detach it',
      ),
    })
    expect((await skyctl(`apply ${path} --dry-run --force`)).stdout).toContain('detached from compute instance 1004')
    expect(await skyctl(`apply ${path} --yes --force`)).toMatchObject({ exit: 0 })
    expect(world.volumes.get(volume)).toMatchObject({ compute_id: null, tags: ['a', 'protected'] })
  })

  test('stays unchanged if somebody protects it while apply runs', async ({ skyctl, file, sandbox, world }) => {
    const volume = world.volume({ label: 'late', compute_id: 1004 })
    const proxy = await openProxy(sandbox.baseUrl, {
      before({ path }) {
        if (path === `/volumes/${volume.id}`) world.volumes.put({ ...volume, tags: ['protected'] })
      },
    })
    const path = file('a.yaml', 'volumes: { late: { compute_id: null } }')
    const { exit, stderr } = await skyctl(`apply ${path} --yes`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    await proxy.close()
    expect({ exit, stderr }).toEqual({ exit: 6, stderr: expect.stringContaining('so it cannot be detached') })
    expect(world.volumes.get(volume.id)?.compute_id).toBe(1004)
  })

  test('loses the tag first if the undone apply has set it, and is not harmed otherwise', async ({
    skyctl,
    file,
    world,
  }) => {
    world.compute({ id: 7002, region: 'us-east' })
    world.network.address({ address: '203.0.113.77', compute_id: 7002 })
    const { id } = world.network.firewall({ label: 'door', rules: ruleSet(ssh) })
    const text = 'firewalls: { door: { devices: { computes: [7002] }, protect: true } }'
    const undo = applyId((await skyctl(`apply ${file('a.yaml', text)} --yes`)).stderr)
    expect(await skyctl(`history undo --apply ${undo} --yes`)).toMatchObject({ exit: 0 })
    expect([world.network.devicesOf(id).length, world.network.firewalls.get(id)?.tags]).toEqual([0, []])
    const protecting = await skyctl('firewalls update door --add-tag protected')
    expect(protecting.exit).toBe(0)
    const again = applyId((await skyctl(`apply ${file('a.yaml', text)} --yes`)).stderr)
    expect(await skyctl(`history undo --apply ${again} --yes`)).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('It has the tag "protected", and the plan would remove compute 7002 from it'),
    })
    expect([world.network.devicesOf(id).length, world.network.firewalls.get(id)?.tags]).toEqual([1, ['protected']])
    expect(await skyctl(`history undo --apply ${again} --yes --force`)).toMatchObject({ exit: 0 })
    expect(world.network.devicesOf(id)).toEqual([])
  })

  test('loses its tag by an undo of the tag alone, with a warning', async ({ skyctl, world, firewall }) => {
    const gate = world.network.firewalls.get(firewall)
    if (gate) world.network.firewalls.put({ ...gate, tags: [] })
    expect(await skyctl('firewalls update gate --add-tag protected')).toMatchObject({ exit: 0 })
    const { exit, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('is no longer protected') })
    expect(world.network.firewalls.get(firewall)?.tags).toEqual([])
  })
})

describe('--prune', () => {
  const accountFile = 'owner: team\nvolumes: { data-1: {} }\n'
  const addStrays = (world: { volume(options: object): unknown }, count: number) => {
    for (let index = 1; index <= count; index += 1) world.volume({ label: `old-${index}`, tags: ['team'] })
  }

  test('deletes up to 3 resources, or --max-deletes, without a terminal', async ({ skyctl, file, home, world }) => {
    addStrays(world, 4)
    const [path, out] = [file('a.yaml', accountFile), join(home, 'plan.json')]
    const refusal = (limit: number) =>
      expect.stringMatching(
        `skyctl: the plan deletes 4 resources, and --max-deletes allows ${limit}: volume "old-1" .* and 1 more. If you want to delete them, add --max-deletes 4`,
      )
    const preview = await skyctl(`plan ${path} --prune --out ${out}`)
    expect(preview).toMatchObject({ exit: 6, stdout: expect.stringContaining('4 to delete'), stderr: refusal(3) })
    expect((await skyctl(`apply ${out} --yes`)).exit).toBe(12)
    expect(await skyctl(`apply ${path} --prune --yes`)).toMatchObject({ exit: 6, stderr: refusal(3) })
    expect(await skyctl(`apply ${path} --prune --yes --max-deletes 2`)).toMatchObject({ exit: 6, stderr: refusal(2) })
    expect(world.requests('DELETE')).toEqual([])
    expect(await skyctl(`plan ${path} --prune --max-deletes 4 --out ${out}`)).toMatchObject({ exit: 0 })
    expect(await skyctl(`apply ${out} --yes --max-deletes 3`)).toMatchObject({ exit: 6, stderr: refusal(3) })
    expect(await skyctl(`apply ${out} --yes`)).toMatchObject({ exit: 0 })
    expect(world.requests('DELETE')).toHaveLength(4)
  })

  test('asks on a terminal instead of using the default limit', async ({ skyctl, file, world }) => {
    addStrays(world, 4)
    const path = file('a.yaml', accountFile)
    expect(await skyctl(`plan ${path} --prune`, { interactive: true })).toMatchObject({ exit: 0 })
    const result = await skyctl(`apply ${path} --prune`, { interactive: true, stdin: 'n\n' })
    expect({ result, isLimited: result.stderr.includes('--max-deletes') }).toMatchObject({
      result: { exit: 6, stderr: expect.stringContaining('no answer was given') },
      isLimited: false,
    })
    expect(await skyctl(`apply ${path} --prune --yes`, { interactive: true })).toMatchObject({ exit: 6 })
    expect(world.requests('DELETE')).toEqual([])
  })

  test.for(['owner: team', 'owner: team\nvolumes: {}\nfirewalls:', 'owner: team\nrdns: {}'])(
    'deletes nothing for an empty file without --max-deletes, even on a terminal: %j',
    async (text, { skyctl, file, world }) => {
      addStrays(world, 1)
      const path = file('a.yaml', text)
      for (const line of [`plan ${path} --prune`, `apply ${path} --prune --yes`])
        for (const interactive of [true, false]) {
          const { exit, stderr } = await skyctl(line, { interactive })
          expect({ exit, stderr: stderr.replaceAll(/\s+/g, ' ') }).toEqual({
            exit: 6,
            stderr: expect.stringMatching(
              /the files have no volume and no firewall, so --prune would delete all with the tag of the owner: volume "old-1" .*add --max-deletes 1/,
            ),
          })
        }
      expect(world.requests('DELETE')).toEqual([])
      expect(await skyctl(`apply ${path} --prune --yes --max-deletes 1`)).toMatchObject({ exit: 0 })
    },
  )

  test.for<[text: string, empty: string, names: RegExp]>([
    ['volumes:\nfirewalls: { edge: { status: enabled } }', 'volume', /volume "old-1" \(\d+\), volume "old-2" \(\d+\)/],
    ['volumes: { data-2: {} }', 'firewall', /firewall "edge" \(\d+\)/],
  ])(
    'deletes no kind without entries in the files, unless a person or --max-deletes allows it: %j',
    async ([text, empty, names], { skyctl, file, home, world }) => {
      addStrays(world, 2)
      world.network.firewall({ label: 'edge', tags: ['team'] })
      const path = file('a.yaml', `owner: team\n${text}\n`)
      const refusal = new RegExp(
        `the files have no ${empty}, so --prune would delete all with the tag of the owner: ${names.source}\\. If you want to delete them, add --max-deletes \\d`,
      )
      const lines = [`plan ${path} --prune --out ${join(home, 'p.json')}`, `apply ${path} --prune --yes`]
      for (const line of [...lines, `apply ${path} --prune --yes --only ${empty}s/*`])
        expect(await skyctl(line)).toMatchObject({ exit: 6, stderr: expect.stringMatching(refusal) })
      expect(world.requests('DELETE')).toEqual([])
      expect(await skyctl(lines[0] ?? '', { interactive: true })).toMatchObject({ exit: 0 })
      expect((await skyctl(`apply ${path} --prune`, { interactive: true, stdin: 'n\n' })).stderr).toContain(
        'no answer was given',
      )
      expect(await skyctl(`apply ${path} --prune --yes --max-deletes 3`)).toMatchObject({ exit: 0 })
    },
  )

  test('counts all entries of a kind in the files, not only selected ones', async ({ skyctl, file, world }) => {
    addStrays(world, 1)
    const path = file('a.yaml', 'owner: team\nvolumes: { data-2: {} }\nfirewalls: {}\n')
    expect(await skyctl(`apply ${path} --prune --yes --only volumes/old-1`)).toMatchObject({ exit: 0 })
    expect(world.requests('DELETE')).toHaveLength(1)
  })

  test('is a usage error if the limit is not a number', async ({ skyctl, file, world }) => {
    for (const command of ['plan', 'apply --yes'])
      expect(await skyctl(`${command} ${file('a.yaml', accountFile)} --max-deletes few`)).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('--max-deletes: "few" is not a whole number of 0 or more'),
      })
    expect(world.requests().filter(({ method }) => method !== 'GET')).toEqual([])
  })
})
