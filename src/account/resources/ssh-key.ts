/** SSH keys of the profile as objects that users name. */
import { sshkeys } from '../../catalogue/profile/sshkeys'
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
