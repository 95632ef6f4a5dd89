import { servedPhone } from './phone'
import { servedPreferences, servedProfile } from './profile'
import { servedDevices, servedLogins } from './sign-ins'
import { servedSshKeys } from './sshkeys'
import { servedApps, servedTokens } from './tokens'
import { servedQuestions, servedTfa } from './two-factor'

export const served = [
  ...servedProfile,
  ...servedPreferences,
  ...servedSshKeys,
  ...servedTokens,
  ...servedApps,
  ...servedDevices,
  ...servedLogins,
  ...servedTfa,
  ...servedQuestions,
  ...servedPhone,
]
