/** api.md, Conventions and Endpoints: the answer of each operation, as the column Response has it. */
import { describe, expect } from 'vitest'
import { test } from '../sandbox/fixture'
import { operations, perform } from './operations'

const rowOf = (name: string) => {
  const row = Object.fromEntries(operations)[name]
  if (row === undefined) throw new Error(`no operation is named ${name}`)
  return row
}

const paginated = [
  ...['Authorized Apps List', 'Trusted Devices List', 'Logins List', 'SSH Keys List', 'Personal Access Tokens List'],
  ...['Volumes List', 'Regions List', 'Regions Availability List', 'Firewalls List', 'Firewall Devices List'],
  'IP Addresses List',
]

/** `{}`, or success without data, which gaps.md has as `{}`. */
const empty = [
  ...['App Access Revoke', 'Trusted Device Revoke', 'Phone Number Delete', 'Phone Number Verification Code Send'],
  ...['Phone Number Verify', 'SSH Key Delete', 'Two Factor Authentication Disable', 'Personal Access Token Revoke'],
  ...['Volume Delete', 'Volume Detach', 'Firewall Delete', 'Firewall Device Delete', 'IP Addresses Assign'],
  ...['IP Addresses Share', 'Assign IPv4s', 'IPv4 Sharing Configure', 'IPv6 Range Delete'],
]

describe('Conventions', () => {
  test.for(paginated)('Conventions 5: %s answers with an envelope', async (name, { service }) => {
    const { body } = await perform(rowOf(name), service)
    expect(Object.keys(body).sort()).toEqual(['data', 'page', 'pages', 'results'])
    expect(body.data.length).toBeGreaterThan(0)
    expect(body.data).toHaveLength(Math.min(body.results, 100))
    expect(body).toMatchObject({ page: 1, pages: Math.ceil(body.results / 100) })
  })

  test.for(empty)('Conventions 6: %s answers {}', async (name, { service }) => {
    const { status, body } = await perform(rowOf(name), service)
    expect({ status, body }).toEqual({ status: 200, body: {} })
  })

  test('Conventions 3: times are in UTC, whatever timezone the profile names', async ({ service }) => {
    for (const timezone of ['Asia/Tokyo', 'America/New_York']) {
      await service.call('PUT /profile', { body: { timezone } })
      for (const name of ['Volume Create', 'SSH Key Add', 'Personal Access Token Create', 'Firewall Device Create']) {
        const { body } = await perform(rowOf(name), service)
        expect({ name, created: body.created }).toEqual({ name, created: '2026-01-15T12:30:00' })
        if (name === 'Firewall Device Create')
          await service.call(`DELETE /networking/firewalls/4005/devices/${body.id}`)
      }
    }
  })
})

describe('Endpoints', () => {
  test.for(['/profile/apps', '/profile/sshkeys', '/volumes'])(
    'Endpoints: %s takes page and page_size',
    async (path, { service: { call } }) => {
      const { results } = (await call(`GET ${path}`)).body
      const { body } = await call(`GET ${path}?page=2&page_size=25`)
      expect(body).toEqual({ data: [], page: 2, pages: 1, results })
      expect((await call(`GET ${path}?page=1&page_size=25`)).body.data).toHaveLength(results)
    },
  )

  test('Endpoints: Firewall View does not include the devices', async ({ service: { call } }) => {
    expect((await call('GET /networking/firewalls/4001/devices')).body.results).toBe(3)
    expect(Object.keys((await call('GET /networking/firewalls/4001')).body).sort()).toEqual([
      'created',
      'id',
      'label',
      'rules',
      'status',
      'tags',
      'updated',
    ])
  })
})
