/** All tables of the sandbox, in the order of a seed file. */
import { addresses } from './addresses'
import { logins, phoneCodes, securityAnswers, tfaSecrets, trustedDevices } from './authentication'
import { firewallDevices, firewalls } from './firewalls'
import { events, messages } from './logs'
import { preferences } from './preferences'
import { balancers, computes } from './services'
import { sshkeys } from './ssh-keys'
import { apps, tokens } from './tokens'
import { users } from './users'
import { vlans } from './vlans'
import { volumes } from './volumes'

export const declarations = {
  computes,
  balancers,
  users,
  tokens,
  volumes,
  firewalls,
  devices: firewallDevices,
  addresses,
  vlans,
  apps,
  trusted_devices: trustedDevices,
  logins,
  sshkeys,
  security_answers: securityAnswers,
  preferences,
  phone_codes: phoneCodes,
  tfa_secrets: tfaSecrets,
  messages,
  events,
}
