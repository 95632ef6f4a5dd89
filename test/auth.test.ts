/** Signing in and out, contexts, and the token that each request uses. Prompts are tested on a pseudo-terminal. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import timers from 'node:timers/promises'
import { describe, expect, vi } from 'vitest'
import { holdLock } from '../src/files/lock'
import { faultServer, reply } from './support/fault-server'
import { completeProfile } from './support/records'
import { openTestSandbox } from './support/sandbox'
import { type Fixtures, test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)

/** An environment without token and base URL. */
const noCredentials = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }

async function signIn(
  { skyctl, sandbox }: Pick<Fixtures, 'skyctl' | 'sandbox'>,
  name: string,
  token = sandbox.ownerToken,
) {
  return skyctl(`auth login --context ${name} --with-token --base-url ${sandbox.baseUrl}`, {
    env: noCredentials,
    stdin: `${token}\n`,
  })
}

describe('auth login', () => {
  test('checks the token with GET /profile, stores it, and makes its context current', async ({
    skyctl,
    sandbox,
    world,
    home,
  }) => {
    const { exit, stdout, stderr } = await signIn({ skyctl, sandbox }, 'prod')
    const { username } = world.users.all()[0] ?? {}
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '' })
    expect(stderr).toBe(`Signed in as ${username}; context "prod" is now current\n`)
    expect(world.requests().map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /profile'])
    expect(statSync(join(home, 'config')).mode & 0o777).toBe(0o700)
    const [file = ''] = readdirSync(join(home, 'config'))
    expect(statSync(join(home, 'config', file)).mode & 0o777).toBe(0o600)
    expect((await skyctl('volumes list --limit 1 -q', { env: noCredentials })).exit).toBe(0)
  })

  test('names the context after the user if no name is set', async ({ skyctl, sandbox, world }) => {
    await skyctl(`auth login --with-token --base-url ${sandbox.baseUrl}`, {
      env: noCredentials,
      stdin: sandbox.ownerToken,
    })
    const contexts = json((await skyctl('context list --json', { env: noCredentials })).stdout)
    expect(contexts.map(({ name }: { name: string }) => name)).toEqual([world.users.all()[0]?.username, 'sandbox'])
  })

  test('keeps the defaults of an existing context, and replaces its token command', async ({ skyctl, sandbox }) => {
    await signIn({ skyctl, sandbox }, 'prod')
    await skyctl('context update prod --region us-ord --token-command false', { env: noCredentials })
    await signIn({ skyctl, sandbox }, 'prod')
    expect(json((await skyctl('context view prod --json', { env: noCredentials })).stdout)).toMatchObject({
      token: 'stored',
      token_command: null,
      defaults: { region: 'us-ord' },
    })
    expect((await skyctl('volumes list --limit 1 -q', { env: noCredentials })).exit).toBe(0)
  })

  test('stores nothing if the API rejects the token', async ({ skyctl, sandbox }) => {
    const { exit } = await signIn({ skyctl, sandbox }, 'prod', 'f'.repeat(64))
    expect(exit).toBe(3)
    expect(json((await skyctl('context list --json', { env: noCredentials })).stdout)).toHaveLength(1)
  })

  test('stores nothing if the profile has no username', async ({ skyctl, home }) => {
    const { host } = await faultServer(reply(200, { ...completeProfile, username: '' }))
    const login = `auth login --context prod --with-token --base-url http://${host}/v4`
    expect(await skyctl(login, { env: noCredentials, stdin: 'token' })).toEqual({
      exit: 1,
      stdout: '',
      stderr: 'skyctl: the service did not report the user of the token. Check the base URL\n',
    })
    expect(existsSync(join(home, 'config', 'contexts.json'))).toBe(false)
  })

  test.for([
    ['a token with a space', 'a b', 'token'],
    ['an empty token', '', 'empty'],
    ['a private SSH key', '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n', 'private SSH key'],
  ])('rejects %s, and sends nothing', async ([, stdin = '', message], { skyctl, sandbox, world }) => {
    const { exit, stderr } = await signIn({ skyctl, sandbox }, 'prod', stdin)
    expect(exit).toBe(2)
    expect(stderr).toContain(message)
    if (stdin !== '') expect(stderr).not.toContain(stdin.trim())
    expect(world.requests()).toEqual([])
  })

  test.for(['http://api.example.net/v4', 'https://user:pw@api.example.net/v4'])(
    'rejects the base URL %s, and sends nothing',
    async (url, { skyctl }) => {
      const { exit, stderr } = await skyctl(['auth', 'login', '--with-token', '--base-url', url], {
        env: noCredentials,
        stdin: 'abc',
      })
      expect(exit).toBe(2)
      expect(stderr).not.toContain('pw')
    },
  )

  test('is suggested with the context whose token is rejected', async ({ skyctl, sandbox, world }) => {
    const login = ['auth', 'login', '--context', 'three', '--with-token', '--base-url', sandbox.baseUrl]
    const token = world.token('*')
    await skyctl(login, { env: noCredentials, stdin: token })
    for (const one of world.tokens.all()) if (one.token === token) world.tokens.delete(one.id)
    expect((await skyctl('volumes list --context three', { env: noCredentials })).stderr).toBe(
      'skyctl: token rejected: it is wrong, revoked or expired. Sign in with: skyctl auth login --context three\n',
    )
  })

  test('is not suggested again after the API rejects its token', async ({ skyctl, sandbox }) => {
    const login = ['auth', 'login', '--context', 'bad', '--with-token', '--base-url', sandbox.baseUrl]
    expect(await skyctl(login, { env: noCredentials, stdin: 'zzz' })).toEqual({
      exit: 3,
      stdout: '',
      stderr:
        'skyctl: token rejected: it is wrong, revoked or expired. Nothing was stored. Check that the token is complete, or create another one\n',
    })
    expect((await skyctl('context list -q')).stdout).not.toContain('bad')
  })

  test('needs --base-url and --with-token without a terminal', async ({ skyctl, sandbox }) => {
    expect((await skyctl('auth login --with-token', { env: noCredentials, stdin: 'abc' })).stderr).toContain(
      '--base-url',
    )
    expect((await skyctl(`auth login --base-url ${sandbox.baseUrl}`, { env: noCredentials })).stderr).toContain(
      '--with-token',
    )
  })

  test('rejects the context of the sandbox', async ({ skyctl }) => {
    expect((await skyctl('auth login --context sandbox', { env: noCredentials })).exit).toBe(2)
  })
})

describe('the environment', () => {
  const overridden = 'skyctl: warning: SKYCTL_CONTEXT=one overrides the current context; unset it\n'

  test('that overrides a new current context is named in a warning', async ({ skyctl, sandbox, world }) => {
    await signIn({ skyctl, sandbox }, 'one')
    const env = { ...noCredentials, SKYCTL_CONTEXT: 'one' }
    const login = ['auth', 'login', '--context', 'two', '--with-token', '--base-url', sandbox.baseUrl]
    const { username } = world.users.all()[0] ?? {}
    const message = 'context "two" is current when SKYCTL_CONTEXT is not set\n'
    expect(await skyctl(login, { env, stdin: sandbox.ownerToken })).toEqual({
      exit: 0,
      stdout: '',
      stderr: `Signed in as ${username}; ${message}${overridden}`,
    })
    expect((await skyctl('auth logout', { env: { ...noCredentials, SKYCTL_TOKEN: 'other' } })).stderr).toContain(
      'SKYCTL_TOKEN is still set',
    )
  })

  test('has no effect on a context set by --context', async ({ skyctl, sandbox, clock }) => {
    const staging = await openTestSandbox({ clock })
    try {
      const stagingToken = staging.world.token('volumes:read_only')
      const login = ['auth', 'login', '--context', 'stag', '--with-token', '--base-url', staging.baseUrl]
      // Any token may read the profile.
      await skyctl(login, { env: noCredentials, stdin: stagingToken })
      // With the token of the environment, the exit code would be 3.
      const { exit, stderr } = await skyctl('volumes list --context stag -q', {
        env: { SKYCTL_TOKEN: 'f'.repeat(64), SKYCTL_BASE_URL: sandbox.baseUrl },
      })
      expect({ exit, paths: staging.world.requests().map(({ path }) => path.replace(/\?.*/, '')) }).toEqual({
        exit: 0,
        paths: ['/profile', '/volumes'],
      })
      expect(sandbox.world.requests()).toEqual([])
      expect(stderr).toContain('SKYCTL_BASE_URL and SKYCTL_TOKEN are not used: --context stag')
      expect(
        (await skyctl('volumes list --context stag', { env: { ...noCredentials, SKYCTL_TOKEN: 'f'.repeat(64) } })).exit,
      ).toBe(0)
    } finally {
      await staging.close()
    }
  })

  test('that replaces the token of a context causes one warning, also in JSON and with --quiet', async ({
    skyctl,
    sandbox,
    world,
  }) => {
    await signIn({ skyctl, sandbox }, 'prod')
    const env = { ...noCredentials, SKYCTL_TOKEN: world.token('*') }
    const message = `using SKYCTL_TOKEN instead of the token of context "prod"`
    expect((await skyctl('volumes list -q', { env })).stderr).toBe(`skyctl: warning: ${message}\n`)
    expect(json((await skyctl('volumes list --json', { env })).stderr)).toEqual({ warning: { message } })
    expect((await skyctl('volumes list --context sandbox -q')).stderr).toBe(
      'skyctl: warning: SKYCTL_BASE_URL and SKYCTL_TOKEN are not used: the context "sandbox" is built in\n',
    )
  })
})

describe('auth logout', () => {
  test('removes the token and keeps the context', async ({ skyctl, sandbox, home }) => {
    await signIn({ skyctl, sandbox }, 'prod')
    expect((await skyctl('auth logout', { env: noCredentials })).exit).toBe(0)
    for (const file of readdirSync(join(home, 'config'))) {
      expect(readFileSync(join(home, 'config', file), 'utf8')).not.toContain(sandbox.ownerToken)
    }
    for (const line of ['volumes list', 'volumes list --context prod', 'volumes delete 3001 --yes --if-present']) {
      expect(await skyctl(line, { env: noCredentials })).toEqual({
        exit: 3,
        stdout: '',
        stderr: 'skyctl: context "prod" is signed out. Sign in again: skyctl auth login --context prod\n',
      })
    }
    expect(json((await skyctl('context view prod --json', { env: noCredentials })).stdout)).toMatchObject({
      token: 'none',
    })
    const again = await skyctl('auth login --context prod --with-token', {
      env: noCredentials,
      stdin: sandbox.ownerToken,
    })
    expect({ exit: again.exit, signedIn: (await skyctl('volumes list', { env: noCredentials })).exit }).toEqual({
      exit: 0,
      signedIn: 0,
    })
  })

  test('does not restore a context that was deleted meanwhile', async ({ skyctl, sandbox, home, onTestFinished }) => {
    await signIn({ skyctl, sandbox }, 'prod')
    const file = join(home, 'config', 'contexts.json')
    const lock = await holdLock(`${file}.lock`)
    const pauses = vi.spyOn(timers, 'setTimeout')
    syncBuiltinESMExports()
    onTestFinished(() => {
      pauses.mockRestore()
      syncBuiltinESMExports()
    })
    const logout = skyctl('auth logout', { env: noCredentials })
    // It has read the contexts, and waits for the lock.
    await vi.waitFor(() => expect(pauses).toHaveBeenCalled(), 5_000)
    writeFileSync(file, JSON.stringify({ contexts: {} }), { mode: 0o600 })
    lock.release()
    expect(await logout).toEqual({
      exit: 5,
      stdout: '',
      stderr: 'skyctl: context "prod" not found. See skyctl context list\n',
    })
    expect(json(readFileSync(file, 'utf8')).contexts).toEqual({})
  })

  test('accepts the name of another context, and leaves the current one signed in', async ({ skyctl, sandbox }) => {
    await signIn({ skyctl, sandbox }, 'prod')
    await signIn({ skyctl, sandbox }, 'staging')
    expect(await skyctl('auth logout prod -q', { env: noCredentials })).toMatchObject({ exit: 0 })
    const contexts = json((await skyctl('context list --json', { env: noCredentials })).stdout)
    expect(Object.fromEntries(contexts.map(({ name, token }: Record<string, string>) => [name, token]))).toMatchObject({
      prod: 'none',
      staging: 'stored',
    })
    expect(await skyctl('auth logout prod --context staging', { env: noCredentials })).toMatchObject({
      exit: 2,
      stderr: 'skyctl: two contexts are named: "prod" and --context "staging". Name one\n',
    })
    expect((await skyctl('auth logout prdo', { env: noCredentials })).stderr).toBe(
      'skyctl: context "prdo" not found. Did you mean "prod"?\n',
    )
  })

  test('reports if the context is already signed out', async ({ skyctl, sandbox }) => {
    await signIn({ skyctl, sandbox }, 'prod')
    expect((await skyctl('auth logout', { env: noCredentials })).stderr).toBe(
      'Signed out of context "prod"; its token stays valid until it is revoked or expires\n',
    )
    expect(await skyctl('auth logout', { env: noCredentials })).toMatchObject({
      exit: 0,
      stderr: 'Context "prod" has no token: you are already signed out\n',
    })
  })

  test('needs a context: exit 3', async ({ skyctl }) => {
    expect((await skyctl('auth logout', { env: noCredentials })).exit).toBe(3)
  })
})

describe('auth status', () => {
  test('prints base URL, token source and user', async ({ skyctl, sandbox, world }) => {
    await signIn({ skyctl, sandbox }, 'prod')
    const { stdout } = await skyctl('auth status --json', { env: noCredentials })
    expect(json(stdout)).toMatchObject({
      context: 'prod',
      base_url: sandbox.baseUrl,
      token_source: 'context',
      user: world.users.all()[0]?.username,
    })
    expect(json((await skyctl('auth status --json')).stdout)).toMatchObject({ token_source: 'environment' })
  })

  test('prints scopes, remaining days, and the source of each value', async ({ skyctl, sandbox, world, clock }) => {
    const status = async (line = '', env = {}) => json((await skyctl(`auth status --json ${line}`, { env })).stdout)
    const expiry = new Date(clock.now() + 9.5 * 86_400_000).toISOString().slice(0, 19)
    const [pattern] = world.tokens.all()
    if (!pattern) throw new Error('the world has no token')
    const token = 'feed'.repeat(16)
    world.tokens.put({ ...pattern, id: world.tokens.nextId(), token, scopes: 'account:read_only', expiry })
    await signIn({ skyctl, sandbox }, 'prod', token)
    expect(await status('', noCredentials)).toEqual({
      context: 'prod',
      context_source: 'file',
      base_url: sandbox.baseUrl,
      base_url_source: 'context',
      token_source: 'context',
      user: world.users.all()[0]?.username,
      scopes: 'account:read_only',
      token_expiry: expiry,
      days_left: 9,
      restricted: expect.any(Boolean),
      two_factor_auth: expect.any(Boolean),
    })
    expect(await status('--context prod')).toMatchObject({ context_source: 'flag', token_source: 'context' })
    expect(await status('', { SKYCTL_CONTEXT: 'prod', SKYCTL_TOKEN: undefined })).toMatchObject({
      context_source: 'environment',
      base_url_source: 'environment',
    })
    // This token may not list tokens.
    const SKYCTL_TOKEN = world.token('volumes:read_only')
    expect(await status('', { SKYCTL_TOKEN })).toMatchObject({
      scopes: 'volumes:read_only',
      token_source: 'environment',
      token_expiry: 'unknown',
      days_left: null,
    })
    expect(await status('--context sandbox', noCredentials)).toMatchObject({
      base_url: null,
      base_url_source: 'sandbox',
    })
  })

  test('never shows the token', async ({ skyctl, sandbox }) => {
    await signIn({ skyctl, sandbox }, 'prod')
    for (const line of [
      'auth status',
      'context list',
      'context view prod',
      'auth status --debug',
      'context view -o yaml',
    ]) {
      const { stdout, stderr } = await skyctl(line, { env: noCredentials })
      expect(stdout + stderr).not.toContain(sandbox.ownerToken.slice(0, 20))
    }
  })
})

describe('on a terminal', () => {
  test('messages name the account if there are several', async ({ skyctl, sandbox }) => {
    let count = 0
    const messageFor = async (flags: string, env = {}) => {
      count += 1
      const line = `volumes create --label v${count} --region us-east ${flags}`
      const { stderr } = await skyctl(line, { env: { ...noCredentials, TERM: 'dumb', ...env }, interactive: true })
      return stderr.replace(/Created volume .*/s, 'Created\n')
    }
    await signIn({ skyctl, sandbox }, 'one')
    expect(await messageFor('')).toBe('Created\n')
    await signIn({ skyctl, sandbox }, 'two')
    expect(await messageFor('')).toBe('[two] Created\n')
    expect(await messageFor('--context one')).toBe('[one] Created\n')
    expect(await messageFor('--context sandbox')).toBe('[sandbox] Created\n')
    const variables = { SKYCTL_TOKEN: sandbox.ownerToken, SKYCTL_BASE_URL: sandbox.baseUrl }
    expect(await messageFor('', variables)).toBe(`[SKYCTL_TOKEN at ${new URL(sandbox.baseUrl).host}] Created\n`)
    expect(await messageFor('--json')).toBe('')
    expect(await messageFor('--quiet')).toBe('')
  })

  test('messages name no account in a pipe or for local changes', async ({ skyctl, sandbox }) => {
    await signIn({ skyctl, sandbox }, 'one')
    await signIn({ skyctl, sandbox }, 'two')
    expect((await skyctl('volumes create --label a --region us-east', { env: noCredentials })).stderr).toMatch(
      /^Created volume/,
    )
    const { stderr } = await skyctl('context use one', { env: noCredentials, interactive: true })
    expect(stderr).toBe('Context "one" is now current\n')
  })
})

describe('without a token', () => {
  test('a command explains how to sign in and how to try the sandbox: exit 3', async ({ skyctl, world }) => {
    const { exit, stdout, stderr } = await skyctl('volumes list', { env: noCredentials })
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: '' })
    expect(stderr).toContain('skyctl auth login')
    expect(stderr).toContain('--context sandbox')
    expect(world.requests()).toEqual([])
  })

  test('the four region commands work', async ({ skyctl }) => {
    const env = { SKYCTL_TOKEN: undefined }
    for (const line of [
      'regions list',
      'regions view us-east',
      'regions availability',
      'regions availability us-east',
    ]) {
      expect({ line, exit: (await skyctl(`${line} --json`, { env })).exit }).toEqual({ line, exit: 0 })
    }
  })

  test('a missing scope is named, with exit code 4', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('volumes create --label a --region us-east', {
      env: { SKYCTL_TOKEN: world.token('volumes:read_only') },
    })
    expect(exit).toBe(4)
    expect(stderr).toContain('volumes:read_write')
  })
})

describe('a token', () => {
  test('is sent only to the origin of its own context', async ({ skyctl, sandbox, clock }) => {
    await signIn({ skyctl, sandbox }, 'prod')
    const stranger = await openTestSandbox({ clock })
    try {
      const { exit } = await skyctl(`volumes list --base-url ${stranger.baseUrl}`, { env: noCredentials })
      expect(exit).toBe(3)
      expect(stranger.world.requests()).toEqual([])
    } finally {
      await stranger.close()
    }
  })

  test('can come from a command', async ({ skyctl, sandbox }) => {
    await signIn({ skyctl, sandbox }, 'prod')
    await skyctl(['context', 'update', 'prod', '--token-command', `echo ${sandbox.ownerToken}`], { env: noCredentials })
    const status = json(
      (await skyctl('auth status --json', { env: { ...noCredentials, PATH: process.env.PATH } })).stdout,
    )
    expect(status.token_source).toBe('token_command')
  })
})

describe('contexts', () => {
  test('are listed, with the current one and its source', async ({ skyctl, sandbox }) => {
    await signIn({ skyctl, sandbox }, 'one')
    await signIn({ skyctl, sandbox }, 'two')
    const list = async (line: string, env = {}) => skyctl(`context list ${line}`, { env: { ...noCredentials, ...env } })
    for (const [line, env, name, by, why] of [
      ['', {}, 'two', 'file', ''],
      ['', { SKYCTL_CONTEXT: 'one' }, 'one', 'environment', ' (from SKYCTL_CONTEXT)'],
      ['--context sandbox', { SKYCTL_CONTEXT: 'one' }, 'sandbox', 'flag', ' (from --context)'],
    ] as const) {
      expect((await list(line, env)).stderr).toBe(`Current context: ${name}${why}\n`)
      const current = json((await list(`${line} --json`, env)).stdout).filter(
        ({ current_by: decides }: { current_by: string | null }) => decides,
      )
      expect(current).toEqual([expect.objectContaining({ name, current: true, current_by: by })])
    }
    expect((await list('', { SKYCTL_CONTEXT: 'on' })).stderr).toBe(
      'skyctl: warning: no current context: context "on" (from SKYCTL_CONTEXT) not found\n',
    )
  })

  test('are printed by --json after each change', async ({ skyctl, sandbox }) => {
    const change = async (line: string, stdin = '') => {
      const { exit, stdout, stderr } = await skyctl(`${line} --json`, { env: noCredentials, stdin })
      expect({ line, exit, stderr }).toEqual({ line, exit: 0, stderr: '' })
      return json(stdout)
    }
    const record = { name: 'prod', current: true, base_url: sandbox.baseUrl, token: 'stored' }
    const login = `auth login --context prod --with-token --base-url ${sandbox.baseUrl}`
    expect(await change(login, sandbox.ownerToken)).toMatchObject(record)
    expect(await change('context update prod --region us-east')).toMatchObject({ defaults: { region: 'us-east' } })
    expect(await change('context rename prod live')).toMatchObject({ ...record, name: 'live' })
    expect(await change('context use sandbox')).toMatchObject({ name: 'sandbox', current: true, token: 'built in' })
    expect(await change('context use live')).toMatchObject({ name: 'live', current: true })
    expect(await change('auth logout')).toMatchObject({ name: 'live', token: 'none' })
    expect(await change('context delete live --yes')).toEqual({})
    expect(await change('sandbox reset --yes')).toEqual({})
  })

  test('are printed by name after a change with --quiet', async ({ skyctl, sandbox }) => {
    await signIn({ skyctl, sandbox }, 'prod')
    for (const [line, name] of [
      ['use prod', 'prod'],
      ['update prod --region us-east', 'prod'],
      ['rename prod live', 'live'],
    ]) {
      const result = await skyctl(`context ${line} -q`, { env: noCredentials })
      expect({ line, ...result }).toEqual({ line, exit: 0, stdout: `${name}\n`, stderr: '' })
    }
  })

  test('are named by argument in changes, not by --context', async ({ skyctl, sandbox }) => {
    await signIn({ skyctl, sandbox }, 'one')
    for (const line of ['use one', 'update one --region us-east', 'rename one two', 'delete one --yes']) {
      const { exit, stderr } = await skyctl(`context ${line} --context sandbox`, { env: noCredentials })
      expect({ line, exit, stderr }).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('--context is not used'),
      })
    }
  })

  test.for(['__proto__', 'constructor', 'acme.com', '../x', 'ünï'])(
    'can have the name %s',
    async (name, { skyctl, sandbox }) => {
      await skyctl(['auth', 'login', '--context', name, '--with-token', '--base-url', sandbox.baseUrl], {
        env: noCredentials,
        stdin: sandbox.ownerToken,
      })
      expect(json((await skyctl(['context', 'view', name, '--json'], { env: noCredentials })).stdout)).toMatchObject({
        name,
        token: 'stored',
      })
      expect((await skyctl(['volumes', 'list', '--context', name], { env: noCredentials })).exit).toBe(0)
    },
  )

  test('have defaults that flags and environment override', async ({ skyctl, sandbox, world }) => {
    await signIn({ skyctl, sandbox }, 'prod')
    await skyctl('context update prod --region eu-west --default-output tsv', { env: noCredentials })
    const created = await skyctl('volumes create --label here --no-headers --columns region', { env: noCredentials })
    expect(created.stdout).toBe('eu-west\n')
    await skyctl('volumes create --label there --region us-east', { env: noCredentials })
    expect(world.requests('POST').map(({ body }) => (body as { region: string }).region)).toEqual([
      'eu-west',
      'us-east',
    ])
    const listed = await skyctl('volumes list --limit 1', { env: { ...noCredentials, SKYCTL_OUTPUT: 'json' } })
    expect(json(listed.stdout)).toHaveLength(1)
  })
})
