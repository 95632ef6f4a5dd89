/** What a rotation that was killed has left, told from its record and from the tokens that there are (interface.md, tokens rotate). */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Rotation } from '../../src/commands/tokens/rotations'
import { holdLock } from '../../src/files/lock'
import { formatTimestamp } from '../../src/rules/times'
import { test as base } from '../support/skyctl'

interface Fixtures {
  folder: string
  /** Puts the record of a rotation where one of this service would be; says whether it is still there. */
  record(rotation?: Partial<Rotation>, name?: string): () => Rotation | undefined
  /** A token of the account: its label, and how long before now it was made. */
  token(id: number, more?: { label?: string; secondsAgo?: number; token?: string; scopes?: string }): void
  /** What a command says besides its output. */
  said(line?: string): Promise<string>
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
      const whole = { user, old, body: { label: 'job', scopes: '*' }, others: [], since: clock.now(), ...rotation }
      writeFileSync(path, JSON.stringify(whole), { mode: 0o600 })
      return () => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Rotation) : undefined)
    })
  },
  token: async ({ world, clock }, use) => {
    const [pattern] = world.tokens.all()
    if (!pattern) throw new Error('the world has no token')
    await use((id, { label = 'job', secondsAgo = 0, token = `facade${id}`.padEnd(64, '5'), scopes = '*' } = {}) => {
      const created = formatTimestamp(clock.now() - 1000 * secondsAgo)
      world.tokens.put({ ...pattern, id, label, token, created, scopes, expiry: null })
    })
  },
  said: async ({ skyctl }, use) =>
    use(async (line = 'tokens list') => {
      const { exit, stderr } = await skyctl(line)
      expect(exit).toBe(0)
      return stderr
    }),
})

const begun = `skyctl: warning: a rotation of token "job" (${old}) was not finished: `

describe('before it knew what it made', () => {
  test('the token that fits was made by it', async ({ record, token, said }) => {
    const kept = record()
    for (const id of [old, 9001]) token(id)
    const named = `${begun}token 9001 was created by it, and its text is lost. Revoke it: skyctl tokens revoke 9001\n`
    expect([await said(), await said('tokens view 9000'), kept()?.old]).toEqual([named, named, old])
  })

  test('one of those that fit was, where there are several', async ({ record, token, said }) => {
    record()
    for (const id of [9001, 9002]) token(id)
    expect(await said()).toBe(
      `${begun}one of the tokens 9001, 9002 was created by it, and its text is lost. Revoke it: skyctl tokens revoke ID\n`,
    )
  })

  test('nobody is sure where the service told no time', async ({ record, token, said }) => {
    record({ since: null })
    token(9001, { secondsAgo: 86_400 })
    expect(await said()).toContain('token 9001 may have been created by it')
  })

  test.for<[string, Parameters<Fixtures['token']>[1]]>([
    ['of another label', { label: 'job 2' }],
    ['of other scopes', { scopes: 'volumes:read_only' }],
    ['from before', { secondsAgo: 2 }],
  ])('no token %s was', async ([, more], { record, token, said }) => {
    const kept = record()
    token(9001, more)
    expect([await said(), kept()?.old]).toEqual(['', old])
  })

  test('a token of that second was, since the service tells no part of one', async ({ record, token, said, clock }) => {
    record({ since: Math.floor(clock.now() / 1000) * 1000 + 999 })
    token(9001, { secondsAgo: (clock.now() % 1000) / 1000 })
    expect(await said()).toContain('token 9001 was created by it')
  })

  test('none that was known to come from elsewhere was, nor was the old one', async ({ record, token, said }) => {
    record({ others: [9001] })
    for (const id of [old, 9001]) token(id)
    expect(await said()).toBe('')
  })

  test.for([
    [599, true],
    [600, true],
    [601, false],
  ] as const)(
    'is looked for until the request must have been answered: after %i seconds %s',
    async ([seconds, kept], { record, said, clock }) => {
      const left = record()
      clock.advance(1000 * seconds)
      expect([await said(), left() !== undefined]).toEqual(['', kept])
    },
  )

  test.for([
    [600, 'token 9001 was created by it'],
    [601, undefined],
  ] as const)('a token of %i seconds later: %s', async ([seconds, named], { record, token, said, clock }) => {
    record()
    clock.advance(1000 * seconds)
    token(9001)
    expect(await said()).toEqual(named === undefined ? '' : expect.stringContaining(named))
  })

  test('a record without a time is forgotten once nothing fits', async ({ record, said }) => {
    const left = record({ since: null })
    expect([await said(), left()]).toEqual(['', undefined])
  })

  test('what one rotation made is not what another one did', async ({ record, token, said }) => {
    record({ old: 8000, made: 9001 })
    const open = record()
    token(9001)
    expect([await said(), open()?.others]).toEqual(['', [9001]])
  })

  test('a token is named only by the last rotation that may have made it', async ({ record, token, said, clock }) => {
    record({ old: 8000, since: clock.now() - 500 })
    record()
    token(9001)
    const lines = (await said()).trimEnd().split('\n')
    expect(lines).toEqual([expect.stringMatching(`\\(${old}\\) was not finished: token 9001`)])
  })
})

describe('once it knew what it made', () => {
  test('both are named, with what to do', async ({ record, token, said }) => {
    const kept = record({ made: 9001 })
    for (const id of [old, 9001]) token(id)
    expect(await said()).toBe(
      `${begun}token 9001 was created to replace it, and both are valid. If nobody has the new one, revoke it: ` +
        `skyctl tokens revoke 9001; otherwise the old one: skyctl tokens revoke ${old}\n`,
    )
    expect(kept()?.made).toBe(9001)
  })

  test('the new one works where a context holds it', async ({ record, token, said, skyctl, sandbox }) => {
    token(9001)
    const stdin = 'facade9001'.padEnd(64, '5')
    const signedOut = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    for (const name of ['signed-out', 'prod'])
      await skyctl(`auth login --context ${name} --with-token --base-url ${sandbox.baseUrl}`, { stdin, env: signedOut })
    await skyctl('auth logout --context signed-out', { env: signedOut })
    record({ made: 9001 })
    token(old)
    expect(await said()).toContain(
      `${begun}token 9001 replaces it, and ${old} is still valid. Revoke the old one: skyctl tokens revoke ${old}\n`,
    )
  })

  test.for<[string, readonly [number, string?][]]>([
    ['the new one is gone', [[old]]],
    ['the old one is gone', [[9001]]],
    ['the old one is marked to go', [[old, 'job (superseded until 2026-11-22T10:00Z)'], [9001]]],
  ])('nothing is left where %s', async ([, all], { record, token, said }) => {
    const left = record({ made: 9001 })
    for (const [id, label = 'job'] of all) token(id, { label })
    expect([await said(), left()]).toEqual(['', undefined])
  })
})

describe('a record', () => {
  test('of a rotation on its way is left alone', async ({ record, token, said, folder }) => {
    const kept = record({ made: 9001 })
    for (const id of [old, 9001]) token(id)
    const lock = await holdLock(join(folder, `${old}.lock`))
    expect([await said(), kept()?.made]).toEqual(['', 9001])
    lock.release()
  })

  test('that may be on its way is left alone, and others are told', async ({ record, token, said, folder, skyctl }) => {
    const kept = record({ old: 8000 })
    record({ made: 9001 })
    for (const id of [8000, old, 9001]) token(id)
    symlinkSync('elsewhere', join(folder, '8000.lock'))
    const told = `${begun}token 9001 was created to replace it`
    expect([await said(), kept()?.others]).toEqual([expect.stringContaining(told), []])
    const { exit, stdout } = await skyctl('tokens create --label job --expiry never --json')
    expect([exit, JSON.parse(stdout).label, kept()?.others]).toEqual([0, 'job', []])
  })

  test('is left for later where nobody says who asks', async ({ record, token, skyctl, lossy, folder }) => {
    record({ made: 9001 })
    for (const id of [old, 9001]) token(id)
    cpSync(folder, join(folder, '..', encodeURIComponent(new URL(lossy.baseUrl).host)), { recursive: true })
    const list = () => skyctl('tokens list --retries 0')
    lossy.lose('GET', '/profile', 'unavailable')
    expect(await list()).toMatchObject({ exit: 0, stderr: '' })
    expect((await list()).stderr).toContain('was created to replace it, and both are valid')
  })

  test('is told where no contexts can be read, which hold no token then', async ({ record, token, said, env }) => {
    record({ made: 9001 })
    for (const id of [old, 9001]) token(id)
    mkdirSync(join(env.SKYCTL_CONFIG_DIR ?? '', 'contexts.json'), { recursive: true })
    expect(await said()).toContain('was created to replace it, and both are valid')
  })

  test("of another user's is left alone", async ({ record, token, said }) => {
    const kept = record({ user: 'somebody', made: 9001 })
    for (const id of [old, 9001]) token(id)
    expect([await said(), kept()?.user]).toEqual(['', 'somebody'])
  })

  test.for<[string, object | undefined, string?]>([
    ['named otherwise', undefined, 'notes.json'],
    ['with a longer mark', undefined, `${old}-${mark}0.json`],
    ['without a body', { body: null }],
    ['without a label', { body: {} }],
    ['without others', { others: null }],
    ['without a user', { user: 7 }],
    ['of half a token', { old: 1.5 }, `${old}-${mark}.json`],
  ])('%s is none', async ([, change, name], { record, token, said, folder }) => {
    record({ made: 9001, ...change } as Partial<Rotation>, name ?? `${old}-${mark}.json`)
    for (const id of [old, 9001]) token(id)
    expect(await said()).toBe('')
    expect(readdirSync(folder)).toHaveLength(1)
  })

  test('that is no JSON, or begins with a byte order mark, is no failure', async ({ record, token, said, folder }) => {
    record({ made: 9001 })
    const path = join(folder, `${old}-${mark}.json`)
    writeFileSync(path, `\ufeff${readFileSync(path, 'utf8')}`)
    writeFileSync(join(folder, `1-${mark}.json`), '{')
    for (const id of [old, 9001]) token(id)
    expect(await said()).toContain('was created to replace it')
  })

  test('is named as skipped where it is not private; others are told', async ({ record, token, said, folder }) => {
    record({ made: 9001 })
    for (const id of [old, 9001]) token(id)
    symlinkSync(`${old}-${mark}.json`, join(folder, `1-${mark}.json`))
    const lines = await said()
    expect(lines).toContain(begun)
    expect(lines).toMatch(
      new RegExp(`^skyctl: warning: skipped a record of a token rotation: \\S+/1-${mark}\\.json is not private: `, 'm'),
    )
  })

  test('is told by commands of tokens alone, and by them however they end', async ({ record, token, said, skyctl }) => {
    record({ made: 9001 })
    for (const id of [old, 9001]) token(id)
    expect(await said('volumes list')).toBe('')
    const missing = await skyctl('tokens view 9999')
    expect([missing.exit, missing.stderr.startsWith(begun)]).toEqual([5, true])
    expect(await said('tokens revoke 9001 --yes')).toBe('Revoked token "job" (9001)\n')
  })

  test('is told after a revocation, which may end it, and before all else', async ({ record, token, skyctl }) => {
    record({ made: 9001 })
    for (const id of [old, 9001, 9002]) token(id, { label: id === 9002 ? 'other' : 'job' })
    const said = async (line: string) => (await skyctl(line)).stderr.trimEnd().split('\n')
    const left = expect.stringContaining('was created to replace it, and both are valid')
    expect(await said('tokens update 9002 --label another')).toEqual([left, expect.stringContaining('Updated')])
    expect(await said('tokens revoke 9002 --yes')).toEqual([expect.stringContaining('Revoked'), left])
  })

  test('takes up what else is made of that label, which is not what it left', async ({ record, said, skyctl }) => {
    const kept = record()
    const { stdout, exit } = await skyctl('tokens create --label job --scopes * --expiry never --json --yes')
    expect(exit).toBe(0)
    expect(kept()?.others).toEqual([JSON.parse(stdout).id])
    expect(await said()).toBe('')
  })
})
