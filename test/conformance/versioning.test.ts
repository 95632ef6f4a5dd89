/** api.md, Versioning. */
import { expect } from 'vitest'
import { lineOf, operations, perform, rows, type Title } from '../operations'
import { test } from '../sandbox/fixture'

test('Versioning 1: every endpoint lies under v4, and nowhere else', async ({ service: { baseUrl, sandbox } }) => {
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
  const after = async (title: Title) => {
    const service = await open()
    expect(await perform(operations[title], service)).toMatchObject({ status: 200, body: {} })
    return service.sandbox.describe().addresses
  }
  expect(await after(older)).toEqual(await after(newer))
})
