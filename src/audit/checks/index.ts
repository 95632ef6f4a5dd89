/** All checks of an audit, worst first; findings are printed in this order. */
import type { AuditCheck } from '../check'
import { appWrites, failedLogins, questionsUnanswered, twoFactorOff } from './account'
import { addressWithoutRdns } from './addresses'
import {
  addressBudget,
  firewallDisabled,
  firewallUnused,
  openingExpired,
  outboundOpen,
  ruleBudget,
  ruleNeverMatches,
  ruleNotJudged,
} from './firewalls'
import {
  adminPortOpen,
  amplifierPortOpen,
  databasePortOpen,
  inboundPolicyAccept,
  internalPortOpen,
  largeNetworkOpen,
  unknownProtocolOpen,
  wideRangeOpen,
} from './ports'
import { balancerUnprotected, instanceUnprotected } from './services'
import { sshKeyTwice, sshKeyWeak } from './sshkeys'
import { tokenExpiresSoon, tokenFullScope, tokenLongLived, tokenNeverExpires } from './tokens'
import { volumeUnattached } from './volumes'

export const checks = [
  twoFactorOff,
  databasePortOpen,
  adminPortOpen,
  internalPortOpen,
  inboundPolicyAccept,
  unknownProtocolOpen,
  openingExpired,
  instanceUnprotected,
  balancerUnprotected,
  tokenFullScope,
  sshKeyWeak,
  largeNetworkOpen,
  wideRangeOpen,
  amplifierPortOpen,
  failedLogins,
  questionsUnanswered,
  tokenNeverExpires,
  tokenExpiresSoon,
  appWrites,
  firewallDisabled,
  ruleNotJudged,
  outboundOpen,
  ruleNeverMatches,
  firewallUnused,
  ruleBudget,
  addressBudget,
  tokenLongLived,
  sshKeyTwice,
  volumeUnattached,
  addressWithoutRdns,
] as const satisfies readonly AuditCheck[]

export type AuditCode = (typeof checks)[number]['code']
