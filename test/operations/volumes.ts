import { volumes as catalogue } from '../../src/catalogue/volumes'
import { type Kind, part } from './row'

const read = 'volumes:read_only'
const write = 'volumes:read_write'
const deleting = { scopes: write, answer: 'nothing' } as const
const both = 'volumes:read_write computes:read_write'

const volume: Kind = {
  created: 'date-time',
  filesystem_path: 'string',
  hardware_type: 'hdd, nvme',
  id: 'integer',
  label: 'string',
  compute_id: 'integer or null',
  compute_label: 'string or null',
  region: 'string',
  size: 'integer',
  status: 'creating, active, resizing',
  tags: ['string'],
  updated: 'date-time',
}

export const volumes = part('Volumes', 9, {
  'Volumes List': {
    operation: catalogue.list,
    line: 'GET /volumes',
    scopes: read,
    answer: volume,
    paged: { filters: 'id label tags region size status created compute_id' },
  },
  'Volume Create': {
    operation: catalogue.create,
    line: 'POST /volumes',
    scopes: write,
    body: 'label* size compute_id config_id region tags',
    send: { label: 'new', region: 'us-east' },
    answer: volume,
    repeat: 'never',
  },
  'Volume View': {
    operation: catalogue.view,
    line: 'GET /volumes/{volumeId}',
    at: [3001],
    scopes: read,
    answer: volume,
  },
  'Volume Update': {
    operation: catalogue.update,
    line: 'PUT /volumes/{volumeId}',
    at: [3001],
    scopes: write,
    body: 'label tags',
    send: { label: 'new' },
    answer: volume,
  },
  'Volume Delete': { operation: catalogue.delete, line: 'DELETE /volumes/{volumeId}', at: [3002], ...deleting },
  'Volume Attach': {
    operation: catalogue.attach,
    line: 'POST /volumes/{volumeId}/attach',
    at: [3002],
    scopes: both,
    body: 'compute_id* config_id persist_across_boots',
    send: { compute_id: 1001 },
    answer: volume,
    repeat: 'check first',
  },
  'Volume Detach': {
    operation: catalogue.detach,
    line: 'POST /volumes/{volumeId}/detach',
    at: [3001],
    scopes: both,
    body: 'none',
    answer: 'nothing',
    repeat: 'check first',
  },
  'Volume Resize': {
    operation: catalogue.resize,
    line: 'POST /volumes/{volumeId}/resize',
    at: [3002],
    scopes: write,
    body: 'size*',
    send: { size: 30 },
    answer: volume,
    repeat: 'check first',
  },
  'Volume Clone': {
    operation: catalogue.clone,
    line: 'POST /volumes/{volumeId}/clone',
    at: [3002],
    scopes: write,
    body: 'label*',
    send: { label: 'new' },
    answer: volume,
    repeat: 'never',
  },
})
