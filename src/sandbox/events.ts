/** Account events: one for each request that changed something. The names beside those of api.md are ours. */
import { isDeepStrictEqual } from 'node:util'
import type { CallerContext } from './caller'
import type { World } from './world'

interface Subject {
  label?: string
  username?: string
  status?: unknown
}

type SubjectKind = 'volume' | 'firewall' | 'compute' | 'token' | 'sshkey' | 'user'

const kinds: Record<SubjectKind, { path: string; find(id: number, world: World): Subject | undefined }> = {
  volume: { path: '/volumes', find: (id, { volumes }) => volumes.get(id) },
  firewall: { path: '/networking/firewalls', find: (id, { network }) => network.firewalls.get(id) },
  compute: { path: '/compute/instances', find: (id, { computes }) => computes.get(id) },
  token: { path: '/profile/tokens', find: (id, { tokens }) => tokens.get(id) },
  sshkey: { path: '/profile/sshkeys', find: (id, { profile }) => profile.sshkeys.get(id) },
  user: { path: '/account/users', find: (id, { users }) => users.get(id) },
}

type Fields = Readonly<Record<string, unknown>>

export interface EventRule {
  kind: SubjectKind
  /** Returns the id of the object before the request; undefined for one that the request creates. */
  before(input: Fields, act: CallerContext): unknown
  /** Returns the id of an object that the request created. */
  after?(answer: Fields, act: CallerContext): unknown
  /** Returns the action; undefined if nothing has changed. */
  action(was: Subject | undefined, is: Subject | undefined): string | undefined
}

export const creationEvent = (kind: EventRule['kind'], action: string): EventRule => ({
  kind,
  before: () => undefined,
  after: ({ id }) => id,
  action: () => action,
})

export const changeEvent = (kind: EventRule['kind'], parameter: string, action: string): EventRule => ({
  kind,
  before: (input) => input[parameter],
  action: () => action,
})

/** An update may have the present values. */
export const updateEvent = (kind: EventRule['kind'], parameter: string, action: string): EventRule => ({
  ...changeEvent(kind, parameter, action),
  action: (was, is) => (isSame(was, is) ? undefined : action),
})

const isSame = (was: object | undefined, is: object | undefined) =>
  isDeepStrictEqual({ ...was, updated: null }, { ...is, updated: null })

export const userEvent = (action: string): EventRule => ({
  kind: 'user',
  before: (_, { caller }) => caller.user.id,
  action: () => action,
})

export const addressEvent = (parameter: string, action: string): EventRule => ({
  kind: 'compute',
  before: ({ [parameter]: address }, { world }) => world.network.findAddress(String(address))?.compute_id,
  action: () => action,
})

/** An event of all assignments of a request is that of the first instance. */
export const assignmentEvent: EventRule = {
  kind: 'compute',
  before: ({ assignments }) => (Array.isArray(assignments) ? assignments[0]?.compute_id : undefined),
  action: () => 'ip_address_assign',
}

export const firewallUpdateEvent: EventRule = {
  ...changeEvent('firewall', 'firewallId', 'firewall_update'),
  action(was, is) {
    if (was?.status !== is?.status) return is?.status === 'enabled' ? 'firewall_enable' : 'firewall_disable'
    return isSame(was, is) ? undefined : 'firewall_update'
  },
}

export const rangeCreationEvent: EventRule = {
  kind: 'compute',
  before: () => undefined,
  after: ({ route_target }, { world }) => world.network.findAddress(String(route_target))?.compute_id,
  action: () => 'ipv6_range_create',
}

export const profileUpdateEvent: EventRule = {
  ...userEvent('profile_update'),
  action: (was, is) => (isSame(was, is) ? undefined : 'profile_update'),
}

/** Returns a function that records the event of a request after its success; call this one before the request. */
export function eventRecorder(
  rule: EventRule | undefined,
  input: Fields,
  act: CallerContext,
): (answer: object | null) => void {
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
