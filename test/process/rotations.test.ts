/**
 * `tokens rotate` that is killed, and twice at once: a token that works is stored, and what else is valid is named.
 * The process has its own clock, months apart from that of the service. `node bench/rotate.mjs` tries more of both.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { between } from '../support/between'
import { test as base } from '../support/here'
import { type Lossy, lossyProxy } from '../support/lossy'
import type { Ended, ProcessOptions } from '../support/process'

interface Rotations {
  proxy: Lossy
  /** Ids of the tokens with the label that are valid, in order. */
  valid(): number[]
  /** The id of the token that the context holds; undefined where that is not valid. */
  stored(): number | undefined
  /** Kills a rotation while such a request is kept from the service, which then gets it after all, or not. */
  killed(request: { method: string; path: string | RegExp; after?: number }, lost?: 'lost'): Promise<void>
  /** Runs a line as who is signed in with the context. */
  next(line: string): Promise<Ended>
}

const old = 9000
const text = `facade00${'5'.repeat(56)}`
const signedOut = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
const rotate = `tokens rotate ${old} --yes --json`

const test = base.extend<Rotations>({
  proxy: async ({ sandbox, world, skyctl }, use) => {
    const [pattern] = world.tokens.all()
    if (!pattern) throw new Error('the world has no token')
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
  killed: async ({ proxy, start }, use) =>
    use(async ({ method, path, after = 0 }, lost) => {
      for (let passed = 0; passed < after; passed += 1) proxy.pass(method, path)
      const { arrived, release, gone } = proxy.hold(method, path, lost ? 'request lost' : 'none')
      const { kill, end } = start(rotate, { env: signedOut })
      await arrived
      kill('SIGKILL')
      expect(await end).toMatchObject({ signal: 'SIGKILL' })
      release()
      await gone
    }),
  next: async ({ ended, proxy: _before }, use) => use((line) => ended(line, { env: signedOut })),
})

const begun = `skyctl: warning: a rotation of token "job" (${old}) was not finished`

describe('after a rotation that was killed', () => {
  const create = { method: 'POST', path: '/profile/tokens' }

  test('before anything was made, nothing is named', async ({ killed, next, valid, stored }) => {
    await killed(create, 'lost')
    expect(await next('tokens list')).toMatchObject({ exit: 0, stderr: '' })
    expect({ valid: valid(), stored: stored() }).toEqual({ valid: [old], stored: old })
  })

  test('before it knew what it made, that is named until it is revoked', async ({ killed, next, valid, stored }) => {
    await killed(create)
    expect({ valid: valid(), stored: stored() }).toEqual({ valid: [old, old + 1], stored: old })
    const named = `${begun}: token ${old + 1} was created by it, and its text is lost. Revoke it: skyctl tokens revoke ${old + 1}\n`
    expect((await next('tokens list')).stderr).toBe(named)
    expect((await next(`tokens view ${old}`)).stderr).toBe(named)
    expect((await next(`tokens revoke ${old + 1} --yes`)).stderr).toBe(`Revoked token "job" (${old + 1})\n`)
    expect(await next('tokens list')).toMatchObject({ exit: 0, stderr: '' })
  })

  test('once it gave the new one out, both are named', async ({ killed, next, stored }) => {
    await killed({ method: 'GET', path: '/profile', after: 1 })
    expect(stored()).toBe(old)
    const { stderr } = await next('tokens list')
    expect(stderr).toContain(`${begun}: token ${old + 1} was created to replace it, and both are valid`)
    expect(stderr).toContain(`skyctl tokens revoke ${old + 1}; otherwise the old one: skyctl tokens revoke ${old}`)
  })

  test('while it revoked the old one, that is named', async ({ killed, next, stored }) => {
    await killed({ method: 'DELETE', path: `/profile/tokens/${old}` }, 'lost')
    expect(stored()).toBe(old + 1)
    expect((await next('tokens list')).stderr).toBe(
      `${begun}: token ${old + 1} replaces it, and ${old} is still valid. Revoke the old one: skyctl tokens revoke ${old}\n`,
    )
  })

  test('once the old one is revoked, all is done', async ({ killed, next, valid, stored }) => {
    await killed({ method: 'DELETE', path: `/profile/tokens/${old}` })
    expect({ valid: valid(), stored: stored() }).toEqual({ valid: [old + 1], stored: old + 1 })
    expect(await next('tokens list')).toMatchObject({ exit: 0, stderr: '' })
  })

  test('another rotation names what is left before it makes one, and is not taken for it', async ({
    killed,
    next,
    valid,
    stored,
  }) => {
    await killed(create)
    const { exit, stderr } = await next(rotate)
    expect({ exit, valid: valid(), stored: stored() }).toEqual({ exit: 0, valid: [old + 1, old + 2], stored: old + 2 })
    expect(JSON.parse(stderr).warning.message).toContain(`token ${old + 1} was created by it`)
    expect((await next('tokens list')).stderr).toContain(`token ${old + 1} was created by it`)
  })

  test('tokens of that label are not named: none from before, none of another time, none made here', async ({
    killed,
    next,
    world,
    clock,
  }) => {
    const twin = world.tokens.get(old)
    if (!twin) throw new Error('there is no token')
    world.tokens.put({ ...twin, id: 8999, token: `${text}a` })
    await killed(create, 'lost')
    expect((await next('tokens create --label job --scope volumes:read_only --expiry never --json')).stderr).toBe('')
    const later = new Date(clock.now() + 11 * 60_000).toISOString().slice(0, 19)
    const before = new Date(clock.now() - 60_000).toISOString().slice(0, 19)
    world.tokens.put({ ...twin, id: 9900, token: `${text}b`, created: before })
    world.tokens.put({ ...twin, id: 9901, token: `${text}c`, created: later })
    expect(await next('tokens list')).toMatchObject({ exit: 0, stderr: '' })
  })

  test('its record holds no secret, and only its owner can read it', async ({ killed, shell, home, world }) => {
    await killed({ method: 'GET', path: '/profile', after: 1 })
    const tokens = world.tokens.all().map(({ token }) => `-e ${token}`)
    expect((await shell(`grep -rl ${tokens.join(' ')} ${join(home, 'state')}`)).stdout).toBe('')
    expect((await shell(`find ${join(home, 'state')} -name "${old}-*.json" -perm 600`)).stdout).not.toBe('')
  })
})

describe('two rotations of one token at once', () => {
  test('of one machine: the second waits, and makes none', async ({ proxy, start, valid, stored, home }) => {
    const { arrived, release } = proxy.hold('POST', '/profile/tokens')
    const first = start(rotate, { env: signedOut })
    await arrived
    const second = start(rotate, { env: signedOut })
    // A waiter appends a line break to the lock.
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
    { how: '--force', signIn: 'the context' },
    { how: '--keep-old 1h', signIn: 'the context' },
    { how: '--force', signIn: 'the owner' },
    { how: '--keep-old 1h', signIn: 'the owner' },
  ])(
    'of two machines, signed in as $signIn, $how: one new token stays',
    async ({ how, signIn }, { proxy, start, valid, stored, home }) => {
      const own = (name: string) =>
        signIn === 'the owner'
          ? { SKYCTL_BASE_URL: proxy.baseUrl, SKYCTL_CONFIG_DIR: join(home, `${name}-config`) }
          : signedOut
      const held = [proxy.hold('POST', '/profile/tokens'), proxy.hold('POST', '/profile/tokens')]
      const both = ['one', 'two'].map((name) =>
        start(`${rotate} ${how}`, { env: { ...own(name), SKYCTL_STATE_DIR: join(home, name) } }),
      )
      await Promise.all(held.map(({ arrived }) => arrived))
      for (const { release } of held) release()
      const ended = await Promise.all(both.map(({ end }) => end))
      expect(ended.map(({ exit }) => exit).sort()).toEqual([0, 6])
      const fresh = valid().filter((id) => id !== old)
      expect(fresh).toHaveLength(1)
      const [loser] = ended.filter(({ exit }) => exit === 6)
      const { message } = JSON.parse(loser?.stderr.trimEnd().split('\n').at(-1) ?? '').error
      expect(message).toMatch(
        new RegExp(
          `^token "job" \\(${old}\\) was replaced meanwhile by ${fresh[0]}; \\d+, which this command created, is revoked`,
        ),
      )
      if (signIn === 'the context') expect(stored()).toBe(fresh[0])
    },
  )
})

describe('a rotation makes no token', () => {
  test('where its file cannot be written after all', async ({ shell, sandbox, world, proxy: _before, valid, home }) => {
    // There is no room in the name for that of a draft beside it.
    const file = join(home, 'x'.repeat(250))
    const line = `skyctl tokens rotate ${old} --yes --output-file ${file}`
    const { exit, stderr } = await shell(line, { env: { SKYCTL_BASE_URL: sandbox.baseUrl } })
    expect({ exit, valid: valid(), sent: world.requests('POST') }).toEqual({ exit: 12, valid: [old], sent: [] })
    expect(stderr).toContain('cannot write')
  })

  test('with less scopes than the old one has', async ({ skyctl, world, proxy: _before }) => {
    const SKYCTL_TOKEN = world.token('account:read_write volumes:read_only')
    const { exit, stderr } = await skyctl(rotate, { env: { SKYCTL_TOKEN } })
    expect({ exit, sent: world.requests('POST') }).toEqual({ exit: 4, sent: [] })
    expect(stderr).toContain('"the token in use lacks *, which the rotation needs"')
  })

  test.for([
    ['a full disk', '> /dev/full'],
    ['a reader that has gone', '| true'],
  ])(
    'that stays where its text can neither be read nor kept: %s',
    async ([, rest], { shell, valid, home, proxy: _before }) => {
      writeFileSync(join(home, 'file'), '')
      const env = { SKYCTL_STATE_DIR: join(home, 'file', 'state') }
      const { stderr } = await shell(`{ skyctl ${rotate}; echo exit $? >&2; } ${rest}`, { env, isProcess: true })
      const [failure = '', exit] = stderr.trimEnd().split('\n').slice(-2)
      expect({ exit, valid: valid() }).toEqual({ exit: 'exit 12', valid: [old] })
      expect(JSON.parse(failure).error.message).toMatch(/its text is lost; it is revoked; token 9000 is still valid$/)
    },
  )
})

test('Where nothing can be kept, a rotation says so and goes on', async ({ ended, valid, home, proxy: _before }) => {
  // No folder can be made in a file, whoever runs this.
  writeFileSync(join(home, 'file'), '')
  const env = { SKYCTL_STATE_DIR: join(home, 'file', 'state') }
  const { exit, stderr } = await ended(`tokens rotate ${old} --yes`, { env })
  expect({ exit, valid: valid() }).toEqual({ exit: 0, valid: [old + 1] })
  expect(stderr).toContain(
    'skyctl: warning: skyctl does not wait for other rotations, and cannot report tokens that this one leaves',
  )
})

/** Kills and races at random, as `node bench/rotate.mjs` wants them. */
const { ROTATE_KILLS = '0', ROTATE_RACES = '0' } = process.env
const requestsOfOne = 8

describe.runIf(Number(ROTATE_KILLS) > 0)('at random', () => {
  const patient = { timeout: 3_600_000 }

  test(
    'kills leave a stored token that works, and name every other',
    patient,
    async ({ sandbox, skyctl, start, world, stored, valid, proxy: _before }) => {
      let count = 0
      let act: (() => Promise<'drop' | undefined>) | undefined
      let kill = () => {}
      let at = { request: 0, when: 'before' }
      const passing = async (when: string) => {
        if (at.when !== when || count !== at.request) return undefined
        return act?.()
      }
      const way = await between(sandbox.baseUrl, {
        async before() {
          count += 1
          return passing('before')
        },
        async after() {
          await passing('after')
        },
      })
      onTestFinished(() => way.close())
      const token = world.tokens.all().find(({ label }) => label === 'job')?.token
      await skyctl(`auth login --context prod --with-token --base-url ${way.baseUrl}`, { env: signedOut, stdin: token })
      let [dead, left] = [0, 0]
      for (let round = 0; round < Number(ROTATE_KILLS); round += 1) {
        const drop = Math.random() < 0.5
        const request = 1 + Math.floor(Math.random() * requestsOfOne)
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
        // What was let through is done when its proxy has seen the answer.
        await expect.poll(() => way.open(), { timeout: 15_000, interval: 5 }).toBe(0)
        const held = stored()
        expect(held, where).toBeDefined()
        const others = valid().filter((id) => id !== held)
        const { exit, stderr } = await start('tokens list', options).end
        expect({ where, exit }).toEqual({ where, exit: 0 })
        const named = [...stderr.matchAll(/skyctl tokens revoke (\d+)/g)].map(([, id]) => Number(id))
        expect(
          named.filter((id) => id !== held),
          `${where}: ${stderr}`,
        ).toEqual(others)
        if (ended.signal !== null) dead += 1
        else expect(others, where).toEqual([])
        left += others.length
        for (const id of others) expect((await start(`tokens revoke ${id} --yes`, options).end).exit, where).toBe(0)
      }
      console.log(`${dead} of ${ROTATE_KILLS} rotations killed; ${left} left another token, and each was named`)
    },
  )

  test('races leave one token, which is stored', patient, async ({ start, stored, valid, home, proxy: _before }) => {
    for (let race = 0; race < Number(ROTATE_RACES); race += 1) {
      const states = race % 2 === 0 ? ['state', 'state'] : ['one', 'two']
      const line = `tokens rotate ${stored()} --yes --json`
      const both = states.map((name) => start(line, { env: { ...signedOut, SKYCTL_STATE_DIR: join(home, name) } }))
      const ended = await Promise.all(both.map(({ end }) => end))
      const said = ended.map(({ exit, stderr }) => `${exit} ${stderr}`).join('\n')
      expect(
        ended.filter(({ exit }) => exit === 0),
        said,
      ).toHaveLength(1)
      expect({ race, said, valid: valid() }).toEqual({ race, said, valid: [stored()] })
    }
    console.log(`${ROTATE_RACES} races, each left one token, which is stored`)
  })
})
