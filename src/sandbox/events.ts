/** Account events: one for each request that changed something. The names beside those of api.md are ours. */
import { isDeepStrictEqual } from 'node:util'
import type { Operation } from '../catalogue/operation'
import type { CallerContext } from './caller'
import type { World } from './world'

interface Subject {
  label?: string
  username?: string
  status?: unknown
}

const kinds = {
  volume: { path: '/volumes', find: (id: number, { volumes }: World): Subject | undefined => volumes.get(id) },
  firewall: {
    path: '/networking/firewalls',
    find: (id: number, { network }: World): Subject | undefined => network.firewalls.get(id),
  },
  compute: {
    path: '/compute/instances',
    find: (id: number, { computes }: World): Subject | undefined => computes.get(id),
  },
  token: { path: '/profile/tokens', find: (id: number, { tokens }: World): Subject | undefined => tokens.get(id) },
  sshkey: {
    path: '/profile/sshkeys',
    find: (id: number, { profile }: World): Subject | undefined => profile.sshkeys.get(id),
  },
  user: { path: '/account/users', find: (id: number, { users }: World): Subject | undefined => users.get(id) },
}

type Fields = Readonly<Record<string, unknown>>

interface EventRule {
  kind: keyof typeof kinds
  /** Returns the id of the object before the request; undefined for one that the request creates. */
  before(input: Fields, act: CallerContext): unknown
  /** Returns the id of an object that the request created. */
  after?(answer: Fields, act: CallerContext): unknown
  /** Returns the action; undefined if nothing has changed. */
  action(was: Subject | undefined, is: Subject | undefined): string | undefined
}

const creation = (kind: EventRule['kind'], action: string): EventRule => ({
  kind,
  before: () => undefined,
  after: ({ id }) => id,
  action: () => action,
})

const change = (kind: EventRule['kind'], parameter: string, action: string): EventRule => ({
  kind,
  before: (input) => input[parameter],
  action: () => action,
})

/** An update may have the present values. */
const update = (kind: EventRule['kind'], parameter: string, action: string): EventRule => ({
  ...change(kind, parameter, action),
  action: (was, is) => (isSame(was, is) ? undefined : action),
})

const isSame = (was: object | undefined, is: object | undefined) =>
  isDeepStrictEqual({ ...was, updated: null }, { ...is, updated: null })

const ofUser = (action: string): EventRule => ({
  kind: 'user',
  before: (_, { caller }) => caller.user.id,
  action: () => action,
})

const addressOwner = (parameter: string, action: string): EventRule => ({
  kind: 'compute',
  before: ({ [parameter]: address }, { world }) => world.network.findAddress(String(address))?.compute_id,
  action: () => action,
})

/** An event of all assignments of a request is that of the first instance. */
const assignment: EventRule = {
  kind: 'compute',
  before: ({ assignments }) => (Array.isArray(assignments) ? assignments[0]?.compute_id : undefined),
  action: () => 'ip_address_assign',
}

const firewallUpdate: EventRule = {
  ...change('firewall', 'firewallId', 'firewall_update'),
  action(was, is) {
    if (was?.status !== is?.status) return is?.status === 'enabled' ? 'firewall_enable' : 'firewall_disable'
    return isSame(was, is) ? undefined : 'firewall_update'
  },
}

const rules: Readonly<Record<string, EventRule>> = {
  'POST /volumes': creation('volume', 'volume_create'),
  'PUT /volumes/{volumeId}': update('volume', 'volumeId', 'volume_update'),
  'DELETE /volumes/{volumeId}': change('volume', 'volumeId', 'volume_delete'),
  'POST /volumes/{volumeId}/attach': change('volume', 'volumeId', 'volume_attach'),
  'POST /volumes/{volumeId}/detach': change('volume', 'volumeId', 'volume_detach'),
  'POST /volumes/{volumeId}/resize': change('volume', 'volumeId', 'volume_resize'),
  'POST /volumes/{volumeId}/clone': change('volume', 'volumeId', 'volume_clone'),
  'POST /networking/firewalls': creation('firewall', 'firewall_create'),
  'PUT /networking/firewalls/{firewallId}': firewallUpdate,
  'DELETE /networking/firewalls/{firewallId}': change('firewall', 'firewallId', 'firewall_delete'),
  'PUT /networking/firewalls/{firewallId}/rules': update('firewall', 'firewallId', 'firewall_rules_update'),
  'POST /networking/firewalls/{firewallId}/devices': change('firewall', 'firewallId', 'firewall_device_add'),
  'DELETE /networking/firewalls/{firewallId}/devices/{deviceId}': change(
    'firewall',
    'firewallId',
    'firewall_device_remove',
  ),
  'POST /networking/ips': change('compute', 'compute_id', 'ip_address_create'),
  'POST /networking/ips/assign': assignment,
  'POST /networking/ipv4/assign': assignment,
  'POST /networking/ips/share': change('compute', 'compute_id', 'ip_address_share'),
  'POST /networking/ipv4/share': change('compute', 'compute_id', 'ip_address_share'),
  'PUT /networking/ips/{address}': addressOwner('address', 'ip_address_update'),
  'POST /networking/ipv6/ranges': {
    kind: 'compute',
    before: () => undefined,
    after: ({ route_target }, { world }) => world.network.findAddress(String(route_target))?.compute_id,
    action: () => 'ipv6_range_create',
  },
  'DELETE /networking/ipv6/ranges/{range}': addressOwner('range', 'ipv6_range_delete'),
  'PUT /profile': {
    ...ofUser('profile_update'),
    action: (was, is) => (isSame(was, is) ? undefined : 'profile_update'),
  },
  'PUT /profile/preferences': ofUser('preferences_update'),
  'POST /profile/security-questions': ofUser('security_questions_answer'),
  'POST /profile/phone-number/verify': ofUser('phone_number_verify'),
  'DELETE /profile/phone-number': ofUser('phone_number_delete'),
  'POST /profile/tfa-enable-confirm': ofUser('tfa_enable'),
  'POST /profile/tfa-disable': ofUser('tfa_disable'),
  'DELETE /profile/apps/{appId}': ofUser('app_revoke'),
  'DELETE /profile/devices/{deviceId}': ofUser('trusted_device_revoke'),
  'POST /profile/sshkeys': creation('sshkey', 'ssh_key_create'),
  'PUT /profile/sshkeys/{sshKeyId}': update('sshkey', 'sshKeyId', 'ssh_key_update'),
  'DELETE /profile/sshkeys/{sshKeyId}': change('sshkey', 'sshKeyId', 'ssh_key_delete'),
  'POST /profile/tokens': creation('token', 'token_create'),
  'PUT /profile/tokens/{tokenId}': update('token', 'tokenId', 'token_update'),
  'DELETE /profile/tokens/{tokenId}': change('token', 'tokenId', 'token_delete'),
}

/** Reports whether requests of an operation, such as `PUT /profile`, record no event. */
export const unrecorded = (operation: string): boolean => !Object.hasOwn(rules, operation)

/** Returns a function that records the event of a request after its success; call this one before the request. */
export function eventRecorder(
  { method, path }: Pick<Operation, 'method' | 'path'>,
  input: Fields,
  act: CallerContext,
): (answer: object | null) => void {
  const rule = rules[`${method} ${path}`]
  if (!rule) return () => {}
  const { world, caller } = act
  const { path: prefix, find } = kinds[rule.kind]
  const subjectOf = (id: unknown) => (typeof id === 'number' ? find(id, world) : undefined)
  const present = rule.before(input, act)
  const was = subjectOf(present)
  return (answer) => {
    const id = present ?? rule.after?.({ ...answer }, act)
    const is = subjectOf(id)
    const action = rule.action(was, is)
    const subject = is ?? was
    if (action === undefined || !subject || typeof id !== 'number') return
    world.network.events.put({
      id: world.network.events.nextId(),
      action,
      created: world.timestamp(),
      entity: { id, label: subject.label ?? subject.username ?? '', type: rule.kind, url: `/v4${prefix}/${id}` },
      username: caller.user.username,
      status: 'finished',
    })
  }
}
