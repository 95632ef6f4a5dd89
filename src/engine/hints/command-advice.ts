/** Advice for commands of other tools that have no single command as counterpart: a table of them, and the next step. */
import { capitalized } from '../../rules/texts'
import { commandMeanings } from './synonyms'

const copying = 'To copy a volume: skyctl volumes clone {VOLUME} --label {LABEL}'
export const missing = 'The API has no such operation.'
const moving = 'To move the address: skyctl ips assign {ADDRESS}={INSTANCE}'
const undoing = 'For the last change: skyctl history undo'

/** Commands that answer who can connect. */
export const access =
  'Who has access to each port: skyctl firewalls view FIREWALL. Whether an address can connect: skyctl firewalls test FIREWALL --protocol tcp --port 22 --from 198.51.100.7'

interface Row {
  /** Words of the line, without the program's name: `firewalls copy`. */
  words: RegExp
  /** The next step. `{VOLUME}` stands for the next word of the line, `{LABEL}` for the one after it, GROUP for the group. */
  text: string | ((words: readonly string[], path: string) => string | undefined)
}

const rows: readonly Row[] = [
  { words: /^account export$/, text: ([, file = 'account.yaml']) => `Write skyctl export > ${file}` },
  {
    words: /^report$/,
    text: 'For a page of the account: skyctl overview -o html > account.html. For problems: skyctl audit',
  },
  {
    words: /^(undo|revert|rollback) \S+\.(ya?ml|json)$/,
    text: 'To undo the last change or apply: skyctl history undo',
  },
  { words: /^(account|user)$/, text: 'Did you mean "skyctl profile view" or "skyctl auth status"?' },
  {
    words: /^(balance|billing|invoices?|costs?|pricing)$/,
    text: 'The API has no billing. For needless costs: skyctl audit',
  },
  { words: /^(check|drift)$/, text: 'To see how the account differs from a file: skyctl plan {FILE} --drift' },
  {
    words: /^destroy$/,
    text: 'To delete one kind: skyctl volumes delete VOLUME. What a file with an owner no longer has: skyctl apply FILE --prune',
  },
  { words: /^fmt$/, text: 'A file keeps the form that you give it. To check one: skyctl plan {FILE}' },
  {
    words: /^init$/,
    text: 'There is no state to initialize. To sign in: skyctl auth login. To write a file: skyctl export',
  },
  { words: /^auth token$/, text: 'Stored tokens are never printed. To create another one: skyctl tokens create' },
  { words: /^auth refresh$/, text: 'To replace a token: skyctl tokens rotate TOKEN' },
  { words: /^(auth )?(can-i|scopes|permissions)$/, text: 'To see the scopes of the token: skyctl auth status' },
  { words: /^(diagnose|health|ping)$/, text: 'Did you mean "skyctl doctor"?' },
  {
    words: /^completion install$/,
    text: 'To load it in each bash: echo "source <(skyctl completion bash)" >> ~/.bashrc. Other shells: skyctl completion --help',
  },
  {
    words: /^events$/,
    text: 'To read the events of the account: skyctl api GET /account/events. Changes made from this machine: skyctl history list. Sign-ins: skyctl profile logins list',
  },
  { words: /^(tfa|2fa|mfa) enable$/, text: 'Did you mean "skyctl profile tfa setup"?' },
  { words: /^profile tfa status$/, text: 'Whether it is on: skyctl profile view --columns two_factor_auth' },
  {
    words: /^firewalls (\S+ )?(who|who-can|can|check|reach|allows)$/,
    text: ([next = 'FIREWALL'], path) =>
      access.replaceAll('FIREWALL', / .* /.test(path) ? (path.split(' ')[1] ?? '') : next),
  },
  { words: /^(mv|rename)$/, text: 'To rename a volume: skyctl volumes update {VOLUME} --label {LABEL}' },
  { words: /^(rm|remove|delete)$/, text: 'To delete a volume: skyctl volumes delete {VOLUME}' },
  { words: /^networks?$/, text: 'Did you mean "skyctl vlans list"?' },
  { words: /^firewalls opened$/, text: 'Did you mean "skyctl firewalls openings"?' },
  {
    words: /^firewalls edit$/,
    text: 'To edit its rules: skyctl firewalls rules edit {FIREWALL}. For its label, status and tags: skyctl firewalls update --help',
  },
  {
    words: /^firewalls (rules )?(copy|cp|clone|duplicate)$/,
    text: 'To copy its rules and policies: skyctl firewalls rules list {FIREWALL} -o yaml | skyctl firewalls create --label {LABEL} --file -',
  },
  {
    words: /^firewalls (undo|rollback|revert|restore)$/,
    text: `To restore its earlier rules: skyctl firewalls rules undo {FIREWALL}. ${undoing}`,
  },
  { words: /^rollout$/, text: `To restore earlier rules: skyctl firewalls rules undo FIREWALL. ${undoing}` },
  { words: /^history rollout$/, text: 'Did you mean "skyctl history list"?' },
  {
    words: /^(history )?redo$/,
    text: 'To undo an undo, undo its own change: skyctl history list, then skyctl history undo NUMBER',
  },
  { words: /^ips (associate|move)$/, text: moving },
  { words: /^ips (unassign|delete|release)$/, text: `${missing} ${moving}` },
  {
    words: /^vlans create$/,
    text: `${missing} VLANs begin and end with interfaces of instances. To see them: skyctl vlans list`,
  },
  { words: /^vlans view$/, text: `${missing} The list has all about them: skyctl vlans list` },
  {
    words: /^vlans delete$/,
    text: `${missing} Remove it from the interfaces of its instances, in the web console or API of instances. To see them: skyctl vlans list`,
  },
  { words: /^(volumes )?(snapshot|backup)s?$/, text: `The API has no snapshots. ${copying}` },
  {
    words: /^(volumes|firewalls) (protect|lock|enable-protection)$/,
    text: 'To refuse its deletion: skyctl GROUP update {LABEL} --add-tag protected',
  },
  {
    words: /^(volumes|firewalls) (unprotect|unlock|disable-protection)$/,
    text: 'To allow its deletion: skyctl GROUP update {LABEL} --remove-tag protected',
  },
  { words: /^(volumes|firewalls) (tags?|label)$/, text: taggingOf },
  {
    words: /^(volumes|firewalls) (untag|remove-tag|remove-label)$/,
    text: 'To remove a tag: skyctl GROUP update {LABEL} --remove-tag {TAG}',
  },
  { words: /^tags?$/, text: 'Volumes and firewalls have tags: skyctl volumes list --columns label,tags' },
  { words: /^sandbox (run|serve)$/, text: 'Did you mean "skyctl sandbox start"?' },
  { words: /^sandbox stop$/, text: 'The sandbox stops with Ctrl-C in its terminal, or with its process' },
  {
    words: /^ssh$/,
    text: 'To open a port while a command runs: skyctl firewalls open FIREWALL --port 22 --from ADDRESS --for 1h -- ssh HOST',
  },
  { words: /^upgrade$/, text: 'To look for a newer version: skyctl version --check' },
  { words: /^explain$/, text: ([word = '']) => fieldsOf(word) },
  {
    words: /^(firewalls|ips|ipv6|profile|regions|tokens|vlans|volumes)\b.* (fields|explain|schema)$/,
    text: (_, path) => fieldsOf(path.replace(/^profile (?=\S+ )| \S+$/g, '')),
  },
]

/** `volumes tag prod data-1`: nobody knows which word is the tag, unless it has the form of one, as in `env=prod`. */
function taggingOf(words: readonly string[], path: string): string | undefined {
  const group = path.replace(/ \S+$/, '')
  const names = words.filter((word) => !/^(add|set)$/.test(word))
  const [tags, targets] = [names.filter((word) => word.includes('=')), names.filter((word) => !word.includes('='))]
  if (names.length < 2) return undefined
  if (tags.length > 0 && targets.length > 0)
    return `Did you mean "skyctl ${group} update ${targets.join(' ')} --add-tag ${tags.join(',')}"?`
  return `Write skyctl ${group} update ${group.slice(0, -1).toUpperCase()} --add-tag TAG`
}

/** Records of the OpenAPI document, which describes their fields. */
const records =
  'Firewall FirewallDevice FirewallRule Ip Ipv6Pool Ipv6Range Login Profile Region Sshkey Token Vlan Volume'.split(' ')

/** `explain sshkeys` and `explain volumes.size`, as kubectl has them. */
function fieldsOf(resource: string): string {
  const [path = '', field = ''] = resource.toLowerCase().split('.')
  const names = (commandMeanings(path)[0] ?? path).replace(/^profile /, '').split(' ')
  const record = names.map((name) => capitalized(name.replace(/s$/, ''))).join('')
  const fields = (name: string, ...below: string[]) =>
    `skyctl api --openapi --query ${['components.schemas', name, 'properties', ...below].join('.')} -o yaml`
  if (records.includes(record))
    return `Its fields and their meaning: ${fields(record, ...(/^[a-z_]+$/.test(field) ? [field] : []))}`
  return `For the fields of a record: ${fields('Volume')}. Its records: skyctl api --openapi --query 'keys(components.schemas)'`
}

/** Returns the advice for a command, with the next words of the line in it; undefined without one. */
export function adviceOn(path: string, words: readonly string[]): string | undefined {
  const row = rows.find((one) => one.words.test(path))
  if (!row) return undefined
  if (typeof row.text !== 'string') return row.text(words, path)
  const text = row.text.replaceAll('GROUP', path.replace(/ \S+$/, ''))
  const names = [...new Set(text.match(/\{\w+\}/g))]
  return text.replaceAll(/\{(\w+)\}/g, (name, otherwise: string) => words[names.indexOf(name)] ?? otherwise)
}
