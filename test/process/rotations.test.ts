/**
 * Killed and concurrent rotations: the stored token is valid, and other valid tokens are reported. The clocks of the
 * process and the service are months apart. `node bench/rotate.mjs` repeats both at random.
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

const warning = `skyctl: warning: a rotation of token "job" (${old}) was not finished`

describe('After a killed rotation', () => {
  const create = { method: 'POST', path: '/profile/tokens' }

  test('nothing is reported if it created no token', async ({ killRotation, run, valid, stored }) => {
    await killRotation(create, 'lost')
    expect(await run('tokens list')).toMatchObject({ exit: 0, stderr: '' })
    expect({ valid: valid(), stored: stored() }).toEqual({ valid: [old], stored: old })
  })

  test('a token whose text is lost is reported until it is revoked', async ({ killRotation, run, valid, stored }) => {
    await killRotation(create)
    expect({ valid: valid(), stored: stored() }).toEqual({ valid: [old, old + 1], stored: old })
    const message = `${warning}: token ${old + 1} was created by it, and its text is lost. Revoke it: skyctl tokens revoke ${old + 1}\n`
    expect((await run('tokens list')).stderr).toBe(message)
    expect((await run(`tokens view ${old}`)).stderr).toBe(message)
    expect((await run(`tokens revoke ${old + 1} --yes`)).stderr).toBe(`Revoked token "job" (${old + 1})\n`)
    expect(await run('tokens list')).toMatchObject({ exit: 0, stderr: '' })
  })

  test('both tokens are reported if the new one was printed', async ({ killRotation, run, stored }) => {
    await killRotation({ method: 'GET', path: '/profile', after: 1 })
    expect(stored()).toBe(old)
    const { stderr } = await run('tokens list')
    expect(stderr).toContain(`${warning}: token ${old + 1} was created to replace it, and both are valid`)
    expect(stderr).toContain(`skyctl tokens revoke ${old + 1}; otherwise the old one: skyctl tokens revoke ${old}`)
  })

  test('the old token is reported if it was not revoked yet', async ({ killRotation, run, stored }) => {
    await killRotation({ method: 'DELETE', path: `/profile/tokens/${old}` }, 'lost')
    expect(stored()).toBe(old + 1)
    expect((await run('tokens list')).stderr).toBe(
      `${warning}: token ${old + 1} replaces it, and ${old} is still valid. Revoke the old one: skyctl tokens revoke ${old}\n`,
    )
  })

  test('nothing is reported if the old token was revoked', async ({ killRotation, run, valid, stored }) => {
    await killRotation({ method: 'DELETE', path: `/profile/tokens/${old}` })
    expect({ valid: valid(), stored: stored() }).toEqual({ valid: [old + 1], stored: old + 1 })
    expect(await run('tokens list')).toMatchObject({ exit: 0, stderr: '' })
  })

  test('the next rotation reports the left token, also after it has finished', async ({
    killRotation,
    run,
    valid,
    stored,
  }) => {
    await killRotation(create)
    const { exit, stderr } = await run(rotate)
    expect({ exit, valid: valid(), stored: stored() }).toEqual({ exit: 0, valid: [old + 1, old + 2], stored: old + 2 })
    expect(JSON.parse(stderr).warning.message).toContain(`token ${old + 1} was created by it`)
    expect((await run('tokens list')).stderr).toContain(`token ${old + 1} was created by it`)
  })

  test('tokens with that label from other times or commands are not reported', async ({
    killRotation,
    run,
    world,
    clock,
  }) => {
    const twin = world.tokens.get(old)
    if (!twin) throw new Error('the sandbox has no token')
    world.tokens.put({ ...twin, id: 8999, token: `${text}a` })
    await killRotation(create, 'lost')
    expect((await run('tokens create --label job --scope volumes:read_only --expiry never --json')).stderr).toBe('')
    const later = new Date(clock.now() + 11 * 60_000).toISOString().slice(0, 19)
    const before = new Date(clock.now() - 60_000).toISOString().slice(0, 19)
    world.tokens.put({ ...twin, id: 9900, token: `${text}b`, created: before })
    world.tokens.put({ ...twin, id: 9901, token: `${text}c`, created: later })
    expect(await run('tokens list')).toMatchObject({ exit: 0, stderr: '' })
  })

  test('its record contains no secret, and only its owner can read it', async ({
    killRotation,
    shell,
    home,
    world,
  }) => {
    await killRotation({ method: 'GET', path: '/profile', after: 1 })
    const tokens = world.tokens.all().map(({ token }) => `-e ${token}`)
    expect((await shell(`grep -rl ${tokens.join(' ')} ${join(home, 'state')}`)).stdout).toBe('')
    expect((await shell(`find ${join(home, 'state')} -name "${old}-*.json" -perm 600`)).stdout).not.toBe('')
  })
})

describe('Two rotations of one token at once', () => {
  test('on one machine: the second waits, and creates no token', async ({ proxy, start, valid, stored, home }) => {
    const { arrived, release } = proxy.hold('POST', '/profile/tokens')
    const first = start(rotate, { env: signedOut })
    await arrived
    const second = start(rotate, { env: signedOut })
    // A waiter appends a line break to the lock file.
    const lock = join(home, 'state', 'rotations', encodeURIComponent(new URL(proxy.baseUrl).host), `${old}.lock`)
    await expect.poll(() => readFileSync(lock, 'utf8').endsWith('\n'), { timeout: 15_000, interval: 20 }).toBe(true)
    release()
    expect(await first.end).toMatchObject({ exit: 0 })
    const { exit, stdout, stderr } = await second.end
    expect({ exit, stdout, valid: valid(), stored: stored() }).toEqual({
      ...{ exit: 6, stdout: '' },
      ...{ valid: [old + 1], stored: old + 1 },
    })
    expect(JSON.parse(stderr).error.message).toBe(
      `token "job" (${old}) was replaced or revoked meanwhile; no new token was created`,
    )
  })

  test.for([
    { flags: '--force', signIn: 'the context' },
    { flags: '--keep-old 1h', signIn: 'the context' },
    { flags: '--force', signIn: 'the owner' },
    { flags: '--keep-old 1h', signIn: 'the owner' },
  ])(
    'on two machines, signed in as $signIn, $flags: one new token stays',
    async ({ flags, signIn }, { proxy, start, valid, stored, home }) => {
      const accountOf = (name: string) =>
        signIn === 'the owner'
          ? { SKYCTL_BASE_URL: proxy.baseUrl, SKYCTL_CONFIG_DIR: join(home, `${name}-config`) }
          : signedOut
      const requests = [proxy.hold('POST', '/profile/tokens'), proxy.hold('POST', '/profile/tokens')]
      const both = ['one', 'two'].map((name) =>
        start(`${rotate} ${flags}`, { env: { ...accountOf(name), SKYCTL_STATE_DIR: join(home, name) } }),
      )
      await Promise.all(requests.map(({ arrived }) => arrived))
      for (const { release } of requests) release()
      const ended = await Promise.all(both.map(({ end }) => end))
      expect(ended.map(({ exit }) => exit).sort()).toEqual([0, 6])
      const others = valid().filter((id) => id !== old)
      expect(others).toHaveLength(1)
      const [loser] = ended.filter(({ exit }) => exit === 6)
      const { message } = JSON.parse(loser?.stderr.trimEnd().split('\n').at(-1) ?? '').error
      expect(message).toMatch(
        new RegExp(
          `^token "job" \\(${old}\\) was replaced meanwhile by ${others[0]}; \\d+, which this command created, is revoked`,
        ),
      )
      if (signIn === 'the context') expect(stored()).toBe(others[0])
    },
  )
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

test('A rotation continues with a warning if the state folder cannot be created', async ({
  runCommand,
  valid,
  home,
  proxy: _signedIn,
}) => {
  // Not even root can create a folder below a file.
  writeFileSync(join(home, 'file'), '')
  const env = { SKYCTL_STATE_DIR: join(home, 'file', 'state') }
  const { exit, stderr } = await runCommand(`tokens rotate ${old} --yes`, { env })
  expect({ exit, valid: valid() }).toEqual({ exit: 0, valid: [old + 1] })
  expect(stderr).toContain(
    'skyctl: warning: skyctl does not wait for other rotations, and cannot report tokens that this one leaves',
  )
})

/** Numbers of random kills and races, from `node bench/rotate.mjs`. */
const { ROTATE_KILLS = '0', ROTATE_RACES = '0' } = process.env
const requestsOfRotation = 8

describe.runIf(Number(ROTATE_KILLS) > 0)('At random', () => {
  const patient = { timeout: 3_600_000 }

  test(
    'kills leave a valid token in the context, and every other token is reported',
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
        const { exit, stderr } = await start('tokens list', options).end
        expect({ where, exit }).toEqual({ where, exit: 0 })
        const reported = [...stderr.matchAll(/skyctl tokens revoke (\d+)/g)].map(([, id]) => Number(id))
        expect(
          reported.filter((id) => id !== current),
          `${where}: ${stderr}`,
        ).toEqual(others)
        if (ended.signal !== null) killed += 1
        else expect(others, where).toEqual([])
        left += others.length
        for (const id of others) expect((await start(`tokens revoke ${id} --yes`, options).end).exit, where).toBe(0)
      }
      console.log(`${killed} of ${ROTATE_KILLS} rotations killed; ${left} left another token, and each was reported`)
    },
  )

  test(
    'races leave one valid token, in the context',
    patient,
    async ({ start, stored, valid, home, proxy: _signedIn }) => {
      for (let race = 0; race < Number(ROTATE_RACES); race += 1) {
        const states = race % 2 === 0 ? ['state', 'state'] : ['one', 'two']
        const line = `tokens rotate ${stored()} --yes --json`
        const both = states.map((name) => start(line, { env: { ...signedOut, SKYCTL_STATE_DIR: join(home, name) } }))
        const ended = await Promise.all(both.map(({ end }) => end))
        const outputs = ended.map(({ exit, stderr }) => `${exit} ${stderr}`).join('\n')
        expect(
          ended.filter(({ exit }) => exit === 0),
          outputs,
        ).toHaveLength(1)
        expect({ race, outputs, valid: valid() }).toEqual({ race, outputs, valid: [stored()] })
      }
      console.log(`${ROTATE_RACES} races, each left one token, which is stored`)
    },
  )
})
