/** All that an audit looks for, worst first; what is found is told in this order. */
import type { Check } from '../check'
import { appWrites, failedLogins, questionsUnanswered, twoFactorOff } from './account'
import {
  addressBudget,
  firewallDisabled,
  firewallUnused,
  inboundPolicyAccept,
  ruleBudget,
  ruleNeverMatches,
} from './firewalls'
import { adminPortOpen, databasePortOpen, unknownProtocolOpen } from './ports'
import { addressWithoutRdns, instanceUnprotected, volumeUnattached } from './services'
import { sshKeyTwice, sshKeyWeak } from './sshkeys'
import { tokenExpiresSoon, tokenFullScope, tokenNeverExpires } from './tokens'

export const checks = [
  twoFactorOff,
  databasePortOpen,
  adminPortOpen,
  inboundPolicyAccept,
  unknownProtocolOpen,
  instanceUnprotected,
  tokenFullScope,
  sshKeyWeak,
  failedLogins,
  questionsUnanswered,
  tokenNeverExpires,
  tokenExpiresSoon,
  appWrites,
  firewallDisabled,
  ruleNeverMatches,
  firewallUnused,
  ruleBudget,
  addressBudget,
  sshKeyTwice,
  volumeUnattached,
  addressWithoutRdns,
] as const satisfies readonly Check[]

export type Code = (typeof checks)[number]['code']
