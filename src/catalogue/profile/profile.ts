import * as v from 'valibot'
import { emailFault } from '../../rules/profile'
import { boolean, checkedText, choice, open, positive, strings, text } from '../fields'
import { operation } from '../operation'

const shellAuthMethods = ['password_keys', 'keys_only', 'disabled'] as const

const amount = (description: string) => v.pipe(v.number(), v.description(description))

const userProfile = v.looseObject({
  username: text('Login name'),
  uid: positive('Unique, never-changing user ID'),
  email: text('Address used for communication'),
  authentication_type: open(['password', 'idp'], 'How the user signs in to the web console'),
  restricted: boolean('Whether the user is limited to its grants'),
  two_factor_auth: boolean('Whether logins from untrusted computers need a code'),
  email_notifications: boolean('Whether the service sends email about account activity'),
  ip_whitelist_enabled: boolean('Deprecated: whether logins are limited to listed addresses'),
  shell_auth_method: open(shellAuthMethods, 'Authentication methods of the remote shell'),
  authorized_keys: v.nullable(strings('SSH public keys of the remote shell; ignored while that is disabled')),
  timezone: text('Preferred time zone for display; times of the API are UTC'),
  verified_phone_number: v.nullable(text('Verified phone number')),
  referrals: v.optional(
    v.looseObject({
      code: text('Code to refer others with'),
      url: text('Address to refer others with'),
      total: amount('Number of referred users'),
      completed: amount('Number of referred users who are customers'),
      pending: amount('Number of referred users who are not customers yet'),
      credit: amount('Earnings in USD'),
    }),
  ),
})

export type Profile = v.InferOutput<typeof userProfile>

const permission = (description: string) => v.nullable(open(['read_only', 'read_write'], description))

const entityGrants = (things: string) =>
  v.array(
    v.looseObject({
      id: positive('ID of the resource'),
      label: text('Label of the resource'),
      permissions: permission('Access of the user'),
    }),
    `Access to ${things}`,
  )

export const grants = v.looseObject({
  global: v.looseObject({
    account_access: permission('Access to the account'),
    add_balancers: boolean('May add balancers'),
    add_computes: boolean('May add compute instances'),
    add_databases: boolean('May add databases'),
    add_domains: boolean('May add domains'),
    add_firewalls: boolean('May add firewalls'),
    add_images: boolean('May add images'),
    add_monitors: boolean('May add monitoring clients'),
    add_scripts: boolean('May add deployment scripts'),
    add_volumes: boolean('May add volumes'),
    add_vpcs: boolean('May add VPCs'),
    cancel_account: boolean('May cancel the account'),
    child_account_access: v.nullable(boolean('May act in child accounts')),
    monitor_subscription: boolean('May manage the monitoring subscription'),
  }),
  balancer: entityGrants('balancers'),
  compute: entityGrants('compute instances'),
  database: entityGrants('databases'),
  domain: entityGrants('domains'),
  image: entityGrants('images'),
  monitor: entityGrants('monitoring clients'),
  script: entityGrants('deployment scripts'),
  volume: entityGrants('volumes'),
  vpc: entityGrants('VPCs'),
})

export const profile = {
  view: operation({
    method: 'GET',
    path: '/profile',
    scopes: [],
    summary: 'Show your profile',
    returns: userProfile,
    essential: ['username'],
  }),
  update: operation({
    method: 'PUT',
    path: '/profile',
    scopes: ['account:read_write'],
    summary: 'Change your profile',
    body: v.strictObject({
      email: v.optional(checkedText(emailFault, 'Address used for communication; fixed for a proxy user')),
      email_notifications: v.optional(
        boolean('Send email about account activity; business-critical email is always sent'),
      ),
      ip_whitelist_enabled: v.optional(boolean('Deprecated: it can only be switched off, and stays off')),
      shell_auth_method: v.optional(choice(shellAuthMethods, 'Authentication methods of the remote shell')),
      authorized_keys: v.optional(v.nullable(strings('SSH public keys of the remote shell'))),
      timezone: v.optional(text('Preferred time zone for display, such as Europe/Berlin')),
      two_factor_auth: v.optional(boolean('Ask for a code at logins from untrusted computers; tfa setup enables it')),
      restricted: v.optional(boolean('Limit the user to its grants')),
    }),
    returns: userProfile,
    essential: ['username'],
  }),
  grants: operation({
    method: 'GET',
    path: '/profile/grants',
    scopes: [],
    summary: 'Show the grants of a restricted user',
    returns: v.nullable(grants),
  }),
}
