import { describe, expect, onTestFinished } from 'vitest'
import { systemClock } from '../../src/sandbox/clock'
import { refused, test } from './fixture'

describe('failures on request', () => {
  test('come in their order, each as often as asked, then end', async ({ open }) => {
    const failures = [
      { status: 429, count: 3 },
      { status: 500, count: 1 },
    ]
    const { call } = await open({ failures })
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) statuses.push((await call('GET /volumes')).status)
    expect(statuses).toEqual([429, 429, 429, 500, 200, 200])
  })

  test('have a body of the document, and do nothing', async ({ open }) => {
    const { call, world } = await open({
      failures: [
        { status: 429, count: 1 },
        { status: 503, count: 1 },
      ],
    })
    expect(await call('DELETE /volumes/3002')).toMatchObject(refused(429, 'Too many requests'))
    expect(await call('DELETE /volumes/3002')).toMatchObject(refused(503, 'Service Unavailable'))
    expect(world.volumes.get(3002)).toBeDefined()
    expect(world.requests()).toHaveLength(2)
  })

  test('have a reason also where their status has no name', async ({ open }) => {
    const { call } = await open({ failures: [{ status: 599, count: 1 }] })
    expect(await call('GET /volumes')).toMatchObject(refused(599, 'Status 599'))
  })

  test('can be meant for some paths', async ({ open }) => {
    const { call } = await open({ failures: [{ status: 500, count: 1, path: '/volumes' }] })
    expect((await call('GET /regions')).status).toBe(200)
    expect((await call('GET /volumes/3001')).status).toBe(500)
    expect((await call('GET /volumes/3001')).status).toBe(200)
  })
})

describe('rate limits', () => {
  test('are 25 volumes a minute where they are enforced', async ({ open }) => {
    const { call, clock } = await open({ rateLimit: true })
    const body = { label: 'a', region: 'us-east' }
    for (let count = 1; count <= 25; count += 1) {
      const { status, headers } = await call('POST /volumes', { body })
      expect(status).toBe(200)
      expect(headers.get('x-ratelimit-remaining')).toBe(String(25 - count))
    }
    clock.advance(20_000)
    const reply = await call('POST /volumes', { body })
    expect(reply).toMatchObject(refused(429, 'Too many requests'))
    expect(reply.headers.get('retry-after')).toBe('40')
    expect((await call('GET /volumes')).status).toBe(200)
    clock.advance(40_000)
    expect((await call('POST /volumes', { body })).status).toBe(200)
  })

  test('are 800 requests in two minutes for each token', async ({ open }) => {
    const { call, world, baseUrl, sandbox } = await open({ rateLimit: true })
    const headers = { Authorization: `Bearer ${sandbox.ownerToken}` }
    const request = () => fetch(`${baseUrl}/profile`, { headers })
    for (let count = 0; count < 800; count += 1) expect((await request()).status).toBe(200)
    expect((await request()).status).toBe(429)
    expect((await call('GET /profile', { token: world.token('*') })).status).toBe(200)
  })

  test('are not enforced unless asked', async ({ service: { call } }) => {
    for (let count = 0; count < 30; count += 1) {
      expect((await call('POST /volumes', { body: { label: 'a', region: 'us-east' } })).status).toBe(200)
    }
  })
})

describe('latency', () => {
  test('holds every answer back', async ({ open }) => {
    const { call } = await open({ latencyMs: 50 })
    const before = performance.now()
    await call('GET /regions/us-east')
    expect(performance.now() - before).toBeGreaterThanOrEqual(49)
  })

  test('holds many answers back at once, without a warning of node', async ({ open }) => {
    const warnings: Error[] = []
    const note = (warning: Error) => void warnings.push(warning)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    const { call } = await open({ latencyMs: 50 })
    await Promise.all(Array.from({ length: 20 }, () => call('GET /regions/us-east')))
    expect(warnings).toEqual([])
  })
})

test('200 requests at once lose nothing, and share no id', async ({ service: { call } }) => {
  const create = (_: unknown, index: number) =>
    call('POST /volumes', { body: { label: `at-once-${index}`, region: 'us-east' } })
  const replies = await Promise.all(Array.from({ length: 200 }, create))
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(200)
  expect((await call('GET /volumes')).body.results).toBe(206)
})

describe('the same requests', () => {
  test('get the same answers in every new world', async ({ open }) => {
    const lines: [line: string, body?: object][] = [
      ['GET /profile'],
      ['GET /volumes'],
      ['POST /volumes', { label: 'a', compute_id: 1002 }],
      ['POST /volumes/3001/clone', { label: 'b' }],
      ['DELETE /volumes/3002'],
      ['GET /volumes'],
      ['GET /regions/availability?page=3'],
    ]
    const run = async () => {
      const { sandbox, call } = await open()
      const answers: unknown[] = [sandbox.describe()]
      for (const [line, body] of lines) {
        const reply = await call(line, body && { body })
        answers.push({ status: reply.status, body: reply.body })
      }
      return answers
    }
    expect(await run()).toEqual(await run())
  })
})

describe('the world', () => {
  test('holds instances of every kind that a rule is about', async ({ service: { sandbox } }) => {
    const { computes, balancers } = sandbox.describe()
    const some = (holds: (compute: (typeof computes)[number]) => boolean) => expect(computes.some(holds)).toBe(true)
    some(({ configs }) => configs.length === 1)
    some(({ configs }) => configs.length > 1)
    some(({ configs }) => configs.length === 0)
    some(({ status }) => status === 'offline')
    some(({ live_migration }) => live_migration)
    some(({ memory }) => memory === 16)
    some(({ memory }) => memory === 1)
    expect(new Set(computes.map(({ region }) => region)).size).toBeGreaterThan(2)
    expect(balancers).toHaveLength(2)
  })

  test('names its tokens, whose they are, and what they may', async ({ service: { sandbox } }) => {
    const { tokens, users } = sandbox.describe()
    expect(tokens).toContainEqual(
      expect.objectContaining({ label: 'owner', user: 'owner', scopes: '*', token: sandbox.ownerToken }),
    )
    const scopes = tokens.map((token) => token.scopes)
    expect(scopes).toEqual(expect.arrayContaining(['volumes:read_only', 'account:read_only']))
    expect(users.map(({ username, restricted, proxy }) => ({ username, restricted, proxy }))).toEqual([
      { username: 'owner', restricted: false, proxy: false },
      { username: 'restricted', restricted: true, proxy: false },
      { username: 'proxy', restricted: false, proxy: true },
    ])
  })

  test('holds volumes attached, free and migrating', async ({ service: { sandbox } }) => {
    const { volumes } = sandbox.describe()
    expect(volumes.some(({ compute_id }) => compute_id !== null)).toBe(true)
    expect(volumes.some(({ compute_id }) => compute_id === null)).toBe(true)
    expect(volumes.some(({ status }) => status === 'migrating')).toBe(true)
  })

  test('runs on real time unless given a clock', async ({ open }) => {
    const { call, sandbox } = await open({ clock: systemClock, transitionMs: 20 })
    const { body } = await call('POST /volumes', { body: { label: 'a', region: 'us-east' } })
    await expect.poll(() => sandbox.world.volumes.get(body.id)?.status).toBe('active')
  })
})
