/**
 * Flags of other tools, by what has their meaning in skyctl: a flag, an argument, or a field of a list. A flag in several
 * rows means the first of them that a command has.
 */
export const synonyms: Readonly<Record<string, string>> = {
  // A label selector is a test if it compares: `-l env=prod`.
  filter: 'selector filters where l',
  label: 'name title display-name l',
  context: 'profile account project',
  output: 'output-format out-format',
  columns: 'fields attributes',
  query: 'jq template jsonpath',
  sort: 'sort-by order-by',
  'no-headers': 'no-header hide-headers',
  limit: 'n L first count max-items max-results',
  'page-size': 'per-page',
  'base-url': 'endpoint endpoint-url api-url url',
  'dry-run': 'preview simulate noop what-if',
  region: 'location zone datacenter r',
  status: 'state',
  size: 'capacity size-gb',
  'compute-id':
    'compute server server-id instance instance-id instance-ids linode linode-id droplet droplet-id droplet-ids',
  'balancer-id': 'balancer load-balancer load-balancer-id nodebalancer-id',
  from: 'source sources source-ip source-ips source-range source-ranges src cidr remote-ip addresses networks',
  to: 'destination destinations destination-ip destination-ips dest dst cidr remote-ip addresses networks',
  port: 'ports dport dest-port destination-port',
  protocol: 'proto',
  at: 'position',
  expiry: 'expires expires-in expires-at ttl duration',
  for: 'expires-in ttl duration',
  'otp-code': 'otp code',
  'tfa-code': 'otp code totp mfa-code',
  'ssh-key': 'public-key',
  file: 'f filename input-file rules-file public-key-file public-key-from-file',
  body: 'f filename input input-file data payload',
  'output-file': 'out',
  out: 'output-file',
  force: 'overwrite',
  all: 'a all-pages paginate',
  yes: 'f force approve auto-approve assume-yes confirm no-prompt non-interactive',
}

/** Tests of `--filter` by flags of other tools that no single value stands for; VALUE is the flag's. */
export const filterTests: Readonly<Record<string, string>> = {
  'compute_id=none': 'unattached detached available unused orphaned',
  'compute_id!=none': 'attached in-use',
  'created>VALUE': 'older-than older age min-age',
  'created<VALUE': 'newer-than newer younger-than max-age',
}

/** Returns a flag of any tool, and its meanings in skyctl, best first. */
export function meaningsOf(flag: string): string[] {
  const meanings = Object.entries(synonyms).filter(([, flags]) => flags.split(' ').includes(flag))
  return [flag, ...meanings.map(([name]) => name)]
}
