import * as v from 'valibot'
import { boolean, integer, open, strings, text } from '../fields'
import { operation } from '../operation'

export const profile = v.looseObject({
  username: text('Login name'),
  uid: integer('Unique, never-changing user ID'),
  email: text('Address used for communication'),
  authentication_type: open(['password', 'idp'], 'How the user signs in to the web console'),
  restricted: boolean('Whether the user is limited to what was granted'),
  two_factor_auth: boolean('Whether logins from untrusted computers need a code'),
  email_notifications: boolean('Whether account activity is told by email'),
  ip_whitelist_enabled: boolean('Deprecated: whether logins are limited to listed addresses'),
  shell_auth_method: open(['password_keys', 'keys_only', 'disabled'], 'How the remote shell lets one in'),
  authorized_keys: v.nullable(strings('SSH public keys of the remote shell')),
  timezone: text('Preferred time zone for display'),
  verified_phone_number: v.nullable(text('Verified phone number')),
  referrals: v.optional(v.looseObject({})),
})

export const profileOperations = {
  view: operation({
    method: 'GET',
    path: '/profile',
    scopes: [],
    summary: 'Show the acting user',
    returns: profile,
  }),
}
