/**
 * Concurrent and interrupted rotations: the tokens that stay valid, the contexts that get them, and the messages
 * (interface.md, tokens rotate).
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { formatTimestamp } from '../../src/rules/times'
import { type Loss, refusal } from '../support/lossy-proxy'
import type { ProxyHooks } from '../support/proxy'
import { test as base, type Result } from '../support/skyctl'

interface Rival {
  id?: number
  label?: string
  scopes?: string
  /** Age of the token. */
  secondsAgo?: number
}

interface Fixtures {
  /** Creates a token like the rotated one, with these changes; returns its text. */
  token(id: number, rival?: Rival & { token?: string }): string
  /** Rotates the token, while a proxy to the service acts. */
  rotate(acts: ProxyHooks, target?: string): Promise<Result>
}

const old = 9000
const first = 8999
const last = 99_999

const test = base.extend<Fixtures>({
  token: async ({ world, clock }, use) => {
    const [pattern] = world.tokens.all()
    if (!pattern) throw new Error('the sandbox has no token')
    await use((id, { token = `facade${id}`.padEnd(64, '5'), secondsAgo = 0, ...rival } = {}) => {
      const created = formatTimestamp(clock.now() - 1000 * secondsAgo)
      return world.tokens.put({ ...pattern, label: 'job', ...rival, id, token, created, expiry: null }).token
    })
  },
  rotate: async ({ skyctl, meanwhile, token }, use) =>
    use(async (acts, target = String(old)) => {
      token(old, { secondsAgo: 86_400 })
      await meanwhile(acts)
      return skyctl(`tokens rotate ${target} --yes --json`)
    }),
})

const refusalOf = (status: number): Loss['reply'] => {
  const text = JSON.stringify({ errors: [{ reason: 'not now' }] })
  return (outgoing) => void outgoing.writeHead(status, { 'content-type': 'application/json' }).end(text)
}

const isCreation = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/profile/tokens'
const isRevocation = ({ method, path }: { method: string; path: string }) =>
  method === 'DELETE' && path === `/profile/tokens/${old}`
const errorOf = ({ stderr }: Result) => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error

describe('Of two replacements of one token', () => {
  test.for<[string, Rival, boolean]>([
    ['created earlier stays', { secondsAgo: 1, id: last }, true],
    ['created in the same second stays if its id is lower', { id: first }, true],
    ['created in the same second is revoked if its id is higher', { id: last }, false],
    ['created later is revoked', { secondsAgo: -1, id: first }, false],
    ['with another label does not count', { secondsAgo: 1, label: 'job 2' }, false],
    ['with other scopes does not count', { secondsAgo: 1, scopes: 'volumes:read_only' }, false],
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

  test('an older token does not count', async ({ rotate, token, world }) => {
    token(first, { secondsAgo: 60 })
    expect((await rotate({})).exit).toBe(0)
    expect(world.tokens.get(old)).toBeUndefined()
  })

  test.for([
    [600, true],
    [601, false],
  ] as const)(
    'one created %i seconds before counts if somebody else revokes the old token: %s',
    async ([secondsAgo, stays], { rotate, token, world }) => {
      token(first, { secondsAgo })
      const result = await rotate({ before: (passing) => void (isRevocation(passing) && world.tokens.delete(old)) })
      const mine = world.tokens.all().filter(({ id, label }) => label === 'job' && id !== first)
      expect({ exit: result.exit, mine: mine.length }).toEqual(stays ? { exit: 6, mine: 0 } : { exit: 0, mine: 1 })
    },
  )
})

describe('A token that others replace while its rotation is prepared', () => {
  /** Acts before the second read of the token, the last one before its replacement is created. */
  const beforeSecondRead = (act: () => void): ProxyHooks => {
    let reads = 0
    return {
      before({ method, path }) {
        if (method !== 'GET' || path !== `/profile/tokens/${old}`) return
        reads += 1
        if (reads === 2) act()
      },
    }
  }

  test.for(['revoked', 'labeled as superseded'])(
    'is not replaced again if it is %s',
    async (change, { rotate, token, world }) => {
      const result = await rotate(
        beforeSecondRead(() => {
          if (change === 'revoked') world.tokens.delete(old)
          else token(old, { label: 'job (superseded until 2026-11-22T10:00Z)' })
        }),
      )
      expect({ exit: result.exit, error: errorOf(result), posts: world.requests('POST') }).toMatchObject({
        exit: 6,
        error: {
          message: `token "job" (${old}) was replaced or revoked meanwhile; no new token was created`,
          hint: 'Check which tokens are valid: skyctl tokens list',
        },
        posts: [],
      })
    },
  )

  test.for([
    [403, 4],
    [500, 8],
  ] as const)(
    'is not reported as replaced if it cannot be read: %i',
    async ([status, exit], { skyctl, token, lossy, world }) => {
      token(old)
      lossy.pass('GET', `/profile/tokens/${old}`)
      lossy.lose('GET', `/profile/tokens/${old}`, { done: false, reply: refusalOf(status) })
      const result = await skyctl(`tokens rotate ${old} --yes --json --retries 0`)
      expect({ exit: result.exit, pending: lossy.pending() }).toEqual({ exit, pending: 0 })
      expect(errorOf(result).message).not.toContain('replaced')
      expect(world.requests('POST')).toEqual([])
    },
  )

  test('is rejected at once if it is already labeled as superseded', async ({ skyctl, token, world }) => {
    token(old, { label: 'job (superseded until 2026-11-22T10:00Z)' })
    expect(await skyctl(`tokens rotate ${old} --yes`)).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('is already replaced. Rotate its replacement'),
    })
    expect(world.requests('POST')).toEqual([])
  })
})

describe('The new token', () => {
  const signedOut = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }

  test('is stored in each context of the account that has the old one', async ({ skyctl, token, sandbox, home }) => {
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
    const contexts = Object.entries<{ token: string }>(JSON.parse(readFileSync(path, 'utf8')).contexts)
    expect({ exit, tokens: Object.fromEntries(contexts.map(([name, one]) => [name, one.token])) }).toEqual({
      exit: 0,
      tokens: { a: stdout.trim(), b: stdout.trim(), owner: sandbox.ownerToken, elsewhere: text },
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
    'must be stored by the user if the old one came from %s, with a message',
    async ([source, message], { skyctl, sandbox, home }) => {
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
      }[source]
      const { exit, stderr } = await skyctl('tokens rotate owner --yes --force', { env })
      expect({ exit, stderr }).toEqual({
        exit: 0,
        stderr: expect.stringMatching(
          new RegExp(`the revoked token was the current one: ${message instanceof RegExp ? message.source : message}`),
        ),
      })
    },
  )
})

describe('If no token is created', () => {
  test.for([
    ['another token', String(old)],
    ['the current token', 'owner --force'],
  ])(
    'because the API rejects it, the old one stays valid: %s',
    async ([, line], { skyctl, sandbox, token, world, lossy }) => {
      token(old, { secondsAgo: 86_400 })
      lossy.lose('POST', '/profile/tokens', { done: false, reply: refusal })
      const before = world.tokens.all().map(({ id }) => id)
      const ended = await skyctl(`tokens rotate ${line} --yes --json`)
      const own = world.tokens.all().find((one) => one.token === sandbox.ownerToken)?.id
      const id = line?.startsWith('owner') ? own : old
      expect(ended).toMatchObject({ exit: 6, stdout: '' })
      expect(errorOf(ended).message).toMatch(new RegExp(`not today; token ${id} is still valid$`))
      expect(world.tokens.all().map(({ id }) => id)).toEqual(before)
    },
  )

  test('because the current token was revoked meanwhile, the error reports it', async ({ rotate, sandbox, world }) => {
    const own = world.tokens.all().find((one) => one.token === sandbox.ownerToken)
    const before: ProxyHooks['before'] = (passing) => isCreation(passing) && world.tokens.delete(own?.id ?? 0)
    const ended = await rotate({ before }, 'owner --force')
    expect(ended).toMatchObject({ exit: 6, stdout: '' })
    expect(errorOf(ended)).toMatchObject({
      message: `token "owner" (${own?.id}) was replaced or revoked meanwhile; no new token was created`,
      hint: 'Check which tokens are valid: skyctl tokens list',
    })
  })

  test('because the token for the request was revoked, the old one stays valid', async ({ rotate, sandbox, world }) => {
    const own = world.tokens.all().find((one) => one.token === sandbox.ownerToken)
    const ended = await rotate({ before: (passing) => isCreation(passing) && world.tokens.delete(own?.id ?? 0) })
    expect(ended).toMatchObject({ exit: 3, stdout: '' })
    expect(errorOf(ended).message).toMatch(new RegExp(`; token ${old} is still valid$`))
    expect(world.tokens.get(old)).toBeDefined()
  })
})

test('If the answer is lost, the old token stays valid, and the error names the token to revoke', async ({
  skyctl,
  lossy,
  token,
  world,
}) => {
  token(old, { secondsAgo: 86_400 })
  lossy.lose('POST', '/profile/tokens', 'answer lost')
  const ended = await skyctl(`tokens rotate ${old} --yes --json`)
  const created = world.tokens.all().find(({ id, label }) => label === 'job' && id !== old)?.id
  expect(ended).toMatchObject({ exit: 11, stdout: '' })
  expect(errorOf(ended)).toMatchObject({
    message: expect.stringMatching(
      new RegExp(`token "job" \\(${created}\\) was created, but its text is lost; token ${old} is still valid$`),
    ),
    hint: `Revoke it, then try again: skyctl tokens revoke ${created}`,
  })
  expect(world.tokens.get(old)).toBeDefined()
})

describe('The record of a rotation', () => {
  test('lists no other tokens if they cannot be read', async ({ skyctl, lossy, token, home }) => {
    token(old, { secondsAgo: 86_400 })
    lossy.lose('GET', /^\/profile\/tokens\?/, { done: false, reply: refusalOf(403) })
    const { arrived, release } = lossy.hold('POST', '/profile/tokens')
    const rotation = skyctl(`tokens rotate ${old} --yes --json`)
    await arrived
    const folder = join(home, 'state', 'rotations', encodeURIComponent(new URL(lossy.baseUrl).host))
    const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.json'))
    expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toMatchObject({ old, others: [] })
    release()
    expect(await rotation).toMatchObject({ exit: 0 })
  })

  test('is not needed after the new token was created', async ({ rotate, world, home }) => {
    const ended = await rotate({
      after: (passing) => void (isCreation(passing) && rmSync(join(home, 'state', 'rotations'), { recursive: true })),
    })
    expect(ended).toMatchObject({ exit: 0, stderr: '' })
    expect([world.tokens.get(old), world.tokens.get(JSON.parse(ended.stdout).id)?.label]).toEqual([undefined, 'job'])
  })
})

describe('A context that gets another token meanwhile keeps it', () => {
  test.for([
    ['the replacement by another rotation: the own one is revoked', 60, { exit: 6, old: true, created: 0 }],
    ['an unrelated token: the old one is revoked', 86_400, { exit: 0, old: false, created: 1 }],
  ] as const)('%s', async ([, secondsAgo, outcome], { skyctl, meanwhile, token, world, home }) => {
    const text = token(first, { secondsAgo })
    const file = join(home, 'config', 'contexts.json')
    let reads = 0
    const proxy = await meanwhile({
      before({ path }) {
        if (path === '/profile') reads += 1
        // The last read checks the new token.
        if (path !== '/profile' || reads !== 3) return
        const { contexts, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
        writeFileSync(file, JSON.stringify({ ...rest, contexts: { prod: { ...contexts.prod, token: text } } }))
      },
    })
    const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    const login = `auth login --context prod --with-token --base-url ${proxy.baseUrl}`
    await skyctl(login, { env, stdin: token(old, { secondsAgo: 86_400 }) })
    const ended = await skyctl(`tokens rotate ${old} --yes --json`, { env })
    const created = world.tokens.all().filter(({ id, label }) => label === 'job' && ![old, first].includes(id))
    expect({ exit: ended.exit, old: world.tokens.get(old) !== undefined, created: created.length }).toEqual(outcome)
    expect(JSON.parse(readFileSync(file, 'utf8')).contexts.prod.token).toBe(text)
    if (ended.exit !== 0) expect(errorOf(ended).message).toContain(`was replaced meanwhile by ${first}`)
  })
})
