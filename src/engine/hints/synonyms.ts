/** Flags, groups and verbs of other tools, by those of skyctl. At most 40 rows of each kind: tests try every word. */

const flags: Readonly<Record<string, string>> = {
  '--at': 'position',
  '--balancer-id': 'balancer load-balancer nodebalancer-id',
  '--base-url': 'endpoint api-url url',
  '--body': 'data payload input d f field raw-field',
  '--columns': 'fields attributes',
  '--compute-id':
    'to compute compute-ids server server-id server-ids instance instance-id instance-ids linode-id droplet-id droplet-ids',
  '--context': 'c profile account project workspace as-user',
  '--debug': 'trace log-level',
  '--dry-run': 'preview simulate what-if diff',
  '--expiry': 'expires expires-in ttl',
  '--exit-code': 'detailed-exitcode',
  '--drift': 'refresh-only',
  '--file': 'f filename input-file rules-file key-file public-key-file public-key-from-file',
  '--filter': 'selector where',
  '--for': 'duration ttl expires expires-in until condition status state',
  '--force': 'overwrite',
  '--from': 'source source-ip source-ips source-ranges src cidr',
  '--if-absent': 'if-not-exists',
  '--if-present': 'ignore-not-found if-exists',
  '--label': 'name title display-name new-label new-name',
  '--limit': 'n count first max-items max-results',
  '--no-headers': 'no-header hide-headers',
  '--only': 'target',
  '--output': 'output-format out-format',
  '--page-size': 'per-page',
  '--port': 'ports dport destination-port',
  '--protocol': 'proto',
  '--query': 'jq template jsonpath',
  '--region': 'location zone datacenter',
  '--scope': 'permission permissions',
  '--size': 'capacity size-gb new-size',
  '--sort': 'sort-by order-by',
  '--ssh-key': 'key public-key',
  '--to': 'destination dest dst cidr',
  '--yes': 'non-interactive no-prompt no-input approve auto-approve assume-yes confirm force f',
}

/** A word with a colon is only looked for in the group whose last word is before the colon. */
const commands: Readonly<Record<string, string>> = {
  add: 'sshkeys:import sshkeys:upload rules:create devices:attach',
  clone: 'copy cp duplicate',
  create: 'new make generate provision',
  delete: 'destroy erase terminate',
  list: 'get search find rules:view rules:show rules:describe',
  resize: 'grow expand extend',
  revoke: 'destroy',
  rotate: 'regenerate renew',
  update: 'modify change edit patch',
  'update --add-tag':
    'volumes:tag volumes:tags volumes:label volumes:add-tag volumes:add-label firewalls:tag firewalls:tags firewalls:label firewalls:add-tag firewalls:add-label',
  'update --label': 'volumes:rename volumes:mv firewalls:rename tokens:rename sshkeys:rename',
  view: 'get describe show info inspect volumes:status firewalls:status',
  'auth login': 'login signin configure auth:init context:create context:add',
  'auth logout': 'logout signout',
  'auth status': 'whoami me sts',
  context: 'config',
  'context list': 'auth:list get-contexts',
  'context update': 'set-context',
  'context use': 'use switch use-context auth:switch',
  'context view': 'current-context context:current context:active',
  firewalls: 'fw sg security-group security-groups',
  export: 'import state',
  'firewalls devices add':
    'firewalls:attach firewalls:assign firewalls:apply firewalls:apply-to-resource firewalls:add-droplets firewalls:add-computes firewalls:add-servers',
  'firewalls devices delete':
    'firewalls:detach firewalls:unassign firewalls:remove-from-resource firewalls:remove-droplets firewalls:remove-computes firewalls:remove-servers',
  'firewalls rules add':
    'authorize-security-group-ingress firewalls:allow firewalls:deny firewalls:block firewalls:authorize firewalls:authorize-ingress',
  'firewalls rules remove': 'revoke-security-group-ingress firewalls:revoke',
  help: 'man',
  history: 'log logs activity',
  'history undo': 'undo revert rollback',
  ips: 'address addresses floating-ip floating-ips primary-ip primary-ips reserved-ip elastic-ip',
  'ips rdns': 'rdns ips:reset-rdns ips:set-rdns ips:set ips:ptr ips:update',
  'ipv6 pools list': 'v6-pools',
  'ipv6 ranges list': 'v6-ranges',
  overview: 'show all dashboard status summary ls list',
  plan: 'diff',
  'profile sshkeys': 'ssh-key ssh-keys sshkey sshkeys profile:keys',
  'profile tfa': '2fa mfa',
  regions: 'location locations zones datacenter datacenters',
  tokens: 'pat api-key api-keys access-token access-tokens api-token api-tokens',
  volumes: 'disk disks block-storage volume-action',
}

const pairsOf = (rows: Readonly<Record<string, string>>) =>
  Object.entries(rows).flatMap(([meaning, words]) => words.split(' ').map((word) => [meaning, word] as const))

/** All synonyms with their meaning. */
export const flagSynonyms = pairsOf(flags)
export const commandSynonyms = pairsOf(commands)

/** Returns the flags that a flag of another tool may be: `--label` for `--name`. */
export function flagMeanings(flag: string): string[] {
  const name = flag.replace(/^--?/, '').replaceAll('_', '-').toLowerCase()
  return flagSynonyms.filter(([, word]) => word === name).map(([meaning]) => meaning)
}

/**
 * Returns what a word means in a group, or at the root without one: `view` and `list` for `get`. Other places in the
 * program are meant at the root, in the group where the place is, and where the table says so.
 */
export function commandMeanings(word: string, group = ''): string[] {
  const name = word.replaceAll('_', '-').toLowerCase()
  const isPlain = (meaning: string) => group === '' || !meaning.includes(' ') || meaning.startsWith(`${group} `)
  const ownName = `${group.split(' ').at(-1)}:${name}`
  return commandSynonyms
    .filter(([meaning, other]) => other === ownName || (other === name && isPlain(meaning)))
    .map(([meaning]) => meaning)
}
