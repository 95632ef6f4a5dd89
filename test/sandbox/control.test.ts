/** Controls of a running sandbox: faults and the clock (docs/sandbox.md). */
import { describe, expect } from 'vitest'
import { type Reply, refused, type Service, test } from './fixture'

const header = { 'X-Skyctl-Sandbox': 'control' }

function controlOf({ baseUrl }: Pick<Service, 'baseUrl'>) {
  return async (body?: unknown, headers: Record<string, string> = header, path = 'control') => {
    const response = await fetch(new URL(`/sandbox/${path}`, baseUrl), {
      method: body === undefined ? 'GET' : 'PUT',
      headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Reply['body'] }
  }
}

const defaults = {
  now: '2026-01-15T12:30:00',
  stopped: false,
  transition_ms: 1000,
  latency_ms: 0,
  rate_limit: false,
  fail: [],
  drop_answer: [],
}

describe('the control path', () => {
  test('shows the current settings without a token', async ({ service }) => {
    expect(await controlOf(service)()).toEqual({ status: 200, body: defaults })
  })

  test.for<Record<string, string>>([{}, { 'X-Skyctl-Sandbox': '' }, { 'X-Skyctl-Sandbox': 'yes' }])(
    'needs its own header: %j is refused',
    async (headers, { service }) => {
      for (const path of ['control', 'world', 'outbox']) {
        expect(await controlOf(service)(undefined, headers, path)).toEqual(
          refused(403, 'Needs the header X-Skyctl-Sandbox: control'),
        )
      }
    },
  )

  test('refuses web pages even with the header', async ({ service }) => {
    const control = controlOf(service)
    expect((await control(undefined, { ...header, Origin: 'https://evil.example' })).status).toBe(403)
    expect((await control(undefined, { ...header, 'Sec-Fetch-Site': 'same-origin' })).status).toBe(403)
  })

  test('changes the given settings and leaves the others unchanged', async ({ service }) => {
    const control = controlOf(service)
    expect(await control({ transition_ms: 5 })).toEqual({ status: 200, body: { ...defaults, transition_ms: 5 } })
    expect((await control({ rate_limit: true })).body).toEqual({ ...defaults, transition_ms: 5, rate_limit: true })
  })

  test('reports all errors at once and changes nothing', async ({ service }) => {
    const control = controlOf(service)
    const { status, body } = await control({
      latency_ms: -1,
      transition_ms: '5',
      now: 'noon',
      fail: [{ status: 200, count: 0 }],
      drop_answer: [{ count: 1, path: 'volumes' }],
      colour: 'red',
      rate_limit: true,
    })
    expect(status).toBe(400)
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      'colour',
      'drop_answer[0].path',
      'fail[0].count',
      'fail[0].status',
      'latency_ms',
      'now',
      'transition_ms',
    ])
    expect((await control()).body).toEqual(defaults)
  })

  test.for([
    ['latency_ms', (value: number) => ({ latency_ms: value }), 0, 600_000],
    ['transition_ms', (value: number) => ({ transition_ms: value }), 0, 600_000],
    ['fail[0].status', (status: number) => ({ fail: [{ status, count: 1 }] }), 400, 599],
    ['fail[0].count', (count: number) => ({ fail: [{ status: 503, count }] }), 1, 999_999],
    ['drop_answer[0].count', (count: number) => ({ drop_answer: [{ count }] }), 1, 999_999],
  ] as const)('accepts %s from %3$i to %4$i', async ([field, setting, least, most], { service }) => {
    const control = controlOf(service)
    for (const value of [least, most]) expect(await control(setting(value))).toMatchObject({ status: 200 })
    for (const value of [least - 1, most + 1]) {
      expect(await control(setting(value))).toEqual(refused(400, `Must be ${least}-${most}`, field))
    }
  })

  test('shows the world and the outbox of the running sandbox', async ({ service }) => {
    const control = controlOf(service)
    await service.call('POST /profile/phone-number', { body: { iso_code: 'US', phone_number: '+1 555 123 4567' } })
    expect((await control(undefined, header, 'world')).body.computes[0]).toMatchObject({ id: 1001, label: 'web-1' })
    expect((await control(undefined, header, 'outbox')).body).toMatchObject([{ to: '+15551234567', user: 'owner' }])
  })

  test('has no other paths', async ({ service }) => {
    expect(await controlOf(service)(undefined, header, 'nothing')).toEqual(refused(404, 'Not found'))
  })

  test('is not among the requests to the service', async ({ service }) => {
    await controlOf(service)()
    expect(service.world.requests()).toEqual([])
  })
})

describe('the clock', () => {
  test('moves forward by a duration, and finishes transitions', async ({ service }) => {
    const control = controlOf(service)
    const { body } = await service.call('POST /volumes', { body: { label: 'a', region: 'us-east' } })
    expect((await control({ advance: '10m' })).body.now).toBe('2026-01-15T12:40:00')
    expect((await service.call(`GET /volumes/${body.id}`)).body.status).toBe('active')
  })

  test('moves to a later time only, and not in two ways at once', async ({ service }) => {
    const control = controlOf(service)
    expect((await control({ now: '2026-02-01T00:00:00' })).body.now).toBe('2026-02-01T00:00:00')
    expect(await control({ now: '2026-01-31T23:59:59' })).toEqual(
      refused(400, 'Must not be before the present time of the sandbox', 'now'),
    )
    expect((await control({ now: '2027-01-01T00:00:00', advance: '1s' })).status).toBe(400)
  })

  test('can be set to the current second', async ({ service }) => {
    service.clock.advance(999)
    const now = '2026-01-15T12:30:00'
    expect(await controlOf(service)({ now })).toMatchObject({ status: 200, body: { now } })
  })

  test('can be stopped, and continues from the same time', async ({ service }) => {
    const control = controlOf(service)
    await control({ stopped: true })
    service.clock.advance(60_000)
    expect((await control()).body.now).toBe('2026-01-15T12:30:00')
    expect((await control({ advance: '30s' })).body.now).toBe('2026-01-15T12:30:30')
    service.clock.advance(60_000)
    await control({ stopped: false })
    service.clock.advance(1000)
    expect((await control()).body.now).toBe('2026-01-15T12:30:31')
  })

  test('can start at any time', async ({ open }) => {
    const service = await open({ startsAt: Date.UTC(2030, 0, 1), stopped: true })
    service.clock.advance(5000)
    expect((await service.call('POST /volumes', { body: { label: 'a', region: 'us-east' } })).body.created).toBe(
      '2030-01-01T00:00:00',
    )
  })
})

describe('faults', () => {
  test('can be switched on in a running sandbox, and count down', async ({ service }) => {
    const control = controlOf(service)
    const fail = [{ status: 503, count: 2, path: '/volumes' }]
    expect((await control({ fail })).body.fail).toEqual(fail)
    expect((await service.call('GET /regions')).status).toBe(200)
    expect((await service.call('GET /volumes')).status).toBe(503)
    expect((await control()).body.fail).toEqual([{ status: 503, count: 1, path: '/volumes' }])
    expect((await service.call('GET /volumes')).status).toBe(503)
    expect((await control()).body.fail).toEqual([])
    expect((await service.call('GET /volumes')).status).toBe(200)
  })

  test.for([429, 503])('with status %d have a Retry-After header', async (status, { open }) => {
    const { call } = await open({ failures: [{ status, count: 1 }] })
    expect((await call('GET /volumes')).headers.get('retry-after')).toBe('1')
  })

  test('drop the answer to a successful write', async ({ service }) => {
    const { call, world } = service
    await controlOf(service)({ drop_answer: [{ count: 1, path: '/volumes' }] })
    for (const method of ['GET', 'HEAD']) expect((await call(`${method} /volumes`)).status).toBe(200)
    expect((await call('POST /volumes', { body: {} })).status).toBe(400)
    await expect(call('POST /volumes', { body: { label: 'lost', region: 'us-east' } })).rejects.toThrow('fetch failed')
    expect(world.volumes.all().map(({ label }) => label)).toContain('lost')
    expect((await call('POST /volumes', { body: { label: 'told', region: 'us-east' } })).status).toBe(200)
  })

  test('have the seconds until a rate limit ends in Retry-After', async ({ service }) => {
    await controlOf(service)({ rate_limit: true, stopped: true })
    const create = () => service.call('POST /volumes', { body: { label: 'a', region: 'us-east' } })
    for (let count = 0; count < 25; count += 1) await create()
    await controlOf(service)({ advance: '20s' })
    expect((await create()).headers.get('retry-after')).toBe('40')
    // RFC 9110, section 10.2.3: a whole number of seconds.
    await controlOf(service)({ stopped: false })
    service.clock.advance(500)
    expect((await create()).headers.get('retry-after')).toBe('40')
  })
})
