import { regions as catalogue } from '../../src/catalogue/regions'
import { type Kind, part } from './row'

const region: Kind = {
  capabilities: ['string'],
  country: 'string',
  id: 'string',
  label: 'string',
  resolvers: { ipv4: 'string', ipv6: 'string' },
  status: 'ok, outage',
}

const availability: Kind = { available: 'boolean', plan: 'string', region: 'string' }

export const regions = part('Regions (no authorization listed)', 4, {
  'Regions List': {
    operation: catalogue.list,
    line: 'GET /regions',
    scopes: 'open',
    answer: region,
    paged: { filters: 'country' },
  },
  'Regions Availability List': {
    operation: catalogue.availability,
    line: 'GET /regions/availability',
    scopes: 'open',
    answer: availability,
    paged: { filters: 'region plan available', distinct: 'region plan' },
  },
  'Region View': {
    operation: catalogue.view,
    line: 'GET /regions/{regionId}',
    at: ['us-east'],
    scopes: 'open',
    answer: region,
  },
  'Region Availability View': {
    operation: catalogue.regionAvailability,
    line: 'GET /regions/{regionId}/availability',
    at: ['us-east'],
    scopes: 'open',
    answer: [availability],
  },
})
