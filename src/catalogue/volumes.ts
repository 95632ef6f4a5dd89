import * as v from 'valibot'
import { boolean, gibibytes, open, positive, strings, text, textOf, timestamp, together } from './fields'
import { operation } from './operation'

/** Default size of a new volume in GiB (api.md, Limits). */
export const usualSize = 20

const label = textOf(1, 32, 'Label of the volume')
const tags = strings('Tags to organize by')

const volume = v.looseObject({
  id: positive('Unique ID'),
  label: text('Label, also used in filesystem_path'),
  status: open(['creating', 'active', 'resizing'], 'Current status'),
  size: gibibytes('Size in GiB'),
  region: text('Region ID'),
  compute_id: v.nullable(positive('Compute instance the volume is attached to')),
  compute_label: v.nullable(text('Label of that compute instance')),
  filesystem_path: text('Path of the device inside the compute instance'),
  hardware_type: open(['hdd', 'nvme'], 'Storage type'),
  tags: strings('Tags'),
  created: timestamp('When it was created'),
  updated: timestamp('When it was last updated'),
})

export type Volume = v.InferOutput<typeof volume>

const createBody = v.pipe(
  v.strictObject({
    label,
    size: v.optional(positive(`Size in GiB (default: ${usualSize})`)),
    region: v.optional(text('Region ID; required without a compute instance')),
    compute_id: v.optional(positive('Compute instance to attach the volume to')),
    config_id: v.optional(positive('Configuration of the instance to attach it in')),
    tags: v.optional(tags),
  }),
  together(
    ['region', 'compute_id'],
    ({ region, compute_id }) => region !== undefined || compute_id !== undefined,
    'Must provide a region or a Compute ID',
  ),
  together(
    ['config_id', 'compute_id'],
    ({ config_id, compute_id }) => config_id === undefined || compute_id !== undefined,
    'Needs compute_id: a configuration belongs to a compute instance',
  ),
)

const attachBody = v.pipe(
  v.strictObject({
    compute_id: positive('Compute instance to attach it to'),
    config_id: v.optional(positive('Configuration of the instance to attach it in')),
    persist_across_boots: v.optional(boolean('Attach the volume at every boot')),
  }),
  together(
    ['config_id', 'persist_across_boots'],
    ({ config_id, persist_across_boots }) => config_id === undefined || persist_across_boots !== false,
    'Contradicts persist_across_boots false: the volume is then in no configuration',
  ),
)

const read = ['volumes:read_only'] as const
const write = ['volumes:read_write'] as const
const writeWithComputes = ['volumes:read_write', 'computes:read_write'] as const
const nothing = v.looseObject({})

export const volumes = {
  list: operation({
    method: 'GET',
    path: '/volumes',
    scopes: read,
    summary: 'List the volumes you may view',
    returns: volume,
    paged: true,
    filterable: ['id', 'label', 'tags', 'region', 'size', 'status', 'created', 'compute_id'],
  }),
  create: operation({
    method: 'POST',
    path: '/volumes',
    scopes: write,
    needs: 'the grant add_volumes',
    summary: 'Create a volume; billing starts',
    body: createBody,
    returns: volume,
    creates: 'volume',
    repeats: ['label', 'size', 'region', 'compute_id'],
  }),
  view: operation({
    method: 'GET',
    path: '/volumes/{volumeId}',
    scopes: read,
    summary: 'Show a volume',
    returns: volume,
    identityField: 'id',
  }),
  update: operation({
    method: 'PUT',
    path: '/volumes/{volumeId}',
    scopes: write,
    summary: 'Change the label or tags of a volume',
    body: v.strictObject({ label: v.optional(label), tags: v.optional(tags) }),
    returns: volume,
    identityField: 'id',
  }),
  delete: operation({
    method: 'DELETE',
    path: '/volumes/{volumeId}',
    scopes: write,
    summary: 'Delete a volume with its data; billing stops',
    returns: nothing,
  }),
  attach: operation({
    method: 'POST',
    path: '/volumes/{volumeId}/attach',
    scopes: writeWithComputes,
    needs: 'read_write access to the volume and the compute instance',
    summary: 'Attach a volume to a compute instance',
    body: attachBody,
    returns: volume,
    identityField: 'id',
    idempotency: 'check first',
  }),
  detach: operation({
    method: 'POST',
    path: '/volumes/{volumeId}/detach',
    scopes: writeWithComputes,
    summary: 'Detach a volume from its compute instance',
    returns: nothing,
    keeps: ['compute_id'],
    idempotency: 'check first',
  }),
  resize: operation({
    method: 'POST',
    path: '/volumes/{volumeId}/resize',
    scopes: write,
    summary: 'Grow a volume; it can never shrink',
    body: v.strictObject({ size: positive('New size in GiB, larger than the current one') }),
    returns: volume,
    identityField: 'id',
    idempotency: 'check first',
  }),
  clone: operation({
    method: 'POST',
    path: '/volumes/{volumeId}/clone',
    scopes: write,
    needs: 'the grant add_volumes',
    summary: 'Copy a volume with its data; billing starts',
    body: v.strictObject({ label }),
    returns: volume,
    creates: 'volume',
    // Size and region are those of the source.
    repeats: ['label', 'size', 'region'],
  }),
}
