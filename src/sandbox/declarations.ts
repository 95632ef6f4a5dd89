/** The tables of the world, in the groups and in the order in which a seed file has them. */
import { balancers } from './balancers'
import { computes } from './computes'
import { events } from './events'
import { firewallDevices } from './firewall-devices'
import { firewalls } from './firewalls'
import { addresses } from './ips'
import { apps } from './profile/apps'
import { trustedDevices } from './profile/devices'
import { logins } from './profile/logins'
import { messages, phoneCodes } from './profile/phone'
import { preferences } from './profile/preferences'
import { securityAnswers } from './profile/security-questions'
import { sshkeys } from './profile/sshkeys'
import { tfaSecrets } from './profile/tfa'
import { tokens } from './tokens'
import { users } from './users'
import { volumes } from './volumes'

export const account = { computes, balancers, users, tokens, volumes }

/** `world.network`, which has the events as well. */
export const network = { firewalls, devices: firewallDevices, addresses }
export const log = { events }

/** `world.profile`: each record is of one user. Users and tokens are the account's: every request asks for them. */
export const profile = {
  apps,
  trusted_devices: trustedDevices,
  logins,
  sshkeys,
  security_answers: securityAnswers,
  preferences,
  phone_codes: phoneCodes,
  tfa_secrets: tfaSecrets,
  messages,
}
