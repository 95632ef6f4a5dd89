/** A rotation that is kept from its work half way: which tokens work then, and what is said (interface.md, tokens rotate). */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { formatTimestamp } from '../../src/rules/times'
import { type Between, between } from '../support/between'
import type { Loss } from '../support/lossy'
import { test as base, type Result } from '../support/skyctl'

interface Fixtures {
  /** A token of the account, made so long before now. */
  token(id: number, secondsAgo?: number): string
  /** Where the records of rotations are kept that go to an address. */
  recordsOf(baseUrl: string): string
  /** Rotates with somebody between it and the service. */
  rotate(line: string, meanwhile: Between): Promise<Result>
}

const job = 9000

const test = base.extend<Fixtures>({
  token: async ({ world, clock }, use) => {
    const [pattern] = world.tokens.all()
    if (!pattern) throw new Error('the world has no token')
    await use((id, secondsAgo = 86_400) => {
      const created = formatTimestamp(clock.now() - 1000 * secondsAgo)
      const token = `facade${id}`.padEnd(64, '5')
      return world.tokens.put({ ...pattern, id, label: 'job', token, created, expiry: null }).token
    })
  },
  recordsOf: async ({ home }, use) =>
    use((baseUrl) => join(home, 'state', 'rotations', encodeURIComponent(new URL(baseUrl).host))),
  rotate: async ({ skyctl, sandbox }, use) =>
    use(async (line, meanwhile) => {
      const proxy = await between(sandbox.baseUrl, meanwhile)
      onTestFinished(proxy.close)
      return skyctl(`tokens rotate ${line} --yes --json`, { env: { SKYCTL_BASE_URL: proxy.baseUrl } })
    }),
})

const isCreation = ({ method }: { method: string }) => method === 'POST'
const errorOf = ({ stderr }: Result) => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error
const refusal: Loss['reply'] = (outgoing) =>
  outgoing.writeHead(400, { 'content-type': 'application/json' }).end('{"errors": [{"reason": "Not now"}]}')

describe('where no token is made', () => {
  test.for([
    ['another', String(job)],
    ['the one in use', 'owner --force'],
  ])(
    'by a service that refuses it, the old one is still valid: %s',
    async ([, line], { skyctl, sandbox, token, world, lossy }) => {
      token(job)
      lossy.lose('POST', '/profile/tokens', { done: false, reply: refusal })
      const before = world.tokens.all().map(({ id }) => id)
      const ended = await skyctl(`tokens rotate ${line} --yes --json`)
      const own = world.tokens.all().find((one) => one.token === sandbox.ownerToken)?.id
      const id = line?.startsWith('owner') ? own : job
      expect(ended).toMatchObject({ exit: 6, stdout: '' })
      expect(errorOf(ended).message).toMatch(new RegExp(`Not now; token ${id} is still valid$`))
      expect(world.tokens.all().map(({ id }) => id)).toEqual(before)
    },
  )

  test('since the one in use was revoked meanwhile, that is said', async ({ rotate, sandbox, world }) => {
    const own = world.tokens.all().find((one) => one.token === sandbox.ownerToken)
    const ended = await rotate('owner --force', {
      before: (passing) => void (isCreation(passing) && world.tokens.delete(own?.id ?? 0)),
    })
    expect(ended).toMatchObject({ exit: 6, stdout: '' })
    expect(errorOf(ended)).toMatchObject({
      message: `token "owner" (${own?.id}) was replaced or revoked meanwhile; no new token was created`,
      hint: 'Check which tokens are valid: skyctl tokens list',
    })
  })

  test('since the one that signs in for it was revoked meanwhile, the old one is still valid', async ({
    rotate,
    sandbox,
    world,
    token,
  }) => {
    token(job)
    const own = world.tokens.all().find((one) => one.token === sandbox.ownerToken)
    const ended = await rotate(String(job), {
      before: (passing) => void (isCreation(passing) && world.tokens.delete(own?.id ?? 0)),
    })
    expect(ended).toMatchObject({ exit: 3, stdout: '' })
    expect(errorOf(ended).message).toMatch(new RegExp(`; token ${job} is still valid$`))
    expect(world.tokens.get(job)).toBeDefined()
  })
})

test('where the answer about the new one is lost, the old one is as valid, and it says which to revoke', async ({
  skyctl,
  lossy,
  token,
  world,
}) => {
  token(job)
  lossy.lose('POST', '/profile/tokens', 'answer lost')
  const ended = await skyctl(`tokens rotate ${job} --yes --json`)
  const made = world.tokens.all().find(({ id, label }) => label === 'job' && id !== job)?.id
  expect(ended).toMatchObject({ exit: 11, stdout: '' })
  expect(errorOf(ended)).toMatchObject({
    message: expect.stringMatching(
      new RegExp(`token "job" \\(${made}\\) was created, but its text is lost; token ${job} is still valid$`),
    ),
    hint: `Revoke it, then try again: skyctl tokens revoke ${made}`,
  })
  expect(world.tokens.get(job)).toBeDefined()
})

describe('its record', () => {
  test('names no other tokens where it may not be seen which there were', async ({
    skyctl,
    lossy,
    token,
    recordsOf,
  }) => {
    token(job)
    const reply: Loss['reply'] = (outgoing) =>
      outgoing.writeHead(403, { 'content-type': 'application/json' }).end('{"errors": [{"reason": "Unauthorized"}]}')
    lossy.lose('GET', /^\/profile\/tokens\?/, { done: false, reply })
    const { arrived, release } = lossy.hold('POST', '/profile/tokens')
    const rotation = skyctl(`tokens rotate ${job} --yes --json`)
    await arrived
    const folder = recordsOf(lossy.baseUrl)
    const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.json'))
    expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toMatchObject({ old: job, others: [] })
    release()
    expect(await rotation).toMatchObject({ exit: 0 })
  })

  test('that cannot be written any more once there is a token keeps nothing from its end', async ({
    rotate,
    token,
    world,
    home,
  }) => {
    token(job)
    const ended = await rotate(String(job), {
      after: (passing) => void (isCreation(passing) && rmSync(join(home, 'state', 'rotations'), { recursive: true })),
    })
    expect(ended).toMatchObject({ exit: 0, stderr: '' })
    expect([world.tokens.get(job), world.tokens.get(JSON.parse(ended.stdout).id)?.label]).toEqual([undefined, 'job'])
  })
})

describe('a context that was given another token meanwhile', () => {
  test.for([
    ['one that replaced the old one: what was made here is revoked', 60, { exit: 6, old: true, made: 0 }],
    ['one that did not: the old one is revoked', 86_400, { exit: 0, old: false, made: 1 }],
  ] as const)('%s', async ([, secondsAgo, outcome], { skyctl, meanwhile, token, world, home }) => {
    const rival = 8999
    const text = token(rival, secondsAgo)
    const file = join(home, 'config', 'contexts.json')
    let looks = 0
    const proxy = await meanwhile({
      before({ path }) {
        if (path === '/profile') looks += 1
        // The last look proves the new token.
        if (path !== '/profile' || looks !== 3) return
        const { contexts, ...rest } = JSON.parse(readFileSync(file, 'utf8'))
        writeFileSync(file, JSON.stringify({ ...rest, contexts: { prod: { ...contexts.prod, token: text } } }))
      },
    })
    const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
    const login = `auth login --context prod --with-token --base-url ${proxy.baseUrl}`
    await skyctl(login, { env, stdin: token(job) })
    const ended = await skyctl(`tokens rotate ${job} --yes --json`, { env })
    const made = world.tokens.all().filter(({ id, label }) => label === 'job' && ![job, rival].includes(id))
    expect({ exit: ended.exit, old: world.tokens.get(job) !== undefined, made: made.length }).toEqual(outcome)
    expect(JSON.parse(readFileSync(file, 'utf8')).contexts.prod.token).toBe(text)
    if (ended.exit !== 0) expect(errorOf(ended).message).toContain(`was replaced meanwhile by ${rival}`)
  })
})
