/** Facts of api.md about operations, on the pages of their commands. */
import { describe, expect, test } from 'vitest'
import { runSkyctl } from '../support/run'

/** Returns a page as one line. */
async function flat(line: string): Promise<string> {
  const { exit, stdout } = await runSkyctl(line)
  expect(exit).toBe(0)
  return stdout.replaceAll(/\s+/g, ' ')
}

/** Facts that a user must know before running the command. */
const onThePage: readonly (readonly [line: string, ...facts: string[]])[] = [
  ['firewalls devices add', 'only one enabled firewall', 'a firewall one balancer'],
  ['firewalls enable', 'another enabled firewall is assigned to the same service', 'live migration'],
  ['firewalls rules add', 'first matching rule decides'],
  ['firewalls rules update', 'Omitted lists and policies stay unchanged'],
  ['ips allocate', 'at most one'],
  ['ips assign', 'loses the address', 'needs a public IPv4 address', 'one IPv6 range', '/56 or /64'],
  ['ips list', 'without the private ones'],
  ['ips rdns', 'Forward DNS must exist first', 'Restore the default name'],
  ['ips share', 'other addresses are no longer shared', 'in the region of the instance', 'without /56 or /64'],
  ['ipv6 pools list', 'routed to all your compute instances of a region'],
  ['ipv6 ranges create', 'and not both', 'one range in a region', 'in the region of its target'],
  ['profile apps revoke', 'token of the app expires'],
  ['profile devices list', 'remembered at a login', '30 days'],
  ['profile devices revoke', 'must log in again'],
  ['profile grants', 'An unrestricted user has no grants'],
  ['profile logins list', 'successful logins of the last 90 days'],
  ['profile phone delete', 'To change the number'],
  ['profile phone send', 'by SMS', 'ten minutes', 'the same code again'],
  ['profile phone verify', 'ten minutes', 'the user who requested it'],
  ['profile preferences set', 'Removes all keys that are not in the file', '65,535 characters'],
  ['profile security-questions answer', 'exactly three different questions', 'overwritten', 'Two-factor'],
  ['profile sshkeys add', 'root account of instances'],
  ['profile sshkeys delete', 'instances keep their copies'],
  ['profile sshkeys update', 'key itself cannot change', '64 characters'],
  ['profile tfa confirm', 'Current code', 'replaces a code once'],
  ['profile tfa disable', 'need the password only'],
  ['profile tfa enable', 'secret and its expiry', 'three answered security questions'],
  ['profile update', 'fixed for a proxy user', 'Limit the user to its grants'],
  ['profile view', 'Referrals appear after 25 USD of payments'],
  ['regions availability', 'premium and GPU plans'],
  ['regions list', 'Not every service is in every region'],
  ['tokens create', 'full scope', 'never expires', 'cannot have more scopes than the current token', 'only once'],
  ['tokens list', 'first 16 characters'],
  ['tokens revoke', 'at once', 'ends your own access'],
  ['tokens update', 'scopes of a token cannot change', 'cannot be renewed'],
  ['vlans list', 'created with compute instances', 'Not every region'],
  ['volumes attach', 'same region', 'at most 8 volumes', '16 GB of RAM'],
  ['volumes clone', 'billing starts', 'same size and data', 'status active'],
  ['volumes create', 'billing starts', 'The default size is 20 GiB', 'Either --region or --compute-id is required'],
  ['volumes delete', 'billing stops', 'for ever', 'migrating cannot be deleted', 'is billed'],
  ['volumes list', 'volumes you may view'],
  ['volumes resize', 'never shrink', 'status active'],
]

/** Facts for `--help --all` and the reference. */
const onTheWholePage: readonly (readonly [line: string, ...facts: string[]])[] = [
  ['firewalls create', '25 rules', 'VLANs', 'only inbound TCP', 'live migration', 'without two of - _ . in a row'],
  ['firewalls devices add', 'live migration'],
  ['firewalls devices delete', 'rules of other firewalls of the service still apply', 'live migration'],
  ['firewalls rules update', '25 rules', 'live migration'],
  ['firewalls update', 'cannot be enabled while another enabled one', 'live migration'],
  [
    'ips assign',
    'SLAAC address of its instance as route target',
    'Shared ones move by the older endpoint',
    'default settings for SSH access',
  ],
  ['ips share', '1:1 NAT'],
  ['profile sshkeys add', '64 characters'],
  ['profile update', 'business-critical email', 'times of the API are in UTC', 'Deprecated'],
  ['tokens create', '1 to 100 characters', 'proxy user'],
  ['vlans list', 'layer 2', 'cannot be migrated or cloned to a region without them'],
  ['volumes attach', 'up to 64', 'must belong to the instance'],
  ['volumes create', '1 to 32 characters', 'unattached'],
  ['volumes detach', 'detached automatically'],
]

describe('the page of a command', () => {
  test.for(onThePage.map(([line, ...facts]) => [line, facts] as const))(
    '%s says of its operation: %j',
    async ([line, facts]) => {
      const page = await flat(`${line} --help`)
      for (const fact of facts) expect(page).toContain(fact)
    },
  )

  test.for(onTheWholePage.map(([line, ...facts]) => [line, facts] as const))(
    '%s says with --all of its operation: %j',
    async ([line, facts]) => {
      const page = await flat(`${line} --help --all`)
      for (const fact of facts) expect(page).toContain(fact)
    },
  )
})
