/** Advice for commands of other tools that takes over the words of the line: there is no single command for them here. */
import { shellWord } from '../../rules/texts'
import { commandMeanings } from './synonyms'

/** Returns advice for the words behind the command; none if a flag is among them, as they may be its values. */
type Advice = (words: readonly string[]) => string | undefined

const wordAt = (words: readonly string[], place: number, otherwise: string) =>
  words[place] === undefined ? otherwise : shellWord(words[place])

const scopes: Advice = () => 'To see the scopes of the token: skyctl auth status'

const editing: Advice = (words) => {
  const firewall = wordAt(words, 0, 'FIREWALL')
  return `To edit its rules: skyctl firewalls rules edit ${firewall}. For its label, status and tags: skyctl firewalls update ${firewall}`
}

const copying: Advice = (words) => {
  const source = `skyctl firewalls rules list ${wordAt(words, 0, 'FIREWALL')} -o yaml`
  const copy = `skyctl firewalls create --label ${wordAt(words, 1, 'LABEL')} --file -`
  return `To copy its rules and policies: ${source} | ${copy}`
}

const undoing: Advice = (words) =>
  `To restore its earlier rules: skyctl firewalls rules undo ${wordAt(words, 0, 'FIREWALL')}. For the last change: skyctl history undo`

/** Two-factor authentication needs more than to be enabled: security questions, and a code. */
const settingUp: Advice = ([verb]) => (verb === 'enable' ? 'Did you mean "skyctl profile tfa setup"?' : undefined)

/** kubectl has `rollout undo KIND NAME`. */
const rollout: Advice = ([, kind = '', ...words]) =>
  undoing(/^(fw|firewalls?)$/.test(kind) ? words : [])?.replace('its earlier', 'the earlier')

const protecting =
  (group: string): Advice =>
  (words) =>
    `To refuse its deletion: skyctl ${group} update ${wordAt(words, 0, 'LABEL')} --add-tag protected`

const unprotecting =
  (group: string): Advice =>
  (words) =>
    `To allow its deletion: skyctl ${group} update ${wordAt(words, 0, 'LABEL')} --remove-tag protected`

const untagging =
  (group: string): Advice =>
  (words) =>
    `To remove a tag: skyctl ${group} update ${wordAt(words, 0, 'LABEL')} --remove-tag ${wordAt(words, 1, 'TAG')}`

/** Names of the schemas of the OpenAPI document, by the group whose records they describe. */
const schemas: Readonly<Record<string, string>> = {
  firewalls: 'Firewall',
  'firewalls devices': 'FirewallDevice',
  'firewalls rules': 'FirewallRule',
  ips: 'Ip',
  'ipv6 pools': 'Ipv6Pool',
  'ipv6 ranges': 'Ipv6Range',
  profile: 'Profile',
  'profile logins': 'Login',
  'profile sshkeys': 'Sshkey',
  regions: 'Region',
  tokens: 'Token',
  vlans: 'Vlan',
  volumes: 'Volume',
}

const fields = (schema: string, field?: string) => {
  const path = field === undefined ? 'properties' : `properties.${field}`
  return `Its fields and their meaning: skyctl api --openapi --query components.schemas.${schema}.${path} -o yaml`
}

/** `explain sshkeys` and `explain volumes.size`, as kubectl has them. */
const explaining: Advice = ([word = '']) => {
  const [name = '', field] = word.toLowerCase().replaceAll('-', '').split('.')
  const names = [name, `${name}s`, ...commandMeanings(name).map((meaning) => meaning.replace(/^.* /, ''))]
  const [, schema] = Object.entries(schemas).find(([group]) => names.includes(group.replace(/^.* /, ''))) ?? []
  if (schema !== undefined) return fields(schema, /^[a-z_]+$/.test(field ?? '') ? field : undefined)
  const one = 'components.schemas.Volume.properties'
  return `For the fields of a record: skyctl api --openapi --query ${one} -o yaml. Its records: skyctl api --openapi --query 'keys(components.schemas)'`
}

/** By the words of other tools, and the command that they would be here. */
const table: readonly (readonly [commands: string, advice: Advice])[] = [
  ['auth can-i|auth scopes|auth permissions|can-i|scopes|permissions', scopes],
  ['firewalls edit', editing],
  ['firewalls copy|firewalls cp|firewalls clone|firewalls duplicate|firewalls rules copy', copying],
  ['firewalls undo|firewalls rollback|firewalls revert|firewalls restore', undoing],
  ['rollout', rollout],
  ['tfa|2fa|mfa', settingUp],
  ['history rollout', () => 'Did you mean "skyctl history list"?'],
  ...['firewalls', 'volumes'].flatMap((group): [string, Advice][] => [
    [`${group} protect|${group} lock|${group} enable-protection`, protecting(group)],
    [`${group} untag|${group} remove-tag|${group} remove-label`, untagging(group)],
    [`${group} unprotect|${group} unlock|${group} disable-protection`, unprotecting(group)],
  ]),
  ['explain', explaining],
  ...Object.entries(schemas).map(([group, schema]): [string, Advice] => [
    `${group} fields|${group} explain|${group} schema`,
    () => fields(schema),
  ]),
]

const advice = new Map(
  table.flatMap(([commands, advise]) => commands.split('|').map((command) => [command, advise] as const)),
)

/** Returns advice for a command without the program's name, such as `firewalls copy`, and the words behind it. */
export const adviceWith = (path: string, words: readonly string[]): string | undefined => advice.get(path)?.(words)
