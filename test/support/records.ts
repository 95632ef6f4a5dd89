/** Complete records, for tests that care about some of their fields only. */

const time = '2026-01-02T03:04:05'

/** Fields of volumes, firewalls and addresses together. Additional fields do no harm. */
const defaults = {
  label: 'x',
  status: 'active',
  size: 20,
  region: 'us-east',
  compute_id: null,
  compute_label: null,
  filesystem_path: '/dev/disk/by-id/scsi-0_Volume_x',
  hardware_type: 'nvme',
  tags: [],
  created: time,
  updated: time,
  address: '192.0.2.7',
  type: 'ipv4',
  public: true,
  rdns: null,
  gateway: null,
  subnet_mask: null,
  prefix: 24,
  rules: { inbound: [], inbound_policy: 'DROP', outbound: [], outbound_policy: 'ACCEPT' },
}

/** An answer to Profile View. */
export const completeProfile = {
  username: 'me',
  uid: 1,
  email: 'me@example.net',
  authentication_type: 'password',
  restricted: false,
  two_factor_auth: false,
  email_notifications: true,
  ip_whitelist_enabled: false,
  shell_auth_method: 'keys_only',
  authorized_keys: null,
  timezone: 'UTC',
  verified_phone_number: null,
}

/** A region whose capabilities do not matter. */
export const usEast = {
  id: 'us-east',
  label: 'Newark, NJ, USA',
  country: 'us',
  capabilities: [],
  status: 'ok',
  resolvers: { ipv4: '', ipv6: '' },
}

/** Returns a record with these fields, and all others that it must have. */
export function completeRecord<T extends object>(fields: T) {
  return { ...defaults, ...fields }
}
