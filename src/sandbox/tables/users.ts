/** Users and their grants. */

import * as v from 'valibot'
import type { DeclarationOf, NewOf, RecordOf } from '../declaration'
import { array, boolean, id, may, oneOf, string, strings } from '../record-fields'
import { replace } from '../seed-serializers'

const permission = oneOf('read_only', 'read_write')
const granted = may(array(v.strictObject({ id, permissions: permission })))

/** Grants; omitted ones are denied. Only global grants that this service's operations check are listed. */
const grants = v.strictObject({
  global: v.strictObject({
    account_access: may(permission),
    add_firewalls: may(boolean),
    add_volumes: may(boolean),
  }),
  volume: granted,
  compute: granted,
  balancer: granted,
  firewall: granted,
})

const userRecord = v.strictObject({
  /** The `uid` of the profile. */
  id,
  username: string,
  email: may(string),
  /** True for a child-account parent user (proxy user). */
  proxy: may(boolean),
  /** Grants; null if the user is unrestricted. */
  grants: may(v.nullable(grants)),
  authentication_type: may(oneOf('password', 'idp')),
  email_notifications: may(boolean),
  ip_whitelist_enabled: may(boolean),
  shell_auth_method: may(oneOf('password_keys', 'keys_only', 'disabled')),
  authorized_keys: may(v.nullable(strings)),
  timezone: may(string),
  two_factor_auth: may(boolean),
  verified_phone_number: may(v.nullable(string)),
  /** Total payments of the user's account in USD. */
  payments: may(v.number('Must be a number')),
})

export type UserRecord = RecordOf<typeof userRecord>
export type Grants = v.InferOutput<typeof grants>
export type Permission = v.InferOutput<typeof permission>
/** Kinds of objects with grants for restricted users; keys of the grants answer. */
export type Entity = Exclude<keyof Grants, 'global'>
export type Addition = Exclude<keyof Grants['global'], 'account_access'>

type Shown = Omit<UserRecord, 'id'> & { uid: number; restricted: boolean }

/** Built-in users, without default values. */
const builtInUsers: readonly NewOf<typeof userRecord>[] = [
  { id: 1, username: 'owner', payments: 180, ip_whitelist_enabled: true, timezone: 'Europe/Berlin' },
  {
    id: 2,
    username: 'restricted',
    payments: 24.99,
    grants: {
      global: { account_access: 'read_only' },
      volume: [
        { id: 3001, permissions: 'read_only' },
        { id: 3002, permissions: 'read_write' },
      ],
      compute: [
        { id: 1001, permissions: 'read_write' },
        { id: 1002, permissions: 'read_only' },
      ],
      balancer: [{ id: 2001, permissions: 'read_only' }],
      firewall: [
        { id: 4001, permissions: 'read_only' },
        { id: 4005, permissions: 'read_write' },
      ],
    },
  },
  { id: 3, username: 'proxy', proxy: true, authentication_type: 'idp' },
]

const { id: uid, username, email, proxy, ...more } = userRecord.entries
const inFile = v.strictObject({ uid, username, email, proxy, restricted: may(boolean), ...more })

const users: DeclarationOf<typeof userRecord, Shown> = {
  name: 'users',
  defaults: {
    email: ({ username }) => `${username}@example.net`,
    proxy: () => false,
    grants: () => null,
    authentication_type: () => 'password',
    email_notifications: () => true,
    ip_whitelist_enabled: () => false,
    shell_auth_method: () => 'password_keys',
    authorized_keys: () => null,
    timezone: () => 'UTC',
    two_factor_auth: () => false,
    verified_phone_number: () => null,
    payments: () => 0,
  },
  builtIn: () => builtInUsers,
  form: {
    file: inFile,
    show: (table) =>
      table.all().map(({ id, username, grants, ...user }) => ({
        uid: id,
        username,
        ...user,
        restricted: grants !== null,
        grants,
      })),
    restore: (records: readonly v.InferOutput<typeof inFile>[], { table }) =>
      replace(table, records, ({ uid, restricted, grants, ...user }) => {
        table.add({ id: uid, ...user, grants: grants ?? (restricted ? { global: {} } : null) })
      }),
  },
}

export const tables = { users }
