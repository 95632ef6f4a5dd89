/**
 * Flags of other tools, by what has their meaning in skyctl: a flag, an argument, or a field of a list. A flag in several
 * rows means the first of them that a command has.
 */
export const synonyms: Readonly<Record<string, string>> = {
  // A label selector is a test if it compares: `-l env=prod`.
  filter: 'selector filters where l',
  label: 'name title display-name l',
  context: 'profile account project workspace config c',
  output: 'output-format out-format',
  columns: 'fields attributes',
  query: 'jq template jsonpath',
  sort: 'sort-by order-by',
  'no-headers': 'no-header hide-headers',
  limit: 'n L first count max-items max-results',
  'page-size': 'per-page',
  'base-url': 'endpoint endpoint-url api-url url',
  'dry-run': 'preview simulate noop what-if',
  name: 'rdns hostname domain dns-ptr ptr',
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
  at: 'position to',
  expiry: 'expires expires-in expires-at ttl duration',
  for: 'expires-in ttl duration until condition status state',
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

/** Flags by the command of the same group that has them for the same object: an argument stays what it is. */
export const movedFlags: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'volumes update': { size: 'volumes resize', 'compute-id': 'volumes attach' },
  'volumes resize': { label: 'volumes update', tag: 'volumes update', 'add-tag': 'volumes update' },
  'firewalls update': {
    file: 'firewalls rules update',
    'inbound-policy': 'firewalls rules update',
    'outbound-policy': 'firewalls rules update',
  },
  'tokens update': { expiry: 'tokens rotate' },
  'tokens rotate': { label: 'tokens update' },
}

const oneRule =
  'This replaces all rules. To change one: skyctl firewalls rules edit FIREWALL. To add one: skyctl firewalls rules add FIREWALL'
const ruleTarget = 'Name the rule by its label or content, such as label:ssh or match:tcp/22'
const directionFirst = 'Name the direction: skyctl firewalls rules add FIREWALL inbound --action accept --protocol tcp'
const withAddress = 'Name the instance with the address: skyctl ips assign ADDRESS=INSTANCE'
const twoFactor = 'Use another command: skyctl profile tfa setup'
const overviewHas = 'The overview has this without a flag: skyctl overview'
const fixedScopes = 'The scopes of a token cannot change. Create another one: skyctl tokens create'

/** Advice for flags that nothing of the same command or group replaces. */
export const flagAdvice: readonly (readonly [commands: string, flags: string, hint: string])[] = [
  ['volumes clone', 'size', 'A clone has the size of its source. Resize it afterwards: skyctl volumes resize CLONE'],
  ['volumes clone', 'region', 'A clone is in the region of its source'],
  ['volumes detach', 'compute-id compute server instance linode', 'The volume knows its instance: leave the flag out'],
  ['firewalls rules remove', 'label name port ports protocol from to', ruleTarget],
  ['firewalls rules update', 'label port ports protocol from to action', oneRule],
  ['firewalls rules add', 'inbound outbound allow inbound-rules outbound-rules', directionFirst],
  ['firewalls close', 'port ports', 'To close a permanent rule, remove it: skyctl firewalls rules remove'],
  ['ips allocate', 'region', 'The address is in the region of --compute-id'],
  ['ips assign', 'compute-id compute instance server linode droplet to', withAddress],
  ['audit', 'severity filter', `Use --query with the severity, such as "findings[?severity=='critical']"`],
  ['overview', 'exposed exposure costs cost unused', overviewHas],
  ['overview', 'mermaid graph', 'Use -o mermaid'],
  ['plan', 'markdown md', 'Use -o markdown'],
  ['plan', 'refresh-only', 'Use --drift'],
  ['auth status', 'all', 'To list all accounts: skyctl context list'],
  [
    'auth login',
    'web browser',
    'skyctl signs in with a personal access token, which the web console of the account makes',
  ],
  ['profile update', 'two-factor tfa mfa 2fa', twoFactor],
  ['tokens create', 'read-only', 'Use --scope, such as --scope volumes:read_only'],
  [
    'tokens create',
    'if-absent',
    'Tokens may share a label. To see whether it exists: skyctl tokens list --filter label=NAME',
  ],
  ['tokens update', 'scope scopes scopes-for', fixedScopes],
  ['history undo', 'last', 'Name the change: skyctl history list'],
  ['apply', 'undo rollback', 'Use another command: skyctl history undo --apply ID'],
  ['firewalls rules update', 'diff', 'Use another command: skyctl firewalls rules diff'],
  ['plan', 'destroy', 'To delete what a file leaves out, give it an owner, and use --prune'],
]

/** Returns a flag of any tool, and its meanings in skyctl, best first. */
export function meaningsOf(flag: string): string[] {
  const meanings = Object.entries(synonyms).filter(([, flags]) => flags.split(' ').includes(flag))
  return [flag, ...meanings.map(([name]) => name)]
}
