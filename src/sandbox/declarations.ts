/** All tables of the sandbox, grouped and ordered as in a seed file. */
import { addresses } from './tables/addresses'
import { logins, phoneCodes, securityAnswers, tfaSecrets, trustedDevices } from './tables/authentication'
import { firewallDevices, firewalls } from './tables/firewalls'
import { events, messages } from './tables/logs'
import { balancers, computes } from './tables/services'
import { apps, tokens } from './tables/tokens'
import { preferences, sshkeys, users } from './tables/users'
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
