/** Every operation that the sandbox serves, with its handler. */
import { firewallRules } from '../catalogue/firewall-rules'
import { firewallDevices, firewalls } from '../catalogue/firewalls'
import { ips } from '../catalogue/ips'
import { ipv6Pools, ipv6Ranges } from '../catalogue/ipv6'
import type { Operation } from '../catalogue/operation'
import { apps } from '../catalogue/profile/apps'
import { devices } from '../catalogue/profile/devices'
import { logins } from '../catalogue/profile/logins'
import { phone } from '../catalogue/profile/phone'
import { preferences } from '../catalogue/profile/preferences'
import { profile } from '../catalogue/profile/profile'
import { securityQuestions } from '../catalogue/profile/security-questions'
import { sshkeys } from '../catalogue/profile/sshkeys'
import { tfa } from '../catalogue/profile/tfa'
import { regions } from '../catalogue/regions'
import { tokens } from '../catalogue/tokens'
import { vlans } from '../catalogue/vlans'
import { volumes } from '../catalogue/volumes'
import type { Caller } from './caller'
import { eventHandlers, eventOperations } from './events'
import { firewallDeviceHandlers } from './firewall-devices'
import { firewallRuleHandlers } from './firewall-rules'
import { firewallHandlers } from './firewalls'
import type { Handlers, Need, Warning } from './handler'
import { ipHandlers } from './ips'
import { ipv6PoolHandlers, ipv6RangeHandlers } from './ipv6'
import { appHandlers } from './profile/apps'
import { deviceHandlers } from './profile/devices'
import { loginHandlers } from './profile/logins'
import { phoneHandlers } from './profile/phone'
import { preferenceHandlers } from './profile/preferences'
import { profileHandlers } from './profile/profile'
import { securityQuestionHandlers } from './profile/security-questions'
import { sshKeyHandlers } from './profile/sshkeys'
import { tfaHandlers } from './profile/tfa'
import { regionHandlers } from './regions'
import { tokenHandlers } from './tokens'
import { vlanHandlers } from './vlans'
import { volumeHandlers } from './volumes'
import type { World } from './world'

export interface Served {
  operation: Operation
  needs: readonly Need[]
  refusesUnknownKeys: boolean
  handle(input: object, act: { world: World; caller: Caller | undefined; warn(warning: Warning): void }): unknown
}

function serve<Group extends Record<string, Operation>>(group: Group, handlers: Handlers<Group>): Served[] {
  return Object.entries(group).map(([name, operation]) => {
    const { needs = [], refusesUnknownKeys = false, handle } = handlers[name as keyof Group]
    // A handler is called with what its own operation was checked against, so the types hold at run time.
    return { operation, needs, refusesUnknownKeys, handle: handle as Served['handle'] }
  })
}

export const served: readonly Served[] = [
  ...serve(profile, profileHandlers),
  ...serve(apps, appHandlers),
  ...serve(devices, deviceHandlers),
  ...serve(logins, loginHandlers),
  ...serve(phone, phoneHandlers),
  ...serve(preferences, preferenceHandlers),
  ...serve(securityQuestions, securityQuestionHandlers),
  ...serve(sshkeys, sshKeyHandlers),
  ...serve(tfa, tfaHandlers),
  ...serve(tokens, tokenHandlers),
  ...serve(regions, regionHandlers),
  ...serve(volumes, volumeHandlers),
  ...serve(firewalls, firewallHandlers),
  ...serve(firewallDevices, firewallDeviceHandlers),
  ...serve(firewallRules, firewallRuleHandlers),
  ...serve(ips, ipHandlers),
  ...serve(ipv6Pools, ipv6PoolHandlers),
  ...serve(ipv6Ranges, ipv6RangeHandlers),
  ...serve(vlans, vlanHandlers),
  ...serve(eventOperations, eventHandlers),
]
