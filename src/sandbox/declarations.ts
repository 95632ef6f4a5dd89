/** All tables of the sandbox, grouped and ordered as in a seed file. */
import { addresses } from './tables/addresses'
import { apps } from './tables/apps'
import { balancers } from './tables/balancers'
import { computes } from './tables/computes'
import { events } from './tables/events'
import { firewallDevices } from './tables/firewall-devices'
import { firewalls } from './tables/firewalls'
import { logins } from './tables/logins'
import { messages } from './tables/messages'
import { phoneCodes } from './tables/phone-codes'
import { preferences } from './tables/preferences'
import { securityAnswers } from './tables/security-answers'
import { sshkeys } from './tables/sshkeys'
import { tfaSecrets } from './tables/tfa-secrets'
import { tokens } from './tables/tokens'
import { trustedDevices } from './tables/trusted-devices'
import { users } from './tables/users'
import { volumes } from './tables/volumes'

export const account = { computes, balancers, users, tokens, volumes }

/** Tables of `world.network`, which also has the events. */
export const network = { firewalls, devices: firewallDevices, addresses }
export const log = { events }

/** Tables of `world.profile`: each record belongs to one user. Every request uses users and tokens: see `account`. */
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
