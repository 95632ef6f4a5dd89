/** api.md, Conventions, Endpoints and Versioning: rules for every request and every answer. */
import { describe, expect } from 'vitest'
import { lineOf, operations, perform, rows, type Title } from '../operations'
import { refused, test } from '../sandbox/fixture'

describe('answers', () => {
  test('carry the revision, the scopes of the token and those of the endpoint', async ({ service: { call } }) => {
    const { status, headers } = await call('GET /volumes')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(headers.get('x-spec-version')).toBe('4.176.0')
    expect(headers.get('x-oauth-scopes')).toBe('*')
    expect(headers.get('x-accepted-oauth-scopes')).toBe('volumes:read_only')
  })

  test('name two accepted scopes joined by a comma, and * if none is needed', async ({ service: { call } }) => {
    const attach = await call('POST /volumes/3002/attach', { body: {} })
    expect(attach.headers.get('x-accepted-oauth-scopes')).toBe('volumes:read_write,computes:read_write')
    expect((await call('GET /profile')).headers.get('x-accepted-oauth-scopes')).toBe('*')
    expect((await call('GET /regions')).headers.get('x-accepted-oauth-scopes')).toBe('*')
  })

  test('name several scopes of a token separated by a space', async ({ service: { call, world } }) => {
    const token = world.token('volumes:read_write account:read_only')
    expect((await call('GET /volumes', { token })).headers.get('x-oauth-scopes')).toBe(
      'volumes:read_write account:read_only',
    )
  })

  test('carry the rate limit, with the end of its window in epoch seconds', async ({ service: { call } }) => {
    const { headers } = await call('GET /volumes')
    expect(headers.get('x-ratelimit-limit')).toBe('800')
    expect(headers.get('x-ratelimit-remaining')).toBe('799')
    expect(headers.get('x-ratelimit-reset')).toBe(String(Date.UTC(2026, 0, 15, 12, 32) / 1000))
  })
})

describe('a request with a wrong path or method', () => {
  test('is answered with 404 for an unknown path, with or without a token', async ({ service: { call } }) => {
    expect(await call('GET /nothing')).toMatchObject(refused(404, 'Not found'))
    expect(await call('GET /nothing', { token: null })).toMatchObject(refused(404, 'Not found'))
    expect(await call('GET /../volumes')).toMatchObject(refused(404, 'Not found'))
  })

  test.for(['0', '-1', '01', '1e3', 'x', '1.5', '9007199254740992', '%EF%BC%99', '__proto__', '%zz'])(
    'is answered with 404 for the id %s',
    async (id, { service: { call } }) => {
      expect(await call(`GET /volumes/${id}`)).toMatchObject(refused(404, 'Not found'))
    },
  )

  test('is answered with 405 and the allowed methods for a wrong method', async ({ service: { call } }) => {
    const { status, headers, body } = await call('PATCH /volumes/3001')
    expect(status).toBe(405)
    expect(headers.get('allow')).toBe('GET, PUT, DELETE')
    expect(body.errors).toHaveLength(1)
    expect((await call('DELETE /regions/availability')).status).toBe(405)
    expect((await call('OPTIONS /volumes')).status).toBe(405)
  })

  test('is refused before its token is checked', async ({ service: { call } }) => {
    expect((await call('GET /nothing', { token: 'x' })).status).toBe(404)
    expect((await call('PATCH /volumes', { token: 'x' })).status).toBe(405)
  })
})

describe('a body', () => {
  const create = 'POST /volumes'

  test('must be declared as JSON', async ({ service: { call } }) => {
    const headers = { 'Content-Type': 'text/plain' }
    expect(await call(create, { body: '{}', headers })).toMatchObject(
      refused(400, 'Content-Type must be application/json'),
    )
  })

  test('can name its charset', async ({ service: { call } }) => {
    const headers = { 'Content-Type': 'application/json; charset=utf-8' }
    expect((await call(create, { body: { label: 'a', region: 'us-east' }, headers })).status).toBe(200)
  })

  test.for(['{', 'label: a', "{'label':1}", '{"label":"a"', '\u0000', '[[[['])(
    'is refused if it is not JSON: %j',
    async (body, { service: { call } }) => {
      expect(await call(create, { body })).toMatchObject(refused(400, 'Body not valid JSON'))
    },
  )

  test.for(['[]', '1', '"a"', 'null', 'true', '[{"label":"a"}]'])(
    'is refused if it is not an object: %s',
    async (body, { service: { call } }) => {
      expect(await call(create, { body })).toMatchObject(refused(400, 'Must be an object'))
    },
  )

  test('is refused if its encoding is not UTF-8', async ({ service: { baseUrl, sandbox } }) => {
    const { status } = await fetch(`${baseUrl}/volumes`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.ownerToken}`, 'Content-Type': 'application/json' },
      body: Buffer.from('{"label":"\xe9","region":"us-east"}', 'latin1'),
    })
    expect(status).toBe(400)
  })

  test('is refused with all its errors at once, field by field', async ({ open }) => {
    const { call } = await open({ strict: true })
    const { status, body } = await call(create, { body: { size: '20', tags: ['a', 1], colour: 'red' } })
    expect(status).toBe(400)
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual(
      ['colour', 'label', 'region', 'size', 'tags[1]'].sort(),
    )
    expect(body.errors).toContainEqual({ field: 'label', reason: 'label is required' })
    for (const error of body.errors) expect(Object.keys(error)).toEqual(['field', 'reason'])
  })

  test('is an empty object if it is missing', async ({ service: { call } }) => {
    const { status, body } = await call('POST /volumes/3002/clone')
    expect({ status, body }).toEqual(refused(400, 'label is required', 'label'))
  })

  test('of more than 1 MiB is refused, in one piece or in chunks', async ({ service: { call, baseUrl, sandbox } }) => {
    const large = JSON.stringify({ label: 'a'.repeat(1024 * 1024) })
    expect((await call(create, { body: large })).status).toBe(413)
    const pieces = new Blob([large]).stream()
    const { status } = await fetch(`${baseUrl}/volumes`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.ownerToken}`, 'Content-Type': 'application/json' },
      body: pieces,
      duplex: 'half',
    })
    expect(status).toBe(413)
    expect((await call('GET /volumes')).status).toBe(200)
  })

  test('is accepted up to 1 MiB, and refused with one byte more', async ({ service: { call } }) => {
    const body = JSON.stringify({ label: 'a', region: 'us-east' }).padEnd(1024 * 1024)
    expect((await call(create, { body })).status).toBe(200)
    expect((await call(create, { body: `${body} ` })).status).toBe(413)
  })

  test('is refused quickly if it is 1 MiB of nested arrays', async ({ service: { call } }) => {
    expect((await call(create, { body: '['.repeat(1024 * 1024) })).status).toBe(400)
    expect((await call(create, { body: '['.repeat(500_000) + ']'.repeat(500_000) })).status).toBe(400)
  })
})

describe('pages', () => {
  const ids = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id)

  test('have 100 items by default, in an envelope', async ({ service: { call, world } }) => {
    for (let count = world.volumes.size; count < 250; count += 1) world.volume()
    const { body } = await call('GET /volumes')
    expect(body).toMatchObject({ page: 1, pages: 3, results: 250 })
    expect(Object.keys(body)).toEqual(['data', 'page', 'pages', 'results'])
    expect(body.data).toHaveLength(100)
  })

  test('are sorted by id, without gaps or duplicates', async ({ service: { call, world } }) => {
    world.volume({ id: 9000 })
    world.volume({ id: 8000 })
    for (let count = world.volumes.size; count < 60; count += 1) world.volume()
    const pages = await Promise.all([1, 2, 3].map((page) => call(`GET /volumes?page_size=25&page=${page}`)))
    const all = pages.flatMap(({ body }) => ids(body))
    expect(all).toEqual(world.volumes.all().map(({ id }) => id))
    expect(all).toEqual([...all].sort((a, b) => a - b))
    expect(pages.map(({ body }) => body.data.length)).toEqual([25, 25, 10])
  })

  test.for(['24', '501', '0', '-1', '', 'x', '1e2', '25.5'])(
    'of size "%s" are refused',
    async (size, { service: { call } }) => {
      expect(await call(`GET /volumes?page_size=${size}`)).toMatchObject(refused(400, 'Must be 25-500', 'page_size'))
    },
  )

  test.for(['0', '-1', 'x', ''])('numbered "%s" are refused', async (page, { service: { call } }) => {
    expect(await call(`GET /volumes?page=${page}`)).toMatchObject(refused(400, 'Must be 1 or greater', 'page'))
  })

  test('of size 25 and 500 are returned', async ({ service: { call } }) => {
    expect((await call('GET /regions/availability?page_size=25')).body.data).toHaveLength(25)
    expect((await call('GET /regions/availability?page_size=500')).body.pages).toBe(1)
  })

  test('are refused with both errors for a wrong number and a wrong size', async ({ service: { call } }) => {
    expect((await call('GET /regions?page=0&page_size=1')).body.errors).toEqual([
      { field: 'page', reason: 'Must be 1 or greater' },
      { field: 'page_size', reason: 'Must be 25-500' },
    ])
  })
})

describe('Conventions', () => {
  test.for(rows.filter(([, { paged }]) => paged))(
    'Conventions 5: %s answers with an envelope',
    async ([, row], { service }) => {
      const { body } = await perform(row, service)
      expect(Object.keys(body).sort()).toEqual(['data', 'page', 'pages', 'results'])
      expect(body.data.length).toBeGreaterThan(0)
      expect(body.data).toHaveLength(Math.min(body.results, 100))
      expect(body).toMatchObject({ page: 1, pages: Math.ceil(body.results / 100) })
    },
  )

  test.for(rows.filter(([, { answer }]) => answer === 'nothing'))(
    'Conventions 6: %s answers {}',
    async ([, row], { service }) => {
      const { status, body } = await perform(row, service)
      expect({ status, body }).toEqual({ status: 200, body: {} })
    },
  )

  test('Conventions 3: times are in UTC, independent of the timezone of the profile', async ({ service }) => {
    for (const timezone of ['Asia/Tokyo', 'America/New_York']) {
      await service.call('PUT /profile', { body: { timezone } })
      for (const title of [
        'Volume Create',
        'SSH Key Add',
        'Personal Access Token Create',
        'Firewall Device Create',
      ] as const) {
        const { body } = await perform(operations[title], service)
        expect({ title, created: body.created }).toEqual({ title, created: '2026-01-15T12:30:00' })
        if (title === 'Firewall Device Create')
          await service.call(`DELETE /networking/firewalls/4005/devices/${body.id}`)
      }
    }
  })
})

describe('Endpoints', () => {
  test.for(['/profile/apps', '/profile/sshkeys', '/volumes'])(
    'Endpoints: %s accepts page and page_size',
    async (path, { service: { call } }) => {
      const { results } = (await call(`GET ${path}`)).body
      const { body } = await call(`GET ${path}?page=2&page_size=25`)
      expect(body).toEqual({ data: [], page: 2, pages: 1, results })
      expect((await call(`GET ${path}?page=1&page_size=25`)).body.data).toHaveLength(results)
    },
  )

  test('Endpoints: Firewall View does not include the devices', async ({ service: { call } }) => {
    expect((await call('GET /networking/firewalls/4001/devices')).body.results).toBe(3)
    const { body } = await call('GET /networking/firewalls/4001')
    expect(Object.keys(body).sort()).toEqual(Object.keys(operations['Firewall View'].answer).sort())
  })
})

describe('Versioning', () => {
  test('Versioning 1: every endpoint is under /v4 only', async ({ service: { baseUrl, sandbox } }) => {
    expect(new URL(baseUrl).pathname).toBe('/v4')
    const headers = { Authorization: `Bearer ${sandbox.ownerToken}` }
    for (const [, row] of rows) {
      const line = lineOf(row)
      const [method = '', path = ''] = line.split(' ')
      for (const prefix of ['', '/v3', '/v4beta']) {
        const { status } = await fetch(new URL(prefix + path, baseUrl), { method, headers })
        expect({ line: prefix + line, status }).toEqual({ line: prefix + line, status: 404 })
      }
    }
  })

  test('Versioning 2: answers name the revision 4.176.0', async ({ service: { call } }) => {
    for (const line of ['GET /regions', 'GET /volumes/1', 'GET /nothing', 'PATCH /volumes']) {
      expect((await call(line)).headers.get('x-spec-version')).toBe('4.176.0')
    }
  })

  test.for<[newer: Title, older: Title]>([
    ['IP Addresses Assign', 'Assign IPv4s'],
    ['IP Addresses Share', 'IPv4 Sharing Configure'],
  ])('Versioning 3: %s and %s do the same', async ([newer, older], { open }) => {
    expect(operations[older].send).toEqual(operations[newer].send)
    const addressesAfter = async (title: Title) => {
      const service = await open()
      expect(await perform(operations[title], service)).toMatchObject({ status: 200, body: {} })
      return service.sandbox.describe().addresses
    }
    expect(await addressesAfter(older)).toEqual(await addressesAfter(newer))
  })
})
