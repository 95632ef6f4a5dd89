/** `history undo`: restores the state before a change, or reports why it cannot. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { dropBackups } from './support/backups'
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

interface UndoCase {
  what: string
  arrange(world: World): void
  line: string
  stdin?: string
  now(world: World): unknown
  /** Changes the same fields as somebody else would. */
  meanwhile?(world: World): void
  /** Deletes the object. */
  remove?(world: World): void
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

/** Updates some fields of a record. */
function put<T extends { id: number }>(
  table: { get(id: number): T | undefined; put(row: T): unknown },
  id: number,
  changes: Partial<T>,
) {
  const row = table.get(id)
  if (row) table.put({ ...row, ...changes })
}

const volumeCase = {
  arrange: (world: World) => void world.volume({ id: 7001, label: 'data', tags: ['a'] }),
  remove: (world: World) => void world.volumes.delete(7001),
}
const firewallCase = {
  arrange: ({ network }: World) => void network.firewall(firewall),
  remove: ({ network }: World) => void network.firewalls.delete(9100),
}

const addressCase = {
  now: ({ network }: World) => network.findAddress(address)?.rdns,
  meanwhile: ({ network }: World) =>
    put(network.addresses, network.findAddress(address)?.id ?? 0, { rdns: 'third.example.net' }),
}

const cases: UndoCase[] = [
  {
    ...volumeCase,
    what: 'the label of a volume',
    line: 'volumes update data --label other',
    now: ({ volumes }) => volumes.get(7001)?.label,
    meanwhile: ({ volumes }) => put(volumes, 7001, { label: 'third' }),
  },
  {
    ...volumeCase,
    what: 'the tags of a volume',
    line: 'volumes update 7001 --tag x,y',
    now: ({ volumes }) => volumes.get(7001)?.tags,
    meanwhile: ({ volumes }) => put(volumes, 7001, { tags: ['third'] }),
  },
  {
    ...volumeCase,
    what: 'a tag that was added',
    line: 'volumes update 7001 --add-tag x',
    now: ({ volumes }) => volumes.get(7001)?.tags,
    meanwhile: ({ volumes }) => put(volumes, 7001, { tags: ['a', 'x', 'third'] }),
  },
  {
    ...firewallCase,
    what: 'the status of a firewall',
    line: 'firewalls disable edge',
    now: ({ network }) => network.firewalls.get(9100)?.status,
  },
  {
    ...firewallCase,
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
    remove: firewallCase.remove,
  },
  {
    ...addressCase,
    what: 'a name of an address',
    arrange: ({ network }) => void network.address({ address, compute_id: 1001, rdns: 'www.example.net' }),
    line: `ips rdns ${address} mail.example.net`,
  },
  {
    ...addressCase,
    what: 'the name of an address that was the default',
    arrange: ({ network }) => void network.address({ address, compute_id: 1001 }),
    line: `ips rdns ${address} mail.example.net`,
  },
  {
    ...addressCase,
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
    remove: ({ tokens }) => void tokens.delete(tokens.all().at(-1)?.id ?? 0),
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
    remove: ({ profile }) => void profile.sshkeys.delete(5001),
  },
]

const lineOf = ({ line }: UndoCase, { tokens }: World) => line.replace('TOKEN', String(tokens.all().at(-1)?.id))

test.for(cases)(
  'the undo of $what asks first, restores the old value, and can be undone',
  async (undoCase, { skyctl, world }) => {
    undoCase.arrange(world)
    const before = undoCase.now(world)
    await skyctl(`${lineOf(undoCase, world)} --yes`, { stdin: undoCase.stdin })
    const after = undoCase.now(world)
    expect(after).not.toEqual(before)
    const dry = await skyctl('history undo 1 --dry-run --json')
    expect(dry.exit).toBe(0)
    expect(JSON.parse(dry.stdout)).toMatchObject({ method: 'PUT', body: {} })
    const unconfirmed = await skyctl('history undo 1')
    expect({ exit: unconfirmed.exit, now: undoCase.now(world) }).toEqual({ exit: 2, now: after })
    expect(unconfirmed.stderr).toMatch(/Undo the change .*--yes/s)
    const { exit, stdout, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, stdout, now: undoCase.now(world) }).toEqual({ exit: 0, stdout: '', now: before })
    expect(stderr).toMatch(/->|added {4}inbound/)
    const again = await skyctl('history undo 1 --yes')
    expect({ exit: again.exit, now: undoCase.now(world) }).toEqual({ exit: 0, now: before })
    expect(again.stderr).toMatch(/^No changes: .+ (is|are) as before change 1, which change 2 has undone$/m)
    const undone = await skyctl('history undo 2 --yes --json')
    expect({ exit: undone.exit, now: undoCase.now(world) }).toEqual({ exit: 0, now: after })
    expect(JSON.parse(undone.stdout)).toEqual(expect.any(Object))
  },
)

test.for(cases.filter(({ meanwhile }) => meanwhile))(
  '$what is restored over a later change only with --force',
  async (undoCase, { skyctl, world }) => {
    undoCase.arrange(world)
    const before = undoCase.now(world)
    await skyctl(`${lineOf(undoCase, world)} --yes`, { stdin: undoCase.stdin })
    undoCase.meanwhile?.(world)
    const changed = undoCase.now(world)
    const { exit, stderr } = await skyctl('history undo 1 --yes --json')
    expect({ exit, now: undoCase.now(world) }).toEqual({ exit: 6, now: changed })
    const { error } = JSON.parse(stderr)
    expect(error).toMatchObject({ code: 'changed', hint: expect.stringContaining('--force') })
    expect(error.errors.length).toBeGreaterThan(0)
    const forced = await skyctl('history undo 1 --yes --force')
    expect({ exit: forced.exit, now: undoCase.now(world) }).toEqual({ exit: 0, now: before })
  },
)

/** Rules have a test of their own, with other requests: history-undo-rivals. */
test.for(cases.filter(({ meanwhile, what }) => meanwhile && what !== 'the rules of a firewall'))(
  '$what stays if somebody changes it between the read of an undo and its request, without --force',
  async (undoCase, { skyctl, world, meanwhile }) => {
    undoCase.arrange(world)
    const before = undoCase.now(world)
    let [reads, last] = [0, Number.POSITIVE_INFINITY]
    await meanwhile({
      after({ method }) {
        if (method === 'GET') reads += 1
        if (reads === last) undoCase.meanwhile?.(world)
      },
    })
    await skyctl(`${lineOf(undoCase, world)} --yes`, { stdin: undoCase.stdin })
    const after = undoCase.now(world)
    reads = 0
    // It reads what the question shows, and no more.
    await skyctl('history undo 1 --dry-run')
    ;[reads, last] = [0, reads]
    const sent = world.requests('PUT').length
    const { exit, stderr } = await skyctl('history undo 1 --yes --json')
    expect(undoCase.now(world)).not.toEqual(after)
    const { error } = JSON.parse(stderr.slice(stderr.indexOf('{"error"')))
    expect({ exit, error }).toMatchObject({
      exit: 6,
      error: { code: 'changed', message: expect.stringContaining('changed meanwhile') },
    })
    expect(error.errors.length).toBeGreaterThan(0)
    expect(world.requests('PUT')).toHaveLength(sent)
    reads = Number.NEGATIVE_INFINITY
    const forced = await skyctl('history undo 1 --yes --force')
    expect({ exit: forced.exit, now: undoCase.now(world) }).toEqual({ exit: 0, now: before })
  },
)

test.for(cases.filter(({ remove }) => remove))(
  'the undo of $what ends with exit code 5 if the object is deleted',
  async (undoCase, { skyctl, world }) => {
    undoCase.arrange(world)
    await skyctl(`${lineOf(undoCase, world)} --yes`, { stdin: undoCase.stdin })
    undoCase.remove?.(world)
    const { exit, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, stderr }).toMatchObject({ exit: 5, stderr: expect.stringContaining('not found') })
  },
)

describe('history undo refuses', () => {
  test.for([
    { line: 'volumes create --label new --region us-east', alternative: /billed.*skyctl volumes delete \d+/ },
    { line: 'volumes delete 7001', alternative: /data is gone.*skyctl volumes create/ },
    { line: 'volumes resize 7001 --size 40', alternative: /cannot shrink/ },
    { line: 'volumes attach 7001 --compute-id 9002', alternative: /skyctl volumes detach 7001/ },
    { line: 'firewalls delete 9100', alternative: /skyctl firewalls create/ },
    { line: 'firewalls open 9100 --port 22 --from 198.51.100.7 --for 1h', alternative: /skyctl firewalls close 9100/ },
    { line: 'tokens create --label ci', alternative: /skyctl tokens revoke \d+/ },
    { line: 'profile update --no-ip-whitelist-enabled', alternative: /cannot be switched on again/ },
    { line: 'api DELETE /volumes/7001', alternative: /data is gone/ },
  ])('$line, and names an alternative', async ({ line, alternative }, { skyctl, world }) => {
    world.volume({ id: 7001, label: 'data', region: 'us-east', size: 20 })
    world.compute({ id: 9002, region: 'us-east' })
    world.network.firewall({ id: 9100, label: 'edge' })
    change(world, { ip_whitelist_enabled: true })
    expect((await skyctl(`${line} --yes`)).exit).toBe(0)
    const sent = world.requests().length
    const { exit, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, sent: world.requests().length }).toEqual({ exit: 6, sent })
    expect(stderr).toMatch(alternative)
    const [entry] = JSON.parse((await skyctl('history --json --limit 1')).stdout)
    expect(entry).toMatchObject({ undo: null, no_undo: expect.stringMatching(alternative) })
  })

  test('a failed change', async ({ skyctl }) => {
    await skyctl('volumes delete 999999 --yes --force')
    const { exit, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, stderr }).toMatchObject({ exit: 6, stderr: expect.stringContaining('failed') })
  })

  test('rules whose backup no longer exists', async ({ skyctl, world, home }) => {
    world.network.firewall({ ...firewall, rules: ruleSet(ssh, web) })
    await skyctl('firewalls rules remove edge inbound label:web --yes')
    dropBackups(home)
    const { exit, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, stderr }).toMatchObject({ exit: 6, stderr: expect.stringContaining('no longer kept') })
  })
})

test('history undo restores the rules before any change, not only the last', async ({ skyctl, world }) => {
  world.network.firewall({ ...firewall, rules: ruleSet(ssh, web, dns) })
  await skyctl('firewalls rules remove edge inbound label:web --yes')
  await skyctl('firewalls rules remove edge inbound label:dns --yes')
  const unforced = await skyctl('history undo 1 --yes')
  expect(unforced.exit).toBe(6)
  const { exit } = await skyctl('history undo 1 --yes --force')
  const labels = world.network.firewalls.get(9100)?.rules.inbound.map(({ label }) => label)
  expect({ exit, labels }).toEqual({ exit: 0, labels: ['ssh', 'web', 'dns'] })
})

test('history undo does not attribute later changes of the same history to somebody else', async ({
  skyctl,
  world,
}) => {
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

test('history undo names the last change of the same history', async ({ skyctl, world }) => {
  volumeCase.arrange(world)
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

test('history undo refuses a change of another account, and names the command for it', async ({
  skyctl,
  world,
  login,
}) => {
  volumeCase.arrange(world)
  await login('prod')
  await skyctl('volumes update 7001 --label other', { env: signedOut })
  const elsewhere = await skyctl('--context sandbox history undo 1 --yes', { env: signedOut })
  expect({ exit: elsewhere.exit, label: world.volumes.get(7001)?.label }).toEqual({ exit: 6, label: 'other' })
  expect(elsewhere.stderr).toContain('skyctl history undo 1 --context prod')
  const { exit } = await skyctl('history undo 1 --yes', { env: signedOut })
  expect({ exit, label: world.volumes.get(7001)?.label }).toEqual({ exit: 0, label: 'data' })
})

test('history undo reverts a change of an unknown user only in its context', async ({
  skyctl,
  world,
  meanwhile,
  login,
  env,
  home,
}) => {
  volumeCase.arrange(world)
  let dropping = false
  const { baseUrl } = await meanwhile({ before: ({ path }) => dropping && path === '/profile' && 'drop' })
  env.SKYCTL_RETRIES = '0'
  await login('prod')
  const path = join(home, 'config/contexts.json')
  const config = JSON.parse(readFileSync(path, 'utf8'))
  const context = () => ({ base_url: baseUrl, token: world.token('*') })
  writeFileSync(path, JSON.stringify({ ...config, contexts: { prod: context(), test: context() } }))
  dropping = true
  await skyctl('--context prod volumes update 7001 --label other', { env: signedOut })
  const elsewhere = await skyctl('--context test history undo 1 --yes', { env: signedOut })
  expect({ exit: elsewhere.exit, label: world.volumes.get(7001)?.label }).toEqual({ exit: 6, label: 'other' })
  expect(elsewhere.stderr).toContain(
    'change 1 was made in the context "prod". Run: skyctl history undo 1 --context prod',
  )
  const { exit } = await skyctl('--context prod history undo 1 --yes', { env: signedOut })
  expect({ exit, label: world.volumes.get(7001)?.label }).toEqual({ exit: 0, label: 'data' })
})

test('history undo works after the context was renamed', async ({ skyctl, world, login }) => {
  volumeCase.arrange(world)
  await login('prod')
  await skyctl('volumes update 7001 --label other', { env: signedOut })
  await skyctl('context rename prod live', { env: signedOut })
  const { exit } = await skyctl('history undo 1 --yes', { env: signedOut })
  expect({ exit, label: world.volumes.get(7001)?.label }).toEqual({ exit: 0, label: 'data' })
})

test('history undo treats two contexts of one user as one account, and a run without context, too', async ({
  skyctl,
  world,
  login,
}) => {
  volumeCase.arrange(world)
  for (const context of ['first', 'second']) await login(context)
  await skyctl('--context first volumes update 7001 --label other', { env: signedOut })
  expect((await skyctl('--context second history undo 1 --yes', { env: signedOut })).exit).toBe(0)
  expect(world.volumes.get(7001)?.label).toBe('data')
  expect((await skyctl('history undo 2 --yes')).exit).toBe(0)
  expect(world.volumes.get(7001)?.label).toBe('other')
})

const planCases: (Pick<UndoCase, 'what' | 'arrange' | 'now'> & { file: string })[] = [
  {
    ...volumeCase,
    what: 'the tags of a volume',
    file: 'volumes: { data: { tags: [b] } }',
    now: ({ volumes }) => volumes.get(7001)?.tags,
  },
  {
    ...firewallCase,
    what: 'the tags of a firewall',
    file: 'firewalls: { edge: { tags: [c] } }',
    now: ({ network }) => network.firewalls.get(9100)?.tags,
  },
  {
    ...firewallCase,
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

describe('history undo of an apply restores', () => {
  test.for(planCases)('$what', async ({ arrange, file, now }, { skyctl, world }) => {
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
    // The plan has read the old state, so the history sends no request of its own.
    expect(await readsOf({ SKYCTL_HISTORY: '0' })).toEqual(reads)
  })

  test('no value that may be a secret, and refers to the old files', async ({ skyctl, world, sandbox }) => {
    world.volume({ id: 7001, label: 'data', tags: [sandbox.ownerToken] })
    await skyctl('apply - --yes', { stdin: 'volumes: { data: { tags: [b] } }' })
    const { exit, stderr } = await skyctl('history undo 1 --yes')
    expect({ exit, stderr }).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('apply the previous version of the files'),
    })
  })
})
