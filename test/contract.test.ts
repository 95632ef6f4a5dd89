/**
 * Method, path, scopes and body fields of every operation, typed by hand from api.md ("Endpoints", "Authentication").
 * The catalogue is what client and sandbox share, so a mistake there would go unseen by every other test.
 */
import { describe, expect, test } from 'vitest'
import type { ObjectSchema, Operation } from '../src/catalogue/operation'
import { parametersOf } from '../src/catalogue/operation'
import { profile } from '../src/catalogue/profile/profile'
import { regions } from '../src/catalogue/regions'
import { volumes } from '../src/catalogue/volumes'

interface Row {
  method: string
  path: string
  /** Those named in the table of api.md; `open` where "Regions (no authorization listed)" applies. */
  scopes: string
  /** Fields of the body; required ones carry a star. */
  body?: string
  paged?: true
}

const contract: Record<string, [Operation, Row]> = {
  'Profile View': [profile.view, { method: 'GET', path: '/profile', scopes: '' }],

  'Volumes List': [volumes.list, { method: 'GET', path: '/volumes', scopes: 'volumes:read_only', paged: true }],
  'Volume Create': [
    volumes.create,
    {
      method: 'POST',
      path: '/volumes',
      scopes: 'volumes:read_write',
      body: 'label* size compute_id config_id region tags',
    },
  ],
  'Volume View': [volumes.view, { method: 'GET', path: '/volumes/{volumeId}', scopes: 'volumes:read_only' }],
  'Volume Update': [
    volumes.update,
    { method: 'PUT', path: '/volumes/{volumeId}', scopes: 'volumes:read_write', body: 'label tags' },
  ],
  'Volume Delete': [volumes.delete, { method: 'DELETE', path: '/volumes/{volumeId}', scopes: 'volumes:read_write' }],
  'Volume Attach': [
    volumes.attach,
    {
      method: 'POST',
      path: '/volumes/{volumeId}/attach',
      scopes: 'volumes:read_write computes:read_write',
      body: 'compute_id* config_id persist_across_boots',
    },
  ],
  'Volume Detach': [
    volumes.detach,
    { method: 'POST', path: '/volumes/{volumeId}/detach', scopes: 'volumes:read_write computes:read_write' },
  ],
  'Volume Resize': [
    volumes.resize,
    { method: 'POST', path: '/volumes/{volumeId}/resize', scopes: 'volumes:read_write', body: 'size*' },
  ],
  'Volume Clone': [
    volumes.clone,
    { method: 'POST', path: '/volumes/{volumeId}/clone', scopes: 'volumes:read_write', body: 'label*' },
  ],

  'Regions List': [regions.list, { method: 'GET', path: '/regions', scopes: 'open', paged: true }],
  'Regions Availability List': [
    regions.availability,
    { method: 'GET', path: '/regions/availability', scopes: 'open', paged: true },
  ],
  'Region View': [regions.view, { method: 'GET', path: '/regions/{regionId}', scopes: 'open' }],
  'Region Availability View': [
    regions.regionAvailability,
    { method: 'GET', path: '/regions/{regionId}/availability', scopes: 'open' },
  ],
}

describe.each(Object.entries(contract))('%s', (_name, [operation, row]) => {
  test('is sent as api.md says', () => {
    const fields = Object.entries((operation.body as ObjectSchema | undefined)?.entries ?? {})
    expect({
      method: operation.method,
      path: operation.path,
      scopes: operation.open ? 'open' : operation.scopes.join(' '),
      body: fields.map(([name, { type }]) => (type === 'optional' ? name : `${name}*`)).sort(),
      paged: operation.paged === true,
    }).toEqual({
      method: row.method,
      path: row.path,
      scopes: row.scopes,
      body: (row.body?.split(' ') ?? []).sort(),
      paged: row.paged === true,
    })
  })

  test('is repeated by itself only where its method is safe to repeat', () => {
    if (row.method === 'POST') expect(['never', 'check first']).toContain(operation.repeat)
    else expect(operation.repeat).toBe(row.method === 'GET' ? 'safe' : 'idempotent')
  })
})

/** reliability.md, "Which requests may be sent again", class E against class N. */
test.each([
  ['Volume Attach', 'check first'],
  ['Volume Detach', 'check first'],
  ['Volume Resize', 'check first'],
  ['Volume Create', 'never'],
  ['Volume Clone', 'never'],
])('%s after a lost answer: %s', (name, repeat) => {
  expect(contract[name]?.[0].repeat).toBe(repeat)
})

test('every operation of the catalogue stands in the contract', () => {
  const known = new Set(Object.values(contract).map(([operation]) => operation))
  const all = [...Object.values(volumes), ...Object.values(regions), profile.view]
  expect(all.filter((operation) => !known.has(operation)).map(({ path }) => path)).toEqual([])
})

test('the fields of a volume are those of api.md', () => {
  const fields = (volumes.view.returns as ObjectSchema).entries
  expect(Object.keys(fields).sort()).toEqual(
    'compute_id compute_label created filesystem_path hardware_type id label region size status tags updated'.split(
      ' ',
    ),
  )
})

test('the fields of a region are those of api.md', () => {
  const fields = (regions.view.returns as ObjectSchema).entries
  expect(Object.keys(fields).sort()).toEqual('capabilities country id label resolvers status'.split(' '))
})

test('the holes of a path are filled by name', () => {
  expect(parametersOf('/volumes/{volumeId}/attach')).toEqual(['volumeId'])
  expect(parametersOf('/volumes')).toEqual([])
})
