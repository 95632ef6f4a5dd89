/** Rotations of one token at once: which of the new ones stays, who is given it, and what is said (interface.md, tokens rotate). */
import { readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { formatTimestamp } from '../../src/rules/times'
import { type Between, between } from '../support/between'
import { test as base, type Result } from '../support/skyctl'

interface Rival {
  id?: number
  label?: string
  scopes?: string
  /** How long before now it was made. */
  secondsAgo?: number
}

interface Fixtures {
  /** A token of the account that is as the one that is rotated, but for what is given. */
  token(id: number, rival?: Rival & { token?: string; expiry?: string }): void
  /** Rotates the token with somebody between it and the service. */
  rotate(meanwhile: Between, flags?: string): Promise<Result>
}

const old = 9000
const first = 8999
const last = 99_999

const test = base.extend<Fixtures>({
  token: async ({ world, clock }, use) => {
    const [pattern] = world.tokens.all()
    if (!pattern) throw new Error('the world has no token')
    await use((id, { label = 'job', scopes = '*', secondsAgo = 0, token, expiry } = {}) => {
      const created = formatTimestamp(clock.now() - 1000 * secondsAgo)
      const text = token ?? `facade${id}`.padEnd(64, '5')
      world.tokens.put({ ...pattern, id, label, scopes, token: text, created, expiry: expiry ?? null })
    })
  },
  rotate: async ({ skyctl, sandbox, token }, use) =>
    use(async (meanwhile, flags = '') => {
      token(old, { secondsAgo: 86_400 })
      const proxy = await between(sandbox.baseUrl, meanwhile)
      onTestFinished(proxy.close)
      return skyctl(`tokens rotate ${old} --yes --json ${flags}`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    }),
})

const isCreation = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/profile/tokens'
const isRevocation = ({ method, path }: { method: string; path: string }) =>
  method === 'DELETE' && path === `/profile/tokens/${old}`
const errorOf = ({ stderr }: Result) => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error

describe('of two tokens that were made to replace one', () => {
  test.for<[string, Rival, boolean]>([
    ['made before stays', { secondsAgo: 1, id: last }, true],
    ['made in the same second stays, if its id is less', { id: first }, true],
    ['made in the same second goes, if its id is greater', { id: last }, false],
    ['made later goes', { secondsAgo: -1, id: first }, false],
    ['of another label is none', { secondsAgo: 1, label: 'job 2' }, false],
    ['of other scopes is none', { secondsAgo: 1, scopes: 'volumes:read_only' }, false],
  ])('the one %s', async ([, { id = first, ...rival }, stays], { rotate, token, world }) => {
    const result = await rotate({ after: (passing) => void (isCreation(passing) && token(id, rival)) })
    const mine = world.tokens.all().filter((one) => one.label === 'job' && ![old, id].includes(one.id))
    const valid = { exit: result.exit, mine: mine.length, old: world.tokens.get(old) !== undefined }
    expect(valid).toEqual(stays ? { exit: 6, mine: 0, old: true } : { exit: 0, mine: 1, old: false })
    if (!stays) return
    expect(errorOf(result)).toMatchObject({
      message: expect.stringMatching(
        new RegExp(
          `^token "job" \\(${old}\\) was replaced meanwhile by ${id}; \\d+, which this command created, is revoked again$`,
        ),
      ),
      hint: 'Use the token of the other rotation',
    })
  })

  test('one that was there before has replaced nothing', async ({ rotate, token, world }) => {
    token(first, { secondsAgo: 60 })
    expect((await rotate({})).exit).toBe(0)
    expect(world.tokens.get(old)).toBeUndefined()
  })

  test.for([
    [600, true],
    [601, false],
  ] as const)(
    'where somebody else revokes the old one, one of %i seconds before has replaced it: %s',
    async ([secondsAgo, stays], { rotate, token, world }) => {
      token(first, { secondsAgo })
      const result = await rotate({ before: (passing) => void (isRevocation(passing) && world.tokens.delete(old)) })
      const mine = world.tokens.all().filter(({ id, label }) => label === 'job' && id !== first)
      expect({ exit: result.exit, mine: mine.length }).toEqual(stays ? { exit: 6, mine: 0 } : { exit: 0, mine: 1 })
    },
  )
})

describe('a token that was replaced while it was asked about', () => {
  /** Acts before the second look at it, which is the last before another is made. */
  const beforeSecondLook = (act: () => void): Between => {
    let looks = 0
    return {
      before({ method, path }) {
        if (method !== 'GET' || path !== `/profile/tokens/${old}`) return
        looks += 1
        if (looks === 2) act()
      },
    }
  }

  test.for(['revoked', 'marked to go'])(
    'and is %s is not replaced once more',
    async (what, { rotate, token, world }) => {
      const result = await rotate(
        beforeSecondLook(() => {
          if (what === 'revoked') world.tokens.delete(old)
          else token(old, { label: 'job (superseded until 2026-11-22T10:00Z)' })
        }),
      )
      expect({ exit: result.exit, error: errorOf(result), made: world.requests('POST') }).toMatchObject({
        exit: 6,
        error: {
          message: `token "job" (${old}) was replaced or revoked meanwhile; no new token was created`,
          hint: 'Check which tokens are valid: skyctl tokens list',
        },
        made: [],
      })
    },
  )

  test.for([
    [403, 4],
    [500, 8],
  ] as const)(
    'and may not be looked at is not called replaced: %i',
    async ([status, exit], { skyctl, token, lossy, world }) => {
      token(old)
      const reply = (outgoing: ServerResponse) =>
        void outgoing
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify({ errors: [{ reason: 'not now' }] }))
      lossy.pass('GET', `/profile/tokens/${old}`)
      lossy.lose('GET', `/profile/tokens/${old}`, { done: false, reply })
      const result = await skyctl(`tokens rotate ${old} --yes --json --retries 0`)
      expect({ exit: result.exit, pending: lossy.pending() }).toEqual({ exit, pending: 0 })
      expect(errorOf(result).message).not.toContain('replaced')
      expect(world.requests('POST')).toEqual([])
    },
  )

  test('that is marked already is refused at once', async ({ skyctl, token, world }) => {
    token(old, { label: 'job (superseded until 2026-11-22T10:00Z)' })
    expect(await skyctl(`tokens rotate ${old} --yes`)).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('is already replaced. Rotate its replacement'),
    })
    expect(world.requests('POST')).toEqual([])
  })
})

describe('the new token', () => {
  const signedOut = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }

  test('is given to every context of that account that holds the old one, and to no other', async ({
    skyctl,
    token,
    sandbox,
    home,
  }) => {
    const text = 'facade'.padEnd(64, '7')
    token(old, { token: text })
    const login = (name: string, stdin: string) =>
      skyctl(`auth login --context ${name} --with-token --base-url ${sandbox.baseUrl}`, { stdin, env: signedOut })
    for (const name of ['a', 'b']) await login(name, text)
    await login('owner', sandbox.ownerToken)
    const path = join(home, 'config/contexts.json')
    const stored = JSON.parse(readFileSync(path, 'utf8'))
    stored.contexts.elsewhere = { base_url: 'https://api.example.net/v4', token: text }
    writeFileSync(path, JSON.stringify(stored))
    const { exit, stdout, stderr } = await skyctl(`tokens rotate ${old} --yes --columns token -o tsv --no-headers`)
    const held = Object.entries<{ token: string }>(JSON.parse(readFileSync(path, 'utf8')).contexts)
    expect({ exit, held: Object.fromEntries(held.map(([name, one]) => [name, one.token])) }).toEqual({
      exit: 0,
      held: { a: stdout.trim(), b: stdout.trim(), owner: sandbox.ownerToken, elsewhere: text },
    })
    expect(stderr.split('\n').filter((line) => line.startsWith('The context'))).toEqual([
      'The context "a" has the new token',
      'The context "b" has the new token',
    ])
  })

  test.for([
    ['SKYCTL_TOKEN', 'put the new one in SKYCTL_TOKEN'],
    ['SKYCTL_TOKEN_FILE', /put the new one into \S+token/],
    ['a token command', 'update the token command to print the new one'],
  ] as const)(
    'that nothing holds where %s signs in is said to belong there',
    async ([from, said], { skyctl, sandbox, home }) => {
      const { ownerToken, baseUrl } = sandbox
      writeFileSync(join(home, 'token'), ownerToken, { mode: 0o600 })
      await skyctl(`auth login --context prod --with-token --base-url ${baseUrl}`, {
        stdin: ownerToken,
        env: signedOut,
      })
      await skyctl(['context', 'update', 'prod', '--token-command', `cat ${join(home, 'token')}`], { env: signedOut })
      const env = {
        SKYCTL_TOKEN: { SKYCTL_BASE_URL: baseUrl, SKYCTL_TOKEN: ownerToken },
        SKYCTL_TOKEN_FILE: { ...signedOut, SKYCTL_BASE_URL: baseUrl, SKYCTL_TOKEN_FILE: join(home, 'token') },
        'a token command': signedOut,
      }[from]
      const { exit, stderr } = await skyctl('tokens rotate owner --yes --force', { env })
      expect({ exit, stderr }).toEqual({
        exit: 0,
        stderr: expect.stringMatching(
          new RegExp(`the revoked token was the current one: ${said instanceof RegExp ? said.source : said}`),
        ),
      })
    },
  )
})
