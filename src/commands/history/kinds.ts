/** Kinds of changes: the action, what it is about, and the command that shows that. */
import { namedBy, type RecordedAction } from '../../account/action'
import {
  addDevice,
  createFirewall,
  deleteDevice,
  deleteFirewall,
  updateFirewall,
} from '../../account/actions/firewalls'
import {
  allocateIp,
  assignAddresses,
  assignIpv4Addresses,
  setReverseDns,
  shareAddresses,
  shareIpv4Addresses,
} from '../../account/actions/ips'
import { createRange, deleteRange } from '../../account/actions/ipv6'
import { replacePreferences } from '../../account/actions/preferences'
import {
  addSshKey,
  answerQuestions,
  confirmTwoFactor,
  deletePhone,
  deleteSshKey,
  disableTwoFactor,
  enableTwoFactor,
  revokeApp,
  revokeDevice,
  sendPhoneCode,
  updateProfile,
  updateSshKey,
  verifyPhone,
} from '../../account/actions/profile'
import { createToken, revokeToken, updateToken } from '../../account/actions/tokens'
import { updateRules } from '../../account/actions/update-rules'
import {
  attachVolume,
  cloneVolume,
  createVolume,
  deleteVolume,
  detachVolume,
  resizeVolume,
  updateVolume,
} from '../../account/actions/volumes'
import { groupOf } from '../../account/resource'
import type { Operation } from '../../catalogue/operation'

export interface ChangeKind {
  action: RecordedAction
  /** Noun for what it is about. */
  kind: string
  /** Set if the object is in the answer, not in the path. */
  made: boolean
  /** Command without the program's name that shows it; placeholders as in the advice of an undo. */
  look: string
}

const aboutObjects: readonly RecordedAction[] = [
  ...[createVolume, cloneVolume, updateVolume, attachVolume, detachVolume, resizeVolume, deleteVolume],
  ...[createFirewall, updateFirewall, deleteFirewall, deleteDevice],
  ...[allocateIp, setReverseDns, createRange, deleteRange],
  ...[createToken, updateToken, revokeToken],
  ...[addSshKey, updateSshKey, deleteSshKey, revokeDevice, revokeApp],
]

/** Actions that the rule for objects does not describe. */
const others: readonly (Omit<ChangeKind, 'action' | 'made'> & { made?: true; actions: readonly RecordedAction[] })[] = [
  { kind: 'firewall', look: 'firewalls rules list {id}', actions: [updateRules] },
  { kind: 'device', look: 'firewalls devices list {firewallId}', made: true, actions: [addDevice] },
  {
    kind: 'addresses',
    look: 'ips list',
    actions: [assignAddresses, assignIpv4Addresses, shareAddresses, shareIpv4Addresses],
  },
  { kind: 'profile', look: 'profile view', actions: [updateProfile] },
  { kind: 'phone number', look: 'profile view', actions: [sendPhoneCode, verifyPhone, deletePhone] },
  {
    kind: 'two-factor authentication',
    look: 'profile view',
    actions: [enableTwoFactor, confirmTwoFactor, disableTwoFactor],
  },
  { kind: 'preferences', look: 'profile preferences view', actions: [replacePreferences] },
  { kind: 'security questions', look: 'profile security-questions list', actions: [answerQuestions] },
]

export const changeKinds: readonly ChangeKind[] = [
  ...aboutObjects.flatMap(kindOfObject),
  ...others.flatMap(({ actions, made = false, ...about }) => actions.map((action) => ({ action, made, ...about }))),
]

function kindOfObject(action: RecordedAction): ChangeKind[] {
  const { operation, resource } = action
  if (!resource) return []
  const made = operation.creates !== undefined || !namedBy(action)
  const parent = resource.parent ? `{${resource.parent.parameter}} ` : ''
  const filter = resource.list.filterable?.includes('label') ? ' --filter label={label}' : ''
  const words = made ? `list${filter}` : `view ${parent}{id}`
  return [{ action, made, kind: resource.noun, look: `${groupOf(resource)} ${words}` }]
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

/** Extracts the path parameters from a sent path. */
export function holesIn(path: string, operation: Operation): Record<string, string> {
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
