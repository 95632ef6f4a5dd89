/** Methods of an account for programs, by group: each does with one operation what the command of its name does. */
import { firewallRules } from '../catalogue/firewall-rules'
import { firewallDevices, firewalls } from '../catalogue/firewalls'
import { ips } from '../catalogue/ips'
import { ipv6Pools, ipv6Ranges } from '../catalogue/ipv6'
import type { Operation } from '../catalogue/operation'
import { logins } from '../catalogue/profile/logins'
import { preferences } from '../catalogue/profile/preferences'
import { profile } from '../catalogue/profile/profile'
import { sshkeys } from '../catalogue/profile/sshkeys'
import { regions } from '../catalogue/regions'
import { tokens } from '../catalogue/tokens'
import { vlans } from '../catalogue/vlans'
import { volumes } from '../catalogue/volumes'
import { isRecord } from '../rules/records'
import type { Account } from './account'
import type { Action } from './action'
import { namedBy } from './action-functions'
import { addDevice, createFirewall, deleteDevice, deleteFirewall, setStatus, updateFirewall } from './actions/firewalls'
import { allocateIp, assignAddresses, setReverseDns } from './actions/ips'
import * as rangeActions from './actions/ipv6'
import { replacePreferences } from './actions/preferences'
import * as profileActions from './actions/profile'
import { revokeToken, updateToken } from './actions/tokens'
import { updateRules } from './actions/update-rules'
import * as volumeActions from './actions/volumes'
import { type AccountMethod, called, changing, listing, region, viewing } from './method'
import type { Resource } from './resource'
import { ipResource, rangeResource } from './resources/address'
import { deviceResource, firewallResource } from './resources/firewall'
import { sshKeyResource } from './resources/profile'
import { tokenResource } from './resources/token'
import { volumeResource } from './resources/volume'

type Methods = { readonly [name: string]: AccountMethod | Methods }

const lockout = ['keepOpen', 'allowLockout'] as const

/** Returns the operations of a group as methods, by their names in the catalogue; those that change something have actions. */
function operationsOf(
  group: Readonly<Record<string, Operation>>,
  actions: Readonly<Record<string, unknown>>,
  resource: Resource,
): Readonly<Record<string, AccountMethod>> {
  const methodsOf = ([name, operation]: [string, Operation]): [string, AccountMethod][] => {
    const isOfThis = (one: unknown): one is Action => isRecord(one) && one.operation === operation
    const action = Object.values(actions).find(isOfThis)
    if (action) return [[name, changing(action)]]
    if (operation.method !== 'GET') return []
    const read = operation.paged ? listing(operation, namedBy({ operation, resource })) : viewing(operation, resource)
    return [[name, read]]
  }
  return Object.fromEntries(Object.entries(group).flatMap(methodsOf))
}

/** All methods by group; what a person does once, such as two-factor authentication, is left to the command line. */
export const methods = {
  volumes: operationsOf(volumes, volumeActions, volumeResource),
  firewalls: {
    list: listing(firewalls.list),
    view: viewing(firewalls.view, firewallResource),
    create: changing(createFirewall, lockout),
    update: changing(updateFirewall, lockout),
    enable: changing(setStatus('enabled'), lockout),
    disable: changing(setStatus('disabled')),
    delete: changing(deleteFirewall),
    rules: {
      view: viewing(firewallRules.list, firewallResource),
      update: changing(updateRules, ['ifMatch', 'force', ...lockout], 'answered'),
    },
    devices: {
      list: listing(firewallDevices.list, firewallResource),
      view: viewing(firewallDevices.view, deviceResource),
      add: changing(addDevice, lockout),
      delete: changing(deleteDevice),
    },
  },
  ips: {
    list: listing(ips.list),
    view: viewing(ips.view, ipResource),
    allocate: changing(allocateIp),
    assign: changing(assignAddresses),
    rdns: changing(setReverseDns),
  },
  ipv6: {
    pools: { list: listing(ipv6Pools.list) },
    ranges: operationsOf(ipv6Ranges, rangeActions, rangeResource),
  },
  regions: { list: listing(regions.list), view: region, availability: listing(regions.availability) },
  vlans: { list: listing(vlans.list) },
  tokens: {
    list: listing(tokens.list),
    view: viewing(tokens.view, tokenResource),
    update: changing(updateToken),
    revoke: changing(revokeToken, ['force']),
  },
  profile: {
    view: viewing(profile.view),
    update: changing(profileActions.updateProfile),
    grants: viewing(profile.grants),
    logins: { list: listing(logins.list) },
    preferences: { view: viewing(preferences.view), update: changing(replacePreferences) },
    sshkeys: operationsOf(sshkeys, profileActions, sshKeyResource),
  },
} as const satisfies Methods

export const isMethod = (one: AccountMethod | Methods): one is AccountMethod => typeof one.call === 'function'

/** Returns the methods as functions that act on an account: `volumes.resize('data', { size: 40 }, { wait: true })`. */
export function bound(group: Methods, account: Account, above = ''): Record<string, unknown> {
  const entries = Object.entries(group).map(([name, one]) => {
    const by = `${above}${name}`
    const call = (...args: readonly unknown[]) => isMethod(one) && called(one, by, account, args)
    return [name, isMethod(one) ? call : bound(one, account, `${by}.`)]
  })
  return Object.fromEntries(entries)
}
