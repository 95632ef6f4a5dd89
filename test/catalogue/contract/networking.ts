/** api.md, Firewalls, and IP addresses and IPv6. Where a body or a scope is "not shown" there, gaps.md has it. */
import { firewallRules } from '../../../src/catalogue/firewall-rules'
import { firewallDevices, firewalls } from '../../../src/catalogue/firewalls'
import { ips } from '../../../src/catalogue/ips'
import { ipv6Pools, ipv6Ranges } from '../../../src/catalogue/ipv6'
import type { Operation } from '../../../src/catalogue/operation'
import { vlans } from '../../../src/catalogue/vlans'
import type { Contract } from './row'

const firewallRead = 'firewall:read_only'
const firewallWrite = 'firewall:read_write'
const ipsAndComputes = 'ips:read_write computes:read_write'

export const networking: Contract = {
  'Firewalls List': [
    firewalls.list,
    { method: 'GET', path: '/networking/firewalls', scopes: firewallRead, paged: true },
  ],
  'Firewall Create': [
    firewalls.create,
    { method: 'POST', path: '/networking/firewalls', scopes: firewallWrite, body: 'label* rules* devices tags' },
  ],
  'Firewall View': [
    firewalls.view,
    { method: 'GET', path: '/networking/firewalls/{firewallId}', scopes: firewallRead },
  ],
  'Firewall Update': [
    firewalls.update,
    { method: 'PUT', path: '/networking/firewalls/{firewallId}', scopes: firewallWrite, body: 'label status tags' },
  ],
  'Firewall Delete': [
    firewalls.delete,
    { method: 'DELETE', path: '/networking/firewalls/{firewallId}', scopes: firewallWrite },
  ],
  'Firewall Devices List': [
    firewallDevices.list,
    { method: 'GET', path: '/networking/firewalls/{firewallId}/devices', scopes: firewallRead, paged: true },
  ],
  'Firewall Device Create': [
    firewallDevices.create,
    {
      method: 'POST',
      path: '/networking/firewalls/{firewallId}/devices',
      scopes: firewallWrite,
      body: 'id* type*',
    },
  ],
  'Firewall Device View': [
    firewallDevices.view,
    { method: 'GET', path: '/networking/firewalls/{firewallId}/devices/{deviceId}', scopes: firewallRead },
  ],
  'Firewall Device Delete': [
    firewallDevices.delete,
    { method: 'DELETE', path: '/networking/firewalls/{firewallId}/devices/{deviceId}', scopes: firewallWrite },
  ],
  'Firewall Rules List': [
    firewallRules.list,
    { method: 'GET', path: '/networking/firewalls/{firewallId}/rules', scopes: firewallRead },
  ],
  'Firewall Rules Update': [
    firewallRules.update,
    {
      method: 'PUT',
      path: '/networking/firewalls/{firewallId}/rules',
      scopes: firewallWrite,
      body: 'inbound inbound_policy outbound outbound_policy',
    },
  ],

  'IP Addresses List': [ips.list, { method: 'GET', path: '/networking/ips', scopes: 'ips:read_only', paged: true }],
  'IP Address Allocate': [
    ips.allocate,
    { method: 'POST', path: '/networking/ips', scopes: ipsAndComputes, body: 'type* public* compute_id*' },
  ],
  'IP Addresses Assign': [
    ips.assign,
    {
      method: 'POST',
      path: '/networking/ips/assign',
      scopes: ipsAndComputes,
      body: 'region* assignments*',
    },
  ],
  'IP Addresses Share': [
    ips.share,
    {
      method: 'POST',
      path: '/networking/ips/share',
      scopes: ipsAndComputes,
      body: 'compute_id* ips*',
    },
  ],
  'IP Address View': [ips.view, { method: 'GET', path: '/networking/ips/{address}', scopes: 'ips:read_only' }],
  'IP Address RDNS Update': [
    ips.rdns,
    { method: 'PUT', path: '/networking/ips/{address}', scopes: 'ips:read_write', body: 'rdns*' },
  ],
  'Assign IPv4s': [
    ips.assignIpv4,
    {
      method: 'POST',
      path: '/networking/ipv4/assign',
      scopes: ipsAndComputes,
      body: 'region* assignments*',
    },
  ],
  'IPv4 Sharing Configure': [
    ips.shareIpv4,
    {
      method: 'POST',
      path: '/networking/ipv4/share',
      scopes: ipsAndComputes,
      body: 'compute_id* ips*',
    },
  ],

  'IPv6 Pools List': [
    ipv6Pools.list,
    { method: 'GET', path: '/networking/ipv6/pools', scopes: 'ips:read_only', paged: true },
  ],
  'IPv6 Ranges List': [
    ipv6Ranges.list,
    { method: 'GET', path: '/networking/ipv6/ranges', scopes: 'ips:read_only', paged: true },
  ],
  'IPv6 Range Create': [
    ipv6Ranges.create,
    {
      method: 'POST',
      path: '/networking/ipv6/ranges',
      scopes: ipsAndComputes,
      body: 'prefix_length* compute_id route_target',
    },
  ],
  'IPv6 Range View': [ipv6Ranges.view, { method: 'GET', path: '/networking/ipv6/ranges/{range}', scopes: 'ips:read' }],
  'IPv6 Range Delete': [
    ipv6Ranges.delete,
    { method: 'DELETE', path: '/networking/ipv6/ranges/{range}', scopes: 'ips:read_write' },
  ],
  'VLANs List': [vlans.list, { method: 'GET', path: '/networking/vlans', scopes: 'computes:read_only', paged: true }],
}

export const networkingFields: [string, Operation, string][] = [
  ['firewall', firewalls.view, 'created id label rules status tags updated'],
  ['set of rules', firewallRules.list, 'inbound inbound_policy outbound outbound_policy'],
  ['firewall device', firewallDevices.view, 'created entity id updated'],
  ['IP address', ips.view, 'address compute_id gateway prefix public rdns region subnet_mask type vpc_nat_1_1'],
  ['IPv6 range', ipv6Ranges.view, 'computes is_bgp prefix range region'],
  ['new IPv6 range', ipv6Ranges.create, 'range route_target'],
]
