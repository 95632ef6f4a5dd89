/** Warnings about tokens of killed rotations, from their records and the existing tokens (interface.md, tokens rotate). */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Rotation } from '../../src/commands/tokens/rotations'
import { holdLock } from '../../src/files/lock'
import { formatTimestamp } from '../../src/rules/times'
import { test as base } from '../support/skyctl'

interface Fixtures {
  folder: string
  /** Writes the record of a rotation; the result reads it again, undefined if it is gone. */
  record(rotation?: Partial<Rotation>, name?: string): () => Rotation | undefined
  /** Creates a token of the account. */
  token(id: number, more?: { label?: string; secondsAgo?: number; token?: string; scopes?: string }): void
  /** Returns the stderr of a successful command. */
  stderrOf(line?: string): Promise<string>
}

const old = 9000
const mark = '0123456789abcdef'

const test = base.extend<Fixtures>({
  folder: async ({ env, sandbox }, use) => {
    const path = join(env.SKYCTL_STATE_DIR ?? '', 'rotations', encodeURIComponent(new URL(sandbox.baseUrl).host))
    mkdirSync(path, { recursive: true, mode: 0o700 })
    await use(path)
  },
  record: async ({ folder, world, clock }, use) => {
    const user = world.users.all()[0]?.username ?? ''
    await use((rotation = {}, name = `${rotation.old ?? old}-${mark}.json`) => {
      const path = join(folder, name)
      const record = { user, old, body: { label: 'job', scopes: '*' }, others: [], since: clock.now(), ...rotation }
      writeFileSync(path, JSON.stringify(record), { mode: 0o600 })
      return () => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Rotation) : undefined)
    })
  },
  token: async ({ world, clock }, use) => {
    const [pattern] = world.tokens.all()
    if (!pattern) throw new Error('the sandbox has no token')
    await use((id, { label = 'job', secondsAgo = 0, token = `facade${id}`.padEnd(64, '5'), scopes = '*' } = {}) => {
      const created = formatTimestamp(clock.now() - 1000 * secondsAgo)
      world.tokens.put({ ...pattern, id, label, token, created, scopes, expiry: null })
    })
  },
  stderrOf: async ({ skyctl }, use) =>
    use(async (line = 'tokens list') => {
      const { exit, stderr } = await skyctl(line)
      expect(exit).toBe(0)
      return stderr
    }),
})

const warning = `skyctl: warning: a rotation of token "job" (${old}) was not finished: `

describe('A rotation killed before it got its new token', () => {
  test('has created the matching token', async ({ record, token, stderrOf }) => {
    const stored = record()
    for (const id of [old, 9001]) token(id)
    const message = `${warning}token 9001 was created by it, and its text is lost. Revoke it: skyctl tokens revoke 9001\n`
    expect([await stderrOf(), await stderrOf('tokens view 9000'), stored()?.old]).toEqual([message, message, old])
  })

  test('has created one of several matching tokens', async ({ record, token, stderrOf }) => {
    record()
    for (const id of [9001, 9002]) token(id)
    expect(await stderrOf()).toBe(
      `${warning}one of the tokens 9001, 9002 was created by it, and its text is lost. Revoke it: skyctl tokens revoke ID\n`,
    )
  })

  test('may have created the matching token if its time is unknown', async ({ record, token, stderrOf }) => {
    record({ since: null })
    token(9001, { secondsAgo: 86_400 })
    expect(await stderrOf()).toContain('token 9001 may have been created by it')
  })

  test.for<[string, Parameters<Fixtures['token']>[1]]>([
    ['with another label', { label: 'job 2' }],
    ['with other scopes', { scopes: 'volumes:read_only' }],
    ['from earlier', { secondsAgo: 2 }],
  ])('has not created a token %s', async ([, more], { record, token, stderrOf }) => {
    const stored = record()
    token(9001, more)
    expect([await stderrOf(), stored()?.old]).toEqual(['', old])
  })

  test('has created a token of the same second, since times of the API have no fractions', async ({
    record,
    token,
    stderrOf,
    clock,
  }) => {
    record({ since: Math.floor(clock.now() / 1000) * 1000 + 999 })
    token(9001, { secondsAgo: (clock.now() % 1000) / 1000 })
    expect(await stderrOf()).toContain('token 9001 was created by it')
  })

  test('has created neither a token known from elsewhere nor the old one', async ({ record, token, stderrOf }) => {
    record({ others: [9001] })
    for (const id of [old, 9001]) token(id)
    expect(await stderrOf()).toBe('')
  })

  test.for([
    [599, true],
    [600, true],
    [601, false],
  ] as const)(
    'keeps its record until its request must have been answered: after %i seconds: %s',
    async ([seconds, isStored], { record, stderrOf, clock }) => {
      const stored = record()
      clock.advance(1000 * seconds)
      expect([await stderrOf(), stored() !== undefined]).toEqual(['', isStored])
    },
  )

  test.for([
    [600, 'token 9001 was created by it'],
    [601, undefined],
  ] as const)(
    'may have created a token %i seconds later: %s',
    async ([seconds, message], { record, token, stderrOf, clock }) => {
      record()
      clock.advance(1000 * seconds)
      token(9001)
      expect(await stderrOf()).toEqual(message === undefined ? '' : expect.stringContaining(message))
    },
  )

  test('loses its record if the time is unknown and nothing matches', async ({ record, stderrOf }) => {
    const stored = record({ since: null })
    expect([await stderrOf(), stored()]).toEqual(['', undefined])
  })

  test('has not created the token of another rotation', async ({ record, token, stderrOf }) => {
    record({ old: 8000, made: 9001 })
    const open = record()
    token(9001)
    expect([await stderrOf(), open()?.others]).toEqual(['', [9001]])
  })

  test('is not reported for a token that a later rotation may have created', async ({
    record,
    token,
    stderrOf,
    clock,
  }) => {
    record({ old: 8000, since: clock.now() - 500 })
    record()
    token(9001)
    const lines = (await stderrOf()).trimEnd().split('\n')
    expect(lines).toEqual([expect.stringMatching(`\\(${old}\\) was not finished: token 9001`)])
  })
})

describe('A rotation killed after it got its new token', () => {
  test('is reported with both tokens and the next commands', async ({ record, token, stderrOf }) => {
    const stored = record({ made: 9001 })
    for (const id of [old, 9001]) token(id)
    expect(await stderrOf()).toBe(
      `${warning}token 9001 was created to replace it, and both are valid. If nobody has the new one, revoke it: ` +
        `skyctl tokens revoke 9001; otherwise the old one: skyctl tokens revoke ${old}\n`,
    )
    expect(stored()?.made).toBe(9001)
  })

  test('is reported with the old token to revoke if a context has the new one', async ({
    record,
    token,
    stderrOf,
    skyctl,
    sandbox,
  }) => {
    token(9001)
    const stdin = 'facade9001'.padEnd(64, '5')
    const signedOut = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    for (const name of ['signed-out', 'prod'])
      await skyctl(`auth login --context ${name} --with-token --base-url ${sandbox.baseUrl}`, { stdin, env: signedOut })
    await skyctl('auth logout --context signed-out', { env: signedOut })
    record({ made: 9001 })
    token(old)
    expect(await stderrOf()).toContain(
      `${warning}token 9001 replaces it, and ${old} is still valid. Revoke the old one: skyctl tokens revoke ${old}\n`,
    )
  })

  test.for<[string, readonly [number, string?][]]>([
    ['the new token is gone', [[old]]],
    ['the old token is gone', [[9001]]],
    ['the old token is labeled as superseded', [[old, 'job (superseded until 2026-11-22T10:00Z)'], [9001]]],
  ])('is not reported if %s', async ([, tokens], { record, token, stderrOf }) => {
    const stored = record({ made: 9001 })
    for (const [id, label = 'job'] of tokens) token(id, { label })
    expect([await stderrOf(), stored()]).toEqual(['', undefined])
  })
})

describe('A record', () => {
  test('of a running rotation is ignored', async ({ record, token, stderrOf, folder }) => {
    const stored = record({ made: 9001 })
    for (const id of [old, 9001]) token(id)
    const lock = await holdLock(join(folder, `${old}.lock`))
    expect([await stderrOf(), stored()?.made]).toEqual(['', 9001])
    lock.release()
  })

  test('of a rotation that may be running is ignored, others are reported', async ({
    record,
    token,
    stderrOf,
    folder,
    skyctl,
  }) => {
    const stored = record({ old: 8000 })
    record({ made: 9001 })
    for (const id of [8000, old, 9001]) token(id)
    symlinkSync('elsewhere', join(folder, '8000.lock'))
    const expected = `${warning}token 9001 was created to replace it`
    expect([await stderrOf(), stored()?.others]).toEqual([expect.stringContaining(expected), []])
    const { exit, stdout } = await skyctl('tokens create --label job --expiry never --json')
    expect([exit, JSON.parse(stdout).label, stored()?.others]).toEqual([0, 'job', []])
  })

  test('is kept for later if the user cannot be read', async ({ record, token, skyctl, lossy, folder }) => {
    record({ made: 9001 })
    for (const id of [old, 9001]) token(id)
    cpSync(folder, join(folder, '..', encodeURIComponent(new URL(lossy.baseUrl).host)), { recursive: true })
    const list = () => skyctl('tokens list --retries 0')
    lossy.lose('GET', '/profile', 'unavailable')
    expect(await list()).toMatchObject({ exit: 0, stderr: '' })
    expect((await list()).stderr).toContain('was created to replace it, and both are valid')
  })

  test('is reported as if no context had a token if contexts cannot be read', async ({
    record,
    token,
    stderrOf,
    env,
  }) => {
    record({ made: 9001 })
    for (const id of [old, 9001]) token(id)
    mkdirSync(join(env.SKYCTL_CONFIG_DIR ?? '', 'contexts.json'), { recursive: true })
    expect(await stderrOf()).toContain('was created to replace it, and both are valid')
  })

  test('of another user is ignored', async ({ record, token, stderrOf }) => {
    const stored = record({ user: 'somebody', made: 9001 })
    for (const id of [old, 9001]) token(id)
    expect([await stderrOf(), stored()?.user]).toEqual(['', 'somebody'])
  })

  test.for<[string, object | undefined, string?]>([
    ['with another file name', undefined, 'notes.json'],
    ['with a longer mark', undefined, `${old}-${mark}0.json`],
    ['without a body', { body: null }],
    ['without a label', { body: {} }],
    ['without others', { others: null }],
    ['without a user', { user: 7 }],
    ['with a fractional token id', { old: 1.5 }, `${old}-${mark}.json`],
  ])('%s is ignored', async ([, change, name], { record, token, stderrOf, folder }) => {
    record({ made: 9001, ...change } as Partial<Rotation>, name ?? `${old}-${mark}.json`)
    for (const id of [old, 9001]) token(id)
    expect(await stderrOf()).toBe('')
    expect(readdirSync(folder)).toHaveLength(1)
  })

  test('may be invalid JSON or begin with a byte order mark', async ({ record, token, stderrOf, folder }) => {
    record({ made: 9001 })
    const path = join(folder, `${old}-${mark}.json`)
    writeFileSync(path, `\ufeff${readFileSync(path, 'utf8')}`)
    writeFileSync(join(folder, `1-${mark}.json`), '{')
    for (const id of [old, 9001]) token(id)
    expect(await stderrOf()).toContain('was created to replace it')
  })

  test('is skipped with a warning if it is not private, others are reported', async ({
    record,
    token,
    stderrOf,
    folder,
  }) => {
    record({ made: 9001 })
    for (const id of [old, 9001]) token(id)
    symlinkSync(`${old}-${mark}.json`, join(folder, `1-${mark}.json`))
    const lines = await stderrOf()
    expect(lines).toContain(warning)
    expect(lines).toMatch(
      new RegExp(`^skyctl: warning: skipped a record of a token rotation: \\S+/1-${mark}\\.json is not private: `, 'm'),
    )
  })

  test('is reported only by tokens commands, also if they fail', async ({ record, token, stderrOf, skyctl }) => {
    record({ made: 9001 })
    for (const id of [old, 9001]) token(id)
    expect(await stderrOf('volumes list')).toBe('')
    const missing = await skyctl('tokens view 9999')
    expect([missing.exit, missing.stderr.startsWith(warning)]).toEqual([5, true])
    expect(await stderrOf('tokens revoke 9001 --yes')).toBe('Revoked token "job" (9001)\n')
  })

  test('is reported first, except after a revocation, which may resolve it', async ({ record, token, skyctl }) => {
    record({ made: 9001 })
    for (const id of [old, 9001, 9002]) token(id, { label: id === 9002 ? 'other' : 'job' })
    const lines = async (line: string) => (await skyctl(line)).stderr.trimEnd().split('\n')
    const warningOfBoth = expect.stringContaining('was created to replace it, and both are valid')
    expect(await lines('tokens update 9002 --label another')).toEqual([
      warningOfBoth,
      expect.stringContaining('Updated'),
    ])
    expect(await lines('tokens revoke 9002 --yes')).toEqual([expect.stringContaining('Revoked'), warningOfBoth])
  })

  test('lists later tokens with its label, which it does not report', async ({ record, stderrOf, skyctl }) => {
    const stored = record()
    const { stdout, exit } = await skyctl('tokens create --label job --scopes * --expiry never --json --yes')
    expect(exit).toBe(0)
    expect(stored()?.others).toEqual([JSON.parse(stdout).id])
    expect(await stderrOf()).toBe('')
  })
})
