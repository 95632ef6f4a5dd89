/**
 * Ownership of files: saved plans, journals, history and rule backups belong to the user at a base URL
 * (reliability.md).
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test as base } from './support/account-files'
import { editBackup } from './support/backups'
import { ruleSet, ssh, web } from './support/firewall-rules'
import { openProxy } from './support/proxy'

/** User `proxy` is the third user of the sandbox, and may create volumes. */
const owner = 'user "owner" (1)'
const stranger = 'user "proxy" (3)'

interface Fixtures {
  /** The environment of the third user. */
  other: { SKYCTL_TOKEN: string }
  /** The environment of a user whose name the API does not return. */
  unknownUser: { SKYCTL_BASE_URL: string; SKYCTL_RETRIES: string }
  /** The path of a saved plan of the owner that creates a volume. */
  saved: string
}

const test = base.extend<Fixtures>({
  other: async ({ world }, use) => use({ SKYCTL_TOKEN: world.token('*', 3) }),
  unknownUser: async ({ sandbox }, use) => {
    const proxy = await openProxy(sandbox.baseUrl, { before: ({ path }) => (path === '/profile' ? 'drop' : undefined) })
    await use({ SKYCTL_BASE_URL: proxy.baseUrl, SKYCTL_RETRIES: '0' })
    await proxy.close()
  },
  saved: async ({ skyctl, file, home }, use) => {
    const path = join(home, 'plan.json')
    const desired = file('desired.yaml', 'volumes: { fresh: { region: us-east, size: 20 } }')
    expect((await skyctl(`plan ${desired} --out ${path}`)).exit).toBe(0)
    await use(path)
  },
})

const json = (text: string) => JSON.parse(text)

/** Edits a file as a person or a program would. */
function edit(path: string, change: (text: string) => string): void {
  const before = readFileSync(path, 'utf8')
  const after = change(before)
  expect(after).not.toBe(before)
  writeFileSync(path, after)
}

describe('a saved plan', () => {
  test('names its account', async ({ saved, env }) => {
    expect(json(readFileSync(saved, 'utf8')).account).toEqual({
      service: env.SKYCTL_BASE_URL,
      uid: 1,
      username: 'owner',
    })
  })

  test('is applied with another token of the same user', async ({ skyctl, saved, world }) => {
    const { exit } = await skyctl(`apply ${saved} --yes`, { env: { SKYCTL_TOKEN: world.token('*') } })
    expect({ exit, sent: world.requests('POST').map(({ path }) => path) }).toEqual({ exit: 0, sent: ['/volumes'] })
  })

  test.for(['--yes', '--yes --dry-run', '--yes --json'])(
    'is refused for another user at the same address, without a question: %s',
    async (flags, { skyctl, saved, other, env, world }) => {
      const { exit, stdout, stderr } = await skyctl(`apply ${saved} ${flags}`, { env: other })
      expect({ exit, stdout, sent: world.requests('POST') }).toEqual({ exit: 6, stdout: '', sent: [] })
      const [planned, now] = [`${owner} at ${env.SKYCTL_BASE_URL}`, `${stranger} at ${env.SKYCTL_BASE_URL}`]
      const message = `${saved} is a plan for ${planned}, but this is ${now}`
      if (flags.includes('--json')) expect(json(stderr).error).toMatchObject({ code: 'conflict', message })
      else expect(stderr).toContain(message)
    },
  )

  test('is refused for the same user name at another address', async ({ skyctl, saved, unknownUser, world }) => {
    const { exit, stderr } = await skyctl(`apply ${saved} --yes`, { env: { ...unknownUser } })
    expect({ exit, sent: world.requests('POST') }).toEqual({ exit: 6, sent: [] })
    expect(stderr).toContain(unknownUser.SKYCTL_BASE_URL)
  })

  test('names no user if the API returns none, and apply asks for confirmation', async ({
    skyctl,
    file,
    home,
    unknownUser,
    world,
  }) => {
    const [desired, out] = [file('a.yaml', 'volumes: { fresh: { region: us-east } }'), join(home, 'unknown.json')]
    const planned = await skyctl(`plan ${desired} --out ${out}`, { env: unknownUser })
    expect(planned).toMatchObject({ exit: 0, stderr: expect.stringContaining('the saved plan names no user') })
    expect(json(readFileSync(out, 'utf8')).account).toMatchObject({ uid: null, username: null })
    const unconfirmed = await skyctl(`apply ${out}`, { env: unknownUser })
    expect({ exit: unconfirmed.exit, sent: world.requests('POST') }).toEqual({ exit: 2, sent: [] })
    expect(unconfirmed.stderr).toContain('an unknown user')
    expect((await skyctl(`apply ${out} --yes`, { env: unknownUser })).exit).toBe(0)
    expect(world.volumes.all().filter(({ label }) => label === 'fresh')).toHaveLength(1)
  })

  test.for<[string, (text: string) => string]>([
    ['a size', (text) => text.replaceAll('"size": 20', '"size": 2000')],
    ['a label', (text) => text.replaceAll('fresh', 'fresher')],
    ['the base URL', (text) => text.replace(/"service": "[^"]*"/, '"service": "https://api.example.com/v4"')],
    ['the user', (text) => text.replace('"uid": 1', '"uid": 3').replace('"owner"', '"proxy"')],
    ['the prune option', (text) => text.replace('"prune": false', '"prune": true')],
    ['a step', (text) => text.replace('"starts billing"', '"opens"')],
    ['an invalid digest', (text) => text.replace(/"digest": "./, '"digest": "x')],
    ['a missing digest', (text) => text.replace(/,\s*"digest": "[^"]*"/, '')],
  ])('is refused after an edit: %s', async ([, change], { skyctl, saved, world }) => {
    edit(saved, change)
    const { exit, stderr } = await skyctl(`apply ${saved} --yes`)
    expect({ exit, sent: world.requests('POST') }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toBe(
      `skyctl: ${saved} was edited since it was saved, so it may differ from the reviewed plan. Save it again: skyctl plan FILE --out plan.json\n`,
    )
  })

  test('is accepted with another indentation and order of keys', async ({ skyctl, saved }) => {
    edit(saved, (text) => JSON.stringify(Object.fromEntries(Object.entries(json(text)).reverse())))
    expect((await skyctl(`apply ${saved} --yes`)).exit).toBe(0)
  })
})

test('plan --json names the account', async ({ skyctl, file, env }) => {
  const { stdout } = await skyctl(`plan ${file('a.yaml', 'volumes: {}')} --json`)
  expect(json(stdout).account).toEqual({ service: env.SKYCTL_BASE_URL, uid: 1, username: 'owner' })
})

describe('the history', () => {
  const change = 'volumes update data-1 --tag other'

  test('has the user of each change, in a column if there are several', async ({ skyctl, other }) => {
    await skyctl(change)
    expect((await skyctl('history list')).stdout).not.toContain('owner')
    await skyctl('volumes update data-1 --tag third', { env: other })
    const { stdout } = await skyctl('history list')
    expect(stdout.split('\n').map((line) => /owner|proxy|USERNAME/i.exec(line)?.[0].toLowerCase())).toEqual([
      'username',
      'proxy',
      'owner',
      undefined,
    ])
    const records = json((await skyctl('history list --json')).stdout)
    expect(records.map(({ uid, username }: Record<string, unknown>) => [uid, username])).toEqual([
      [3, 'proxy'],
      [1, 'owner'],
    ])
  })

  test.for(['--yes', '--dry-run'])(
    'does not undo a change of another user at the same address: %s',
    async (flag, { skyctl, other, world, env }) => {
      await skyctl(change)
      const { exit, stderr } = await skyctl(`history undo 1 ${flag}`, { env: other })
      expect({ exit, tags: world.volumes.get(3001)?.tags, sent: world.requests('PUT').length }).toEqual({
        exit: 6,
        tags: ['other'],
        sent: 1,
      })
      const [changedBy, now] = [`${owner} at ${env.SKYCTL_BASE_URL}`, `${stranger} at ${env.SKYCTL_BASE_URL}`]
      expect(stderr).toContain(`change 1 was made by ${changedBy}, but this is ${now}`)
      expect((await skyctl('history undo 1 --yes', { env: { SKYCTL_TOKEN: world.token('*') } })).exit).toBe(0)
    },
  )

  test('does not undo a change of a user with the same uid and another name', async ({ skyctl, world, home, env }) => {
    await skyctl(change)
    edit(join(home, 'state/history/1.ndjson'), (text) => text.replace('"username":"owner"', '"username":"former"'))
    const { exit, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, tags: world.volumes.get(3001)?.tags }).toEqual({ exit: 6, tags: ['other'] })
    const [changedBy, now] = [`user "former" (1) at ${env.SKYCTL_BASE_URL}`, `${owner} at ${env.SKYCTL_BASE_URL}`]
    expect(stderr).toContain(`change 1 was made by ${changedBy}, but this is ${now}`)
  })

  test('asks for confirmation before undoing a change of an unknown user', async ({
    skyctl,
    unknownUser,
    world,
    home,
  }) => {
    await skyctl(change, { env: unknownUser })
    expect(readFileSync(join(home, 'state/history/1.ndjson'), 'utf8')).not.toContain('"user"')
    const unconfirmed = await skyctl('history undo 1', { env: unknownUser })
    expect({ exit: unconfirmed.exit, tags: world.volumes.get(3001)?.tags }).toEqual({ exit: 2, tags: ['other'] })
    expect(unconfirmed.stderr).toContain('change 1 was made by an unknown user')
    expect((await skyctl('history undo 1 --yes', { env: unknownUser })).exit).toBe(0)
  })

  test('reads the user once for each token, after the change', async ({ skyctl, other, world }) => {
    const paths = () =>
      world
        .requests()
        .filter(({ method, path }) => method === 'PUT' || path === '/profile')
        .map(({ method, path }) => `${method} ${path}`)
    await skyctl(change, { env: other })
    expect(paths()).toEqual(['PUT /volumes/3001', 'GET /profile'])
    await skyctl('volumes update data-1 --tag third', { env: other })
    expect(paths()).toEqual(['PUT /volumes/3001', 'GET /profile', 'PUT /volumes/3001'])
  })

  test('does not read the user after a rejected change, nor if nothing can be recorded', async ({
    skyctl,
    other,
    world,
    home,
  }) => {
    const userRequests = () => world.requests().filter(({ path }) => path === '/profile')
    const long = 'x'.repeat(33)
    expect((await skyctl(`volumes update 3001 --label ${long} --no-validate`, { env: other })).exit).toBe(6)
    expect(userRequests()).toEqual([])
    const history = join(home, 'state/history/1.ndjson')
    rmSync(history)
    mkdirSync(history)
    expect((await skyctl(change, { env: other })).exit).toBe(0)
    expect(userRequests()).toEqual([])
  })

  test('contains no token, and neither do the cached users', async ({ skyctl, other, home }) => {
    await skyctl(change, { env: other })
    const folder = join(home, 'state/users')
    const texts = readdirSync(folder).map((name) => name + readFileSync(join(folder, name), 'utf8'))
    expect(texts).toHaveLength(2)
    for (const text of texts) expect(text).not.toContain(other.SKYCTL_TOKEN.slice(0, 16))
  })

  test('caches the users of about 200 tokens, even if each job has a new one', async ({ skyctl, other, home }) => {
    const folder = join(home, 'state/users')
    for (let job = 0; job < 220; job += 1) writeFileSync(join(folder, `${job}.json`), '{}', { mode: 0o600 })
    expect((await skyctl(change, { env: other })).exit).toBe(0)
    expect(readdirSync(folder)).toHaveLength(201)
  })
})

test('a list does not read the user', async ({ skyctl, other, world }) => {
  expect((await skyctl('volumes list', { env: other })).exit).toBe(0)
  expect(world.requests().filter(({ path }) => path === '/profile')).toEqual([])
})

describe('a journal', () => {
  const stdin = '{"label":"fresh","region":"us-east","size":20}\n'
  const create = 'volumes create --body -'

  test('is not resumed by another user', async ({ skyctl, other, home, world }) => {
    const path = join(home, 'done.ndjson')
    await skyctl(`${create} --journal ${path}`, { stdin })
    edit(path, (text) => `${text.split('\n')[0]}\n`)
    const { exit, stderr } = await skyctl(`${create} --resume ${path} --yes`, { stdin, env: other })
    expect({ exit, sent: world.requests('POST').length }).toEqual({ exit: 6, sent: 1 })
    expect(stderr).toMatch(/done\.ndjson is the journal of user "owner" \(1\) at .*, but this is user "proxy" \(3\)/)
    expect((await skyctl(`${create} --resume ${path} --allow-duplicate --yes`, { stdin })).exit).not.toBe(6)
  })

  test('of an unknown user is resumed with --yes', async ({ skyctl, unknownUser, home }) => {
    const path = join(home, 'done.ndjson')
    await skyctl(`${create} --journal ${path}`, { stdin, env: unknownUser })
    const unconfirmed = await skyctl(`${create} --resume ${path}`, { stdin, env: unknownUser })
    expect(unconfirmed).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('may be the journal of another account'),
    })
    expect((await skyctl(`${create} --resume ${path} --yes`, { stdin, env: unknownUser })).exit).toBe(0)
  })
})

describe('rule backups', () => {
  const remove = 'firewalls rules remove edge inbound label:web --yes'
  const labels = (rules: { inbound: { label?: unknown }[] } | undefined) => rules?.inbound.map(({ label }) => label)

  test.for(['firewalls rules undo', 'firewalls rules undo edge'])(
    'of another user at the same address are not restored: %s',
    async (line, { skyctl, other, world }) => {
      world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(ssh, web) })
      await skyctl(remove)
      const { exit, stderr } = await skyctl(`${line} --yes`, { env: other })
      expect({ exit, rules: labels(world.network.firewalls.get(9100)?.rules) }).toEqual({ exit: 5, rules: ['ssh'] })
      expect(stderr).toContain('was made from this machine with this account')
      expect((await skyctl(`${line} --yes`)).exit).toBe(0)
      expect(labels(world.network.firewalls.get(9100)?.rules)).toEqual(['ssh', 'web'])
    },
  )

  test('of an unknown user are restored with --yes', async ({ skyctl, home, world }) => {
    world.network.firewall({ id: 9100, label: 'edge', rules: ruleSet(ssh, web) })
    await skyctl(remove)
    editBackup(home, ({ user: _, ...rest }) => rest)
    const unconfirmed = await skyctl('firewalls rules undo')
    expect(unconfirmed).toMatchObject({ exit: 2, stderr: expect.stringContaining('made by an unknown user') })
    expect((await skyctl('firewalls rules undo --yes')).exit).toBe(0)
  })
})

test('completion drops the labels of the previous user of a token command', async ({
  skyctl,
  home,
  world,
  other,
  sandbox,
  env,
}) => {
  const script = join(home, 'token')
  writeFileSync(script, sandbox.ownerToken)
  const contexts = {
    current: 'vault',
    contexts: { vault: { base_url: env.SKYCTL_BASE_URL, token_command: `cat ${script}` } },
  }
  mkdirSync(join(home, 'config'), { mode: 0o700 })
  writeFileSync(join(home, 'config/contexts.json'), JSON.stringify(contexts), { mode: 0o600 })
  const signedIn = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
  const folder = join(home, 'cache/skyctl/names/vault')
  await skyctl('completion values volumes', { env: signedIn })
  expect(readFileSync(join(folder, 'volumes'), 'utf8')).toContain('data-1')
  world.volume({ label: 'x' })
  writeFileSync(script, other.SKYCTL_TOKEN)
  expect((await skyctl('completion values firewalls', { env: signedIn })).exit).toBe(0)
  expect(existsSync(join(folder, 'volumes'))).toBe(false)
})
