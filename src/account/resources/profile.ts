/** SSH keys, trusted devices and apps of the profile as objects that users name. */
import { apps } from '../../catalogue/profile/apps'
import { devices } from '../../catalogue/profile/devices'
import { sshkeys } from '../../catalogue/profile/sshkeys'
import { byId } from '../find-target'
import type { Resource } from '../resource'

export const sshKeyResource: Resource = {
  noun: 'SSH key',
  parameter: 'sshKeyId',
  list: sshkeys.list,
  view: sshkeys.view,
  delete: sshkeys.delete,
  group: 'profile sshkeys',
  values: 'sshkeys',
}

export const trustedDevice: Resource = {
  noun: 'device',
  parameter: 'deviceId',
  list: devices.list,
  view: devices.view,
  group: 'profile devices',
  reference: byId,
}

export const appResource: Resource = {
  noun: 'app',
  parameter: 'appId',
  list: apps.list,
  view: apps.view,
  group: 'profile apps',
  values: 'apps',
}
