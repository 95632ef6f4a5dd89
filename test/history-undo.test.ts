/** `history undo`: what stood before a change stands again, or it is said why it does not. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { dns, ruleSet, ssh, web } from './support/firewall-rules'
import type { World } from './support/sandbox'
import { test as base } from './support/skyctl'

const signedOut = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }

const test = base.extend<{ login(context: string): Promise<unknown> }>({
  login: async ({ skyctl, sandbox, env }, use) =>
    use((context) => {
      const line = `auth login --context ${context} --with-token --base-url ${env.SKYCTL_BASE_URL}`
      return skyctl(line, { env: signedOut, stdin: sandbox.ownerToken })
    }),
})

interface Way {
  what: string
  arrange(world: World): void
  line: string
  stdin?: string
  now(world: World): unknown
  /** Somebody else changes the same. */
  meanwhile?(world: World): void
  /** It is deleted. */
  gone?(world: World): void
}

const firewall = { id: 9100, label: 'edge', tags: ['a', 'b'] }
const user = (world: World) => world.users.all().find(({ username }) => username === 'owner')
const change = (world: World, changes: object) => {
  const owner = user(world)
  if (owner) world.users.put({ ...owner, ...changes })
}
const prefer = ({ profile }: World, preferences: object) => {
  profile.preferences.put({ id: 1, user: 1, app: null, text: JSON.stringify(preferences) })
}
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA laptop'
const address = '203.0.113.200'

/** Changes a row where it stands. */
function put<T extends { id: number }>(
  table: { get(id: number): T | undefined; put(row: T): unknown },
  id: number,
  changes: Partial<T>,
) {
  const row = table.get(id)
  if (row) table.put({ ...row, ...changes })
}

const volumeWay = {
  arrange: (world: World) => void world.volume({ id: 7001, label: 'data', tags: ['a'] }),
  gone: (world: World) => void world.volumes.delete(7001),
}
const firewallWay = {
  arrange: ({ network }: World) => void network.firewall(firewall),
  gone: ({ network }: World) => void network.firewalls.delete(9100),
}

const addressWay = {
  now: ({ network }: World) => network.findAddress(address)?.rdns,
  meanwhile: ({ network }: World) =>
    put(network.addresses, network.findAddress(address)?.id ?? 0, { rdns: 'third.example.net' }),
}

const ways: Way[] = [
  {
    ...volumeWay,
    what: 'the label of a volume',
    line: 'volumes update data --label other',
    now: ({ volumes }) => volumes.get(7001)?.label,
    meanwhile: ({ volumes }) => put(volumes, 7001, { label: 'third' }),
  },
  {
    ...volumeWay,
    what: 'the tags of a volume',
    line: 'volumes update 7001 --tag x,y',
    now: ({ volumes }) => volumes.get(7001)?.tags,
    meanwhile: ({ volumes }) => put(volumes, 7001, { tags: ['third'] }),
  },
  {
    ...volumeWay,
    what: 'a tag that was added',
    line: 'volumes update 7001 --add-tag x',
    now: ({ volumes }) => volumes.get(7001)?.tags,
    meanwhile: ({ volumes }) => put(volumes, 7001, { tags: ['a', 'x', 'third'] }),
  },
  {
    ...firewallWay,
    what: 'the status of a firewall',
    line: 'firewalls disable edge',
    now: ({ network }) => network.firewalls.get(9100)?.status,
  },
  {
    ...firewallWay,
    what: 'label, status and tags of a firewall',
    line: 'firewalls update 9100 --label other --status disabled --no-tags',
    now: ({ network }) => {
      const { label, status, tags } = network.firewalls.get(9100) ?? {}
      return { label, status, tags }
    },
    meanwhile: ({ network }) => put(network.firewalls, 9100, { tags: ['third'] }),
  },
  {
    what: 'the rules of a firewall',
    arrange: ({ network }) => void network.firewall({ ...firewall, rules: ruleSet(ssh, web, dns) }),
    line: 'firewalls rules remove edge inbound label:web',
    now: ({ network }) => network.firewalls.get(9100)?.rules,
    meanwhile: ({ network }) => put(network.firewalls, 9100, { rules: ruleSet(ssh) }),
    gone: firewallWay.gone,
  },
  {
    ...addressWay,
    what: 'a name of an address',
    arrange: ({ network }) => void network.address({ address, compute_id: 1001, rdns: 'www.example.net' }),
    line: `ips rdns ${address} mail.example.net`,
  },
  {
    ...addressWay,
    what: 'the name of an address that was the default',
    arrange: ({ network }) => void network.address({ address, compute_id: 1001 }),
    line: `ips rdns ${address} mail.example.net`,
  },
  {
    ...addressWay,
    what: 'a name that was reset',
    arrange: ({ network }) => void network.address({ address, compute_id: 1001, rdns: 'www.example.net' }),
    line: `ips rdns ${address} --reset`,
  },
  {
    what: 'fields of the profile',
    arrange: (world) => change(world, { timezone: 'UTC', email: 'me@example.net', authorized_keys: null }),
    line: `profile update --timezone Europe/Berlin --email you@example.net --authorized-key "${key}"`,
    now: (world) => {
      const { timezone, email, authorized_keys } = user(world) ?? {}
      return { timezone, email, authorized_keys }
    },
    meanwhile: (world) => change(world, { timezone: 'Asia/Tokyo' }),
  },
  {
    what: 'the preferences',
    arrange: (world) => prefer(world, { theme: 'light' }),
    line: 'profile preferences set --body -',
    stdin: '{"theme": "dark", "list": [3, 1, 2]}',
    now: ({ profile }) => JSON.parse(profile.preferences.all()[0]?.text ?? '{}'),
    meanwhile: (world) => prefer(world, { theme: 'third' }),
  },
  {
    what: 'the label of a token',
    arrange: (world) => void world.token('volumes:read_only'),
    line: 'tokens update TOKEN --label other',
    now: ({ tokens }) => tokens.all().at(-1)?.label,
    meanwhile: ({ tokens }) => put(tokens, tokens.all().at(-1)?.id ?? 0, { label: 'third' }),
    gone: ({ tokens }) => void tokens.delete(tokens.all().at(-1)?.id ?? 0),
  },
  {
    what: 'the label of an SSH key',
    arrange: ({ profile }) =>
      void profile.sshkeys.put({
        id: 5001,
        user: 1,
        label: 'old',
        ssh_key: key,
        created: '2026-01-01T00:00:00',
      } as never),
    line: 'profile sshkeys update 5001 --label other',
    now: ({ profile }) => profile.sshkeys.get(5001)?.label,
    meanwhile: ({ profile }) => put(profile.sshkeys, 5001, { label: 'third' }),
    gone: ({ profile }) => void profile.sshkeys.delete(5001),
  },
]

const lineOf = ({ line }: Way, { tokens }: World) => line.replace('TOKEN', String(tokens.all().at(-1)?.id))

test.for(ways)('of $what asks first, puts it back, and is undone itself', async (way, { skyctl, world }) => {
  way.arrange(world)
  const before = way.now(world)
  await skyctl(`${lineOf(way, world)} --yes`, { stdin: way.stdin })
  const after = way.now(world)
  expect(after).not.toEqual(before)
  const dry = await skyctl('history undo 1 --dry-run --json')
  expect(dry.exit).toBe(0)
  expect(JSON.parse(dry.stdout)).toMatchObject({ method: 'PUT', body: {} })
  const asked = await skyctl('history undo 1')
  expect({ exit: asked.exit, now: way.now(world) }).toEqual({ exit: 2, now: after })
  expect(asked.stderr).toMatch(/Undo the change .*--yes/s)
  const { exit, stdout, stderr } = await skyctl('history undo 1 --yes')
  expect({ exit, stdout, now: way.now(world) }).toEqual({ exit: 0, stdout: '', now: before })
  expect(stderr).toMatch(/->|added {4}inbound/)
  const again = await skyctl('history undo 1 --yes')
  expect({ exit: again.exit, now: way.now(world) }).toEqual({ exit: 0, now: before })
  expect(again.stderr).toMatch(/nothing to do|No changes/)
  const undone = await skyctl('history undo 2 --yes --json')
  expect({ exit: undone.exit, now: way.now(world) }).toEqual({ exit: 0, now: after })
  expect(JSON.parse(undone.stdout)).toEqual(expect.any(Object))
})

test.for(ways.filter(({ meanwhile }) => meanwhile))(
  '$what that was changed meanwhile is put back with --force only',
  async (way, { skyctl, world }) => {
    way.arrange(world)
    const before = way.now(world)
    await skyctl(`${lineOf(way, world)} --yes`, { stdin: way.stdin })
    way.meanwhile?.(world)
    const changed = way.now(world)
    const { exit, stderr } = await skyctl('history undo 1 --yes --json')
    expect({ exit, now: way.now(world) }).toEqual({ exit: 6, now: changed })
    const { error } = JSON.parse(stderr)
    expect(error).toMatchObject({ code: 'changed', hint: expect.stringContaining('--force') })
    expect(error.errors.length).toBeGreaterThan(0)
    const forced = await skyctl('history undo 1 --yes --force')
    expect({ exit: forced.exit, now: way.now(world) }).toEqual({ exit: 0, now: before })
  },
)

test.for(ways.filter(({ gone }) => gone))('$what that is gone is exit 5', async (way, { skyctl, world }) => {
  way.arrange(world)
  await skyctl(`${lineOf(way, world)} --yes`, { stdin: way.stdin })
  way.gone?.(world)
  const { exit, stderr } = await skyctl('history undo 1 --yes')
  expect({ exit, stderr }).toMatchObject({ exit: 5, stderr: expect.stringContaining('not found') })
})

describe('without a way back', () => {
  test.for([
    { line: 'volumes create --label new --region us-east', instead: /billed.*skyctl volumes delete \d+/ },
    { line: 'volumes delete 7001', instead: /data is gone.*skyctl volumes create/ },
    { line: 'volumes resize 7001 --size 40', instead: /cannot shrink/ },
    { line: 'volumes attach 7001 --compute-id 9002', instead: /skyctl volumes detach 7001/ },
    { line: 'firewalls delete 9100', instead: /skyctl firewalls create/ },
    { line: 'firewalls open 9100 --port 22 --from 198.51.100.7 --for 1h', instead: /skyctl firewalls close 9100/ },
    { line: 'tokens create --label ci', instead: /skyctl tokens revoke \d+/ },
    { line: 'profile update --no-ip-whitelist-enabled', instead: /cannot be switched on again/ },
    { line: 'api DELETE /volumes/7001', instead: /data is gone/ },
  ])('$line says what can be done instead', async ({ line, instead }, { skyctl, world }) => {
    world.volume({ id: 7001, label: 'data', region: 'us-east', size: 20 })
    world.compute({ id: 9002, region: 'us-east' })
    world.network.firewall({ id: 9100, label: 'edge' })
    change(world, { ip_whitelist_enabled: true })
    expect((await skyctl(`${line} --yes`)).exit).toBe(0)
    const sent = world.requests().length
    const { exit, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, sent: world.requests().length }).toEqual({ exit: 6, sent })
    expect(stderr).toMatch(instead)
    const [told] = JSON.parse((await skyctl('history --json --limit 1')).stdout)
    expect(told).toMatchObject({ undo: null, no_way_back: expect.stringMatching(instead) })
  })

  test('is what failed', async ({ skyctl }) => {
    await skyctl('volumes delete 999999 --yes --force')
    const { exit, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, stderr }).toMatchObject({ exit: 6, stderr: expect.stringContaining('failed') })
  })

  test('are rules of which no copy is kept any more', async ({ skyctl, world, home }) => {
    world.network.firewall({ ...firewall, rules: ruleSet(ssh, web) })
    await skyctl('firewalls rules remove edge inbound label:web --yes')
    rmSync(join(home, 'state/rules'), { recursive: true })
    const { exit, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, stderr }).toMatchObject({ exit: 6, stderr: expect.stringContaining('no longer kept') })
  })
})

test('rules are put back to those before any change that is kept, not only the last', async ({ skyctl, world }) => {
  world.network.firewall({ ...firewall, rules: ruleSet(ssh, web, dns) })
  await skyctl('firewalls rules remove edge inbound label:web --yes')
  await skyctl('firewalls rules remove edge inbound label:dns --yes')
  const refused = await skyctl('history undo 1 --yes')
  expect(refused.exit).toBe(6)
  const { exit } = await skyctl('history undo 1 --yes --force')
  const labels = world.network.firewalls.get(9100)?.rules.inbound.map(({ label }) => label)
  expect({ exit, labels }).toEqual({ exit: 0, labels: ['ssh', 'web', 'dns'] })
})

test('rules that were changed since from here are not called those of somebody else', async ({ skyctl, world }) => {
  world.network.firewall({ ...firewall, rules: ruleSet(ssh, web, dns) })
  await skyctl('firewalls rules remove edge inbound label:web --yes')
  await skyctl('firewalls rules remove edge inbound label:dns --yes')
  const { exit, stderr } = await skyctl('history undo 1 --yes')
  expect({ exit, stderr }).toMatchObject({
    exit: 6,
    stderr: expect.stringContaining('were changed since, last from here by change 2.'),
  })
  expect(stderr).not.toContain('somebody else')
  put(world.network.firewalls, 9100, { rules: ruleSet(ssh, web) })
  expect((await skyctl('history undo 2 --yes')).stderr).toContain('were changed by somebody else since')
})

test('what was changed since from here is named', async ({ skyctl, world }) => {
  volumeWay.arrange(world)
  await skyctl('volumes update 7001 --label second')
  await skyctl('volumes update 7001 --label third')
  const { exit, stderr } = await skyctl('history undo 1 --yes')
  expect({ exit, stderr }).toMatchObject({ exit: 6, stderr: expect.stringContaining('last from here by change 2') })
  put(world.volumes, 7001, { label: 'fourth' })
  const last = await skyctl('history undo 2 --yes')
  expect({ exit: last.exit, stderr: last.stderr }).toMatchObject({
    exit: 6,
    stderr: expect.not.stringContaining('last from here'),
  })
})

test('a change of another account is refused, with the command for it', async ({ skyctl, world, login }) => {
  volumeWay.arrange(world)
  await login('prod')
  await skyctl('volumes update 7001 --label other', { env: signedOut })
  const elsewhere = await skyctl('--context sandbox history undo 1 --yes', { env: signedOut })
  expect({ exit: elsewhere.exit, label: world.volumes.get(7001)?.label }).toEqual({ exit: 6, label: 'other' })
  expect(elsewhere.stderr).toContain('skyctl history undo 1 --context prod')
  const { exit } = await skyctl('history undo 1 --yes', { env: signedOut })
  expect({ exit, label: world.volumes.get(7001)?.label }).toEqual({ exit: 0, label: 'data' })
})

test('a change of an unknown user is undone in its context only', async ({
  skyctl,
  world,
  meanwhile,
  login,
  env,
  home,
}) => {
  volumeWay.arrange(world)
  let deaf = false
  const { baseUrl } = await meanwhile({ before: ({ path }) => deaf && path === '/profile' && 'drop' })
  env.SKYCTL_RETRIES = '0'
  await login('prod')
  const path = join(home, 'config/contexts.json')
  const config = JSON.parse(readFileSync(path, 'utf8'))
  const context = () => ({ base_url: baseUrl, token: world.token('*') })
  writeFileSync(path, JSON.stringify({ ...config, contexts: { prod: context(), test: context() } }))
  deaf = true
  await skyctl('--context prod volumes update 7001 --label other', { env: signedOut })
  const elsewhere = await skyctl('--context test history undo 1 --yes', { env: signedOut })
  expect({ exit: elsewhere.exit, label: world.volumes.get(7001)?.label }).toEqual({ exit: 6, label: 'other' })
  expect(elsewhere.stderr).toContain(
    'change 1 was made in the context "prod". Run: skyctl history undo 1 --context prod',
  )
  const { exit } = await skyctl('--context prod history undo 1 --yes', { env: signedOut })
  expect({ exit, label: world.volumes.get(7001)?.label }).toEqual({ exit: 0, label: 'data' })
})

test('a context may be called otherwise by now', async ({ skyctl, world, login }) => {
  volumeWay.arrange(world)
  await login('prod')
  await skyctl('volumes update 7001 --label other', { env: signedOut })
  await skyctl('context rename prod live', { env: signedOut })
  const { exit } = await skyctl('history undo 1 --yes', { env: signedOut })
  expect({ exit, label: world.volumes.get(7001)?.label }).toEqual({ exit: 0, label: 'data' })
})

test('two contexts of one user are one account, as is a run without one', async ({ skyctl, world, login }) => {
  volumeWay.arrange(world)
  for (const context of ['first', 'second']) await login(context)
  await skyctl('--context first volumes update 7001 --label other', { env: signedOut })
  expect((await skyctl('--context second history undo 1 --yes', { env: signedOut })).exit).toBe(0)
  expect(world.volumes.get(7001)?.label).toBe('data')
  expect((await skyctl('history undo 2 --yes')).exit).toBe(0)
  expect(world.volumes.get(7001)?.label).toBe('other')
})

const planned: (Pick<Way, 'what' | 'arrange' | 'now'> & { file: string })[] = [
  {
    ...volumeWay,
    what: 'the tags of a volume',
    file: 'volumes: { data: { tags: [b] } }',
    now: ({ volumes }) => volumes.get(7001)?.tags,
  },
  {
    ...firewallWay,
    what: 'the tags of a firewall',
    file: 'firewalls: { edge: { tags: [c] } }',
    now: ({ network }) => network.firewalls.get(9100)?.tags,
  },
  {
    ...firewallWay,
    what: 'the status of a firewall',
    file: 'firewalls: { edge: { status: disabled } }',
    now: ({ network }) => network.firewalls.get(9100)?.status,
  },
  {
    what: 'the rules of a firewall',
    arrange: ({ network }) => void network.firewall({ ...firewall, rules: ruleSet(ssh, web) }),
    file: 'firewalls: { edge: { rules: { inbound: [] } } }',
    now: ({ network }) => network.firewalls.get(9100)?.rules.inbound.map(({ label }) => label),
  },
  {
    what: 'fields of the profile',
    arrange: (world) => change(world, { timezone: 'Asia/Tokyo', authorized_keys: null }),
    file: `profile: { timezone: Europe/Berlin, authorized_keys: ["${key}"] }`,
    now: (world) => [user(world)?.timezone, user(world)?.authorized_keys ?? null],
  },
  {
    what: 'the name of an address',
    arrange: ({ network }) => void network.address({ address, compute_id: 1001, rdns: 'www.example.net' }),
    file: `rdns: { ${address}: null }`,
    now: ({ network }) => network.addresses.all().find((one) => one.address === address)?.rdns,
  },
]

describe('what a plan replaced is put back', () => {
  test.for(planned)('$what', async ({ arrange, file, now }, { skyctl, world }) => {
    arrange(world)
    const before = now(world)
    const readsOf = async (env = {}) => {
      const earlier = world.requests('GET').length
      expect(await skyctl('apply - --yes', { stdin: file, env })).toMatchObject({ exit: 0 })
      expect(now(world)).not.toEqual(before)
      return world
        .requests('GET')
        .slice(earlier)
        .map(({ path }) => path)
        .toSorted()
    }
    const reads = await readsOf()
    expect(await skyctl('history undo 1 --yes')).toMatchObject({ exit: 0 })
    expect(now(world)).toEqual(before)
    // The plan has read what stood before, so the history needs no look of its own.
    expect(await readsOf({ SKYCTL_HISTORY: '0' })).toEqual(reads)
  })

  test('unless it may hold a secret, which is not kept; files say what stood', async ({ skyctl, world, sandbox }) => {
    world.volume({ id: 7001, label: 'data', tags: [sandbox.ownerToken] })
    await skyctl('apply - --yes', { stdin: 'volumes: { data: { tags: [b] } }' })
    const { exit, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, stderr }).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('apply the previous version of the files'),
    })
  })
})
