import type { Body } from '../../catalogue/operation'
import type { Profile, profile } from '../../catalogue/profile/profile'
import { sshKeyFault } from '../../rules/ssh-keys'
import { isTimeZone } from '../../rules/timezones'
import type { Handlers } from '../handler'
import { forbidden, type RuleCheck, refuseBroken } from '../refusal'
import type { UserRecord } from '../tables/users'
import { shownGrants } from './grants'

export const profileHandlers: Handlers<typeof profile> = {
  view: {
    handle: (_, { caller: { user } }) => shown(user),
  },

  update: {
    handle(changes, { world, caller: { user } }) {
      checkUpdate(changes, user)
      const { authorized_keys = user.authorized_keys } = changes
      return shown(
        world.users.put({
          ...user,
          email: changes.email ?? user.email,
          email_notifications: changes.email_notifications ?? user.email_notifications,
          ip_whitelist_enabled: changes.ip_whitelist_enabled ?? user.ip_whitelist_enabled,
          shell_auth_method: changes.shell_auth_method ?? user.shell_auth_method,
          // An empty list is stored as null (gaps.md).
          authorized_keys: authorized_keys?.length ? authorized_keys : null,
          timezone: changes.timezone ?? user.timezone,
          two_factor_auth: changes.two_factor_auth ?? user.two_factor_auth,
          grants: changes.restricted ? (user.grants ?? { global: {} }) : user.grants,
        }),
      )
    },
  },

  grants: {
    handle: (_, { world, caller: { user } }) => (user.grants === null ? null : shownGrants(user.grants, world)),
  },
}

function checkUpdate(changes: Body<typeof profile.update>, user: UserRecord): void {
  const { email, timezone, authorized_keys, ip_whitelist_enabled, two_factor_auth, restricted } = changes
  // Users cannot lift their own restrictions.
  if (restricted === false && user.grants !== null) throw forbidden()
  refuseBroken([
    [user.proxy && email !== undefined && email !== user.email, 'email', 'The email of a proxy user cannot be changed'],
    [timezone !== undefined && !isTimeZone(timezone), 'timezone', 'timezone is not valid'],
    ...(authorized_keys ?? []).map((key, index): RuleCheck => {
      const fault = sshKeyFault(key)
      return [fault !== undefined, `authorized_keys[${index}]`, fault ?? '']
    }),
    [
      ip_whitelist_enabled && !user.ip_whitelist_enabled,
      'ip_whitelist_enabled',
      'The IP whitelist is deprecated and cannot be enabled',
    ],
    [
      two_factor_auth && !user.two_factor_auth,
      'two_factor_auth',
      'Two Factor Authentication is enabled with a secret and a code from it',
    ],
  ])
}

/** Payments needed for referral information in USD (api.md, Limits). */
const paymentsForReferrals = 25

function shown(user: UserRecord): Profile {
  return {
    username: user.username,
    uid: user.id,
    email: user.email,
    authentication_type: user.authentication_type,
    restricted: user.grants !== null,
    two_factor_auth: user.two_factor_auth,
    email_notifications: user.email_notifications,
    ip_whitelist_enabled: user.ip_whitelist_enabled,
    shell_auth_method: user.shell_auth_method,
    authorized_keys: user.authorized_keys && [...user.authorized_keys],
    timezone: user.timezone,
    verified_phone_number: user.verified_phone_number,
    ...(user.payments >= paymentsForReferrals && { referrals: referralsOf(user) }),
  }
}

function referralsOf({ username }: UserRecord): NonNullable<Profile['referrals']> {
  const code = `${username}-4711`
  return { code, url: `https://www.example.net/?r=${code}`, total: 3, completed: 2, pending: 1, credit: 40 }
}
