/** Repetition of requests (reliability.md, Which requests may be sent again). */
import { describe, expect, test } from 'vitest'
import type { Client } from '../../src/http/client'
import { faultServer, openFaultServer, reply, reset, type Script } from '../support/fault-server'
import { volumes } from '../support/lenient-volume-operations'
import { change, now, observedClient } from '../support/service-client'

const path = { volumeId: 7 }
const calls: Record<string, (client: Client) => Promise<unknown>> = {
  GET: (client) => client.call(volumes.view, { path }),
  PUT: (client) => change(client, { operation: volumes.update, path, body: { label: 'a' } }),
  DELETE: (client) => change(client, { operation: volumes.delete, path }),
  'POST that creates something': (client) => client.call(volumes.clone, { path, body: { label: 'a' } }),
  'POST that changes something': (client) => client.call(volumes.attach, { path, body: { compute_id: 1 } }),
}
const get = calls.GET as (client: Client) => Promise<unknown>

const again = [429, 502, 503, 504]
const once = [400, 401, 403, 404, 405, 408, 425, 500, 501]

describe.each(Object.entries(calls))('A %s', (name, call) => {
  const isPost = name.startsWith('POST')
  // A copy has its own id.
  const id = name.endsWith('creates something') ? 8 : 7

  test.each([...again, ...once])('is repeated, checked or neither after status %i', async (status) => {
    const server = await faultServer([reply(status, ''), reply(200, { id })])
    const { client } = observedClient(`http://${server.host}`)
    const isRepeated = status === 429 || (again.includes(status) && !isPost)
    expect(await call(client).catch((error) => error.details.status)).toEqual(isRepeated ? { id } : expect.anything())
    const isChecked = /PUT|DELETE/.test(name) && [408, 425, 500].includes(status)
    expect(server.received.map(({ method }) => method)).toEqual([
      name.split(' ')[0],
      ...(isRepeated ? [name.split(' ')[0]] : []),
      ...(isChecked ? ['GET'] : []),
    ])
  })
})

describe('A POST', () => {
  // A gateway answers so if it got no answer of the service.
  test.each([502, 504])('has an unknown outcome after status %i of a gateway', async (status) => {
    for (const name of ['POST that creates something', 'POST that changes something']) {
      const server = await faultServer(reply(status, ''))
      await expect(calls[name]?.(observedClient(`http://${server.host}`).client)).rejects.toMatchObject({
        code: 'outcome_unknown',
        details: { status },
      })
    }
  })

  test('is repeated after 429 with the same body', async () => {
    const server = await faultServer([reply(429, ''), reply(429, ''), reply(200, { id: 8 })])
    await observedClient(`http://${server.host}`).client.call(volumes.create, {
      body: { label: 'ä', region: 'eu-west' },
    })
    expect(new Set(server.received.map(({ body }) => body))).toEqual(new Set(['{"label":"ä","region":"eu-west"}']))
    expect(server.received).toHaveLength(3)
  })
})

describe('A 404 to a DELETE', () => {
  const notFound = { errors: [{ field: null, reason: 'Not found' }] }
  const lost = [
    ['after its answer was lost', reset()],
    ['after a gateway lost the answer', reply(504, '')],
    ['after a failure of the service, perhaps after the deletion', reply(503, '')],
  ] as const
  const remove = async (first: Script, second: Script, call = calls.DELETE) => {
    const server = await faultServer([first, second])
    return call?.(observedClient(`http://${server.host}`).client)
  }

  test.each(lost)('from the API is a success %s', async (_, first) => {
    expect(await remove(first, reply(404, notFound))).toEqual({})
  })

  describe.each([
    ['HTML', '<html>Not found</html>'],
    ['no body', ''],
    ['other JSON', { error: 'Not Found', message: 'no Route matched' }],
    ['errors in another form', { errors: ['Not found'] }],
    ['an empty list of errors', { errors: [] }],
  ])('with %s', (_, body) => {
    test.each(lost)('leaves the outcome unknown %s', async (_, first) => {
      await expect(remove(first, reply(404, body))).rejects.toMatchObject({
        code: 'outcome_unknown',
        message: expect.stringMatching(/ was sent, but its answer was lost: .* is not from the API: /),
        details: { hint: 'Check the current state before you try again' },
      })
    })

    test('is a failure if nothing was sent before', async () => {
      await expect(remove(reply(429, ''), reply(404, body))).rejects.toMatchObject({ code: 'not_the_api' })
    })
  })

  test('is a failure after a 429, which did nothing', async () => {
    const failure = remove(reply(429, ''), reply(404, notFound))
    await expect(failure).rejects.toMatchObject({ code: 'not_found', details: { missing: '/volumes/7' } })
  })

  test('is a failure of any other method', async () => {
    const failure = remove(reset(), reply(404, notFound), calls.PUT)
    await expect(failure).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('After an attempt with an unknown outcome', () => {
  const limited = reply(429, '', { 'retry-after': '86400' })
  const maintenance = reply(503, '', { 'x-maintenance-mode': '1' })
  const rejected = reply(401, { errors: [{ reason: 'Invalid Token' }] })
  const refused = reply(400, { errors: [{ reason: 'Not today' }] })
  const fail = async (name: string, second: Script, first = reset()) => {
    const server = await faultServer([first, second])
    return calls[name]?.(observedClient(`http://${server.host}`).client).catch((error) => error)
  }

  test.each([
    ['a rate limit', limited],
    ['planned maintenance', maintenance],
    ['a rejected token', rejected],
  ] as const)('%s leaves the outcome unknown', async (_, second) => {
    for (const name of ['DELETE', 'PUT']) {
      expect(await fail(name, second)).toMatchObject({
        code: 'outcome_unknown',
        details: { hint: 'Check the current state before you try again' },
      })
    }
  })

  test('a refusal by the API shows that nothing was done', async () => {
    for (const name of ['DELETE', 'PUT']) {
      expect(await fail(name, refused)).toMatchObject({ code: 'refused', message: 'Not today' })
    }
  })

  test('a failed connection leaves the outcome unknown', async () => {
    const server = await openFaultServer((socket) => {
      server.close()
      socket.destroy()
    })
    const failure = await calls.PUT?.(observedClient(`http://${server.host}`).client).catch((error) => error)
    expect(server.received).toHaveLength(1)
    expect(failure).toMatchObject({ code: 'outcome_unknown' })
  })

  test('a read fails with its own error', async () => {
    expect(await fail('GET', limited)).toMatchObject({ code: 'rate_limited' })
    expect(await fail('GET', reply(404, '<html>'))).toMatchObject({
      code: 'not_the_api',
      details: { hint: 'Check the address: skyctl doctor' },
    })
  })

  test('a change has failed if that attempt was only refused', async () => {
    expect(await fail('DELETE', maintenance, reply(429, ''))).toMatchObject({ code: 'unavailable' })
  })
})

describe('The object of a change with a lost answer is read', () => {
  const play = async (name: string, current: Script) => {
    const server = await faultServer([reply(502, ''), reply(502, ''), reply(502, ''), current])
    return calls[name]?.(observedClient(`http://${server.host}`).client).catch((error) => error.code)
  }
  const notFound = reply(404, { errors: [{ field: null, reason: 'Not found' }] })

  test.each([
    ['PUT', 'shows the change', reply(200, { id: 7, label: 'a' }), { id: 7, label: 'a' }],
    ['PUT', 'does not show the change', reply(200, { id: 7, label: 'b' }), 'outcome_unknown'],
    ['PUT', 'does not find the object', notFound, 'outcome_unknown'],
    ['DELETE', 'does not find the object', notFound, {}],
    ['DELETE', 'still finds the object', reply(200, { id: 7 }), 'outcome_unknown'],
    ['DELETE', 'is lost, too', reply(502, ''), 'outcome_unknown'],
  ] as const)('after a %s, and the answer %s', async (name, _, current, end) => {
    expect(await play(name, current)).toEqual(end)
  })

  test('only after a success if the caller checks first', async () => {
    const update = { ...volumes.update, idempotency: 'check first' as const }
    const requests = async (answer: Script) => {
      const server = await faultServer([answer, reply(200, { id: 7, label: 'a' })])
      const { client } = observedClient(`http://${server.host}`)
      await change(client, { operation: update, path, body: { label: 'a' } }).catch(() => {})
      return server.received.map(({ method }) => method)
    }
    expect(await requests(reset())).toEqual(['PUT'])
    expect(await requests(reply(504, ''))).toEqual(['PUT'])
    expect(await requests(reply(200, '{'))).toEqual(['PUT', 'GET'])
  })
})

describe('Attempts', () => {
  test.each([0, 1, 4])('are one more than the retries: %i', async (retries) => {
    const server = await faultServer(reply(503, ''))
    await expect(get(observedClient(`http://${server.host}`, { retries }).client)).rejects.toMatchObject({
      code: 'unavailable',
    })
    expect(server.received).toHaveLength(retries + 1)
  })

  test('are not repeated during planned maintenance', async () => {
    const server = await faultServer(reply(503, '', { 'x-maintenance-mode': '1', 'retry-after': '1' }))
    await expect(get(observedClient(`http://${server.host}`).client)).rejects.toThrow(/maintenance/)
    expect(server.received).toHaveLength(1)
  })

  test('are noted separately', async () => {
    const server = await faultServer([reply(503, ''), reply(429, ''), reply(200, { id: 7 })])
    const { client, notes } = observedClient(`http://${server.host}`)
    await get(client)
    expect(notes).toEqual([
      'GET /volumes/7: status 503; attempt 2 of 3 in 0.5s',
      'GET /volumes/7: status 429; attempt 3 of 3 in 2.0s',
    ])
  })
})

async function pausesAfter(status: number, headers: Record<string, string>, settings = {}) {
  const server = await faultServer([reply(status, '', headers), reply(200, { id: 7 })])
  const { client, pauses } = observedClient(`http://${server.host}`, settings)
  const outcome = await get(client).catch((error) => `${error.code}: ${error.message}`)
  return { pauses, outcome }
}

describe('A pause', () => {
  test('can be zero after a missing answer, too', async () => {
    const server = await faultServer([reset(), reply(200, { id: 7 })])
    const { client, pauses } = observedClient(`http://${server.host}`, { random: () => 0 })
    expect({ answer: await get(client), pauses }).toEqual({ answer: { id: 7 }, pauses: [0] })
  })

  test.each([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['a date', { 'retry-after': new Date(now + 9000).toUTCString() }, 9000],
    [
      'a date by the clock of the service',
      { date: 'Thu, 01 Jan 1998 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 1998 00:00:10 GMT' },
      10_000,
    ],
  ])('is as long as the service requests: %s', async (_, headers, expected) => {
    for (const status of [429, 503]) {
      const settings = { random: () => 0 }
      expect(await pausesAfter(status, headers as Record<string, string>, settings)).toEqual({
        pauses: [expected],
        outcome: { id: 7 },
      })
    }
  })

  test.each([
    [429, '61', 'rate_limited: too many requests; the service asks to wait 1m 1s (after 2026-06-01T12:01:01Z)'],
    [429, '86400', 'rate_limited: too many requests; the service asks to wait 24h (after 2026-06-02T12:00:00Z)'],
    [503, '600', 'unavailable: the service failed with 503; the service asks to wait 10m (after 2026-06-01T12:10:00Z)'],
    [429, '9'.repeat(400), expect.stringMatching(/^rate_limited/)],
  ])(
    'is not made if it would be over a minute; the command fails at once with the time: %i, %s',
    async (status, text, outcome) => {
      expect(await pausesAfter(status, { 'retry-after': text })).toEqual({ pauses: [], outcome })
    },
  )

  test('can be up to --max-wait', async () => {
    expect((await pausesAfter(429, { 'retry-after': '61' }, { maxWaitMs: 61_000, timeoutMs: 99_000 })).pauses).toEqual([
      61_000,
    ])
    expect((await pausesAfter(429, { 'retry-after': '3' }, { maxWaitMs: 2000 })).pauses).toEqual([])
  })

  test('is not made if the command has less time left', async () => {
    expect(await pausesAfter(429, { 'retry-after': '30' }, { timeoutMs: 29_000 })).toMatchObject({ pauses: [] })
  })
})
