/**
 * All operations, typed by hand from api.md (Endpoints) and, for scopes that are not shown there, from gaps.md: each
 * with a request that succeeds in the built-in world.
 */
import { TOTP } from 'otpauth'
import type { Reply, Service } from '../sandbox/fixture'

export interface Row {
  line: string
  /** `none`: any token; `open`: no token at all. */
  scopes: string
  body?: unknown
  /** What must be there before. It may give what replaces the line's `{}`, or the body. */
  arrange?: (service: Service) => Promise<{ hole?: string; body?: unknown }>
}

const read = 'account:read_only'
const write = 'account:read_write'
const rules = { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' }
const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILq5CeZ9vU8HSbHCCT0nTbFqvbJJM5tWYHfqbmWk1DFA laptop'
const number = { iso_code: 'US', phone_number: '+1 555 123 4567' }
const answers = { security_questions: [1, 2, 3].map((question_id) => ({ question_id, response: 'x' })) }
const assignment = { region: 'us-east', assignments: [{ address: '192.0.2.31', compute_id: 1002 }] }
const sharing = { compute_id: 1002, ips: ['192.0.2.31'] }

async function verified(service: Service) {
  const { body } = await codeSent(service)
  await service.call('POST /profile/phone-number/verify', { body })
  return {}
}

async function codeSent({ call, sandbox }: Service) {
  await call('POST /profile/phone-number', { body: number })
  return { body: { otp_code: sandbox.outbox()[0]?.code } }
}

async function answered({ call }: Service) {
  await call('POST /profile/security-questions', { body: answers })
  return {}
}

async function secretMade(service: Service) {
  await answered(service)
  const { secret } = (await service.call('POST /profile/tfa-enable')).body
  return { body: { tfa_code: new TOTP({ secret }).generate({ timestamp: service.clock.now() }) } }
}

async function confirmed(service: Service) {
  await service.call('POST /profile/tfa-enable-confirm', await secretMade(service))
  return {}
}

const aRange = async ({ call }: Service) => ({
  hole: (await call('GET /networking/ipv6/ranges')).body.data[0].range as string,
})

const profile: Record<string, Row> = {
  'Profile View': { line: 'GET /profile', scopes: 'none' },
  'Profile Update': { line: 'PUT /profile', scopes: write, body: { timezone: 'Asia/Tokyo' } },
  'Authorized Apps List': { line: 'GET /profile/apps', scopes: read },
  'Authorized App View': { line: 'GET /profile/apps/1', scopes: read },
  'App Access Revoke': { line: 'DELETE /profile/apps/1', scopes: write },
  'Trusted Devices List': { line: 'GET /profile/devices', scopes: read },
  'Trusted Device View': { line: 'GET /profile/devices/1', scopes: read },
  'Trusted Device Revoke': { line: 'DELETE /profile/devices/1', scopes: write },
  'Grants List': { line: 'GET /profile/grants', scopes: 'none' },
  'Logins List': { line: 'GET /profile/logins', scopes: read },
  'Login View': { line: 'GET /profile/logins/6', scopes: read },
  'Phone Number Delete': { line: 'DELETE /profile/phone-number', scopes: write, arrange: verified },
  'Phone Number Verification Code Send': { line: 'POST /profile/phone-number', scopes: write, body: number },
  'Phone Number Verify': { line: 'POST /profile/phone-number/verify', scopes: write, arrange: codeSent },
  'User Preferences View': { line: 'GET /profile/preferences', scopes: read },
  'User Preferences Update': { line: 'PUT /profile/preferences', scopes: write, body: { colour: 'red' } },
  'Security Questions List': { line: 'GET /profile/security-questions', scopes: read },
  'Security Questions Answer': { line: 'POST /profile/security-questions', scopes: write, body: answers },
  'SSH Keys List': { line: 'GET /profile/sshkeys', scopes: read },
  'SSH Key Add': { line: 'POST /profile/sshkeys', scopes: write, body: { label: 'new', ssh_key: sshKey } },
  'SSH Key View': { line: 'GET /profile/sshkeys/1', scopes: read },
  'SSH Key Update': { line: 'PUT /profile/sshkeys/1', scopes: write, body: { label: 'new' } },
  'SSH Key Delete': { line: 'DELETE /profile/sshkeys/1', scopes: write },
  'Two Factor Authentication Disable': { line: 'POST /profile/tfa-disable', scopes: write, arrange: confirmed },
  'Two Factor Secret Create': { line: 'POST /profile/tfa-enable', scopes: write, arrange: answered },
  'Two Factor Authentication Confirm/Enable': {
    line: 'POST /profile/tfa-enable-confirm',
    scopes: write,
    arrange: secretMade,
  },
  'Personal Access Tokens List': { line: 'GET /profile/tokens', scopes: read },
  'Personal Access Token Create': {
    line: 'POST /profile/tokens',
    scopes: write,
    body: { label: 'new', scopes: 'account:read_only' },
  },
  'Personal Access Token View': { line: 'GET /profile/tokens/7', scopes: read },
  'Personal Access Token Update': { line: 'PUT /profile/tokens/7', scopes: write, body: { label: 'new' } },
  'Personal Access Token Revoke': { line: 'DELETE /profile/tokens/7', scopes: write },
}

const volumes: Record<string, Row> = {
  'Volumes List': { line: 'GET /volumes', scopes: 'volumes:read_only' },
  'Volume Create': {
    line: 'POST /volumes',
    scopes: 'volumes:read_write',
    body: { label: 'new', region: 'us-east' },
  },
  'Volume View': { line: 'GET /volumes/3001', scopes: 'volumes:read_only' },
  'Volume Update': { line: 'PUT /volumes/3001', scopes: 'volumes:read_write', body: { label: 'new' } },
  'Volume Delete': { line: 'DELETE /volumes/3002', scopes: 'volumes:read_write' },
  'Volume Attach': {
    line: 'POST /volumes/3002/attach',
    scopes: 'volumes:read_write computes:read_write',
    body: { compute_id: 1001 },
  },
  'Volume Detach': { line: 'POST /volumes/3001/detach', scopes: 'volumes:read_write computes:read_write' },
  'Volume Resize': { line: 'POST /volumes/3002/resize', scopes: 'volumes:read_write', body: { size: 30 } },
  'Volume Clone': { line: 'POST /volumes/3002/clone', scopes: 'volumes:read_write', body: { label: 'new' } },
}

const regions: Record<string, Row> = {
  'Regions List': { line: 'GET /regions', scopes: 'open' },
  'Regions Availability List': { line: 'GET /regions/availability', scopes: 'open' },
  'Region View': { line: 'GET /regions/us-east', scopes: 'open' },
  'Region Availability View': { line: 'GET /regions/us-east/availability', scopes: 'open' },
}

const firewall = '/networking/firewalls/4005'
const firewalls: Record<string, Row> = {
  'Firewalls List': { line: 'GET /networking/firewalls', scopes: 'firewall:read_only' },
  'Firewall Create': {
    line: 'POST /networking/firewalls',
    scopes: 'firewall:read_write',
    body: { label: 'new', rules },
  },
  'Firewall View': { line: `GET ${firewall}`, scopes: 'firewall:read_only' },
  'Firewall Update': { line: `PUT ${firewall}`, scopes: 'firewall:read_write', body: { status: 'disabled' } },
  'Firewall Delete': { line: `DELETE ${firewall}`, scopes: 'firewall:read_write' },
  'Firewall Devices List': { line: 'GET /networking/firewalls/4001/devices', scopes: 'firewall:read_only' },
  'Firewall Device Create': {
    line: `POST ${firewall}/devices`,
    scopes: 'firewall:read_write',
    body: { id: 1009, type: 'compute' },
  },
  'Firewall Device View': { line: 'GET /networking/firewalls/4001/devices/4101', scopes: 'firewall:read_only' },
  'Firewall Device Delete': { line: 'DELETE /networking/firewalls/4001/devices/4101', scopes: 'firewall:read_write' },
  'Firewall Rules List': { line: `GET ${firewall}/rules`, scopes: 'firewall:read_only' },
  'Firewall Rules Update': { line: `PUT ${firewall}/rules`, scopes: 'firewall:read_write', body: rules },
}

const both = 'ips:read_write computes:read_write'
const addresses: Record<string, Row> = {
  'IP Addresses List': { line: 'GET /networking/ips', scopes: 'ips:read_only' },
  'IP Address Allocate': {
    line: 'POST /networking/ips',
    scopes: both,
    body: { type: 'ipv4', public: true, compute_id: 1001 },
  },
  'IP Addresses Assign': { line: 'POST /networking/ips/assign', scopes: both, body: assignment },
  'IP Addresses Share': { line: 'POST /networking/ips/share', scopes: both, body: sharing },
  'IP Address View': { line: 'GET /networking/ips/192.0.2.11', scopes: 'ips:read_only' },
  'IP Address RDNS Update': { line: 'PUT /networking/ips/192.0.2.11', scopes: 'ips:read_write', body: { rdns: null } },
  'Assign IPv4s': { line: 'POST /networking/ipv4/assign', scopes: both, body: assignment },
  'IPv4 Sharing Configure': { line: 'POST /networking/ipv4/share', scopes: both, body: sharing },
  'IPv6 Pools List': { line: 'GET /networking/ipv6/pools', scopes: 'ips:read_only' },
  'IPv6 Ranges List': { line: 'GET /networking/ipv6/ranges', scopes: 'ips:read_only' },
  'IPv6 Range Create': {
    line: 'POST /networking/ipv6/ranges',
    scopes: both,
    body: { prefix_length: 64, compute_id: 1009 },
  },
  'IPv6 Range Delete': { line: 'DELETE /networking/ipv6/ranges/{}', scopes: 'ips:read_write', arrange: aRange },
  'IPv6 Range View': { line: 'GET /networking/ipv6/ranges/{}', scopes: 'ips:read', arrange: aRange },
  'VLANs List': { line: 'GET /networking/vlans', scopes: 'computes:read_only' },
}

export const operations = Object.entries({ ...profile, ...volumes, ...regions, ...firewalls, ...addresses })

/** Brings about what a row needs, and sends its request: with the owner's token unless another one, or none, is given. */
export async function perform(row: Row, service: Service, token?: string | null): Promise<Reply> {
  const { hole = '', body = row.body } = (await row.arrange?.(service)) ?? {}
  return service.call(row.line.replace('{}', hole), {
    ...(body !== undefined && { body }),
    ...(token !== undefined && { token }),
  })
}
