/**
 * Method, path, scopes and body fields of every operation, typed by hand from api.md ("Endpoints", "Authentication").
 * The catalogue is what client and sandbox share, so a mistake there would go unseen by every other test.
 */
import { describe, expect, test } from 'vitest'
import type { Idempotency, ObjectSchema, Operation } from '../../src/catalogue/operation'
import { parametersOf } from '../../src/catalogue/operation'
import { apps } from '../../src/catalogue/profile/apps'
import { devices } from '../../src/catalogue/profile/devices'
import { logins } from '../../src/catalogue/profile/logins'
import { phone } from '../../src/catalogue/profile/phone'
import { preferences } from '../../src/catalogue/profile/preferences'
import { profile } from '../../src/catalogue/profile/profile'
import { securityQuestions } from '../../src/catalogue/profile/security-questions'
import { sshkeys } from '../../src/catalogue/profile/sshkeys'
import { tfa } from '../../src/catalogue/profile/tfa'
import { regions } from '../../src/catalogue/regions'
import { tokens } from '../../src/catalogue/tokens'
import { volumes } from '../../src/catalogue/volumes'
import { loadTree, withDescendants } from '../../src/generate/tree'
import { program } from '../../src/program'
import { catalogued } from '../support/catalogue'
import { networking, networkingFields } from './contract/networking'
import type { Contract } from './contract/row'

const contract: Contract = {
  ...networking,

  'Profile View': [profile.view, { method: 'GET', path: '/profile', scopes: '' }],
  'Profile Update': [
    profile.update,
    {
      method: 'PUT',
      path: '/profile',
      scopes: 'account:read_write',
      body:
        'email email_notifications ip_whitelist_enabled shell_auth_method authorized_keys timezone two_factor_auth ' +
        'restricted',
    },
  ],
  'Authorized Apps List': [
    apps.list,
    { method: 'GET', path: '/profile/apps', scopes: 'account:read_only', paged: true },
  ],
  'Authorized App View': [apps.view, { method: 'GET', path: '/profile/apps/{appId}', scopes: 'account:read_only' }],
  'App Access Revoke': [apps.revoke, { method: 'DELETE', path: '/profile/apps/{appId}', scopes: 'account:read_write' }],
  'Trusted Devices List': [
    devices.list,
    { method: 'GET', path: '/profile/devices', scopes: 'account:read_only', paged: true },
  ],
  'Trusted Device View': [
    devices.view,
    { method: 'GET', path: '/profile/devices/{deviceId}', scopes: 'account:read_only' },
  ],
  'Trusted Device Revoke': [
    devices.revoke,
    { method: 'DELETE', path: '/profile/devices/{deviceId}', scopes: 'account:read_write' },
  ],
  'Grants List': [profile.grants, { method: 'GET', path: '/profile/grants', scopes: '' }],
  'Logins List': [logins.list, { method: 'GET', path: '/profile/logins', scopes: 'account:read_only', paged: true }],
  'Login View': [logins.view, { method: 'GET', path: '/profile/logins/{loginId}', scopes: 'account:read_only' }],
  'Phone Number Delete': [
    phone.delete,
    { method: 'DELETE', path: '/profile/phone-number', scopes: 'account:read_write' },
  ],
  'Phone Number Verification Code Send': [
    phone.send,
    { method: 'POST', path: '/profile/phone-number', scopes: 'account:read_write', body: 'iso_code* phone_number*' },
  ],
  'Phone Number Verify': [
    phone.verify,
    { method: 'POST', path: '/profile/phone-number/verify', scopes: 'account:read_write', body: 'otp_code*' },
  ],
  'User Preferences View': [
    preferences.view,
    { method: 'GET', path: '/profile/preferences', scopes: 'account:read_only' },
  ],
  'User Preferences Update': [
    preferences.update,
    { method: 'PUT', path: '/profile/preferences', scopes: 'account:read_write' },
  ],
  'Security Questions List': [
    securityQuestions.list,
    { method: 'GET', path: '/profile/security-questions', scopes: 'account:read_only' },
  ],
  'Security Questions Answer': [
    securityQuestions.answer,
    {
      method: 'POST',
      path: '/profile/security-questions',
      scopes: 'account:read_write',
      body: 'security_questions*',
    },
  ],
  'SSH Keys List': [
    sshkeys.list,
    { method: 'GET', path: '/profile/sshkeys', scopes: 'account:read_only', paged: true },
  ],
  'SSH Key Add': [
    sshkeys.add,
    { method: 'POST', path: '/profile/sshkeys', scopes: 'account:read_write', body: 'label* ssh_key*' },
  ],
  'SSH Key View': [sshkeys.view, { method: 'GET', path: '/profile/sshkeys/{sshKeyId}', scopes: 'account:read_only' }],
  'SSH Key Update': [
    sshkeys.update,
    { method: 'PUT', path: '/profile/sshkeys/{sshKeyId}', scopes: 'account:read_write', body: 'label*' },
  ],
  'SSH Key Delete': [
    sshkeys.delete,
    { method: 'DELETE', path: '/profile/sshkeys/{sshKeyId}', scopes: 'account:read_write' },
  ],
  'Two Factor Authentication Disable': [
    tfa.disable,
    { method: 'POST', path: '/profile/tfa-disable', scopes: 'account:read_write' },
  ],
  'Two Factor Secret Create': [
    tfa.enable,
    { method: 'POST', path: '/profile/tfa-enable', scopes: 'account:read_write' },
  ],
  'Two Factor Authentication Confirm/Enable': [
    tfa.confirm,
    { method: 'POST', path: '/profile/tfa-enable-confirm', scopes: 'account:read_write', body: 'tfa_code*' },
  ],
  'Personal Access Tokens List': [
    tokens.list,
    { method: 'GET', path: '/profile/tokens', scopes: 'account:read_only', paged: true },
  ],
  'Personal Access Token Create': [
    tokens.create,
    { method: 'POST', path: '/profile/tokens', scopes: 'account:read_write', body: 'expiry label* scopes' },
  ],
  'Personal Access Token View': [
    tokens.view,
    { method: 'GET', path: '/profile/tokens/{tokenId}', scopes: 'account:read_only' },
  ],
  'Personal Access Token Update': [
    tokens.update,
    { method: 'PUT', path: '/profile/tokens/{tokenId}', scopes: 'account:read_write', body: 'label*' },
  ],
  'Personal Access Token Revoke': [
    tokens.revoke,
    { method: 'DELETE', path: '/profile/tokens/{tokenId}', scopes: 'account:read_write' },
  ],

  'Volumes List': [volumes.list, { method: 'GET', path: '/volumes', scopes: 'volumes:read_only', paged: true }],
  'Volume Create': [
    volumes.create,
    {
      method: 'POST',
      path: '/volumes',
      scopes: 'volumes:read_write',
      body: 'label* size compute_id config_id region tags',
    },
  ],
  'Volume View': [volumes.view, { method: 'GET', path: '/volumes/{volumeId}', scopes: 'volumes:read_only' }],
  'Volume Update': [
    volumes.update,
    { method: 'PUT', path: '/volumes/{volumeId}', scopes: 'volumes:read_write', body: 'label tags' },
  ],
  'Volume Delete': [volumes.delete, { method: 'DELETE', path: '/volumes/{volumeId}', scopes: 'volumes:read_write' }],
  'Volume Attach': [
    volumes.attach,
    {
      method: 'POST',
      path: '/volumes/{volumeId}/attach',
      scopes: 'volumes:read_write computes:read_write',
      body: 'compute_id* config_id persist_across_boots',
    },
  ],
  'Volume Detach': [
    volumes.detach,
    {
      method: 'POST',
      path: '/volumes/{volumeId}/detach',
      scopes: 'volumes:read_write computes:read_write',
    },
  ],
  'Volume Resize': [
    volumes.resize,
    {
      method: 'POST',
      path: '/volumes/{volumeId}/resize',
      scopes: 'volumes:read_write',
      body: 'size*',
    },
  ],
  'Volume Clone': [
    volumes.clone,
    { method: 'POST', path: '/volumes/{volumeId}/clone', scopes: 'volumes:read_write', body: 'label*' },
  ],

  'Regions List': [regions.list, { method: 'GET', path: '/regions', scopes: 'open', paged: true }],
  'Regions Availability List': [
    regions.availability,
    { method: 'GET', path: '/regions/availability', scopes: 'open', paged: true },
  ],
  'Region View': [regions.view, { method: 'GET', path: '/regions/{regionId}', scopes: 'open' }],
  'Region Availability View': [
    regions.regionAvailability,
    { method: 'GET', path: '/regions/{regionId}/availability', scopes: 'open' },
  ],
}

describe.each(Object.entries(contract))('%s', (_name, [operation, row]) => {
  test('is sent as api.md says', () => {
    const fields = Object.entries((operation.body as ObjectSchema | undefined)?.entries ?? {})
    expect({
      method: operation.method,
      path: operation.path,
      scopes: operation.isPublic ? 'open' : operation.scopes.join(' '),
      body: fields.map(([name, { type }]) => (type === 'optional' ? name : `${name}*`)).sort(),
      paged: operation.paged === true,
    }).toEqual({
      method: row.method,
      path: row.path,
      scopes: row.scopes,
      body: (row.body?.split(' ') ?? []).sort(),
      paged: row.paged === true,
    })
  })
})

/** reliability.md, "Which requests may be sent again", for what does not follow from the method. */
const afterLostAnswer: readonly [name: string, repeat: Idempotency][] = [
  ['Volume Attach', 'check first'],
  ['Volume Detach', 'check first'],
  ['Volume Resize', 'check first'],
  ['Volume Create', 'never'],
  ['Volume Clone', 'never'],
  ['Security Questions Answer', 'idempotent'],
  ['User Preferences Update', 'check first'],
  ['Two Factor Authentication Disable', 'check first'],
  ['Two Factor Secret Create', 'never'],
  ['Two Factor Authentication Confirm/Enable', 'never'],
  ['Phone Number Verification Code Send', 'never'],
  ['Phone Number Verify', 'never'],
  ['SSH Key Add', 'never'],
  ['Personal Access Token Create', 'never'],
  ['Firewall Create', 'never'],
  ['Firewall Device Create', 'check first'],
  ['Firewall Rules Update', 'check first'],
  ['IP Address Allocate', 'never'],
  ['IP Addresses Assign', 'idempotent'],
  ['IP Addresses Share', 'idempotent'],
  ['Assign IPv4s', 'idempotent'],
  ['IPv4 Sharing Configure', 'idempotent'],
  ['IPv6 Range Create', 'never'],
]

/** Undefined for POST: it must be said of each. */
const byMethod: Record<string, Idempotency | undefined> = { GET: 'safe', PUT: 'idempotent', DELETE: 'idempotent' }

test.each(Object.entries(contract))('%s is repeated only where that is safe', (name, [operation, { method }]) => {
  const [, repeat = byMethod[method]] = afterLostAnswer.find(([known]) => known === name) ?? []
  expect(operation.idempotency).toBe(repeat)
})

test('every operation of the catalogue stands in the contract', () => {
  const known = new Set(Object.values(contract).map(([operation]) => operation))
  expect(catalogued.filter(({ operation }) => !known.has(operation)).map(({ name }) => name)).toEqual([])
})

test('every operation of the catalogue has a command', async () => {
  const nodes = withDescendants(await loadTree(program))
  const asked = new Set(nodes.flatMap(({ command }) => command?.operations ?? []))
  expect(catalogued.filter(({ operation }) => !asked.has(operation)).map(({ name }) => name)).toEqual([])
})

/** api.md, "Resources and their fields". */
test.each<[string, Operation, string]>([
  [
    'profile',
    profile.view,
    'authentication_type authorized_keys email email_notifications ip_whitelist_enabled shell_auth_method referrals ' +
      'restricted timezone two_factor_auth uid username verified_phone_number',
  ],
  ['authorized app', apps.view, 'created expiry id label scopes thumbnail_url website'],
  ['trusted device', devices.view, 'created expiry id last_authenticated last_remote_addr user_agent'],
  ['login', logins.view, 'datetime id ip restricted status username'],
  ['SSH key', sshkeys.view, 'created id label ssh_key'],
  ['personal access token', tokens.view, 'created expiry id label scopes token'],
  [
    'volume',
    volumes.view,
    'compute_id compute_label created filesystem_path hardware_type id label region size status tags updated',
  ],
  ['region', regions.view, 'capabilities country id label resolvers status'],
  ...networkingFields,
])('the fields of a %s are those of api.md', (_name, { returns }, fields) => {
  expect(Object.keys((returns as ObjectSchema).entries).sort()).toEqual(fields.split(' ').sort())
})

test('the holes of a path are filled by name', () => {
  expect(parametersOf('/volumes/{volumeId}/attach')).toEqual(['volumeId'])
  expect(parametersOf('/volumes')).toEqual([])
})
