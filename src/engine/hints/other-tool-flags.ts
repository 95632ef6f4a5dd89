/** Flags of other tools and habits that have no single flag as counterpart: a table of them, with what is meant. */
import { readingScopesFlag } from '../../rules/scopes'
import { access } from './command-advice'
import { has, hasTarget, takesNames, type UnknownFlag } from './hint'

export interface Row {
  flag: RegExp
  /** Commands, as `volumes list`, or by a flag that they have, as `--limit`. All commands without it. */
  on?: string
  /** Further condition. */
  if?: (unknown: UnknownFlag) => boolean
  /** The flag takes a value, which has this form. */
  value?: RegExp
  /**
   * Words in place of the flag and its value. `{20}` stands for the value, with what is shown without one; NAME for the
   * flag without its dashes.
   */
  write?: string | ((unknown: UnknownFlag) => string[])
  /** Why the flag is not needed. */
  leaveOut?: string
  /** Another command of the group, which takes the flag. */
  verb?: string
  /** Command before the line. */
  before?: string
  /** Command behind the line. */
  pipe?: string
  /** Words at the end of the line. */
  append?: string
  /** The next step, with the same signs, and COMMAND, GROUP and FIREWALL for their names; `Did you mean …?` without it. */
  text?: string
}

const isBalancer = ({ argv }: UnknownFlag) => argv.some((word) => /balancer/.test(word))

/** `update --all --filter tags=db`: a list chooses. */
const isChosen = ({ argv }: UnknownFlag) => argv.some((word) => /^(-|(-l|--(filter|selector))(=.*)?)$/.test(word))

const everything = /^(-[aA]|--(no-)?(all|all-rows|all-pages|page-all|paginate|all-namespaces))$/
const instance = /^--(to|(compute|server|instance|linode|droplet)s?(-ids?)?)$/
const address = /^--((floating|reserved|primary|public)-)?(ip|address)$/
const services = /^((linode|server|droplet|instance|compute)s?|.*balancers?)$/

/** Flags for the time of a change, by the form of their value. More than an age is older, and less than a date. */
const times: readonly (readonly [flag: RegExp, value: RegExp, test: string, what: string])[] = [
  [/^--(since|after)$/, /^\d+[smhdw]$/, '<{1d}', 'younger'],
  [/^--(since|after)$/, /^today$/, '<1d', 'younger'],
  [/^--(since|after)$/, /^yesterday$/, '<2d', 'younger'],
  [/^--(since|after)$/, /^\d{4}-\d\d-\d\d/, '>={2026-01-31}', 'younger'],
  [/^--(until|before)$/, /^\d+[smhdw]$/, '>{1d}', 'older'],
  [/^--(until|before)$/, /^(today|yesterday)$/, '>1d', 'older'],
  [/^--(until|before)$/, /^\d{4}-\d\d-\d\d/, '<{2026-01-31}', 'older'],
]

const timeFields = {
  ...{ time: 'history list', datetime: 'profile logins list' },
  created: 'volumes list, firewalls list, tokens list, profile sshkeys list',
}

export const rows: readonly Row[] = [
  {
    flag: /^--?(.*token|(api|access)-?key|bearer|.*password|.*secret|pass|passphrase|credentials?)$/,
    text: 'Secrets are never flags: set SKYCTL_TOKEN or SKYCTL_TOKEN_FILE, or sign in: skyctl auth login',
  },
  {
    flag: /^--((min-)?(severity|level)|only)$/,
    on: 'audit',
    value: /^(critical|high|medium|low)$/,
    write: "--query findings[?severity=='{high}'] --json",
    text: `To print only these: --query "findings[?severity=='{high}']" --json. To fail for them: --fail-on {high}`,
  },
  { flag: /^--(fix|repair)$/, on: 'audit, doctor', leaveOut: 'each problem is printed with the command that fixes it' },
  {
    flag: /^--(region|location|zone|type)$/,
    on: 'ips allocate',
    value: /./,
    write: '--public',
    text: 'Leave out FLAG: an address belongs to an instance. Write --compute-id INSTANCE --public',
  },
  { flag: /^--(entity-)?id$/, on: '--balancer-id', if: isBalancer, write: '--balancer-id' },
  { flag: /^--(entity-)?id$/, on: '--compute-id', if: hasTarget, write: '--compute-id' },
  {
    flag: /^--(entity-)?type$/,
    on: '--compute-id',
    value: services,
    leaveOut: '--compute-id and --balancer-id say it',
  },
  { flag: instance, on: 'ips assign', value: /./, write: '{INSTANCE}', text: 'Write ADDRESS=INSTANCE' },
  { flag: address, on: 'ips assign', value: /./, write: '{ADDRESS}', text: 'Write ADDRESS=INSTANCE' },
  {
    flag: /^(-w|--watch)$/,
    on: '--limit, overview, audit',
    text: 'To repeat it every 2 seconds, put "watch" before the line',
  },
  { flag: /^--wide$/, on: '--columns', write: '--columns all' },
  { flag: /^--list$/, on: 'firewalls close, firewalls open', text: 'To list openings: skyctl firewalls openings' },
  {
    flag: /^--(port|ports|protocol)$/,
    on: 'firewalls close',
    text: 'Without flags, all openings are closed. For one: COMMAND --mark MARK. The marks: GROUP openings --columns ports,from,mark',
  },
  {
    flag: /^--count$/,
    on: '--limit',
    if: ({ value }) => value === undefined,
    write: '--query length(@)',
    text: "To count them: --query 'length(@)'",
  },
  // gh has it for --limit; -l is a selector elsewhere.
  { flag: /^-L$/, on: '--limit', write: '--limit' },
  { flag: everything, on: '--limit', leaveOut: 'every page is read' },
  { flag: everything, if: isChosen, leaveOut: '--filter chooses them' },
  { flag: everything, if: takesNames, before: 'GROUP list --quiet | ', write: '-', text: 'To name all of them' },
  { flag: /^--no-colou?r$/, write: '--color never', text: 'Write --color never, or set NO_COLOR=1' },
  { flag: /^--no-(cli-)?pager$/, text: 'To switch the pager off: export SKYCTL_PAGER=' },
  {
    flag: /^--(inbound|outbound)$/,
    on: 'firewalls rules update',
    value: /^[[{]/,
    text: 'Write the rules to a file: COMMAND FIREWALL --file rules.yaml',
  },
  {
    flag: /^--(in|out)bound(-rules?)?$/,
    on: 'firewalls rules add, firewalls rules remove',
    value: /^protocol:/,
    write: ruleOfDoctl,
    text: 'Its parts are flags',
  },
  {
    flag: /^--(inbound|outbound)$/,
    if: ({ command }) => command?.arguments?.some(({ name }) => name === 'direction') === true,
    write: 'NAME',
    text: 'Write it without dashes, after the firewall',
  },
  { flag: /^--(delay|slow)$/, on: 'sandbox start', write: '--latency' },
  {
    flag: /^--(from|to|ports?|action|protocol|addresses|cidr|label|description)$/,
    on: 'firewalls rules diff',
    verb: 'update',
    append: '--dry-run',
    text: 'It compares a file. To preview a change of one rule, use "rules update" with --dry-run',
  },
  {
    flag: /^--((in|out)bound-)?rules?$/,
    on: 'firewalls create',
    value: /./,
    write: '',
    text: 'Rules follow later, with skyctl firewalls rules add, or come from a file, with --file',
  },
  {
    flag: /^--(at|position|index)$/,
    on: 'firewalls rules update',
    text: 'To move a rule: GROUP move FIREWALL inbound RULE --at {N}',
  },
  ...Object.entries(timeFields).flatMap(([field, on]) =>
    times.map(([flag, value, test, what]) => ({
      ...{ flag, on, value, write: `--filter ${field}${test}` },
      text: `Did you mean --filter '${field}${test}'? It keeps what is ${what}`,
    })),
  ),
  { flag: /^--html$/, on: 'overview', write: '--output html' },
  { flag: /^--html$/, text: 'For a page of the account: skyctl overview -o html > account.html' },
  { flag: /^(-f|--file|--filename)$/, on: 'overview', text: 'Write COMMAND -o html > {account.html}' },
  { flag: /^--(unattached|detached)$/, on: 'volumes list', write: '--filter compute_id=none' },
  { flag: /^--attached$/, on: 'volumes list', write: '--filter compute_id!=none' },
  {
    flag: /^--(exit-code|fail-if-any|fail-on-any)$/,
    on: '--limit',
    if: ({ value }) => value === undefined,
    ...{ before: 'ids=$(', write: '--quiet', pipe: ') && test -z "$ids"' },
    text: 'To fail if the list has any',
  },
  {
    flag: /^--(expect|fail-if-any|fail-on-any)$/,
    on: '--limit',
    value: /^(0|true)$/,
    ...{ before: 'ids=$(', write: '--quiet', pipe: ') && test -z "$ids"' },
    text: 'To fail if the list has any',
  },
  {
    flag: /^--((delete|deletion)-)?protect(ed|ion)?$/,
    on: '--add-tag',
    write: '--add-tag protected',
    text: 'To refuse its deletion, tag it',
  },
  {
    flag: /^--((delete|deletion)-)?protect(ed|ion)?$/,
    on: 'volumes create, firewalls create',
    write: '--tag protected',
    text: 'To refuse its deletion, tag it',
  },
  { flag: /^--(ports?|protocol|from|source)$/, on: 'firewalls rules list, firewalls view', text: access },
  {
    flag: /^--(ports?)$/,
    on: 'firewalls rules remove, firewalls rules move',
    text: 'Name the rule by its port: COMMAND FIREWALL inbound match:tcp/{22}',
  },
  { flag: /^--(csv|tsv|yaml|ndjson|table)$/, write: '--output NAME' },
  { flag: /^--text$/, write: '--output tsv' },
  { flag: /^--(undo|revert|rollback)$/, on: 'apply', text: 'To undo the last apply: skyctl history undo' },
  { flag: /^--last$/, on: 'history undo', leaveOut: 'without a number, the last change is undone' },
  { flag: /^--size$/, on: 'volumes update', verb: 'resize' },
  { flag: /^(-s|--shell)$/, on: 'completion', leaveOut: 'the shell follows at once' },
  {
    flag: /^--(scopes?|expiry|expires|expires-in)$/,
    on: 'tokens update',
    text: 'A token keeps its scopes and its expiry. To create another: GROUP create',
  },
  { flag: /^--(read-?only|ro)$/, on: 'tokens create', write: readingScopesFlag.join(' ') },
  { flag: /^--(for|commands?)$/, on: 'tokens create', value: /./, write: '--scopes-for {LINE}' },
  {
    flag: /^--(no-)?wait$/,
    on: '--wait-timeout',
    if: ({ command }) => !has(command, 'wait'),
    leaveOut: 'it always waits, at most for --wait-timeout 5m',
  },
  { flag: /^--wait$/, on: 'volumes view', verb: 'wait', append: '--for active' },
  {
    flag: /^--(dry-run|what-if|preview|check)$/,
    if: ({ command }) => command?.paged === true || command?.name === 'validate',
    leaveOut: 'COMMAND changes nothing',
  },
  // The shell writes the file.
  { flag: /^(-f|--file|--filename)$/, on: 'export', text: 'Write COMMAND > {account.yaml}' },
  {
    flag: /^--(out|outfile|out-file|output-file)$/,
    if: ({ command }) => !has(command, 'out'),
    text: 'Redirect the output to a file: > FILE',
  },
]

/** `--inbound-rules protocol:tcp,ports:5432,address:192.0.2.0/24`, as doctl has it. */
function ruleOfDoctl({ flag, value = '', parser }: UnknownFlag): string[] {
  const isInbound = flag.startsWith('--in')
  const valuesOf = (key: string) => value.split(/[ ,]/).flatMap((part) => part.split(new RegExp(`^${key}:`))[1] ?? [])
  const [ports, peers] = [valuesOf('ports').filter((port) => !/^(0|all)$/.test(port)), valuesOf('address')]
  const [direction, protocol] = [isInbound ? 'inbound' : 'outbound', valuesOf('protocol').join()]
  if (parser.name() === 'remove') return [direction, `match:${[protocol, ...ports].join('/')}`]
  return [
    ...[direction, '--action', 'accept', '--protocol', protocol],
    ...(ports.length > 0 ? ['--port', ports.join()] : []),
    ...(peers.length > 0 ? [isInbound ? '--from' : '--to', peers.join()] : []),
  ]
}
