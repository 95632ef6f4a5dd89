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
import { Problem } from '../errors'
import { isRecord } from '../rules/records'
import type { Account } from './account'
import { type Action, namedBy } from './action'
import { addDevice, createFirewall, deleteDevice, deleteFirewall, setStatus, updateFirewall } from './actions/firewalls'
import { allocateIp, assignAddresses, setReverseDns } from './actions/ips'
import { createRange, deleteRange } from './actions/ipv6'
import { replacePreferences } from './actions/preferences'
import { addSshKey, deleteSshKey, updateProfile, updateSshKey } from './actions/profile'
import { revokeToken, updateToken } from './actions/tokens'
import { updateRules } from './actions/update-rules'
import {
  attachVolume,
  cloneVolume,
  createVolume,
  deleteVolume,
  detachVolume,
  resizeVolume,
  updateVolume,
} from './actions/volumes'
import { type ChangeOptions, type RequestBody, usualWaitMs } from './change-context'
import { filteredPages } from './filter-refusal'
import { type Perform, performing } from './perform'
import { byId, findTarget, ofParent, parseTarget, pathOf, type Resource } from './resource'
import { ipResource, rangeResource } from './resources/address'
import { deviceResource, firewallResource } from './resources/firewall'
import { sshKeyResource } from './resources/profile'
import { tokenResource } from './resources/token'
import { volumeResource } from './resources/volume'

/** An object that is named: its id, or its label, address or range. */
export type Named = number | string

export interface Method {
  /** `list` yields records, `view` resolves to one, and `change` to a `MethodResult`. */
  kind: 'list' | 'view' | 'change'
  operation: Operation
  /** Names that the first arguments stand for. */
  named: readonly { name: string; by: 'id' | 'text' | 'either' }[]
  /** Whether a body follows them; `answered`: a part of the answer to a view, with its nulls. */
  hasBody: boolean | 'answered'
  call(account: Account, names: readonly Named[], body: RequestBody | undefined, options: MethodOptions): unknown
}

/** Options of a list (`filter`) or a change (all others). */
export interface MethodOptions extends Pick<ChangeOptions, 'ifAbsent' | 'ifPresent' | 'ifMatch' | 'force'> {
  filter?: Readonly<Record<string, unknown>>
  /** Waits for the result, up to so many milliseconds, or 5 minutes. */
  wait?: boolean | number
}

/** Result of a change. */
export interface MethodResult {
  outcome: 'done' | 'already' | 'exists' | 'absent' | 'unchanged'
  /** The object after the change, or what the service answered. */
  record: Readonly<Record<string, unknown>>
  before?: Readonly<Record<string, unknown>> | undefined
}

const namesOf = (resource: Resource): Method['named'] => [
  ...(resource.parent ? namesOf(resource.parent) : []),
  { name: nameOfNoun(resource.noun), by: !resource.reference ? 'either' : resource.reference === byId ? 'id' : 'text' },
]

/** Turns `SSH key` into `sshKey`, and `IPv6 range` into `range`. */
function nameOfNoun(noun: string): string {
  const [first = '', ...rest] = noun.replace('IPv6 ', '').split(' ')
  return first.toLowerCase() + rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function textOf(named: Named, resource: Resource): string {
  if (typeof named === 'number') return `id:${named}`
  return resource.reference ? named : `label:${named}`
}

/** Returns names as the command line spells them: a number is an id, and a text is a label. */
function typedNames(resource: Resource | undefined, names: readonly Named[]): string[] {
  if (!resource) return names.map(String)
  const chain = resource.parent ? [resource.parent, resource] : [resource]
  return names.map((named, at) => textOf(named, chain[at] ?? resource))
}

/** Lists the records of an operation; those of a parent if `resource` has one. */
const listing = (operation: Operation, resource?: Resource): Method => ({
  kind: 'list',
  operation,
  named: resource?.parent ? namesOf(resource.parent) : [],
  hasBody: false,
  async *call(account, names, _body, { filter = {} }) {
    const client = await account.client({ isPublic: operation.isPublic === true })
    const { path = {} } = resource ? await ofParent(resource, typedNames(resource, names), account) : {}
    const known = Object.entries(filter).filter(([key]) => operation.filterable?.includes(key))
    const call = { path, ...(known.length > 0 && { filter: Object.fromEntries(known) }) }
    // The service may ignore a filter.
    for await (const page of filteredPages(client, operation, call))
      for (const record of page) if (hasAll(record, filter)) yield record
  },
})

function hasAll(record: unknown, filter: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(filter).every(([key, wanted]) => {
    const held: unknown = typeof record === 'object' && record !== null ? Reflect.get(record, key) : undefined
    return Array.isArray(held) ? held.includes(wanted) : held === wanted
  })
}

/** Reads an object, or something that an account has once. */
const viewing = (operation: Operation, resource?: Resource): Method => ({
  kind: 'view',
  operation,
  named: resource ? namesOf(resource) : [],
  hasBody: false,
  async call(account, names) {
    const client = await account.client({ isPublic: operation.isPublic === true })
    if (!resource) return client.call(operation)
    const typed = typedNames(resource, names)
    const found = parseTarget(typed.at(-1) ?? '', resource.noun, resource.reference)
    const place = await ofParent(resource, typed, account)
    if (operation === resource.view) return (await findTarget(found, place, account, { record: true })).record
    const { id } = await findTarget(found, place, account, { record: false })
    return client.call(operation, { path: pathOf(place, id) })
  },
})

const region: Method = {
  ...viewing(regions.view),
  named: [{ name: 'region', by: 'text' }],
  call: async (account, [regionId = '']) =>
    (await account.client({ isPublic: true })).call(regions.view, { path: { regionId } }),
}

const changing = (action: Action): Method =>
  changingWith(performing(action), action.operation, { resource: namedBy(action), hasBody: !action.body })

function changingWith(
  perform: Perform,
  operation: Operation,
  { resource, hasBody = true }: { resource?: Resource | undefined; hasBody?: Method['hasBody'] } = {},
): Method {
  return {
    kind: 'change',
    operation,
    named: resource ? namesOf(resource) : [],
    hasBody: operation.body !== undefined && hasBody,
    async call(account, names, body, { wait, filter: _, ...options }): Promise<MethodResult> {
      const waitMs = wait === true ? usualWaitMs : wait || undefined
      const request = { target: typedNames(resource, names), body, options: { ...options, ...(waitMs && { waitMs }) } }
      const { outcome, answer, before } = await perform(request, account)
      return { outcome: outcome.kind, record: answer, ...(before && { before }) }
    },
  }
}

type Methods = { readonly [name: string]: Method | Methods }

/** All methods by group; what a person does once, such as two-factor authentication, is left to the command line. */
export const methods = {
  volumes: {
    list: listing(volumes.list),
    view: viewing(volumes.view, volumeResource),
    create: changing(createVolume),
    clone: changing(cloneVolume),
    update: changing(updateVolume),
    resize: changing(resizeVolume),
    attach: changing(attachVolume),
    detach: changing(detachVolume),
    delete: changing(deleteVolume),
  },
  firewalls: {
    list: listing(firewalls.list),
    view: viewing(firewalls.view, firewallResource),
    create: changing(createFirewall),
    update: changing(updateFirewall),
    enable: changing(setStatus('enabled')),
    disable: changing(setStatus('disabled')),
    delete: changing(deleteFirewall),
    rules: {
      view: viewing(firewallRules.list, firewallResource),
      update: changingWith(updateRules, firewallRules.update, { resource: firewallResource, hasBody: 'answered' }),
    },
    devices: {
      list: listing(firewallDevices.list, deviceResource),
      view: viewing(firewallDevices.view, deviceResource),
      add: changingWith(addDevice, firewallDevices.create, { resource: firewallResource }),
      delete: changing(deleteDevice),
    },
  },
  ips: {
    list: listing(ips.list),
    view: viewing(ips.view, ipResource),
    allocate: changing(allocateIp),
    assign: changingWith(assignAddresses, ips.assign),
    rdns: changingWith(setReverseDns, ips.rdns, { resource: ipResource }),
  },
  ipv6: {
    pools: { list: listing(ipv6Pools.list) },
    ranges: {
      list: listing(ipv6Ranges.list),
      view: viewing(ipv6Ranges.view, rangeResource),
      create: changing(createRange),
      delete: changing(deleteRange),
    },
  },
  regions: { list: listing(regions.list), view: region, availability: listing(regions.availability) },
  vlans: { list: listing(vlans.list) },
  tokens: {
    list: listing(tokens.list),
    view: viewing(tokens.view, tokenResource),
    update: changing(updateToken),
    revoke: changing(revokeToken),
  },
  profile: {
    view: viewing(profile.view),
    update: changing(updateProfile),
    grants: viewing(profile.grants),
    logins: { list: listing(logins.list) },
    preferences: { view: viewing(preferences.view), update: changing(replacePreferences) },
    sshkeys: {
      list: listing(sshkeys.list),
      view: viewing(sshkeys.view, sshKeyResource),
      add: changing(addSshKey),
      update: changing(updateSshKey),
      delete: changing(deleteSshKey),
    },
  },
} as const satisfies Methods

export const isMethod = (one: Method | Methods): one is Method => typeof one.call === 'function'

/** Returns the methods as functions that act on an account: `volumes.resize('data', { size: 40 }, { wait: true })`. */
export function bound(group: Methods, account: Account): Record<string, unknown> {
  const entries = Object.entries(group).map(([name, one]) => [
    name,
    isMethod(one) ? (...given: readonly unknown[]) => called(one, account, given) : bound(one, account),
  ])
  return Object.fromEntries(entries)
}

/** Programs without types may give anything. */
function called({ named, hasBody, call }: Method, account: Account, given: readonly unknown[]): unknown {
  const names = named.map(({ name }, at) => {
    const one = given[at]
    if (typeof one !== 'number' && typeof one !== 'string')
      throw notGiven(`the argument "${name}"`, 'a number or a text')
    return one
  })
  const [first = {}, second = {}] = given.slice(named.length)
  const [body, options] = hasBody ? [first, second] : [undefined, first]
  if (body !== undefined && !isRecord(body)) throw notGiven('the body', 'an object')
  if (!isRecord(options)) throw notGiven('the options', 'an object')
  return call(account, names, body, options)
}

const notGiven = (what: string, kind: string) => new Problem('usage', `${what} must be ${kind}`)
