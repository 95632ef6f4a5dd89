/** Words that users search for, with the words of the pages that answer them. */
import { commandSynonyms } from '../../engine/hints/synonyms'

/** Besides the commands of other tools, which src/engine/hints/synonyms.ts has. A meaning of several words needs all of them. */
const rows: Readonly<Record<string, string>> = {
  'account-file': 'terraform iac infrastructure declarative gitops',
  address: 'ip ips ipv4 floating elastic reserved',
  allow: 'access permit whitelist allowlist unblock grant accept',
  assign: 'attach move reassign associate',
  attach: 'mount',
  audit: 'security insecure compliance cleanup unused orphaned waste',
  balancer: 'load lb loadbalancer',
  block: 'deny forbid ban blacklist drop reject',
  'bug report': 'support issue',
  change: 'modification',
  ci: 'github gitlab actions pipeline jenkins automation job',
  clone: 'copy duplicate backup snapshot',
  connect: 'access reach reachable reachability ssh',
  context: 'account accounts tenant profile workspace config multiple',
  copy: 'clone duplicate cp',
  cost: 'invoice invoices billing bill bills price pricing money spend expensive',
  cron: 'nightly daily hourly weekly schedule scheduled periodic periodically timer',
  debug: 'trace verbose',
  delete: 'remove destroy clean cleanup purge wipe erase',
  detach: 'unmount umount disconnect',
  devices: 'assign apply',
  doctor: 'problem troubleshoot troubleshooting diagnose broken error slow connection network latency',
  drift: 'who changed',
  environment: 'env variable variables config configuration setting settings proxy',
  exposed: 'public open internet world expose',
  firewall: 'fw port ports security-group securitygroup',
  'grace period': 'overlap',
  grow: 'resize enlarge extend expand bigger increase',
  history: 'log logs audit trail event events',
  'history list': 'who changed',
  instance: 'server vm machine droplet linode compute host instances servers',
  label: 'name rename title',
  lockout: 'emergency locked lock lockouts',
  login: 'signin sign-in authenticate authentication credentials',
  'logins list': 'sessions history',
  'many at once': 'parallel concurrency concurrent simultaneously',
  'never shrink': 'shrink reduce smaller undo',
  'newer version': 'upgrade update latest',
  'nightly check': 'monitor monitoring alert alerts watch',
  openings: 'temporary',
  'overview page': 'html',
  overview: 'inventory diagram topology map graph picture',
  plan: 'terraform diff changes',
  preview: 'dry run simulate',
  profile: 'username',
  protected: 'protect protection lock',
  retries: 'retry retrying',
  'reverse dns': 'ptr rdns hostname domain',
  rotate: 'renew refresh regenerate',
  sandbox: 'mock fake test testing offline playground try',
  scopes: 'permission permissions rights privileges privilege least',
  share: 'failover takeover vip keepalived virtual',
  spreadsheet: 'excel csv',
  'take over': 'failover',
  'time zone': 'timezone',
  token: 'credential secret key apikey',
  'two-factor': '2fa mfa totp otp authenticator',
  undo: 'revert rollback roll back restore recover mistake',
  version: 'skyctl',
  vlans: 'private network networks subnet vpc',
  'without questions': 'confirm confirmation asking noninteractive unattended',
  'without the account': 'offline lint',
}

const meanings = new Map<string, string[][]>()

function add(word: string, meaning: string): void {
  meanings.set(word, [...(meanings.get(word) ?? []), meaning.replaceAll('--', '').split(' ')])
}

// `devices:attach` is `attach` in that group only.
for (const [meaning, word] of commandSynonyms) {
  const [name = '', group] = word.split(':').reverse()
  add(name, group === undefined ? meaning : `${group} ${meaning}`)
}
for (const [meaning, words] of Object.entries(rows)) for (const word of words.split(' ')) add(word, meaning)

/** Returns the word, and what it means on the pages: `clone` for `snapshot`, both words of `reverse dns` for `ptr`. */
export const meaningsOf = (word: string): readonly (readonly string[])[] => [
  [word],
  ...(meanings.get(word.toLowerCase()) ?? []),
]
