/** All operations of api.md by group and verb, in the order of the document. */
import { firewallRules } from './firewall-rules'
import { firewallDevices, firewalls } from './firewalls'
import { ips } from './ips'
import { ipv6Pools, ipv6Ranges } from './ipv6'
import type { Operation } from './operation'
import { apps } from './profile/apps'
import { devices } from './profile/devices'
import { logins } from './profile/logins'
import { phone } from './profile/phone'
import { preferences } from './profile/preferences'
import { profile } from './profile/profile'
import { securityQuestions } from './profile/security-questions'
import { sshkeys } from './profile/sshkeys'
import { tfa } from './profile/tfa'
import { regions } from './regions'
import { tokens } from './tokens'
import { vlans } from './vlans'
import { volumes } from './volumes'

export const catalogue: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  profile,
  apps,
  devices,
  logins,
  phone,
  preferences,
  securityQuestions,
  sshkeys,
  tfa,
  tokens,
  volumes,
  regions,
  firewalls,
  firewallDevices,
  firewallRules,
  ips,
  ipv6Pools,
  ipv6Ranges,
  vlans,
}
