/** Users with their SSH keys and preferences. */

import * as v from 'valibot'
import { isRecord } from '../../rules/records'
import type { DeclarationOf, NewOf, RecordOf } from '../declaration'
import { array, boolean, id, may, oneOf, string, strings, time } from '../fields'
import { type Owned, replace, withUsername } from '../seed-serializers'

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

export const users: DeclarationOf<typeof userRecord, Shown> = {
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

const keyRecord = v.strictObject({
  id: may(id),
  user: id,
  label: string,
  ssh_key: string,
  created: may(time),
})

export type SshKeyRecord = RecordOf<typeof keyRecord>

const key = (id: number, user: number, label: string, data: string) => ({
  id,
  user,
  label,
  ssh_key: `ssh-ed25519 ${data} ${label}`,
  created: '2025-09-01T10:00:00',
})

/** RSA key of 1024 bits, too short by today's standards. */
const weak =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQCm3ZlvepL5znA+hxIXWlpqrPTKhYUOokKMS8scM/fr6LSXjDi10QZxTt4BZeJm0BUAQ3OWJUvjgAs/Em3BQFNmEu37RVrpeTRFB90zmBoYK68y9KgqUiURS+5GnzcUHmcGtooatA24QS1+8wIunFpVb1r/rvSCFXaORlsScWwNjw== ' +
  'office'

const builtInKeys = [
  key(1, 1, 'laptop', 'AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA'),
  key(2, 1, 'desktop', 'AAAAC3NzaC1lZDI1NTE5AAAAIOaTsRGgnX6YoqgGzQOlgOxTJf8kNHOyUuqJCsOvh5Zs'),
  key(3, 2, 'restricted', 'AAAAC3NzaC1lZDI1NTE5AAAAIBYkTw1mRkPLs3AWdWp0tE0vPc0tVUiyy5zRVrkwGyLc'),
  { ...key(4, 1, 'office', ''), ssh_key: weak },
  key(5, 1, 'laptop-again', 'AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA'),
]

export const sshkeys: DeclarationOf<typeof keyRecord, Owned<SshKeyRecord>> = {
  name: 'sshkeys',
  defaults: { created: (_, world) => world.timestamp() },
  builtIn: () => builtInKeys,
  form: withUsername(keyRecord),
}

const preferenceRecord = v.strictObject({
  id: may(id),
  user: id,
  /** Id of the OAuth app; null for personal access tokens. */
  app: v.nullable(id),
  text: v.pipe(string, v.check(isJsonObject, 'Must be a JSON object')),
})

export const preferences: DeclarationOf<typeof preferenceRecord, Owned<RecordOf<typeof preferenceRecord>>> = {
  name: 'preferences',
  defaults: {},
  builtIn: () => [],
  form: withUsername(preferenceRecord),
}

function isJsonObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text))
  } catch {
    return false
  }
}
