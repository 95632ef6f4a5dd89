import { TOTP } from 'otpauth'
import { apps } from '../../src/catalogue/profile/apps'
import { devices } from '../../src/catalogue/profile/devices'
import { logins } from '../../src/catalogue/profile/logins'
import { phone } from '../../src/catalogue/profile/phone'
import { preferences } from '../../src/catalogue/profile/preferences'
import { profile as catalogue } from '../../src/catalogue/profile/profile'
import { securityQuestions } from '../../src/catalogue/profile/security-questions'
import { sshkeys } from '../../src/catalogue/profile/sshkeys'
import { tfa } from '../../src/catalogue/profile/tfa'
import { tokens } from '../../src/catalogue/tokens'
import type { Service } from '../sandbox/fixture'
import { type Kind, part } from './row'

const read = 'account:read_only'
const write = 'account:read_write'
const deleting = { scopes: write, answer: 'nothing' } as const

const user: Kind = {
  authentication_type: 'password, idp',
  authorized_keys: ['null', ['string']],
  email: 'string',
  email_notifications: 'boolean',
  ip_whitelist_enabled: 'boolean',
  shell_auth_method: 'password_keys, keys_only, disabled',
  referrals: {
    code: 'string',
    completed: 'number',
    credit: 'number',
    pending: 'number',
    total: 'number',
    url: 'string',
  },
  restricted: 'boolean',
  timezone: 'string',
  two_factor_auth: 'boolean',
  uid: 'integer',
  username: 'string',
  verified_phone_number: 'string or null',
}

// null: gaps.md, Grants.
const permissions = 'read_only, read_write or null'
const entityGrants: Kind = [{ id: 'integer', label: 'string', permissions }]
const grants: Kind = {
  global: {
    account_access: permissions,
    add_databases: 'boolean',
    add_domains: 'boolean',
    add_firewalls: 'boolean',
    add_images: 'boolean',
    add_computes: 'boolean',
    add_monitors: 'boolean',
    add_balancers: 'boolean',
    add_scripts: 'boolean',
    add_volumes: 'boolean',
    add_vpcs: 'boolean',
    cancel_account: 'boolean',
    child_account_access: 'boolean or null',
    monitor_subscription: 'boolean',
  },
  database: entityGrants,
  domain: entityGrants,
  image: entityGrants,
  compute: entityGrants,
  monitor: entityGrants,
  balancer: entityGrants,
  script: entityGrants,
  volume: entityGrants,
  vpc: entityGrants,
}

const app: Kind = {
  created: 'date-time',
  expiry: 'date-time to come or null',
  id: 'integer',
  label: 'string',
  scopes: 'string',
  thumbnail_url: 'string or null',
  website: 'string',
}

const device: Kind = {
  created: 'date-time',
  expiry: 'date-time to come',
  id: 'integer',
  last_authenticated: 'date-time',
  last_remote_addr: 'ip',
  user_agent: 'string',
}

const login: Kind = {
  datetime: 'date-time',
  id: 'integer',
  ip: 'ip',
  restricted: 'boolean',
  status: 'successful, failed',
  username: 'string',
}

const sshkey: Kind = { created: 'date-time', id: 'integer', label: 'string', ssh_key: 'string' }

const token: Kind = {
  created: 'date-time',
  expiry: 'date-time to come or null',
  id: 'integer',
  label: 'string',
  scopes: 'string',
  token: 'string',
}

const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA laptop'
const number = { iso_code: 'US', phone_number: '+1 555 123 4567' }
const answers = { security_questions: [1, 2, 3].map((question_id) => ({ question_id, response: 'x' })) }

async function codeSent({ call, sandbox }: Service) {
  await call('POST /profile/phone-number', { body: number })
  return { otp_code: sandbox.outbox()[0]?.code }
}

async function verified(service: Service) {
  await service.call('POST /profile/phone-number/verify', { body: await codeSent(service) })
  return undefined
}

async function answered({ call }: Service) {
  await call('POST /profile/security-questions', { body: answers })
  return undefined
}

async function secretMade(service: Service) {
  await answered(service)
  const { secret } = (await service.call('POST /profile/tfa-enable')).body
  return { tfa_code: new TOTP({ secret }).generate({ timestamp: service.clock.now() }) }
}

async function confirmed(service: Service) {
  await service.call('POST /profile/tfa-enable-confirm', { body: await secretMade(service) })
  return undefined
}

export const profile = part('Profile', 31, {
  'Profile View': { operation: catalogue.view, line: 'GET /profile', scopes: 'none', answer: user },
  'Profile Update': {
    operation: catalogue.update,
    line: 'PUT /profile',
    scopes: write,
    body:
      'email email_notifications ip_whitelist_enabled shell_auth_method authorized_keys timezone two_factor_auth ' +
      'restricted',
    send: { timezone: 'Asia/Tokyo' },
    answer: user,
  },
  'Authorized Apps List': {
    operation: apps.list,
    line: 'GET /profile/apps',
    scopes: read,
    answer: app,
    paged: { filters: 'label created expiry' },
  },
  'Authorized App View': {
    operation: apps.view,
    line: 'GET /profile/apps/{appId}',
    at: [1],
    scopes: read,
    answer: app,
  },
  'App Access Revoke': { operation: apps.revoke, line: 'DELETE /profile/apps/{appId}', at: [1], ...deleting },
  'Trusted Devices List': {
    operation: devices.list,
    line: 'GET /profile/devices',
    scopes: read,
    answer: device,
    paged: { filters: 'created last_authenticated' },
  },
  'Trusted Device View': {
    operation: devices.view,
    line: 'GET /profile/devices/{deviceId}',
    at: [1],
    scopes: read,
    answer: device,
  },
  'Trusted Device Revoke': {
    operation: devices.revoke,
    line: 'DELETE /profile/devices/{deviceId}',
    at: [1],
    ...deleting,
  },
  'Grants List': { operation: catalogue.grants, line: 'GET /profile/grants', scopes: 'none', answer: ['null', grants] },
  'Logins List': {
    operation: logins.list,
    line: 'GET /profile/logins',
    scopes: read,
    answer: login,
    paged: { filters: 'none' },
  },
  'Login View': { operation: logins.view, line: 'GET /profile/logins/{loginId}', at: [6], scopes: read, answer: login },
  'Phone Number Delete': {
    operation: phone.delete,
    line: 'DELETE /profile/phone-number',
    ...deleting,
    arrange: verified,
  },
  'Phone Number Verification Code Send': {
    operation: phone.send,
    line: 'POST /profile/phone-number',
    scopes: write,
    body: 'iso_code* phone_number*',
    send: number,
    answer: 'nothing',
    repeat: 'never',
  },
  'Phone Number Verify': {
    operation: phone.verify,
    line: 'POST /profile/phone-number/verify',
    scopes: write,
    body: 'otp_code*',
    answer: 'nothing',
    repeat: 'never',
    arrange: codeSent,
  },
  'User Preferences View': {
    operation: preferences.view,
    line: 'GET /profile/preferences',
    scopes: read,
    answer: 'any object',
  },
  'User Preferences Update': {
    operation: preferences.update,
    line: 'PUT /profile/preferences',
    scopes: write,
    body: 'any object',
    send: { colour: 'red' },
    answer: 'any object',
    repeat: 'check first',
  },
  'Security Questions List': {
    operation: securityQuestions.list,
    line: 'GET /profile/security-questions',
    scopes: read,
    answer: { security_questions: [{ id: 'integer', question: 'string', response: 'string or null' }] },
  },
  'Security Questions Answer': {
    operation: securityQuestions.answer,
    line: 'POST /profile/security-questions',
    scopes: write,
    body: 'security_questions*',
    send: answers,
    answer: { security_questions: [{ question_id: 'integer', response: 'string', security_question: 'string' }] },
    repeat: 'idempotent',
  },
  'SSH Keys List': {
    operation: sshkeys.list,
    line: 'GET /profile/sshkeys',
    scopes: read,
    answer: sshkey,
    paged: { filters: 'label created' },
  },
  'SSH Key Add': {
    operation: sshkeys.add,
    line: 'POST /profile/sshkeys',
    scopes: write,
    body: 'label* ssh_key*',
    send: { label: 'new', ssh_key: sshKey },
    answer: sshkey,
    repeat: 'never',
  },
  'SSH Key View': {
    operation: sshkeys.view,
    line: 'GET /profile/sshkeys/{sshKeyId}',
    at: [1],
    scopes: read,
    answer: sshkey,
  },
  'SSH Key Update': {
    operation: sshkeys.update,
    line: 'PUT /profile/sshkeys/{sshKeyId}',
    at: [1],
    scopes: write,
    body: 'label*',
    send: { label: 'new' },
    answer: sshkey,
  },
  'SSH Key Delete': { operation: sshkeys.delete, line: 'DELETE /profile/sshkeys/{sshKeyId}', at: [1], ...deleting },
  'Two Factor Authentication Disable': {
    operation: tfa.disable,
    line: 'POST /profile/tfa-disable',
    scopes: write,
    body: 'none',
    answer: 'nothing',
    repeat: 'check first',
    arrange: confirmed,
  },
  'Two Factor Secret Create': {
    operation: tfa.enable,
    line: 'POST /profile/tfa-enable',
    scopes: write,
    body: 'none',
    answer: { expiry: 'date-time to come', secret: 'string' },
    repeat: 'never',
    arrange: answered,
  },
  'Two Factor Authentication Confirm/Enable': {
    operation: tfa.confirm,
    line: 'POST /profile/tfa-enable-confirm',
    scopes: write,
    body: 'tfa_code*',
    answer: { scratch: 'string' },
    repeat: 'never',
    arrange: secretMade,
  },
  'Personal Access Tokens List': {
    operation: tokens.list,
    line: 'GET /profile/tokens',
    scopes: read,
    answer: token,
    paged: { filters: 'label created expiry' },
  },
  'Personal Access Token Create': {
    operation: tokens.create,
    line: 'POST /profile/tokens',
    scopes: write,
    body: 'expiry label* scopes',
    send: { label: 'new', scopes: 'account:read_only' },
    answer: token,
    repeat: 'never',
  },
  'Personal Access Token View': {
    operation: tokens.view,
    line: 'GET /profile/tokens/{tokenId}',
    at: [7],
    scopes: read,
    answer: token,
  },
  'Personal Access Token Update': {
    operation: tokens.update,
    line: 'PUT /profile/tokens/{tokenId}',
    at: [7],
    scopes: write,
    body: 'label*',
    send: { label: 'new' },
    answer: token,
  },
  'Personal Access Token Revoke': {
    operation: tokens.revoke,
    line: 'DELETE /profile/tokens/{tokenId}',
    at: [7],
    ...deleting,
  },
})
