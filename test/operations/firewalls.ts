/** Scopes and bodies that api.md does not show are from gaps.md. */
import { firewallRules } from '../../src/catalogue/firewall-rules'
import { firewalls as catalogue, firewallDevices } from '../../src/catalogue/firewalls'
import { type Kind, part } from './row'

const read = 'firewall:read_only'
const write = 'firewall:read_write'
const deleting = { scopes: write, answer: 'nothing' } as const

const rule: Kind = {
  action: 'ACCEPT, DROP',
  addresses: { ipv4: ['string'], ipv6: ['string'] },
  description: 'string or null',
  label: 'string or null',
  ports: 'string or null',
  protocol: 'TCP, UDP, ICMP, IPENCAP',
}

const ruleSet: Kind = {
  inbound: [rule],
  inbound_policy: 'ACCEPT, DROP',
  outbound: [rule],
  outbound_policy: 'ACCEPT, DROP',
}

const firewall: Kind = {
  created: 'date-time',
  id: 'integer',
  label: 'string',
  rules: ruleSet,
  status: 'enabled, disabled, deleted',
  tags: ['string'],
  updated: 'date-time',
}

const device: Kind = {
  created: 'date-time',
  entity: { id: 'integer', label: 'string or null', type: 'compute, balancer', url: 'string' },
  id: 'integer',
  updated: 'date-time',
}

const rules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }

export const firewalls = part('Firewalls', 11, {
  'Firewalls List': {
    operation: catalogue.list,
    line: 'GET /networking/firewalls',
    scopes: read,
    answer: firewall,
    paged: { filters: 'id label tags status created updated' },
  },
  'Firewall Create': {
    operation: catalogue.create,
    line: 'POST /networking/firewalls',
    scopes: write,
    body: 'label* rules* devices tags',
    send: { label: 'new', rules },
    answer: firewall,
    repeat: 'never',
  },
  'Firewall View': {
    operation: catalogue.view,
    line: 'GET /networking/firewalls/{firewallId}',
    at: [4005],
    scopes: read,
    answer: firewall,
  },
  'Firewall Update': {
    operation: catalogue.update,
    line: 'PUT /networking/firewalls/{firewallId}',
    at: [4005],
    scopes: write,
    body: 'label status tags',
    send: { status: 'disabled' },
    answer: firewall,
  },
  'Firewall Delete': {
    operation: catalogue.delete,
    line: 'DELETE /networking/firewalls/{firewallId}',
    at: [4005],
    ...deleting,
  },
  'Firewall Devices List': {
    operation: firewallDevices.list,
    line: 'GET /networking/firewalls/{firewallId}/devices',
    at: [4001],
    scopes: read,
    answer: device,
    paged: { filters: 'id created updated' },
  },
  'Firewall Device Create': {
    operation: firewallDevices.create,
    line: 'POST /networking/firewalls/{firewallId}/devices',
    at: [4005],
    scopes: write,
    body: 'id* type*',
    send: { id: 1009, type: 'compute' },
    answer: device,
    repeat: 'check first',
  },
  'Firewall Device View': {
    operation: firewallDevices.view,
    line: 'GET /networking/firewalls/{firewallId}/devices/{deviceId}',
    at: [4001, 4101],
    scopes: read,
    answer: device,
  },
  'Firewall Device Delete': {
    operation: firewallDevices.delete,
    line: 'DELETE /networking/firewalls/{firewallId}/devices/{deviceId}',
    at: [4001, 4101],
    ...deleting,
  },
  'Firewall Rules List': {
    operation: firewallRules.list,
    line: 'GET /networking/firewalls/{firewallId}/rules',
    at: [4005],
    scopes: read,
    answer: ruleSet,
  },
  'Firewall Rules Update': {
    operation: firewallRules.update,
    line: 'PUT /networking/firewalls/{firewallId}/rules',
    at: [4005],
    scopes: write,
    body: 'inbound inbound_policy outbound outbound_policy',
    send: rules,
    answer: ruleSet,
    repeat: 'check first',
  },
})
