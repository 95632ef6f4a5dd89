/**
 * Texts and commands for each kind of change: its object, the command to check it, and the undo. In texts, `{id}` is
 * the object, `{label}` its label, and `{firewallId}` the firewall of a device; they end with a command, which gets the
 * context.
 */
import type { ActionName } from '../../account/actions'
import { firewallRules } from '../../catalogue/firewall-rules'
import { firewallDevices, firewalls } from '../../catalogue/firewalls'
import { ips } from '../../catalogue/ips'
import { ipv6Ranges } from '../../catalogue/ipv6'
import type { Operation } from '../../catalogue/operation'
import { apps } from '../../catalogue/profile/apps'
import { devices } from '../../catalogue/profile/devices'
import { phone } from '../../catalogue/profile/phone'
import { preferences } from '../../catalogue/profile/preferences'
import { profile } from '../../catalogue/profile/profile'
import { securityQuestions } from '../../catalogue/profile/security-questions'
import { sshkeys } from '../../catalogue/profile/sshkeys'
import { tfa } from '../../catalogue/profile/tfa'
import { tokens } from '../../catalogue/tokens'
import { volumes } from '../../catalogue/volumes'

/** Undo by restoring the previous values, with the command that changes them. */
export interface UndoRequest {
  view: Operation
  does: ActionName
  /** Fields that cannot be restored, and reasons. */
  lasting?: Readonly<Record<string, string>>
}

/** Undo by assigning or unassigning a service. */
export interface DeviceUndo {
  device: 'delete' | 'add'
  /** Text if the service is unknown. */
  otherwise: string
}

export interface ChangeKind {
  operation: Operation
  kind: string
  /** Set if the object is in the answer, not in the path. */
  made?: true
  /** Command without the program's name. */
  look: string
  /** `rules`: with the backups of rules. A string: there is no undo, and this is the reason. */
  back: UndoRequest | DeviceUndo | 'rules' | string
}

const volume = { kind: 'volume', look: 'volumes view {id}' }
const newVolume = { kind: 'volume', look: 'volumes list --filter label={label}' }
const firewall = { kind: 'firewall', look: 'firewalls view {id}' }
const firewallDevice = { kind: 'device', look: 'firewalls devices list {firewallId}' }
const address = { kind: 'address', look: 'ips view {id}' }
const moved = { kind: 'addresses', look: 'ips list' }
const range = { kind: 'IPv6 range', look: 'ipv6 ranges list' }
const user = { kind: 'profile', look: 'profile view' }
const number = { kind: 'phone number', look: 'profile view' }
const twoFactors = { kind: 'two-factor authentication', look: 'profile view' }
const sshKey = { kind: 'SSH key', look: 'profile sshkeys view {id}' }
const token = { kind: 'token', look: 'tokens view {id}' }

const billed = 'It is billed until it is deleted: skyctl volumes delete {id}'
const assigned = 'The history lacks the previous assignments. Assign them again: skyctl ips assign'
const shared = 'The history lacks the previous list. Share the whole list again: skyctl ips share'

export const changeKinds: readonly ChangeKind[] = [
  { operation: volumes.create, ...newVolume, back: billed },
  { operation: volumes.clone, ...newVolume, back: billed },
  {
    operation: volumes.update,
    ...volume,
    back: { view: volumes.view, does: 'volumes update' },
  },
  { operation: volumes.attach, ...volume, back: 'To reverse it: skyctl volumes detach {id}' },
  {
    operation: volumes.detach,
    ...volume,
    back: 'To reverse it: skyctl volumes attach {id} --compute-id {compute_id}',
  },
  { operation: volumes.resize, ...volume, back: 'A volume cannot shrink. Create a smaller one: skyctl volumes create' },
  { operation: volumes.delete, ...volume, back: 'Its data is gone. Create another: skyctl volumes create' },

  {
    operation: firewalls.create,
    kind: 'firewall',
    look: 'firewalls list --filter label={label}',
    back: 'To reverse it: skyctl firewalls delete {id}',
  },
  { operation: firewalls.update, ...firewall, back: { view: firewalls.view, does: 'firewalls update' } },
  { operation: firewalls.delete, ...firewall, back: 'Its rules are gone. Create another: skyctl firewalls create' },
  { operation: firewallRules.update, kind: 'firewall', look: 'firewalls rules list {id}', back: 'rules' },
  {
    operation: firewallDevices.create,
    ...firewallDevice,
    made: true,
    back: { device: 'delete', otherwise: 'Find its device and delete it: skyctl firewalls devices list {firewallId}' },
  },
  {
    operation: firewallDevices.delete,
    ...firewallDevice,
    back: {
      device: 'add',
      otherwise: 'To reverse it: skyctl firewalls devices add {firewallId} --compute-id ID',
    },
  },

  {
    operation: ips.allocate,
    kind: 'address',
    look: 'ips list',
    back: 'The API cannot release addresses. See skyctl ips list',
  },
  { operation: ips.rdns, ...address, back: { view: ips.view, does: 'ips rdns' } },
  { operation: ips.assign, ...moved, back: assigned },
  { operation: ips.assignIpv4, ...moved, back: assigned },
  { operation: ips.share, ...moved, back: shared },
  { operation: ips.shareIpv4, ...moved, back: shared },
  { operation: ipv6Ranges.create, ...range, back: 'To reverse it: skyctl ipv6 ranges delete {id}' },
  {
    operation: ipv6Ranges.delete,
    ...range,
    back: 'Others may get the range. Create another: skyctl ipv6 ranges create',
  },

  {
    operation: profile.update,
    ...user,
    back: {
      view: profile.view,
      does: 'profile update',
      lasting: {
        ip_whitelist_enabled: 'it cannot be switched on again',
        two_factor_auth: 'set it up again: skyctl profile tfa setup',
      },
    },
  },
  {
    operation: apps.revoke,
    kind: 'app',
    look: 'profile apps list',
    back: 'The app must be authorized again. See skyctl profile apps list',
  },
  {
    operation: devices.revoke,
    kind: 'device',
    look: 'profile devices list',
    back: 'The next login with it asks for a code. See skyctl profile devices list',
  },
  { operation: phone.send, ...number, back: 'The code expires on its own. See skyctl profile view' },
  { operation: phone.verify, ...number, back: 'To reverse it: skyctl profile phone delete' },
  { operation: phone.delete, ...number, back: 'Verify the number again: skyctl profile phone setup' },
  {
    operation: preferences.update,
    kind: 'preferences',
    look: 'profile preferences view',
    back: { view: preferences.view, does: 'profile preferences set' },
  },
  {
    operation: securityQuestions.answer,
    kind: 'security questions',
    look: 'profile security-questions list',
    back: 'The history lacks the answers. Answer again: skyctl profile security-questions answer',
  },
  {
    operation: sshkeys.add,
    kind: 'SSH key',
    look: 'profile sshkeys list --filter label={label}',
    back: 'To reverse it: skyctl profile sshkeys delete {id}',
  },
  { operation: sshkeys.update, ...sshKey, back: { view: sshkeys.view, does: 'profile sshkeys update' } },
  {
    operation: sshkeys.delete,
    ...sshKey,
    back: 'The history lacks the key. Add it again: skyctl profile sshkeys add',
  },
  { operation: tfa.enable, ...twoFactors, back: 'It has no effect until it is confirmed. See skyctl profile view' },
  { operation: tfa.confirm, ...twoFactors, back: 'To reverse it: skyctl profile tfa disable' },
  { operation: tfa.disable, ...twoFactors, back: 'Set it up again: skyctl profile tfa setup' },
  {
    operation: tokens.create,
    kind: 'token',
    look: 'tokens list --filter label={label}',
    back: 'To reverse it: skyctl tokens revoke {id}',
  },
  { operation: tokens.update, ...token, back: { view: tokens.view, does: 'tokens update' } },
  { operation: tokens.revoke, ...token, back: 'It is invalid for good. Create another: skyctl tokens create' },
]

/** Returns the kind of a request, from an operation or from `api`; undefined for an unknown request. */
export function kindOf(method: string, path: string): ChangeKind | undefined {
  const here = changeKinds.filter(({ operation }) => operation.method === method)
  return (
    here.find(({ operation }) => operation.path === path) ??
    here.find(({ operation }) => patternOf(operation).test(path))
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
