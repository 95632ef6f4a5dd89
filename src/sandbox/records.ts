/** What the world holds. Records have what an answer shows, and beside it what only the rules need. */

export type Permission = 'read_only' | 'read_write'

/** The kinds of things for which a restricted user can hold a grant; the keys of the grants answer. */
export type Entity = 'balancer' | 'compute' | 'firewall' | 'volume'

/** What is left out is not granted. */
export interface Grants extends Partial<Record<Entity, readonly EntityGrant[]>> {
  global: { [Name in Addition]?: boolean } & { account_access?: Permission }
}

/** The global grants that this service's operations ask for. */
export type Addition = 'add_firewalls' | 'add_volumes'

export interface EntityGrant {
  id: number
  permissions: Permission
}

export interface UserRecord {
  /** The `uid` of the profile. */
  id: number
  username: string
  email: string
  /** A child-account parent user. */
  proxy: boolean
  /** Null: the user is not restricted. */
  grants: Grants | null
  authentication_type: 'password' | 'idp'
  email_notifications: boolean
  ip_whitelist_enabled: boolean
  shell_auth_method: 'password_keys' | 'keys_only' | 'disabled'
  authorized_keys: readonly string[] | null
  timezone: string
  two_factor_auth: boolean
  verified_phone_number: string | null
  /** What the user's account has paid so far, in USD. */
  payments: number
}

export interface TokenRecord {
  id: number
  label: string
  token: string
  user: number
  /** The authorized app that it was produced for; null: a personal access token. */
  app: number | null
  /** Separated by one space; `*` is everything. */
  scopes: string
  created: string
  expiry: string | null
}

export interface ComputeRecord {
  id: number
  label: string
  region: string
  status: 'running' | 'offline'
  /** RAM in GB. */
  memory: number
  live_migration: boolean
  configs: readonly { id: number; label: string }[]
  last_booted_config: number | null
}

export interface BalancerRecord {
  id: number
  label: string
  region: string
}

export interface VolumeRecord {
  id: number
  label: string
  status: string
  size: number
  region: string
  hardware_type: 'hdd' | 'nvme'
  tags: readonly string[]
  created: string
  updated: string
  compute_id: number | null
  /** The configuration that attaches it at every boot; null where none does. */
  config_id: number | null
  /** When the present status becomes `active`, in milliseconds; null: it stays. */
  ready_at: number | null
}
