import * as v from 'valibot'
import { positive, text, timestamp } from './fields'
import { operation } from './operation'

const vlan = v.looseObject({
  label: text('Label, its own name within a region'),
  region: text('Region ID'),
  computes: v.pipe(v.array(positive('ID of a compute instance')), v.description('Compute instances attached to it')),
  created: timestamp('When it was created'),
})

export type Vlan = v.InferOutput<typeof vlan>

export const vlans = {
  list: operation({
    method: 'GET',
    path: '/networking/vlans',
    scopes: ['computes:read_only'],
    summary: 'List the VLANs',
    returns: vlan,
    paged: true,
    distinct: ['region', 'label'],
    essential: ['label'],
    filterable: ['label', 'region'],
  }),
}
