import { describe, expect, onTestFinished } from 'vitest'
import { refused, test } from './fixture'

describe('configured failures', () => {
  test('occur in order, each as often as configured, and then end', async ({ open }) => {
    const failures = [
      { status: 429, count: 3 },
      { status: 500, count: 1 },
    ]
    const { call } = await open({ failures })
    const statuses: number[] = []
    for (let count = 0; count < 6; count += 1) statuses.push((await call('GET /volumes')).status)
    expect(statuses).toEqual([429, 429, 429, 500, 200, 200])
  })

  test('have an error body of the API, and change nothing', async ({ open }) => {
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

  test('have a reason even if their status has no name', async ({ open }) => {
    const { call } = await open({ failures: [{ status: 599, count: 1 }] })
    expect(await call('GET /volumes')).toMatchObject(refused(599, 'Status 599'))
  })
})

describe('rate limits', () => {
  test('allow 25 new volumes per minute if they are enforced', async ({ open }) => {
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
})

describe('latency', () => {
  test('delays many answers at once without a warning from Node.js', async ({ open }) => {
    const warnings: Error[] = []
    const collect = (warning: Error) => void warnings.push(warning)
    process.on('warning', collect)
    onTestFinished(() => void process.off('warning', collect))
    const { call } = await open({ latencyMs: 50 })
    await Promise.all(Array.from({ length: 20 }, () => call('GET /regions/us-east')))
    expect(warnings).toEqual([])
  })
})
