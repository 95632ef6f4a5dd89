import * as v from 'valibot'
import { arrayOf, checkedText, choice, open, positive, strings, text, timestamp } from './fields'
import { newFirewallRules, rules } from './firewall-rules'
import { operation } from './operation'

const tags = strings('Tags to organize by')
const label = checkedText(
  firewallLabelFault,
  'Label of the firewall, unique; 3 to 32 letters, digits and - _ . between them',
)

const firewall = v.looseObject({
  id: positive('Unique ID'),
  label: text('Label'),
  status: open(['enabled', 'disabled', 'deleted'], 'Current status'),
  rules,
  tags: strings('Tags'),
  created: timestamp('When it was created'),
  updated: timestamp('When it was last updated'),
})

const device = v.looseObject({
  id: positive('Device ID'),
  entity: v.looseObject({
    id: positive('ID of the service'),
    label: v.nullable(text('Label of the service')),
    type: open(['compute', 'balancer'], 'Kind of service'),
    url: text('Path of the service in the API'),
  }),
  created: timestamp('When it was added'),
  updated: timestamp('When it was last updated'),
})

/** Services of a firewall in a request or an account file. */
export const protectedServices = v.strictObject({
  computes: v.optional(arrayOf(positive('ID of a compute instance'), 'Compute instances to protect')),
  balancers: v.optional(
    v.pipe(
      arrayOf(positive('ID of a balancer'), 'The one balancer to protect'),
      v.maxLength(1, 'Only one balancer can be assigned to a firewall'),
    ),
  ),
})

/** Firewall in an answer: loose, because the service may return more than api.md documents. */
export type Firewall = v.InferOutput<typeof firewall>
export type FirewallDevice = v.InferOutput<typeof device>

const read = ['firewall:read_only'] as const
const write = ['firewall:read_write'] as const
const nothing = v.looseObject({})

export const firewalls = {
  list: operation({
    method: 'GET',
    path: '/networking/firewalls',
    scopes: read,
    summary: 'List the firewalls',
    returns: firewall,
    paged: true,
    filterable: ['id', 'label', 'tags', 'status', 'created', 'updated'],
  }),
  create: operation({
    method: 'POST',
    path: '/networking/firewalls',
    scopes: write,
    needs: 'the grant add_firewalls, and read_write grants on the services to protect',
    summary: 'Create a firewall; it is enabled at once',
    body: v.strictObject({
      label,
      rules: newFirewallRules,
      devices: v.optional(v.pipe(protectedServices, v.description('Services to protect'))),
      tags: v.optional(tags),
    }),
    returns: firewall,
    creates: 'firewall',
    repeats: ['label'],
  }),
  view: operation({
    method: 'GET',
    path: '/networking/firewalls/{firewallId}',
    scopes: read,
    summary: 'Show a firewall with its rules',
    returns: firewall,
    identityField: 'id',
  }),
  update: operation({
    method: 'PUT',
    path: '/networking/firewalls/{firewallId}',
    scopes: write,
    summary: 'Change label, status or tags of a firewall',
    body: v.strictObject({
      label: v.optional(label),
      status: v.optional(choice(['enabled', 'disabled'], 'New status')),
      tags: v.optional(tags),
    }),
    returns: firewall,
    identityField: 'id',
  }),
  delete: operation({
    method: 'DELETE',
    path: '/networking/firewalls/{firewallId}',
    scopes: write,
    summary: 'Delete a firewall; its services lose their protection',
    returns: nothing,
  }),
}

/** Fields that identify a device and its service. */
const ofDevice = ['id', 'entity.id', 'entity.type']

export const firewallDevices = {
  list: operation({
    method: 'GET',
    path: '/networking/firewalls/{firewallId}/devices',
    scopes: read,
    summary: 'List the services of a firewall',
    returns: device,
    essential: ofDevice,
    paged: true,
    filterable: ['id', 'created', 'updated'],
  }),
  create: operation({
    method: 'POST',
    path: '/networking/firewalls/{firewallId}/devices',
    scopes: write,
    needs: 'a read_write grant on the compute instance or balancer',
    summary: 'Assign a firewall to an instance or balancer',
    body: v.strictObject({
      id: positive('ID of the compute instance or balancer'),
      type: choice(['compute', 'balancer'], 'Kind of service'),
    }),
    returns: device,
    essential: ofDevice,
    repeats: ['id', 'type'],
    repeatedIn: 'entity',
    idempotency: 'check first',
  }),
  view: operation({
    method: 'GET',
    path: '/networking/firewalls/{firewallId}/devices/{deviceId}',
    scopes: read,
    summary: 'Show a service of a firewall',
    returns: device,
    essential: ofDevice,
    identityField: 'id',
  }),
  delete: operation({
    method: 'DELETE',
    path: '/networking/firewalls/{firewallId}/devices/{deviceId}',
    scopes: write,
    summary: 'Remove a firewall from a service',
    returns: nothing,
    keeps: ['entity'],
  }),
}

/** Returns the reason why a firewall label is invalid (api.md, Firewall label rules); undefined if it is valid. */
export function firewallLabelFault(label: string): string | undefined {
  if (label.length < 3 || label.length > 32) return 'Must be 3-32 characters'
  if (!/^[a-z0-9._-]+$/i.test(label)) return 'Must contain only letters, digits, hyphens, underscores and periods'
  if (!/^[a-z0-9].*[a-z0-9]$/i.test(label)) return 'Must begin and end with a letter or a digit'
  const doubled = /--|__|\.\./.exec(label)?.[0]
  return doubled === undefined ? undefined : `Must not contain ${doubled}`
}
