/** Operations of the commands for account files; help lists their scopes. */

import { firewallRules } from '../../catalogue/firewall-rules'
import { firewallDevices, firewalls } from '../../catalogue/firewalls'
import { ips } from '../../catalogue/ips'
import type { Operation } from '../../catalogue/operation'
import { profile } from '../../catalogue/profile/profile'
import { sshkeys } from '../../catalogue/profile/sshkeys'
import { tokens } from '../../catalogue/tokens'
import { volumes } from '../../catalogue/volumes'

export const planOperations: readonly Operation[] = [
  volumes.list,
  firewalls.list,
  firewallDevices.list,
  sshkeys.list,
  ips.list,
  tokens.list,
  profile.view,
]

export const applyOperations: readonly Operation[] = [
  ...planOperations,
  volumes.create,
  volumes.update,
  volumes.resize,
  volumes.attach,
  volumes.detach,
  volumes.delete,
  firewalls.create,
  firewalls.update,
  firewalls.delete,
  firewallRules.update,
  firewallDevices.create,
  firewallDevices.delete,
  sshkeys.add,
  sshkeys.delete,
  ips.rdns,
  ips.assign,
  profile.update,
]
