/** The tokens group: real command line, real client, real sandbox on a socket. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { faultServer, reply } from './support/fault-server'
import { missingPath } from './support/nonexistent'
import { commands } from './support/samples'
import type { World } from './support/sandbox'
import { test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)
const day = 86_400_000

/** Adds a token of the owner to the sandbox. */
function addToken({ tokens }: World, fields: { label?: string; scopes?: string; expiry?: string | null } = {}) {
  const [pattern] = tokens.all()
  if (!pattern) throw new Error('the world has no token')
  const id = tokens.nextId()
  const token = `facade00${String(id).padStart(56, '0')}`
  return tokens.put({ ...pattern, id, token, label: 'ci', scopes: 'volumes:read_only', expiry: null, ...fields })
}

/** The token `deploy`, which expires in ten days in every new sandbox. */
const expiring = 9

const sent = (world: World) => world.requests().filter(({ method }) => method !== 'GET')
const at = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 19)

describe('tokens list', () => {
  test('shows the first characters of each token, and "never" for an expiry in 100 years', async ({
    skyctl,
    world,
  }) => {
    addToken(world, { label: 'far', expiry: '2200-01-01T00:00:00' })
    const { stdout } = await skyctl('tokens list --columns label,expiry -o table --filter label=far')
    expect(stdout).toBe('LABEL  EXPIRY\nfar    never\n')
    const { stdout: all } = await skyctl('tokens list --json')
    expect(json(all).every(({ token }: { token: string }) => token.length === 16)).toBe(true)
  })

  test('--exit-code ends with exit code 13 if a token expires soon, else 0', async ({ skyctl, world, clock }) => {
    world.tokens.delete(expiring)
    expect(await skyctl('tokens list --expiring 14d --exit-code --json')).toEqual({
      exit: 0,
      stdout: '[]\n',
      stderr: '',
    })
    addToken(world, { expiry: at(clock.now() + day) })
    const { exit, stdout, stderr } = await skyctl('tokens list --expiring 14d --exit-code')
    expect({ exit, stderr }).toEqual({
      exit: 13,
      stderr: 'skyctl: 1 token expires within 14d. Renew with: skyctl tokens rotate TOKEN\n',
    })
    expect(stdout).toContain('ci')
  })

  test('--expiring lists tokens that expire within the time, to the second', async ({ skyctl, world, clock }) => {
    const hour = 3_600_000
    const [, , third, fourth] = [-1000, 0, 1000, hour, hour + 1000].map(
      (end) => addToken(world, { expiry: at(clock.now() + end) }).id,
    )
    expect((await skyctl('tokens list --expiring 1h -q')).stdout).toBe(`${third}\n${fourth}\n`)
    expect((await skyctl('tokens list --expiring 1h --exit-code')).stderr).toBe(
      'skyctl: 2 tokens expire within 1h. Renew with: skyctl tokens rotate TOKEN\n',
    )
    expect(await skyctl('tokens list --expiring 1s -q')).toMatchObject({ exit: 0, stdout: `${third}\n` })
  })

  test('--expiring succeeds if there are none, with a message', async ({ skyctl }) => {
    expect(await skyctl('tokens list --expiring 1s --exit-code')).toEqual({
      exit: 0,
      stdout: '',
      stderr: 'No tokens that expire so soon\n',
    })
  })

  test('--superseded lists tokens of rotations in each format, with --due only those whose grace period is over', async ({
    skyctl,
    world,
    clock,
  }) => {
    addToken(world, { label: 'ci' })
    addToken(world, { label: 'ours (superseded until 2026-02-30T11:00Z)' })
    const ends = [-60_000, 0, 60_000].map((end) => new Date(clock.now() + end).toISOString().slice(0, 16))
    const ids = ends.map((minute) => addToken(world, { label: `job (superseded until ${minute}Z)` }).id)
    const list = async (flags: string) => (await skyctl(`tokens list --superseded ${flags}`)).stdout
    const records = ids.map((id, index) => ({ id, superseded_until: `${ends[index]}:00` }))
    expect(json(await list('--json'))).toMatchObject(records)
    expect(await list('')).toMatch(new RegExp(` SUPERSEDED_UNTIL\n${ends.map((end) => `(.*)${end}:00\n`).join('')}$`))
    expect(await list('-q')).toBe(`${ids.join('\n')}\n`)
    expect(await list('--due -q')).toBe(`${ids[0]}\n${ids[1]}\n`)
    expect(json(await list('--due --json'))).toMatchObject(records.slice(0, 2))
    clock.advance(60_000)
    expect(await list('--due -q')).toBe(`${ids.join('\n')}\n`)
  })

  test.for([
    ['--expiring soon', '"soon"'],
    ['--superseded --page 1', '--superseded contradicts --page'],
    ['--due', '--due needs --superseded'],
  ])('rejects %s before anything is sent', async ([flags, message], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`tokens list ${flags}`)
    expect(exit).toBe(2)
    expect(stderr).toContain(message)
    expect(world.requests()).toEqual([])
  })
})

describe('tokens create', () => {
  test('sends the fields of the API, and prints the whole token once', async ({ skyctl, world, clock }) => {
    const { exit, stdout, stderr } = await skyctl(
      'tokens create --label ci --scope volumes:read_write --scope ips:read_only,events:read_only --expiry 90d --json',
    )
    const expiry = at(clock.now() + 90 * day)
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(sent(world)).toEqual([
      {
        method: 'POST',
        path: '/profile/tokens',
        body: { label: 'ci', scopes: 'volumes:read_write ips:read_only events:read_only', expiry },
      },
    ])
    expect(json(stdout)).toMatchObject({ label: 'ci', expiry, token: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test.for([
    ['12h', 12 * 3_600_000],
    ['2w', 14 * day],
  ] as const)('--expiry %s is relative to now', async ([text, span], { skyctl, world, clock }) => {
    await skyctl(`tokens create --label ci --expiry ${text}`)
    expect(sent(world)[0]?.body).toEqual({ label: 'ci', expiry: at(clock.now() + span) })
  })

  test.for([
    ['2027-01-31', '2027-01-31T00:00:00'],
    ['2027-01-31T08:30:00', '2027-01-31T08:30:00'],
    ['2027-01-31T08:30:00Z', '2027-01-31T08:30:00'],
    ['2027-01-31T08:30:00.250+02:00', '2027-01-31T06:30:00'],
    ['2028-02-29', '2028-02-29T00:00:00'],
  ])('--expiry %s becomes %s', async ([text, expiry], { skyctl, world }) => {
    await skyctl(`tokens create --label ci --expiry ${text}`)
    expect(sent(world)[0]?.body).toEqual({ label: 'ci', expiry })
  })

  test.for([
    ['skyctl plan account.yaml', 'plan'],
    ['plan account.yaml --drift', 'plan'],
    ['skyctl volumes attach data-2 --compute-id web-1', 'volumes attach'],
    ['volumes list --filter tags=db', 'volumes list'],
  ])('--scopes-for "%s" takes the command at its beginning', async ([line, command], { skyctl, world }) => {
    await skyctl(`tokens create --label ci --scopes-for "${line}"`)
    await skyctl(`tokens create --label ci --scopes-for "${command}"`)
    const [asTyped, byName] = sent(world).map(({ body }) => body)
    expect(asTyped).toEqual({ label: 'ci', scopes: expect.stringContaining(':read_') })
    expect(asTyped).toEqual(byName)
  })

  test('has no expiry by default and with "never"', async ({ skyctl, world }) => {
    await skyctl('tokens create --label ci')
    await skyctl('tokens create --label ci --expiry never')
    expect(sent(world).map(({ body }) => body)).toEqual([{ label: 'ci' }, { label: 'ci' }])
  })

  test.for([
    ['--label ci --expiry 2026-02-30', 'expiry'],
    ['--label ci --expiry 2020-01-01', 'must be in the future'],
    ['--label ci --expiry 90', 'expiry'],
    ['--label ci --expiry tomorrow', 'expiry'],
    ['--label ""', 'label: must be 1-100 characters'],
    [`--label ${'x'.repeat(101)}`, 'label: must be 1-100 characters'],
    ['--label ci --scope volumes:write', 'volumes:read_only'],
    ['--label ci --scope volumes', '"volumes" is not a scope'],
    ['--label ci --scope :read_only', '":read_only" is not a scope'],
    ['--label ci --scope volumes:admin', '"volumes:admin" is not a scope'],
    ['--label ci --scope "foo bar:read_only"', '"foo" is not a scope'],
    ['--label ci --scope "volumes:read_only  ips:read_only"', 'one space'],
    ['--label ci --scope volumes:read_only --scope *', 'stands alone'],
    ['--label ci --scopes-for "volumes crate"', 'Did you mean "create"?'],
    ['--label ci --scopes-for "profile view"', 'needs no scope'],
    ['--label ci --scopes-for "context list"', 'needs no scope'],
    [
      '--label ci --scopes-for "history undo"',
      '--scopes-for: the scopes for "history undo" depend on the changes that it undoes. Name them with --scope',
    ],
    ['--label ci --scopes-for volumes,history', 'the scopes for "history undo" depend on the changes that it undoes'],
    ['--label ci --scopes-for "volumes list,api"', 'the scopes for "api" depend on its arguments'],
    ['--label ci --scopes-for "volumes list all"', '"volumes list all" is not a command. Write it as in'],
    ['--scope volumes:read_only', '--label is required'],
    ['--label ci --quiet', '--output-file'],
    ['--label ci --columns id,label', '--output-file'],
  ])('rejects %s before anything is sent', async ([flags, message], { skyctl, world }) => {
    const { exit, stdout, stderr } = await skyctl(`tokens create ${flags}`)
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(world.requests()).toEqual([])
  })

  test.for([
    ['volume:read_only', 'skyctl: warning: --scope: "volume:read_only" is not a known scope. Did you mean "volumes"?'],
    [
      'foo:read_write',
      'skyctl: warning: --scope: "foo:read_write" is not a known scope. Known are: account, child_account',
    ],
  ])('sends an unknown scope with one warning that suggests known ones: %s', async ([scope, message], { skyctl }) => {
    const created_ = reply(200, {
      id: 1,
      label: 'ci',
      scopes: `volumes:read_only ${scope}`,
      created: '2026-11-01T00:00:00',
      expiry: null,
      token: 'secret',
    })
    const none = reply(200, { data: [], page: 1, pages: 1, results: 0 })
    const server = await faultServer((socket, heard) => (heard.method === 'GET' ? none : created_)(socket, heard))
    const env = { SKYCTL_BASE_URL: `http://${server.host}/v4` }
    const line = `tokens create --label ci --scope volumes:read_only,${scope} --expiry never -o csv`
    const { exit, stdout, stderr } = await skyctl(line, { env })
    expect({ exit, shown: stdout.includes('secret') }).toEqual({ exit: 0, shown: true })
    const [warning, created, ...more] = stderr.trimEnd().split('\n')
    expect([warning?.startsWith(message ?? ''), created?.startsWith('Created'), more]).toEqual([true, true, []])
    expect(warning).toMatch(/ The scopes that a command needs: --scopes-for COMMAND$/)
    const { body = '' } = server.received.findLast(({ method }) => method === 'POST') ?? {}
    expect(JSON.parse(body)).toEqual({ label: 'ci', scopes: `volumes:read_only ${scope}` })
  })

  test('is rejected by the sandbox for an unknown scope, as by a service', async ({ skyctl }) => {
    const { exit, stderr } = await skyctl('tokens create --label ci --scope volume:read_only')
    expect(exit).toBe(6)
    expect(stderr).toContain('Did you mean "volumes"?')
  })

  test.for([
    ['/dev/null', 'it is not a regular file'],
    ['/tmp', 'it is not a regular file'],
    [`${missingPath}/ci.token`, 'its folder cannot be written to'],
  ])('rejects --output-file %s before a token is created', async ([file, reason], { skyctl, world }) => {
    const { exit, stderr } = await skyctl(`tokens create --label ci --output-file ${file}`)
    expect({ exit, stderr }).toEqual({ exit: 12, stderr: `skyctl: cannot write "${file}": ${reason}\n` })
    expect(world.requests()).toEqual([])
  })

  test('rejects an existing --output-file before a token is created, unless --force replaces it', async ({
    skyctl,
    world,
    home,
  }) => {
    const file = join(home, 'prod.token')
    writeFileSync(file, 'precious')
    const line = `tokens create --label ci --output-file ${file}`
    expect(await skyctl(line)).toEqual({
      exit: 12,
      stdout: '',
      stderr: `skyctl: "${file}" already exists. Name another file, or add --force to replace it\n`,
    })
    expect({ text: readFileSync(file, 'utf8'), sent: world.requests() }).toEqual({ text: 'precious', sent: [] })
    expect((await skyctl(`${line} --force`)).exit).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(`${world.tokens.all().at(-1)?.token}\n`)
  })

  test('writes the token into an empty file, as a shell leaves of a refused > FILE', async ({
    skyctl,
    world,
    home,
  }) => {
    const file = join(home, 'ci.token')
    writeFileSync(file, '', { mode: 0o644 })
    expect((await skyctl(`tokens create --label ci --output-file ${file}`)).exit).toBe(0)
    expect(readFileSync(file, 'utf8')).toBe(`${world.tokens.all().at(-1)?.token}\n`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test.for([
    [{ label: 'ci', scopes: 'volumes:read_only,ips:read_only' }, 'not by commas'],
    [{ label: 'ci', expiry: '2026-02-30T00:00:00' }, 'expiry'],
    [{ label: 'ci', scope: '*' }, 'scope'],
  ] as const)('rejects a body %j before it is sent', async ([body, reason], { skyctl, world }) => {
    const { exit, stderr } = await skyctl('tokens create --body -', { stdin: JSON.stringify(body) })
    expect(exit).toBe(2)
    expect(stderr).toContain(reason)
    expect(world.requests()).toEqual([])
  })

  const limitIt = 'To limit it, add for example:'
  test.for<[flags: string, warning: string]>([
    ['', `the token has full scope and no expiry. ${limitIt} --scopes-for "volumes list" --expiry 90d`],
    ['--expiry 90d', `the token has full scope. ${limitIt} --scopes-for "volumes list"`],
    ['--scope volumes:read_only', `the token has no expiry. ${limitIt} --expiry 90d`],
    ['--scopes-for volumes', `the token has no expiry. ${limitIt} --expiry 90d`],
  ])('%s warns of a missing limit, as text and as JSON', async ([flags, warning], { skyctl }) => {
    const line = ['tokens', 'create', '--label', 'ci', ...flags.split(' ').filter((word) => word !== '')]
    const text = await skyctl(line)
    expect({ exit: text.exit, first: text.stderr.split('\n')[0] }).toEqual({
      exit: 0,
      first: `skyctl: warning: ${warning}`,
    })
    for (const more of [['--json'], ['--json', '--dry-run']]) {
      expect(json((await skyctl([...line, ...more])).stderr)).toEqual({ warning: { message: warning } })
    }
  })

  test('does not warn of full scope and no expiry if they are explicit', async ({ skyctl }) => {
    const { exit, stderr } = await skyctl('tokens create --label ci --scope * --expiry never --json')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
  })

  test('does not warn of a missing expiry if it asks for one', async ({ skyctl }) => {
    const { exit, stderr } = await skyctl('tokens create --scope volumes:read_only --yes', {
      env: { TERM: 'dumb' },
      interactive: true,
      stdin: 'ci\n5\n',
    })
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringContaining('? When does it expire?') })
    expect(stderr).not.toContain('warning')
  })

  test.for(['--dry-run', '--body FILE'])(
    'asks nothing with %s, even in a terminal',
    async (flags, { skyctl, home }) => {
      const file = join(home, 'token.json')
      writeFileSync(file, '{"scopes":"volumes:read_only","expiry":null}')
      const line = `tokens create --scope volumes:read_only ${flags.replace('FILE', file)}`
      const { exit, stderr } = await skyctl(line, { env: { TERM: 'dumb' }, interactive: true, stdin: 'ci\n' })
      expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.not.stringContaining('?') })
      expect(stderr).toContain('label')
    },
  )

  test('--output-file writes the token to a private file instead of stdout', async ({ skyctl, world, home }) => {
    const file = join(home, 'ci.token')
    const { exit, stdout, stderr } = await skyctl(`tokens create --label ci --output-file ${file} --json`)
    const token = world.tokens.all().at(-1)?.token ?? ''
    expect({ exit, text: readFileSync(file, 'utf8'), mode: statSync(file).mode & 0o777 }).toEqual({
      exit: 0,
      text: `${token}\n`,
      mode: 0o600,
    })
    expect(stdout + stderr).not.toContain(token)
    expect(json(stdout).token).toBe(token.slice(0, 16))
  })

  test.for(['--quiet', '--columns id,label'])(
    'prints the token if its file can no longer be written: %s',
    async (flags, { skyctl, meanwhile, world, home }) => {
      const folder = join(home, 'secrets')
      mkdirSync(folder)
      await meanwhile({
        after: ({ method }) => void (method === 'POST' && rmSync(folder, { recursive: true })),
      })
      const line = `tokens create --label ci --output-file ${folder}/ci.token ${flags}`
      const { exit, stdout, stderr } = await skyctl(line)
      const created = world.tokens.all().at(-1)
      expect([exit, created?.label, stdout.includes(created?.token ?? 'none')]).toEqual([12, 'ci', true])
      expect(stderr).toContain(`cannot write "${folder}/ci.token"`)
    },
  )

  test.for([
    ['can be revoked', 'none', '; it is revoked', true],
    ['cannot be revoked', 'unavailable', '. Revoke it: skyctl tokens revoke ID', false],
  ] as const)(
    'names a token whose text is lost, and revokes it or prints the command: it %s',
    async ([, fate, end, isRevoked], { skyctl, lossy, world, home }) => {
      lossy.lose('DELETE', /^\/profile\/tokens\//, fate)
      writeFileSync(join(home, 'file'), '')
      const { exit, stderr } = await skyctl('tokens create --label ci --retries 0', {
        env: { SKYCTL_STATE_DIR: join(home, 'file', 'state') },
        fails: { stdout: { code: 'EPIPE', from: 0 } },
      })
      const id = world.requests('DELETE')[0]?.path.split('/').at(-1) ?? world.tokens.all().at(-1)?.id
      expect({ exit, isRevoked: world.tokens.get(Number(id)) === undefined }).toEqual({ exit: 12, isRevoked })
      expect(stderr.trimEnd().split('\n').at(-1)).toMatch(
        new RegExp(`token "ci" \\(${id}\\) was created, but its text is lost${end.replace('ID', String(id))}$`),
      )
    },
  )

  test('--dry-run prints the request and sends nothing', async ({ skyctl, world }) => {
    const { stdout } = await skyctl('tokens create --label ci --scopes-for "volumes list" --dry-run --json')
    expect(json(stdout)).toEqual({
      method: 'POST',
      path: '/profile/tokens',
      body: { label: 'ci', scopes: 'volumes:read_only' },
    })
    expect(world.requests()).toEqual([])
  })

  test.for([
    ['"volumes create"', 'volumes:read_write'],
    ['"skyctl volumes list" --scopes-for "volume rm"', 'volumes:read_write'],
    ['"volumes attach"', 'computes:read_write volumes:read_write'],
    ['"profile sshkeys list"', 'account:read_only'],
    ['"ipv6 ranges view"', 'ips:read'],
    ['"ipv6 ranges view" --scopes-for "ipv6 ranges list"', 'ips:read_only'],
    ['volumes --scopes-for "tokens rotate"', 'account:read_write computes:read_write volumes:read_write'],
  ])('--scopes-for %s requests the least scopes: %s', async ([commands, scopes], { skyctl }) => {
    const { stdout } = await skyctl(`tokens create --label ci --scopes-for ${commands} --dry-run --json`)
    expect(json(stdout).body.scopes).toBe(scopes)
  })

  // api.md, Authentication 4.
  test('ips:read allows viewing an IPv6 range, and no list', async ({ skyctl }) => {
    const { exit, stdout } = await skyctl('tokens create --label ranges --scope ips:read --expiry 90d --json')
    expect({ exit, scopes: json(stdout).scopes }).toEqual({ exit: 0, scopes: 'ips:read' })
    const env = { SKYCTL_TOKEN: json(stdout).token }
    expect(await skyctl('ipv6 ranges view 2001:db8:114:100::', { env })).toMatchObject({ exit: 0, stderr: '' })
    expect(await skyctl('ipv6 ranges list', { env })).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('ips:read_only'),
    })
  })

  test('every command that sends requests names its operations', () => {
    const local = /^(api|auth|completion|context|help|history|sandbox|validate|version)\b/
    const silent = commands.filter(({ path, command }) => !local.test(path) && !command.operations?.length)
    expect(silent.map(({ path }) => path)).toEqual([])
  })

  test('names the token to revoke if the response is lost', async ({ skyctl, lossy, world }) => {
    lossy.lose('POST', '/profile/tokens', 'answer lost')
    const { exit, stdout, stderr } = await skyctl('tokens create --label ci')
    const { id } = world.tokens.all().at(-1) ?? { id: 0 }
    expect({ exit, stdout }).toEqual({ exit: 11, stdout: '' })
    expect(stderr).toContain(`token "ci" (${id}) was created, but its text is lost`)
    expect(stderr).toContain(`skyctl tokens revoke ${id}`)
    expect(world.requests('POST')).toHaveLength(1)
  })
})

describe('tokens view, update', () => {
  test('accept an id or a label', async ({ skyctl, world }) => {
    const { id } = addToken(world)
    expect(json((await skyctl('tokens view ci --json')).stdout)).toMatchObject({ id, scopes: 'volumes:read_only' })
    expect((await skyctl(`tokens update ${id} --label job`)).stderr).toBe(`Updated token "job" (${id})\n`)
    expect(world.tokens.get(id)?.label).toBe('job')
  })

  test('reject a label of 0 or 101 characters before it is sent', async ({ skyctl, world }) => {
    for (const label of ['', 'x'.repeat(101)]) {
      expect((await skyctl(['tokens', 'update', '7', '--label', label])).exit).toBe(2)
    }
    expect(world.requests()).toEqual([])
  })
})

describe('tokens revoke', () => {
  test('asks first; without a terminal it needs --yes', async ({ skyctl, world }) => {
    const { id } = addToken(world)
    const { exit, stderr } = await skyctl(`tokens revoke ${id}`)
    expect({ exit, stderr }).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') })
    expect(stderr).toContain(`Clients that use it will be rejected at once. Revoke ${id}? This must be`)
    expect(await skyctl(`tokens revoke ${id} --yes --json`)).toEqual({ exit: 0, stdout: '{}\n', stderr: '' })
    expect(world.tokens.get(id)).toBeUndefined()
  })

  test('needs --force for the current token', async ({ skyctl, sandbox, world }) => {
    const own = world.tokens.all().find(({ token }) => token === sandbox.ownerToken)
    const { exit, stderr } = await skyctl(`tokens revoke ${own?.id} --yes`)
    expect({ exit, sent: sent(world) }).toEqual({ exit: 2, sent: [] })
    const name = `token "${own?.label}" (${own?.id})`
    expect(stderr).toContain(`${name} is the current token: without it you are signed out. Replace it with`)
    expect((await skyctl(`tokens revoke ${own?.id} --yes --force`)).exit).toBe(0)
    expect(world.tokens.get(own?.id ?? 0)).toBeUndefined()
    expect((await skyctl('profile view')).exit).toBe(3)
  })

  test('leaves the current token and revokes the others', async ({ skyctl, sandbox, world }) => {
    const own = world.tokens.all().find(({ token }) => token === sandbox.ownerToken)
    const [a, b] = [addToken(world).id, addToken(world).id]
    const { exit } = await skyctl(`tokens revoke ${a} ${own?.id} ${b} --yes`)
    expect({ exit, exists: [a, own?.id ?? 0, b].map((id) => world.tokens.get(id) !== undefined) }).toEqual({
      exit: 9,
      exists: [false, true, false],
    })
  })
})

describe('tokens rotate', () => {
  test('creates a token with the same label, scopes and lifetime, tests it, then revokes the old one', async ({
    skyctl,
    world,
    clock,
  }) => {
    const old = addToken(world, { expiry: at(clock.now() + 3 * day) })
    world.tokens.put({ ...old, created: at(clock.now() - 27 * day) })
    const { exit, stdout } = await skyctl('tokens rotate ci --yes --json')
    const next = json(stdout)
    expect(exit).toBe(0)
    expect(next).toMatchObject({ label: 'ci', scopes: 'volumes:read_only', expiry: at(clock.now() + 30 * day) })
    expect(world.tokens.get(old.id)).toBeUndefined()
    expect((await skyctl('volumes list', { env: { SKYCTL_TOKEN: next.token } })).exit).toBe(0)
    const steps = world.requests().map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`)
    expect(steps.indexOf('POST /profile/tokens')).toBeLessThan(steps.lastIndexOf('GET /profile'))
    expect(steps.indexOf(`DELETE /profile/tokens/${old.id}`)).toBeGreaterThan(steps.indexOf('GET /profile'))
  })

  test('updates the contexts that have the old token, and continues with the new one', async ({
    skyctl,
    sandbox,
    home,
  }) => {
    const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    for (const name of ['prod', 'other']) {
      const login = ['auth', 'login', '--context', name, '--base-url', sandbox.baseUrl, '--with-token']
      await skyctl(login, { env, stdin: sandbox.ownerToken })
    }
    const { exit, stdout, stderr } = await skyctl('tokens rotate owner --yes --json', { env })
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    const { contexts } = json(readFileSync(join(home, 'config', 'contexts.json'), 'utf8'))
    expect(Object.values(contexts).map((one) => (one as { token: string }).token)).toEqual(
      Array(2).fill(json(stdout).token),
    )
    expect((await skyctl('profile view', { env })).exit).toBe(0)
  })

  test('needs --force if the new current token would only be printed, before one is created', async ({
    skyctl,
    world,
  }) => {
    const { exit, stdout, stderr } = await skyctl('tokens rotate owner --yes')
    expect({ exit, stdout, sent: sent(world) }).toEqual({ exit: 2, stdout: '', sent: [] })
    expect(stderr).toContain('the current token, and the new one would not be stored. Add --output-file FILE')
    expect(await skyctl('tokens rotate owner --dry-run')).toEqual({ exit, stdout, stderr })
    expect(await skyctl('tokens rotate owner --dry-run --force')).toMatchObject({ exit: 0 })
    expect((await skyctl('tokens rotate owner --yes --keep-old 1h')).exit).toBe(0)
  })

  test('with the former --even-if-current replaces the current token, but no file', async ({ skyctl, home }) => {
    const file = join(home, 'other')
    writeFileSync(file, 'other')
    const line = 'tokens rotate owner --yes --even-if-current'
    expect((await skyctl(`${line} --output-file ${file}`)).exit).toBe(12)
    expect(readFileSync(file, 'utf8')).toBe('other')
    expect((await skyctl(`${line} --output-file ${file} --force`)).exit).toBe(0)
  })

  test('with --even-if-current replaces the current token', async ({ skyctl }) => {
    expect((await skyctl('tokens rotate owner --yes --even-if-current')).exit).toBe(0)
  })

  test.for([
    {
      lost: 'the test',
      method: 'GET',
      path: () => '/profile',
      message: 'was created to replace it, and token',
      ends: 8,
    },
    {
      lost: 'the revocation',
      method: 'DELETE',
      path: (id: number) => `/profile/tokens/${id}`,
      message: 'replaces it, and',
      // It may have been revoked, but was not.
      ends: 11,
    },
  ] as const)(
    'names both tokens, which stay valid, if $lost fails',
    async ({ method, path, message: expectedMessage, ends }, { skyctl, lossy, world }) => {
      const old = addToken(world, { label: 'job' })
      // The first response names the tokens' user, before one is created.
      if (method === 'GET') lossy.pass('GET', '/profile')
      lossy.lose(method, path(old.id), 'request lost')
      const { exit, stdout, stderr } = await skyctl('tokens rotate job --yes --json --retries 0')
      const next = json(stdout)
      expect(exit).toBe(ends)
      const { message, created } = json(stderr.trimEnd().split('\n').at(-1) ?? '').error
      expect(message).toContain(`; token ${next.id} ${expectedMessage}`)
      expect(created).toEqual({ kind: 'token', id: next.id, label: 'job' })
      for (const token of [next.token, old.token]) {
        expect((await skyctl('volumes list', { env: { SKYCTL_TOKEN: token } })).exit).toBe(0)
      }
    },
  )

  test('--dry-run prints both requests and sends none', async ({ skyctl, world }) => {
    const { id } = addToken(world)
    const { stdout } = await skyctl(`tokens rotate ${id} --dry-run --json`)
    expect(json(stdout)).toEqual([
      { method: 'POST', path: '/profile/tokens', body: { label: 'ci', scopes: 'volumes:read_only' } },
      { method: 'DELETE', path: `/profile/tokens/${id}` },
    ])
    expect(sent(world)).toEqual([])
  })

  test('rejects the built-in token of the sandbox, with an alternative', async ({ skyctl }) => {
    const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined, SKYCTL_CONTEXT: 'sandbox' }
    expect(await skyctl('tokens rotate owner --yes --force', { env })).toEqual({
      exit: 2,
      stdout: '',
      stderr:
        'skyctl: the token of the context "sandbox" is built in and cannot be replaced. ' +
        'Rotate another, or run skyctl sandbox start and sign in there\n',
    })
  })

  test('asks first, and rejects an expiry in the past', async ({ skyctl, world }) => {
    const { id } = addToken(world)
    expect((await skyctl(`tokens rotate ${id}`)).exit).toBe(2)
    expect((await skyctl(`tokens rotate ${id} --yes --expiry 2020-01-01`)).exit).toBe(2)
    expect(sent(world)).toEqual([])
  })
})

describe('tokens rotate --keep-old', () => {
  const label = 'ci (superseded until 2026-01-16T12:00Z)'

  test('keeps the old token valid, with its end in the label, and prints how to revoke it', async ({
    skyctl,
    world,
  }) => {
    const old = addToken(world)
    const { exit, stdout, stderr } = await skyctl('tokens rotate ci --keep-old 24h --yes --no-headers --columns token')
    const next = world.tokens.all().at(-1)
    expect({ exit, stdout: stdout.trim(), stderr }).toEqual({
      exit: 0,
      stdout: next?.token,
      stderr:
        `Replaced token "ci" with ${next?.id}; ${old.id} stays valid. Revoke it after 2026-01-16T12:00Z: ` +
        `skyctl tokens revoke ${old.id} --yes\nStore the new token now: it cannot be shown again\n`,
    })
    expect([world.tokens.get(old.id)?.label, next?.label]).toEqual([label, 'ci'])
    for (const SKYCTL_TOKEN of [old.token, next?.token ?? '']) {
      expect((await skyctl('volumes list', { env: { SKYCTL_TOKEN } })).exit).toBe(0)
    }
  })

  test('prints the expiry of the old token if that is earlier', async ({ skyctl, world, clock }) => {
    const old = addToken(world, { expiry: at(clock.now() + 3_600_000) })
    const { stderr } = await skyctl('tokens rotate ci --keep-old 24h --yes')
    expect(stderr).toContain(`${old.id} stays valid and expires at 2026-01-15T13:00Z\n`)
  })

  test('cuts a label that is too long for the mark', async ({ skyctl, world }) => {
    const old = addToken(world, { label: 'x'.repeat(100) })
    expect((await skyctl(`tokens rotate ${old.id} --keep-old 24h --yes`)).exit).toBe(0)
    const now = world.tokens.get(old.id)?.label ?? ''
    expect(now).toBe('x'.repeat(100 - label.length + 2) + label.slice(2))
    expect(now).toHaveLength(100)
  })

  test('--dry-run prints both requests and sends none', async ({ skyctl, world }) => {
    const { id } = addToken(world)
    const { stdout } = await skyctl(`tokens rotate ${id} --keep-old 24h --dry-run --json`)
    expect(json(stdout).at(-1)).toEqual({ method: 'PUT', path: `/profile/tokens/${id}`, body: { label } })
    expect(sent(world)).toEqual([])
  })

  test.for([['0s'], ['soon']])('rejects %s before anything is sent', async ([span], { skyctl, world }) => {
    addToken(world)
    expect((await skyctl(`tokens rotate ci --keep-old ${span} --yes`)).exit).toBe(2)
    expect(sent(world)).toEqual([])
  })
})

describe('tokens rotate with local problems', () => {
  const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }

  test('creates no token if the contexts cannot be changed', async ({ skyctl, sandbox, home, world }) => {
    await skyctl(`auth login --context prod --base-url ${sandbox.baseUrl} --with-token`, {
      env,
      stdin: sandbox.ownerToken,
    })
    // A folder is in the place of the lock; a file mode would not stop root.
    const lock = join(home, 'config', 'contexts.json.lock')
    mkdirSync(join(lock, 'in-the-way'), { recursive: true })
    const { exit, stderr } = await skyctl('tokens rotate owner --yes --json', { env })
    expect({ exit, sent: sent(world) }).toEqual({ exit: 12, sent: [] })
    expect(stderr).toContain('contexts.json')
  })

  test('needs no home folder if the environment signs in, and warns that no context is updated', async ({
    skyctl,
    world,
  }) => {
    const old = addToken(world)
    const nowhere = { SKYCTL_CONFIG_DIR: undefined, SKYCTL_STATE_DIR: undefined, XDG_CACHE_HOME: undefined, HOME: '' }
    const { exit, stderr } = await skyctl('tokens rotate ci --yes', { env: nowhere, homedir: () => '' })
    expect({ exit, old: world.tokens.get(old.id) }).toEqual({ exit: 0, old: undefined })
    expect(stderr).toContain('skyctl: warning: no context gets the new token: no config folder')
  })
})
