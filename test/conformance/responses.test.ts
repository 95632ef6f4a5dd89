/** api.md, Conventions and Endpoints: the answer of each operation, as the column Response has it. */
import { describe, expect } from 'vitest'
import { operations, perform, rows } from '../operations'
import { test } from '../sandbox/fixture'

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

  test('Conventions 3: times are in UTC, whatever timezone the profile names', async ({ service }) => {
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
    const { body } = await call('GET /networking/firewalls/4001')
    expect(Object.keys(body).sort()).toEqual(Object.keys(operations['Firewall View'].answer).sort())
  })
})
