/** All tables of the sandbox, grouped and ordered as in a seed file. */
import { addresses } from './addresses'
import { logins, phoneCodes, securityAnswers, tfaSecrets, trustedDevices } from './authentication'
import { firewallDevices, firewalls } from './firewalls'
import { events, messages } from './logs'
import { balancers, computes } from './services'
import { apps, tokens } from './tokens'
import { preferences, sshkeys, users } from './users'
import { volumes } from './volumes'

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
