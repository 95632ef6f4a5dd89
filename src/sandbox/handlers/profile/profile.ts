import type { Answer, Body } from '../../../catalogue/operation'
import { preferences } from '../../../catalogue/profile/preferences'
import { type Profile, profile } from '../../../catalogue/profile/profile'
import { holdsLongNumber } from '../../../data/json'
import { formatLossless, parseLossless } from '../../../data/lossless'
import { isTimeZone } from '../../../rules/profile'
import { isRecord } from '../../../rules/records'
import { sshKeyFault } from '../../../rules/ssh-keys'
import { allOwn, type Caller } from '../../caller'
import { profileUpdateEvent, userEvent } from '../../events'
import { serve } from '../../handler'
import { forbidden, type RuleCheck, refusal, refuseBroken } from '../../refusal'
import type { Entity, Grants, UserRecord } from '../../tables/users'
import type { World } from '../../world'

export const servedProfile = serve(profile, {
  view: {
    handle: (_, { caller: { user } }) => shown(user),
  },

  update: {
    event: profileUpdateEvent,
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
})

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

type ShownGrants = NonNullable<Answer<typeof profile.grants>>

const noGrants: ShownGrants['global'] = {
  account_access: null,
  add_balancers: false,
  add_computes: false,
  add_databases: false,
  add_domains: false,
  add_firewalls: false,
  add_images: false,
  add_monitors: false,
  add_scripts: false,
  add_volumes: false,
  add_vpcs: false,
  cancel_account: false,
  child_account_access: null,
  monitor_subscription: false,
}

/** Returns a restricted user's grants in the service's format, which lists every kind of object. */
function shownGrants(grants: Grants, world: World): ShownGrants {
  const of = (kind: Entity) =>
    grants[kind]?.flatMap(({ id, permissions }) => {
      const label = labelOf(kind, id, world)
      return label === undefined ? [] : [{ id, label, permissions }]
    }) ?? []
  return {
    global: { ...noGrants, ...grants.global },
    balancer: of('balancer'),
    compute: of('compute'),
    database: [],
    domain: [],
    firewall: of('firewall'),
    image: [],
    monitor: [],
    script: [],
    volume: of('volume'),
    vpc: [],
  }
}

/** Returns an object's label; undefined if the object was deleted. */
function labelOf(kind: Entity, id: number, { balancers, computes, network, volumes }: World): string | undefined {
  const tables = { balancer: balancers, compute: computes, firewall: network.firewalls, volume: volumes }
  return tables[kind].get(id)?.label
}

export const servedPreferences = serve(preferences, {
  view: {
    handle(_, { world, caller }) {
      const saved = parsed(savedPreferences(world, caller)?.text ?? '{}')
      return isRecord(saved) ? saved : {}
    },
  },
  update: {
    event: userEvent('preferences_update'),
    handle(body, { world, caller }) {
      const id = savedPreferences(world, caller)?.id ?? world.profile.preferences.nextId()
      world.profile.preferences.put({ id, user: caller.user.id, app: caller.app, text: written(body) })
      return body
    },
  },
})

/** Returns the preferences of the user for the OAuth client of the token. */
function savedPreferences(world: World, caller: Caller) {
  return allOwn(world.profile.preferences, caller).find(({ app }) => app === caller.app)
}

/** Parses JSON; integers beyond 2^53 become bigints. */
function parsed(text: string): unknown {
  return holdsLongNumber(text) ? parseLossless(text) : JSON.parse(text)
}

function written(value: object): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    // JSON.stringify throws TypeError for a bigint.
    if (error instanceof TypeError) return formatLossless(value, 0)
    throw refusal(null, 'Preferences are nested too deeply')
  }
}
