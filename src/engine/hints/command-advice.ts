/** Advice for commands that skyctl has no counterpart of. */

const costs = 'The API has no billing. For needless costs: skyctl audit'
const copying = 'To copy a volume: skyctl volumes clone VOLUME --label LABEL'
const doctor = 'Did you mean "skyctl doctor"?'
const drift = 'To see how the account differs from a file: skyctl plan FILE --drift'
const tags = 'Volumes and firewalls have tags: skyctl volumes list --columns label,tags'
const undone = 'To undo an undo, undo its own change: skyctl history list, then skyctl history undo NUMBER'
const moving = 'To move the address: skyctl ips assign ADDRESS=INSTANCE'

const identity = 'Did you mean "skyctl profile view" or "skyctl auth status"?'

const advice: Readonly<Record<string, string>> = {
  account: identity,
  user: identity,
  balance: costs,
  billing: costs,
  invoice: costs,
  invoices: costs,
  check: drift,
  cost: costs,
  costs,
  destroy: 'To delete one kind: skyctl volumes delete. What a file no longer has: skyctl apply FILE --prune',
  drift,
  fmt: 'A file keeps the form that you give it. To check one: skyctl plan FILE',
  'auth token': 'Stored tokens are never printed. To create another one: skyctl tokens create',
  'auth refresh': 'Did you mean "skyctl tokens rotate"?',
  diagnose: doctor,
  health: doctor,
  ping: doctor,
  'completion install':
    'To load it in each bash: echo "source <(skyctl completion bash)" >> ~/.bashrc. Other shells: skyctl completion --help',
  events:
    'To read the events of the account: skyctl api GET /account/events. Changes made from this machine: skyctl history list. Sign-ins: skyctl profile logins list',
  'profile tfa status': 'Whether it is on: skyctl profile view --columns two_factor_auth',
  'ips associate': moving,
  'ips move': moving,
  'ips unassign': `The API has no such operation. ${moving}`,
  'firewalls opened': 'Did you mean "skyctl firewalls openings"?',
  init: 'There is no state to initialize. To sign in: skyctl auth login. To write a file: skyctl export',
  network: 'Did you mean "skyctl vlans list"?',
  networks: 'Did you mean "skyctl vlans list"?',
  openings: 'Did you mean "skyctl firewalls openings"?',
  snapshot: `The API has no snapshots. ${copying}`,
  snapshots: `The API has no snapshots. ${copying}`,
  'sandbox run': 'Did you mean "skyctl sandbox start"?',
  'sandbox serve': 'Did you mean "skyctl sandbox start"?',
  'sandbox stop': 'The sandbox stops with Ctrl-C in its terminal, or with its process',
  pricing: costs,
  redo: undone,
  'history redo': undone,
  ssh: 'To open a port while a command runs: skyctl firewalls open FIREWALL --port 22 --from ADDRESS --for 1h -- ssh HOST',
  tag: tags,
  tags,
  upgrade: 'To look for a newer version: skyctl version --check',
}

/** Commands that come nearest to verbs that the API lacks. */
const instead: Readonly<Record<string, string>> = {
  'ips delete': moving,
  'ips release': moving,
  'ips update': 'To set its name: skyctl ips rdns ADDRESS NAME',
  'vlans create': 'VLANs begin and end with interfaces of instances. To see them: skyctl vlans list',
  'vlans view': 'The list has all about them: skyctl vlans list',
  'volumes backup': copying,
  'volumes snapshot': copying,
  'vlans delete':
    'Remove it from the interfaces of its instances, in the web console or API of instances. To see them: skyctl vlans list',
}

/** Returns advice for a command without the program's name: `ips unassign`. */
export const adviceOn = (path: string): string | undefined => advice[path]

export const insteadOf = (group: string, verb: string): string | undefined => instead[`${group} ${verb}`]
