/** Kinds of changes: the action, what it is about, and the command that shows that. */
import type { RecordedAction } from '../../account/action'
import { namedBy } from '../../account/action-functions'
import * as firewalls from '../../account/actions/firewalls'
import * as ips from '../../account/actions/ips'
import * as ipv6 from '../../account/actions/ipv6'
import * as preferences from '../../account/actions/preferences'
import * as profile from '../../account/actions/profile'
import * as tokens from '../../account/actions/tokens'
import * as rules from '../../account/actions/update-rules'
import * as volumes from '../../account/actions/volumes'
import { groupOf, listCommandOf } from '../../account/resource'
import type { Operation } from '../../catalogue/operation'
import { isRecord } from '../../rules/records'

export interface ChangeKind {
  action: RecordedAction
  /** Noun for what it is about. */
  kind: string
  /** Set if the object is in the answer, not in the path. */
  isCreation: boolean
  /** Command without the program's name that shows it; placeholders as in the advice of an undo. */
  look: string
}

/** All actions: whatever these modules export with an operation and an undo. */
const actions = [firewalls, ips, ipv6, preferences, profile, tokens, rules, volumes]
  .flatMap((module) => Object.values<unknown>(module))
  .filter((one): one is RecordedAction => isRecord(one) && 'operation' in one && 'undo' in one)

/** Keys in account files of what changes are about. */
export const fileKinds: Readonly<Record<string, string>> = {
  volume: 'volumes',
  firewall: 'firewalls',
  device: 'firewalls',
  address: 'rdns',
  addresses: 'ips',
  profile: 'profile',
  'SSH key': 'sshkeys',
}

/** Actions that the rule for objects does not describe. */
const others: readonly (Omit<ChangeKind, 'action' | 'isCreation'> & {
  isCreation?: true
  actions: readonly RecordedAction[]
})[] = [
  { kind: 'firewall', look: 'firewalls rules list {id}', actions: [rules.updateRules] },
  { kind: 'device', look: 'firewalls devices list {firewallId}', isCreation: true, actions: [firewalls.addDevice] },
  {
    kind: 'addresses',
    look: 'ips list',
    actions: [ips.assignAddresses, ips.assignIpv4Addresses, ips.shareAddresses, ips.shareIpv4Addresses],
  },
  { kind: 'profile', look: 'profile view', actions: [profile.updateProfile] },
  {
    kind: 'phone number',
    look: 'profile view',
    actions: [profile.sendPhoneCode, profile.verifyPhone, profile.deletePhone],
  },
  {
    kind: 'two-factor authentication',
    look: 'profile view',
    actions: [profile.enableTwoFactor, profile.confirmTwoFactor, profile.disableTwoFactor],
  },
  { kind: 'preferences', look: 'profile preferences view', actions: [preferences.replacePreferences] },
  { kind: 'security questions', look: 'profile security-questions list', actions: [profile.answerQuestions] },
]

const described = new Set(others.flatMap((one) => one.actions))

export const changeKinds: readonly ChangeKind[] = [
  ...actions.filter((action) => !described.has(action)).flatMap(kindOfObject),
  ...others.flatMap(({ actions, isCreation = false, ...about }) =>
    actions.map((action) => ({ action, isCreation, ...about })),
  ),
]

/** Applies the rule for objects: a new one is in the list, unless it has none, and any other has its own view. */
export function kindOfObject(action: RecordedAction): ChangeKind[] {
  const { operation, resource } = action
  if (!resource) return []
  const { creates } = operation
  const isCreation = creates !== undefined || !namedBy(action)
  const isListed = isCreation && (creates ?? resource.noun) === resource.noun
  const parents = resource.parent ? [`{${resource.parent.parameter}}`] : []
  const filter = resource.list.filterable?.includes('label') ? ' --filter label={label}' : ''
  const look = isListed
    ? listCommandOf(resource, parents) + filter
    : [groupOf(resource), 'view', ...parents, `{${isCreation ? resource.parameter : 'id'}}`].join(' ')
  return [{ action, isCreation, kind: creates ?? resource.noun, look }]
}

/** Returns the kind of a request, from an operation or from `api`; undefined for an unknown request. */
export function kindOf(method: string, path: string): ChangeKind | undefined {
  const here = changeKinds.filter(({ action: { operation } }) => operation.method === method)
  return (
    here.find(({ action: { operation } }) => operation.path === path) ??
    here.find(({ action: { operation } }) => patternOf(operation).test(path))
  )
}

const patternOf = ({ path }: Operation) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/{}]+)')}/?$`)

export function pathParametersIn(path: string, operation: Operation): Record<string, string> {
  const values = patternOf(operation).exec(path)
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return Object.fromEntries(names.map((name, index) => [name, decoded(values?.[index + 1] ?? '')]))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
