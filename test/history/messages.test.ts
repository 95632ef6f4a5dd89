/** Messages of `history`, with the differences and questions of an undo (interface.md, history). */
import { describe, expect } from 'vitest'
import { ruleSet, ssh } from '../support/firewall-rules'
import { test as base, type Fixtures } from '../support/skyctl'

type World = Fixtures['world']

const json = (text: string) => JSON.parse(text)
const lines = (text: string) => text.trimEnd().split('\n')

interface HistoryFixtures {
  /** Two volumes, "data" (7001) and "logs" (7002). */
  volumes: World
  /** Returns an environment in which answers to changes are lost. */
  losingAnswers(): Promise<Record<string, string>>
}

const test = base.extend<HistoryFixtures>({
  volumes: async ({ world }, use) => {
    world.volume({ id: 7001, label: 'data', region: 'us-east', tags: ['a', 'b'] })
    world.volume({ id: 7002, label: 'logs', region: 'us-east' })
    await use(world)
  },
  losingAnswers: async ({ meanwhile }, use) =>
    use(async () => {
      const { baseUrl } = await meanwhile({ before: ({ method }) => method !== 'GET' && 'drop' })
      return { SKYCTL_BASE_URL: baseUrl }
    }),
})

const signedOut = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }

describe('history list', () => {
  test('lists objects by label and id, and other changes by their request', async ({ skyctl, volumes }) => {
    volumes.network.address({ address: '203.0.113.11', compute_id: 1001 })
    for (const line of [
      'volumes update data --tag x',
      'ips rdns 203.0.113.11 www.example.net',
      'profile update --timezone UTC',
      'tokens create --label ci --scope volumes:read_only --expiry never --yes',
      'ips allocate --compute-id 1001 --public',
    ])
      expect({ line, exit: (await skyctl(line)).exit }).toEqual({ line, exit: 0 })
    await skyctl('api POST /nothing/here --yes')
    const rows = lines((await skyctl('history list --columns label -o tsv --no-headers')).stdout)
    expect(rows).toHaveLength(6)
    const table = lines((await skyctl('history list')).stdout).slice(1)
    const objects = [
      'POST /nothing/here',
      /address 198\.51\.100\.\d+/,
      /token "ci" \(\d+\)/,
      'profile',
      'address 203.0.113.11',
      'volume "data" (7001)',
    ]
    for (const [index, object] of objects.entries())
      expect(table[index]).toMatch(
        object instanceof RegExp ? object : new RegExp(` ${object.replaceAll(/[()/.]/g, '\\$&')} `),
      )
    expect(table.map((row) => row.trim().split(/ {2,}/).at(-1))).toEqual(['failed: not_found', ...Array(5).fill('ok')])
  })

  test('suggests a command with a placeholder for an unrecorded instance', async ({ skyctl, volumes }) => {
    const compute_id = volumes.compute({ region: 'us-east' }).id
    volumes.volume({ id: 7003, label: 'held', region: 'us-east', compute_id })
    expect((await skyctl('api POST /volumes/7003/detach --yes')).exit).toBe(0)
    const { exit, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, stderr }).toEqual({
      exit: 6,
      stderr: expect.stringContaining('skyctl volumes attach 7003 --compute-id COMPUTE_ID'),
    })
  })

  test('shows why a change failed', async ({ skyctl, volumes }) => {
    await skyctl('volumes resize 7001 --size 5 --no-validate --yes')
    const [, row] = lines((await skyctl('history list')).stdout)
    expect(row).toMatch(/failed: conflict$/)
    const [change] = json((await skyctl('history list --json')).stdout)
    expect(change).toMatchObject({ outcome: 'failed', code: 'conflict', next: null, undo: null, no_undo: null })
    expect(await skyctl(`history undo ${change.number} --yes`)).toMatchObject({
      exit: 6,
      stderr: `skyctl: change ${change.number} cannot be undone: it failed, so nothing was changed\n`,
    })
    expect(volumes.volumes.get(7001)?.size).not.toBe(5)
  })

  test('has a column of contexts if there are several, and always for scripts', async ({
    skyctl,
    sandbox,
    volumes,
  }) => {
    const login = (name: string) =>
      skyctl(`auth login --context ${name} --with-token --base-url ${sandbox.baseUrl}`, {
        stdin: sandbox.ownerToken,
        env: signedOut,
      })
    const heads = async () => lines((await skyctl('history list', { env: signedOut })).stdout)[0]?.toLowerCase()
    await login('one')
    await skyctl('volumes update data --tag x', { env: signedOut })
    expect(await heads()).not.toContain('context')
    expect((await skyctl('history list -o csv', { env: signedOut })).stdout).toMatch(/^number,time,context,/)
    await login('two')
    await skyctl('volumes update data --tag y', { env: signedOut })
    expect(await heads()).toContain('context')
    const only = json((await skyctl('--context one history list --json', { env: signedOut })).stdout)
    expect(only.map(({ context, undo }: Record<string, unknown>) => [context, undo])).toEqual([
      ['one', `skyctl history undo ${only[0].number}`],
    ])
    const other = json((await skyctl('history list --json', { env: signedOut })).stdout)
    expect(other.map(({ undo }: { undo: string }) => undo)).toEqual([
      `skyctl history undo ${other[0].number}`,
      `skyctl history undo ${other[1].number} --context one`,
    ])
    expect(volumes.volumes.get(7001)?.tags).toEqual(['y'])
  })

  test('shows people how to check up to three changes of unknown outcome', async ({
    skyctl,
    volumes,
    losingAnswers,
  }) => {
    expect((await skyctl('history list')).stderr).toBe('No changes\n')
    await skyctl('volumes update data --tag x')
    expect((await skyctl('history list')).stderr).toBe('')
    const env = await losingAnswers()
    for (const label of ['p', 'q', 'r', 's'])
      await skyctl(`volumes create --label ${label} --region us-east --retries 0`, { env })
    const all = json((await skyctl('history list --json')).stdout)
    const unknown = all.filter(({ outcome }: { outcome: string }) => outcome === 'unknown')
    expect(unknown.length).toBeGreaterThan(3)
    const { stderr } = await skyctl('history list')
    expect(lines(stderr)).toEqual(
      unknown
        .slice(0, 3)
        .map(({ number, next }: Record<string, unknown>) => `Check whether change ${number} was done: ${next}`),
    )
    expect((await skyctl('history list -o csv')).stderr).toBe('')
    expect(lines((await skyctl('history list')).stdout)[1]).toMatch(/ unknown {2}http:[^ ]+$/)
    expect(volumes.volumes.get(7001)?.tags).toEqual(['x'])
  })
})

test('The command that checks a change has a placeholder for an unknown value', async ({ skyctl, losingAnswers }) => {
  const env = await losingAnswers()
  await skyctl('api POST /volumes --yes --body -', { env, stdin: '{"region":"us-east"}' })
  const [{ next }] = json((await skyctl('history list --json')).stdout)
  expect(next).toBe('skyctl volumes list --filter label=LABEL')
})

describe('The number of a change', () => {
  test.for(['0', '01', 'x1', '1x', '1.5', '-1', '1234567890123456', ' 1'])(
    'is rejected: %j',
    async (input, { skyctl }) => {
      for (const verb of ['view', 'undo'])
        expect(await skyctl(['history', verb, '--', input])).toEqual({
          exit: 2,
          stdout: '',
          stderr: `skyctl: "${input}" is not a change number. See skyctl history list\n`,
        })
    },
  )

  test('must exist', async ({ skyctl, volumes }) => {
    for (let count = 0; count < 11; count += 1) await skyctl(`volumes update data --tag x${count}`)
    expect(json((await skyctl('history view 11 --json')).stdout).number).toBe(11)
    expect(await skyctl('history view 12')).toEqual({
      exit: 5,
      stdout: '',
      stderr: 'skyctl: change 12 is not in the history. See skyctl history list\n',
    })
    expect(volumes.volumes.get(7001)?.tags).toEqual(['x10'])
  })
})

describe('history clear', () => {
  test.for([
    [1, '1 change'],
    [2, '2 changes'],
  ] as const)('asks, and reports the number of removed changes: %i', async ([count, changes], { skyctl, volumes }) => {
    for (let index = 0; index < count; index += 1) await skyctl(`volumes update data --tag x${index}`)
    expect((await skyctl('history clear')).stderr).toContain(
      `skyctl: Undo from here will no longer be possible. Remove the history of ${changes}? This must be confirmed`,
    )
    expect(json((await skyctl('history list --json')).stdout)).toHaveLength(count)
    expect(await skyctl('history clear --yes')).toEqual({
      exit: 0,
      stdout: '',
      stderr: `Removed the history of ${changes}\n`,
    })
    expect((await skyctl('history clear --yes --json')).stdout).toBe('{}\n')
    expect(volumes.requests('PUT')).toHaveLength(count)
  })
})

describe('history undo', () => {
  const shown = (stderr: string) => lines(stderr).filter((line) => line.startsWith('changed '))
  const isBefore = 'is as before change 1'

  test('shows only the fields that it changes', async ({ skyctl, volumes }) => {
    await skyctl('volumes update data --label archive --tag x')
    const { exit, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, shown: shown(stderr).toSorted() }).toEqual({
      exit: 0,
      shown: ['changed  label: archive -> data', 'changed  tags: x -> a, b'],
    })
    await skyctl('volumes update data --no-tags')
    expect(shown((await skyctl('history undo 3 --yes')).stderr)).toEqual(['changed  tags: none -> a, b'])
    expect(volumes.volumes.get(7001)).toMatchObject({ label: 'data', tags: ['a', 'b'] })
  })

  test('shows the beginning and the end of a key, and a short one as a whole', async ({ skyctl, world }) => {
    const owner = world.users.get(1)
    const long = `ssh-ed25519 ${'A'.repeat(40)} end-of-the-key-of-mine`
    const short = `ssh-ed25519 ${'B'.repeat(28)}`
    if (owner) world.users.put({ ...owner, authorized_keys: [long, short] })
    await skyctl('profile update --no-authorized-keys')
    const { exit, stderr } = await skyctl('history undo 1 --dry-run')
    expect({ exit, shown: shown(stderr) }).toEqual({
      exit: 0,
      shown: [`changed  authorized_keys: none -> ssh-ed25519 AAAAAAAA...d-of-the-key-of-mine, ${short}`],
    })
  })

  test('shows values other than texts as JSON', async ({ skyctl }) => {
    const set = (stdin: string) => skyctl('profile preferences set --body - --yes', { stdin })
    await set('{"theme":{"dark":true},"size":1}')
    await set('{"size":2}')
    const { exit, stderr } = await skyctl('history undo 2 --yes')
    expect({ exit, shown: shown(stderr).toSorted() }).toEqual({
      exit: 0,
      shown: ['changed  size: 2 -> 1', 'changed  theme: none -> {"dark":true}'],
    })
    expect(json((await skyctl('profile preferences view --json')).stdout)).toEqual({ theme: { dark: true }, size: 1 })
  })

  test('asks with the object, the time of the change, and the consequences', async ({ skyctl, volumes }) => {
    await skyctl('volumes update data --tag x')
    const question = 'Undo the change of 2026-01-15 12:00 UTC to volume "data" (7001)'
    expect((await skyctl('history undo 1')).stderr).toContain(
      `skyctl: The values from before will be restored. ${question}? This must be confirmed`,
    )
    const volume = volumes.volumes.get(7001)
    if (volume) volumes.volumes.put({ ...volume, tags: ['z'] })
    expect((await skyctl('history undo 1 --force')).stderr).toContain(
      `skyctl: Changes since then will be lost. ${question}? This must be confirmed`,
    )
    expect(volumes.requests('PUT')).toHaveLength(1)
  })

  test('with --dry-run prints the request, and sends nothing', async ({ skyctl, volumes }) => {
    await skyctl('volumes update data --tag x')
    const { stdout } = await skyctl('history undo 1 --dry-run --json')
    expect(json(stdout)).toMatchObject({ method: 'PUT', path: '/volumes/7001', body: { tags: ['a', 'b'] } })
    expect(volumes.requests('PUT')).toHaveLength(1)
  })

  test('prints the record for scripts, even if there is nothing to do', async ({ skyctl, volumes }) => {
    await skyctl('volumes update data --tag x')
    expect(json((await skyctl('history undo 1 --yes --json')).stdout)).toMatchObject({ id: 7001, tags: ['a', 'b'] })
    const again = await skyctl('history undo 1 --yes --json')
    expect({ exit: again.exit, tags: json(again.stdout).tags }).toEqual({ exit: 0, tags: ['a', 'b'] })
    expect(await skyctl('history undo 1 --yes')).toEqual({
      exit: 0,
      stdout: '',
      stderr: `No changes: volume "data" (7001) ${isBefore}, which change 2 has undone\n`,
    })
    expect(volumes.requests('PUT')).toHaveLength(2)
  })

  test('restores a label that another object has meanwhile only with --allow-duplicate', async ({
    skyctl,
    volumes,
  }) => {
    await skyctl('volumes update data --label archive')
    volumes.volume({ label: 'data' })
    expect((await skyctl('history undo 1 --yes')).exit).toBe(6)
    expect(volumes.volumes.get(7001)?.label).toBe('archive')
    expect((await skyctl('history undo 1 --yes --allow-duplicate')).exit).toBe(0)
    expect(volumes.volumes.get(7001)?.label).toBe('data')
  })

  test('fails with the current values if the object has changed since', async ({ skyctl, volumes }) => {
    await skyctl('volumes update data --tag x')
    const volume = volumes.volumes.get(7001)
    if (volume) volumes.volumes.put({ ...volume, tags: ['z'] })
    const { exit, stderr } = await skyctl('history undo 1 --yes --json')
    expect({ exit, error: json(stderr).error }).toMatchObject({
      exit: 6,
      error: {
        message: 'volume "data" (7001) was changed since change 1',
        errors: [{ field: 'tags', reason: 'Is z now' }],
        hint: 'To undo it anyway, add --force',
      },
    })
    expect((await skyctl('history undo 1 --yes --force')).exit).toBe(0)
    expect(volumes.volumes.get(7001)?.tags).toEqual(['a', 'b'])
  })

  test('names the last successful change to the object from this machine', async ({ skyctl, volumes }) => {
    await skyctl('volumes update data --tag x')
    await skyctl('volumes update data --tag y')
    await skyctl('volumes update logs --tag y')
    await skyctl('profile update --timezone UTC')
    await skyctl('volumes resize 7001 --size 5 --no-validate --yes')
    expect((await skyctl('history undo 1 --yes')).stderr).toContain(
      'volume "data" (7001) was changed since change 1, last from here by change 2. To undo it anyway',
    )
    expect(volumes.volumes.get(7001)?.tags).toEqual(['y'])
  })

  test('is not offered for a change of unknown outcome', async ({ skyctl, volumes, losingAnswers }) => {
    await skyctl('volumes update data --tag x --retries 0', { env: await losingAnswers() })
    const [change] = json((await skyctl('history list --json')).stdout)
    expect(change).toMatchObject({
      outcome: 'unknown',
      next: 'skyctl volumes view 7001',
      undo: null,
      no_undo: null,
    })
    expect(volumes.volumes.get(7001)?.tags).toEqual(['a', 'b'])
  })

  test('of rules fails without their backup', async ({ skyctl, world, home }) => {
    world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(ssh) as never })
    expect((await skyctl('firewalls rules remove edge inbound label:ssh --yes')).exit).toBe(0)
    const undo = 'history undo 1 --yes'
    const withoutBackup = await skyctl(undo, { env: { SKYCTL_STATE_DIR: `${home}/other` } })
    expect(withoutBackup.exit).toBe(5)
    expect((await skyctl(undo)).exit).toBe(0)
    expect(world.network.firewalls.get(9100)?.rules.inbound).toHaveLength(1)
  })
})
