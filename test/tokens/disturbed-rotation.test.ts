/**
 * Disturbed rotations: the tokens that stay valid, the contexts that get them, and the messages
 * (interface.md, tokens rotate).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { formatTimestamp } from '../../src/rules/times'
import { refusal } from '../support/lossy-proxy'
import type { ProxyHooks } from '../support/proxy'
import { test as base, type Result } from '../support/skyctl'

interface Fixtures {
  /** Creates a token with this label and age; returns its text. */
  token(id: number, fields?: { token?: string; label?: string; secondsAgo?: number }): string
  /** Rotates the token, while a proxy to the service acts. */
  rotate(acts: ProxyHooks, target?: string): Promise<Result>
}

const old = 9000

const test = base.extend<Fixtures>({
  token: async ({ world, clock }, use) => {
    const [pattern] = world.tokens.all()
    if (!pattern) throw new Error('the sandbox has no token')
    await use((id, { token = `facade${id}`.padEnd(64, '5'), label = 'job', secondsAgo = 0 } = {}) => {
      const created = formatTimestamp(clock.now() - 1000 * secondsAgo)
      return world.tokens.put({ ...pattern, label, id, token, created, expiry: null }).token
    })
  },
  rotate: async ({ skyctl, meanwhile, token }, use) =>
    use(async (acts, target = String(old)) => {
      token(old, { secondsAgo: 86_400 })
      await meanwhile(acts)
      return skyctl(`tokens rotate ${target} --yes --json`)
    }),
})

const isCreation = ({ method, path }: { method: string; path: string }) =>
  method === 'POST' && path === '/profile/tokens'
const isRevocation = ({ method, path }: { method: string; path: string }) =>
  method === 'DELETE' && path === `/profile/tokens/${old}`
const errorOf = ({ stderr }: Result) => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error

describe('A token', () => {
  test('that is already labeled as superseded is rejected at once', async ({ skyctl, token, world }) => {
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
    expect(ended).toMatchObject({ exit: 3, stdout: '' })
    expect(errorOf(ended).message).toMatch(/^token rejected: it is wrong, revoked or expired/)
    expect(errorOf(ended).message).not.toContain('still valid')
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

test('A context that gets another token meanwhile keeps it, and the old one is revoked', async ({
  skyctl,
  meanwhile,
  token,
  world,
  home,
}) => {
  const text = token(8999)
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
  const created = world.tokens.get(JSON.parse(ended.stdout).id)
  expect({ exit: ended.exit, old: world.tokens.get(old), created: created?.label }).toEqual({ exit: 0, created: 'job' })
  expect(JSON.parse(readFileSync(file, 'utf8')).contexts.prod.token).toBe(text)
})

test('An old token that somebody else revokes meanwhile counts as revoked', async ({ rotate, world }) => {
  const result = await rotate({ before: (passing) => void (isRevocation(passing) && world.tokens.delete(old)) })
  expect(result).toMatchObject({ exit: 0 })
  expect(world.tokens.get(JSON.parse(result.stdout).id)?.label).toBe('job')
})
