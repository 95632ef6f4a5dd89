/** api.md, Versioning. */
import { expect } from 'vitest'
import { test } from '../sandbox/fixture'
import { operations } from './operations'

test('Versioning 1: every endpoint lies under v4, and nowhere else', async ({ service: { baseUrl, sandbox } }) => {
  expect(new URL(baseUrl).pathname).toBe('/v4')
  const headers = { Authorization: `Bearer ${sandbox.ownerToken}` }
  for (const [, { line }] of operations) {
    const [method = '', path = ''] = line.split(' ')
    for (const prefix of ['', '/v3', '/v4beta']) {
      const { status } = await fetch(new URL(prefix + path.replace('{}', '::'), baseUrl), { method, headers })
      expect({ line: prefix + line, status }).toEqual({ line: prefix + line, status: 404 })
    }
  }
})

test('Versioning 2: answers name the revision 4.176.0', async ({ service: { call } }) => {
  for (const line of ['GET /regions', 'GET /volumes/1', 'GET /nothing', 'PATCH /volumes']) {
    expect((await call(line)).headers.get('x-spec-version')).toBe('4.176.0')
  }
})

test.for<[newer: string, older: string, body: object]>([
  [
    '/networking/ips/assign',
    '/networking/ipv4/assign',
    { region: 'us-east', assignments: [{ address: '192.0.2.31', compute_id: 1002 }] },
  ],
  ['/networking/ips/share', '/networking/ipv4/share', { compute_id: 1002, ips: ['192.0.2.31'] }],
])('Versioning 3: %s and %s do the same', async ([newer, older, body], { open }) => {
  const after = async (path: string) => {
    const { call, sandbox } = await open()
    expect(await call(`POST ${path}`, { body })).toMatchObject({ status: 200, body: {} })
    return sandbox.describe().addresses
  }
  expect(await after(older)).toEqual(await after(newer))
})

test('Versioning 4: ip_whitelist_enabled can be switched off, and never on', async ({ service: { call } }) => {
  const set = (ip_whitelist_enabled: boolean) => call('PUT /profile', { body: { ip_whitelist_enabled } })
  expect((await set(false)).body.ip_whitelist_enabled).toBe(false)
  expect(await set(true)).toMatchObject({ status: 400, body: { errors: [{ field: 'ip_whitelist_enabled' }] } })
})
