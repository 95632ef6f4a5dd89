import * as v from 'valibot'
import { boolean, open, strings, text } from './fields'
import { operation } from './operation'

const region = v.looseObject({
  id: text('Region ID'),
  label: text('City, state or region, and country'),
  country: text('Country of the region'),
  capabilities: strings('Capabilities of the region'),
  status: open(['ok', 'outage'], 'Operational status'),
  resolvers: v.looseObject({ ipv4: text('IPv4 resolvers'), ipv6: text('IPv6 resolvers') }),
})

const availability = v.looseObject({
  region: text('Region ID'),
  plan: text('Compute instance type ID'),
  available: boolean('Whether the plan is available in the region'),
})

const anyone = { method: 'GET', scopes: [], isPublic: true } as const

export const regions = {
  list: operation({
    ...anyone,
    path: '/regions',
    summary: 'List the regions',
    returns: region,
    paged: true,
    filterable: ['country'],
  }),
  availability: operation({
    ...anyone,
    path: '/regions/availability',
    summary: 'List the availability of premium and GPU plans',
    returns: availability,
    paged: true,
    distinct: ['region', 'plan'],
    filterable: ['region', 'plan', 'available'],
  }),
  view: operation({
    ...anyone,
    path: '/regions/{regionId}',
    summary: 'Show a region',
    returns: region,
    identityField: 'id',
  }),
  regionAvailability: operation({
    ...anyone,
    path: '/regions/{regionId}/availability',
    summary: 'List the premium and GPU plans of a region',
    returns: v.array(availability),
    identityField: 'region',
  }),
}
