/**
 * Killed rotations: the stored token is valid. The clocks of the process and the service are months apart.
 * `node bench/rotate.mjs` kills at random.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { test as base } from '../support/in-process-shell'
import { type Lossy, lossyProxy } from '../support/lossy-proxy'
import type { ProcessOptions, ProcessResult } from '../support/process'
import { openProxy } from '../support/proxy'

interface Rotations {
  proxy: Lossy
  /** Ids of the valid tokens with the label, in order. */
  valid(): number[]
  /** Id of the token in the context; undefined if that is not valid. */
  stored(): number | undefined
  /** Kills a rotation while a proxy holds such a request, which then reaches the service unless it is lost. */
  killRotation(request: { method: string; path: string | RegExp; after?: number }, lost?: 'lost'): Promise<void>
  /** Runs a line, signed in with the context. */
  run(line: string): Promise<ProcessResult>
}

const old = 9000
const text = `facade00${'5'.repeat(56)}`
const signedOut = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
const rotate = `tokens rotate ${old} --yes --json`

const test = base.extend<Rotations>({
  proxy: async ({ sandbox, world, skyctl }, use) => {
    const [pattern] = world.tokens.all()
    if (!pattern) throw new Error('the sandbox has no token')
    world.tokens.put({ ...pattern, id: old, token: text, label: 'job', expiry: null })
    const proxy = await lossyProxy(sandbox.baseUrl)
    const login = `auth login --context prod --with-token --base-url ${proxy.baseUrl}`
    await skyctl(login, { env: signedOut, stdin: text })
    await use(proxy)
    await proxy.close()
  },
  valid: async ({ world }, use) =>
    use(() => world.tokens.all().flatMap(({ id, label }) => (label.startsWith('job') ? [id] : []))),
  stored: async ({ home, world }, use) =>
    use(() => {
      const { contexts } = JSON.parse(readFileSync(join(home, 'config', 'contexts.json'), 'utf8'))
      return world.tokens.all().find(({ token }) => token === contexts.prod.token)?.id
    }),
  killRotation: async ({ proxy, start }, use) =>
    use(async ({ method, path, after = 0 }, lost) => {
      for (let passed = 0; passed < after; passed += 1) proxy.pass(method, path)
      const { arrived, release, ended } = proxy.hold(method, path, lost ? 'request lost' : 'none')
      const { kill, end } = start(rotate, { env: signedOut })
      await arrived
      kill('SIGKILL')
      expect(await end).toMatchObject({ signal: 'SIGKILL' })
      release()
      await ended
    }),
  run: async ({ runCommand, proxy: _signedIn }, use) => use((line) => runCommand(line, { env: signedOut })),
})

describe('A killed rotation leaves a valid token in the context', () => {
  const create = { method: 'POST', path: '/profile/tokens' }
  const revoke = { method: 'DELETE', path: `/profile/tokens/${old}` }
  const both = [old, old + 1]

  test.for<[when: string, ...Parameters<Rotations['killRotation']>, { valid: number[]; stored: number }]>([
    ['before the creation', create, 'lost', { valid: [old], stored: old }],
    ['after the creation', create, undefined, { valid: both, stored: old }],
    [
      'after it printed the new one',
      { method: 'GET', path: '/profile', after: 1 },
      undefined,
      { valid: both, stored: old },
    ],
    ['before the revocation', revoke, 'lost', { valid: both, stored: old + 1 }],
    ['after the revocation', revoke, undefined, { valid: [old + 1], stored: old + 1 }],
  ])('%s', async ([, request, lost, expected], { killRotation, run, valid, stored }) => {
    await killRotation(request, lost)
    expect({ valid: valid(), stored: stored() }).toEqual(expected)
    const { stdout } = await run('history list --json')
    const outcome = request === create ? 'unknown' : 'ok'
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ command: 'tokens rotate', method: 'POST', label: 'job', outcome }),
    )
  })

  test('and no secret in the state folder', async ({ killRotation, shell, home, world }) => {
    await killRotation({ method: 'GET', path: '/profile', after: 1 })
    const tokens = world.tokens.all().map(({ token }) => `-e ${token}`)
    expect((await shell(`grep -rl ${tokens.join(' ')} ${join(home, 'state')}`)).stdout).toBe('')
  })
})

describe('A rotation', () => {
  test('creates no token if the output file cannot be written', async ({
    shell,
    sandbox,
    world,
    proxy: _signedIn,
    valid,
    home,
  }) => {
    // The name is too long for a temporary file beside it.
    const file = join(home, 'x'.repeat(250))
    const line = `skyctl tokens rotate ${old} --yes --output-file ${file}`
    const { exit, stderr } = await shell(line, { env: { SKYCTL_BASE_URL: sandbox.baseUrl } })
    expect({ exit, valid: valid(), sent: world.requests('POST') }).toEqual({ exit: 12, valid: [old], sent: [] })
    expect(stderr).toContain('cannot write')
  })

  test('creates no token with fewer scopes than the old one', async ({ skyctl, world, proxy: _signedIn }) => {
    const SKYCTL_TOKEN = world.token('account:read_write volumes:read_only')
    const { exit, stderr } = await skyctl(rotate, { env: { SKYCTL_TOKEN } })
    expect({ exit, sent: world.requests('POST') }).toEqual({ exit: 4, sent: [] })
    expect(stderr).toContain('"the token in use lacks *, which the rotation needs"')
  })

  test.for([
    ['a full disk', '> /dev/full'],
    ['a reader that has gone', '| true'],
  ])(
    'revokes its new token if the text can be neither printed nor saved: %s',
    async ([, rest], { shell, valid, home, proxy: _signedIn }) => {
      writeFileSync(join(home, 'file'), '')
      const env = { SKYCTL_STATE_DIR: join(home, 'file', 'state') }
      const { stderr } = await shell(`{ skyctl ${rotate}; echo exit $? >&2; } ${rest}`, { env, isProcess: true })
      const [failure = '', exit] = stderr.trimEnd().split('\n').slice(-2)
      expect({ exit, valid: valid() }).toEqual({ exit: 'exit 12', valid: [old] })
      expect(JSON.parse(failure).error.message).toMatch(/its text is lost; it is revoked; token 9000 is still valid$/)
    },
  )
})

/** Number of random kills, from `node bench/rotate.mjs`. */
const { ROTATE_KILLS = '0' } = process.env
const requestsOfRotation = 7

describe.runIf(Number(ROTATE_KILLS) > 0)('At random', () => {
  const patient = { timeout: 3_600_000 }

  test(
    'kills leave a valid token in the context, and at most one other',
    patient,
    async ({ sandbox, skyctl, start, world, stored, valid, proxy: _signedIn }) => {
      let count = 0
      let act: (() => Promise<'drop' | undefined>) | undefined
      let kill = () => {}
      let at = { request: 0, when: 'before' }
      const passing = async (when: string) => {
        if (at.when !== when || count !== at.request) return undefined
        return act?.()
      }
      const proxy = await openProxy(sandbox.baseUrl, {
        async before() {
          count += 1
          return passing('before')
        },
        async after() {
          await passing('after')
        },
      })
      onTestFinished(() => proxy.close())
      const token = world.tokens.all().find(({ label }) => label === 'job')?.token
      await skyctl(`auth login --context prod --with-token --base-url ${proxy.baseUrl}`, {
        env: signedOut,
        stdin: token,
      })
      let [killed, left] = [0, 0]
      for (let round = 0; round < Number(ROTATE_KILLS); round += 1) {
        const drop = Math.random() < 0.5
        const request = 1 + Math.floor(Math.random() * requestsOfRotation)
        const options: ProcessOptions = { env: signedOut }
        const rotation = start(`tokens rotate ${stored()} --yes --json`, options)
        kill = () => rotation.kill('SIGKILL')
        act = async () => {
          act = undefined
          kill()
          await rotation.end
          return drop ? 'drop' : undefined
        }
        count = 0
        at = { request, when: Math.random() < 0.5 ? 'before' : 'after' }
        const ended = await rotation.end
        act = undefined
        const where = `round ${round}, request ${request} ${at.when}, ${drop ? 'dropped' : 'done'}`
        // The service has carried out each request whose answer the proxy has seen.
        await expect.poll(() => proxy.open(), { timeout: 15_000, interval: 5 }).toBe(0)
        const current = stored()
        expect(current, where).toBeDefined()
        const others = valid().filter((id) => id !== current)
        expect(others.length, where).toBeLessThanOrEqual(1)
        if (ended.signal !== null) killed += 1
        else expect(others, where).toEqual([])
        left += others.length
        for (const id of others) expect((await start(`tokens revoke ${id} --yes`, options).end).exit, where).toBe(0)
      }
      console.log(`${killed} of ${ROTATE_KILLS} rotations killed; ${left} left another token`)
    },
  )
})
