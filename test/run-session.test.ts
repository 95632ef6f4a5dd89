/** Use of flags, environment and contexts by a run (interface.md, Configuration), and its messages about them. */
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect } from 'vitest'
import { RunSession } from '../src/cli/run-session'
import type { Flags } from '../src/engine/command'
import { KnownSecrets } from '../src/rules/secrets'
import { manualClock } from './support/clock'
import { faultServer, reply, silence } from './support/fault-server'
import { missingHome } from './support/nonexistent'
import { testClock } from './support/run'
import { type Fixtures, test } from './support/skyctl'

const bare = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
const signIn = ({ skyctl, sandbox }: Pick<Fixtures, 'skyctl' | 'sandbox'>, name: string) =>
  skyctl(`auth login --context ${name} --with-token --base-url ${sandbox.baseUrl}`, {
    env: bare,
    stdin: sandbox.ownerToken,
  })

describe('contexts', () => {
  test('have a base URL, a token and an output format, which a flag overrides', async ({ skyctl, sandbox }) => {
    await signIn({ skyctl, sandbox }, 'prod')
    expect(await skyctl('context update prod --default-output csv', { env: bare })).toMatchObject({ exit: 0 })
    const first = async (flags: string) =>
      (await skyctl(`volumes view 3001 --columns id,size ${flags}`, { env: bare })).stdout.split('\n')[0]
    expect(await first('')).toBe('id,size')
    expect(await first('-o tsv')).toBe('id\tsize')
  })

  test('are named if there are several or the environment overrides them', async ({ skyctl, sandbox, world }) => {
    const messageFor = async (env: Record<string, string | undefined>) =>
      (await skyctl('volumes update 3001 --add-tag a', { env: { TERM: 'dumb', ...env }, interactive: true })).stderr
    await signIn({ skyctl, sandbox }, 'one')
    expect(await messageFor(bare)).toMatch(/^Updated volume/)
    await signIn({ skyctl, sandbox }, 'two')
    expect(await messageFor(bare)).toMatch(/^\[two\] No changes to the tags of volume/)
    const questionOf = async (line: string) =>
      (await skyctl(line, { env: { TERM: 'dumb', ...bare }, interactive: true })).stderr.split('\n')[0]
    expect(await questionOf('volumes delete 3002')).toContain(
      '? [two] The data will be lost for ever. Delete volume "data-2"',
    )
    expect(await questionOf('volumes delete 3002 --context one')).toContain(
      '? [one] The data will be lost for ever. Delete volume "data-2"',
    )
    expect(await questionOf('context delete one')).toMatch(
      /^\? Its token will be deleted, too\. Delete the context "one"/,
    )
    const guided = await skyctl('tokens create --scope volumes:read_only --expiry 30d', {
      env: { TERM: 'dumb', ...bare },
      interactive: true,
      stdin: 'ci\n',
    })
    expect(guided.stderr).toContain('? [two] Create this token?')
    const SKYCTL_TOKEN = world.token('volumes:read_write')
    expect(await messageFor({ SKYCTL_TOKEN })).toContain('SKYCTL_TOKEN overrides context "two"')
  })

  test('that others can read become private, with a warning', async ({ skyctl, sandbox, env }) => {
    await signIn({ skyctl, sandbox }, 'prod')
    const file = join(env.SKYCTL_CONFIG_DIR ?? '', 'contexts.json')
    for (const line of ['context list', 'context update prod --default-output json']) {
      chmodSync(file, 0o644)
      expect((await skyctl(line)).stderr).toContain(`${file} was open to other users: its mode is now 0600`)
    }
  })

  test('that cannot be read are an error only if needed', async ({ skyctl, sandbox, home }) => {
    const file = join(home, 'file')
    writeFileSync(file, '')
    const env = { SKYCTL_CONFIG_DIR: join(file, 'config') }
    expect(await skyctl('volumes list', { env })).toMatchObject({ exit: 0, stderr: '' })
    expect(await skyctl('volumes list --context sandbox', { env })).toMatchObject({ exit: 0 })
    for (const line of ['volumes list', 'regions list']) {
      expect(await skyctl(line, { env: { ...env, ...bare } })).toMatchObject({ exit: 12, stdout: '' })
    }
    expect((await skyctl(`regions list --base-url ${sandbox.baseUrl}`, { env: { ...env, ...bare } })).exit).toBe(0)
  })
})

test('a command without a token needs a base URL', async ({ skyctl, sandbox }) => {
  const { exit, stderr } = await skyctl('regions list', { env: bare })
  expect({ exit, stderr }).toEqual({ exit: 3, stderr: expect.stringContaining('Pass --base-url') })
  expect((await skyctl(`regions list --base-url ${sandbox.baseUrl}`, { env: bare })).exit).toBe(0)
})

test('--yes also confirms a guided flow', async ({ skyctl, world }) => {
  const line = 'tokens create --scope volumes:read_only --expiry 30d'
  const create = (flags: string) =>
    skyctl(`${line} ${flags}`, { env: { TERM: 'dumb' }, interactive: true, stdin: 'ci\n' })
  expect(await create('')).toMatchObject({ exit: 6 })
  expect(world.requests('POST')).toEqual([])
  expect(await create('--yes')).toMatchObject({ exit: 0, stderr: expect.stringContaining('? Label ') })
  expect(world.requests('POST')).toHaveLength(1)
})

function openSession({ env, flags }: { env: Record<string, string>; flags: Flags }): Promise<RunSession> {
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 80 })
  const io = {
    ...{ argv: [], env: { TERM: 'dumb', ...env }, stdout: new PassThrough(), stderr: terminal },
    ...{ platform: 'linux' as const, stdin: Object.assign(Readable.from(['n\n']), { isTTY: true }) },
    ...{ homedir: () => missingHome, clock: testClock(manualClock()), random: () => 0.5, program: [], loadAll() {} },
    ...{ onSignal: () => () => {}, catchSignals: () => () => {} },
  }
  return RunSession.open(io, flags, { signal: new AbortController().signal, secrets: new KnownSecrets() })
}

test('--yes does not answer a question that is always asked', async () => {
  const session = await openSession({ env: {}, flags: { yes: true } })
  expect(await (await session.ui.ask({ local: true })).confirm('Go on?')).toBe(true)
  expect(await (await session.ui.ask({ local: true, always: true })).confirm('Keep the change?')).toBe(false)
})

test('closing the session closes its connections', async () => {
  const { env } = await faultServer(reply(200, {}))
  const session = await openSession({ env, flags: {} })
  const client = await session.account.client({ isPublic: true })
  const get = () => client.onceAny({ method: 'GET', path: '/regions', idempotency: 'safe' })
  expect(await get()).toMatchObject({ is: 'ok', answer: {} })
  await session.close()
  expect(await get()).toMatchObject({ is: 'refused', problem: { code: 'unavailable' } })
})

test('a progress line is shown on a terminal that supports it, except with --quiet', async ({ skyctl }) => {
  const { env } = await faultServer(silence)
  const isShown = async (flags: string, options: { interactive: boolean; TERM?: string }) => {
    const { TERM = 'xterm', interactive } = options
    const line = `volumes view 3001 --timeout 1s --retries 0 ${flags}`
    return (await skyctl(line, { env: { ...env, TERM }, interactive })).stderr.includes('Waiting for 127.0.0.1')
  }
  const lines = await Promise.all([
    isShown('', { interactive: true }),
    isShown('', { interactive: false }),
    isShown('--quiet', { interactive: true }),
    isShown('', { interactive: true, TERM: 'dumb' }),
  ])
  expect(lines).toEqual([true, false, false, false])
})

test('color is used on a terminal or with --color always', async ({ skyctl }) => {
  const isColored = async (flags: string, columns?: number) =>
    (await skyctl(`volumes list ${flags}`, columns ? { columns } : {})).stdout.includes('\x1b[')
  expect(await isColored('')).toBe(false)
  expect(await isColored('', 80)).toBe(true)
  expect(await isColored('--color always')).toBe(true)
  expect(await isColored('--color never', 80)).toBe(false)
})

test('-v prints retries, and --debug also requests', async ({ skyctl }) => {
  const logged = async (flags: string) => {
    const page = reply(200, { data: [], page: 1, pages: 1, results: 0 })
    const { env } = await faultServer([reply(503, {}), page])
    const { stderr } = await skyctl(`volumes list ${flags}`, { env })
    return { again: stderr.includes('attempt 2 of 3'), requests: stderr.match(/^< \d+/gm) ?? [] }
  }
  expect(await logged('')).toEqual({ again: false, requests: [] })
  expect(await logged('-v')).toEqual({ again: true, requests: [] })
  expect(await logged('--debug')).toEqual({ again: true, requests: ['< 503', '< 200'] })
})

test('the history has the command of a change', async ({ skyctl }) => {
  await skyctl('volumes update 3001 --add-tag b')
  const [{ command }] = JSON.parse((await skyctl('history list --json')).stdout)
  expect(command).toContain('volumes update')
})

test('an unknown SKYCTL variable causes a warning', async ({ skyctl }) => {
  const { stderr } = await skyctl('volumes list', { env: { SKYCTL_TOKN: 'x' } })
  expect(stderr).toContain('SKYCTL_TOKN is not a skyctl variable')
})

test('completion prints only names, without warnings', async ({ skyctl }) => {
  const { exit, stderr } = await skyctl('completion values volumes', { env: { SKYCTL_TOKN: 'x' } })
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
})

test('the state folder of the sandbox becomes private, with a warning', async ({ skyctl, env }) => {
  const folder = env.SKYCTL_STATE_DIR ?? ''
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o777)
  const { exit, stderr } = await skyctl('volumes list --context sandbox')
  expect({ exit, mode: statSync(folder).mode & 0o777 }).toEqual({ exit: 0, mode: 0o700 })
  expect(stderr).toContain(`${folder} was open to other users`)
})
