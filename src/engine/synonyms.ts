/** Flags, verbs and commands of other tools, by those of skyctl. */
const synonyms: Readonly<Record<string, string>> = {
  '--at': 'position',
  '--balancer-id': 'balancer load-balancer nodebalancer-id',
  '--base-url': 'endpoint api-url url',
  '--body': 'data payload input',
  '--columns': 'fields attributes',
  '--compute-id': 'compute server server-id instance instance-id linode-id droplet-id',
  '--context': 'profile account project workspace',
  '--dry-run': 'preview simulate what-if',
  '--expiry': 'expires expires-in ttl',
  '--file': 'f filename input-file rules-file public-key-file',
  '--filter': 'selector where region status tag size type',
  '--for': 'duration until condition',
  '--force': 'overwrite',
  '--from': 'source source-ip source-ips source-ranges src cidr',
  '--label': 'name title display-name',
  '--limit': 'n count first max-items max-results',
  '--no-headers': 'no-header hide-headers',
  '--output': 'output-format out-format',
  '--page-size': 'per-page',
  '--port': 'ports dport destination-port',
  '--protocol': 'proto',
  '--query': 'jq template jsonpath',
  '--region': 'location zone datacenter',
  '--size': 'capacity size-gb',
  '--sort': 'sort-by order-by',
  '--ssh-key': 'public-key',
  '--to': 'destination dest dst cidr',
  '--yes': 'approve auto-approve assume-yes confirm force f',
  create: 'new make generate provision',
  delete: 'destroy erase terminate',
  list: 'get search find',
  revoke: 'destroy',
  update: 'modify change rename edit patch',
  view: 'get describe show info inspect',
  'auth login': 'login signin',
  'auth logout': 'logout',
  'auth status': 'whoami me',
  'context use': 'switch',
  'profile sshkeys': 'ssh-key ssh-keys sshkeys',
  'profile tfa': '2fa mfa',
}

/** Returns what has the meaning of a word: `--label` for `--name`, `view` and `list` for `get`; empty if it has none. */
export function meaningsOf(word: string): string[] {
  const isFlag = word.startsWith('-')
  const name = word.replace(/^--?/, '').replaceAll('_', '-').toLowerCase()
  return Object.entries(synonyms)
    .filter(([meaning, words]) => meaning.startsWith('-') === isFlag && words.split(' ').includes(name))
    .map(([meaning]) => meaning)
}

/** All synonyms with their meaning. */
export const allSynonyms: readonly (readonly [meaning: string, word: string])[] = Object.entries(synonyms).flatMap(
  ([meaning, words]) => words.split(' ').map((word) => [meaning, word] as const),
)
