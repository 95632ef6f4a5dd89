/**
 * A world as a file has it (`sandbox world --json`). A key that is left out keeps what the built-in world has of it;
 * of a record, what is left out takes what is usual, so that a world can also be written by hand.
 */
import * as v from 'valibot'
import { newFirewallRules } from '../../catalogue/firewall-rules'
import { isRecord } from '../../rules/records'
import { scopesFault } from '../../rules/scopes'
import { isSandboxToken } from '../secrets'
import { regions } from './regions'

const string = v.string('Must be a string')
const boolean = v.boolean('Must be a boolean')
const number = v.pipe(
  v.number('Must be an integer'),
  v.integer('Must be an integer'),
  v.minValue(0, 'Must be 0 or greater'),
)
const id = v.pipe(
  v.number('Must be an integer'),
  v.integer('Must be an integer'),
  v.minValue(1, 'Must be 1 or greater'),
)
const strings = v.array(string, 'Must be an array')
const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) =>
  v.picklist(values, `Must be one of: ${values.join(', ')}`)
const region = v.picklist(
  regions.map((one) => one.id),
  'region is not valid',
)
const time = v.pipe(
  string,
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/, 'Must be a time such as 2026-01-31T12:00:00'),
)
const scopes = v.pipe(
  string,
  v.check((text) => scopesFault(text) === undefined, 'Must be scopes, separated by one space'),
)

const may = v.exactOptional
const list = <const T extends v.ObjectEntries>(entries: T) =>
  v.exactOptional(v.array(v.strictObject(entries), 'Must be an array'))

const granted = may(v.array(v.strictObject({ id, permissions: oneOf('read_only', 'read_write') }), 'Must be an array'))
const grants = v.strictObject({
  global: v.strictObject({
    account_access: may(oneOf('read_only', 'read_write')),
    add_firewalls: may(boolean),
    add_volumes: may(boolean),
  }),
  volume: granted,
  compute: granted,
  balancer: granted,
  firewall: granted,
})

const times = { created: may(time), updated: may(time) }
const owner = { id: may(id), user: string }

const account = {
  computes: list({
    id: may(id),
    label: may(string),
    region: may(region),
    status: may(oneOf('running', 'offline')),
    memory: may(id),
    live_migration: may(boolean),
    configs: may(v.array(v.strictObject({ id, label: string }), 'Must be an array')),
    last_booted_config: may(v.nullable(id)),
  }),
  balancers: list({ id, label: string, region }),
  users: list({
    uid: id,
    username: string,
    email: may(string),
    proxy: may(boolean),
    restricted: may(boolean),
    grants: may(v.nullable(grants)),
    authentication_type: may(oneOf('password', 'idp')),
    email_notifications: may(boolean),
    ip_whitelist_enabled: may(boolean),
    shell_auth_method: may(oneOf('password_keys', 'keys_only', 'disabled')),
    authorized_keys: may(v.nullable(strings)),
    timezone: may(string),
    two_factor_auth: may(boolean),
    verified_phone_number: may(v.nullable(string)),
    payments: may(v.number('Must be a number')),
  }),
  tokens: list({
    ...owner,
    label: string,
    token: may(v.pipe(string, v.check(isSandboxToken, 'Must be a token of the sandbox: facade00 and 56 hex digits'))),
    app: may(v.nullable(id)),
    scopes: may(scopes),
    created: may(time),
    expiry: may(v.nullable(time)),
  }),
  volumes: list({
    id: may(id),
    label: may(string),
    status: may(string),
    size: may(id),
    region: may(region),
    hardware_type: may(oneOf('hdd', 'nvme')),
    tags: may(strings),
    ...times,
    compute_id: may(v.nullable(id)),
    config_id: may(v.nullable(id)),
    ready_at: may(v.nullable(number)),
  }),
}

const network = {
  firewalls: list({
    id: may(id),
    label: may(string),
    status: may(oneOf('enabled', 'disabled')),
    rules: may(newFirewallRules),
    tags: may(strings),
    ...times,
    devices: list({ device_id: may(id), type: oneOf('compute', 'balancer'), id, ...times }),
  }),
  addresses: list({
    id: may(id),
    address: string,
    prefix: may(number),
    type: may(oneOf('ipv4', 'ipv6', 'ipv6/range')),
    public: may(boolean),
    region: may(region),
    compute_id: id,
    rdns: may(v.nullable(string)),
    vpc_nat_1_1: may(v.nullable(v.strictObject({ address: string, subnet_id: id, vpc_id: id }))),
    shared_with: may(v.array(id, 'Must be an array')),
  }),
  /** No operation makes them, and no file does. */
  vlans: v.exactOptional(v.unknown()),
  events: list({
    id,
    action: string,
    created: time,
    entity: v.strictObject({ id, label: string, type: string, url: string }),
    username: string,
    status: string,
  }),
}

const profile = {
  apps: list({
    id,
    user: string,
    label: string,
    scopes,
    website: string,
    thumbnail_url: string,
    created: time,
    expiry: v.nullable(time),
  }),
  trusted_devices: list({
    id,
    user: string,
    user_agent: string,
    last_remote_addr: string,
    last_authenticated: time,
    created: time,
    expiry: time,
  }),
  logins: list({
    id,
    user: string,
    datetime: time,
    ip: string,
    restricted: boolean,
    status: oneOf('successful', 'failed'),
  }),
  sshkeys: list({ ...owner, label: string, ssh_key: string, created: may(time) }),
  security_answers: list({
    user: string,
    answers: v.array(v.strictObject({ question_id: id, response: string }), 'Must be an array'),
  }),
  preferences: list({
    ...owner,
    app: v.nullable(id),
    text: v.pipe(string, v.check(isJsonObject, 'Must be a JSON object')),
  }),
  phone_codes: list({ user: string, phone_number: string, code: string, expires: number }),
  tfa_secrets: list({ id, user: string, secret: string, expiry: time }),
  messages: list({ id, user: string, sent: time, to: string, text: string, code: string }),
}

export const worldFile = v.strictObject({
  ...account,
  ...network,
  ...profile,
  spent_ids: v.exactOptional(v.record(string, id, 'Must be an object')),
})

export type WorldFile = v.InferOutput<typeof worldFile>

function isJsonObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text))
  } catch {
    return false
  }
}
