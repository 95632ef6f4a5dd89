/** All tables of the sandbox by their keys in a seed file, in its order. */
import { tables as addresses } from './addresses'
import { logins, phoneCodes, securityAnswers, tfaSecrets, trustedDevices } from './authentication'
import { tables as firewalls } from './firewalls'
import { tables as logs } from './logs'
import { tables as preferences } from './preferences'
import { tables as services } from './services'
import { tables as sshKeys } from './ssh-keys'
import { apps, tokens } from './tokens'
import { tables as users } from './users'
import { tables as vlans } from './vlans'
import { tables as volumes } from './volumes'

export const declarations = {
  ...services,
  ...users,
  tokens,
  ...volumes,
  ...firewalls,
  ...addresses,
  ...vlans,
  apps,
  trusted_devices: trustedDevices,
  logins,
  ...sshKeys,
  security_answers: securityAnswers,
  ...preferences,
  phone_codes: phoneCodes,
  tfa_secrets: tfaSecrets,
  ...logs,
}
