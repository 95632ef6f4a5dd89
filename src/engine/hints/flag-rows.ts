/** Flags of other tools and habits that have no single flag as counterpart: a table of them, and what is meant. */
import { shellWord } from '../../rules/texts'
import type { Command } from '../command'
import { pathOf } from '../usage-error'
import { type Hint, replaceFlag, replaceFlagAndValue, replaceVerb, type UnknownFlag } from './hint'

interface Row {
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
  write?: string
  /** Why the flag is not needed. */
  leaveOut?: string
  /** Another command of the group, which takes the flag. */
  verb?: string
  /** Words at the end of the line. */
  append?: string
  /** The next step, with the same signs, and COMMAND and GROUP for their names; `Did you mean …?` without it. */
  text?: string
}

export const has = (command: Command | undefined, name: string) =>
  command?.flags.some((one) => one.name === name) === true

/** Reports whether a command changes or shows several objects that it is given by name. */
export const takesNames = ({ command }: UnknownFlag) =>
  command?.arguments?.some(({ many, values }) => many && typeof values === 'string' && values !== 'files') === true

/** `volumes attach data-1 --id 1001`: the volume is there already. */
export const hasTarget = ({ parser: { args } }: UnknownFlag) => /^[^-]/.test(args[0] ?? '')

const isBalancer = ({ argv }: UnknownFlag) => argv.some((word) => /balancer/.test(word))

const everything = /^(-[aA]|--(no-)?(all|all-rows|all-pages|page-all|paginate|all-namespaces))$/
const instance = /^--(to|(compute|server|instance|linode|droplet)s?(-ids?)?)$/
const address = /^--((floating|reserved|primary|public)-)?(ip|address)$/
const services = /^((linode|server|droplet|instance|compute)s?|.*balancers?)$/

const rows: readonly Row[] = [
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
  { flag: everything, if: takesNames, text: 'To name all of them: GROUP list --quiet | COMMAND -' },
  { flag: /^--no-colou?r$/, write: '--color never', text: 'Write --color never, or set NO_COLOR=1' },
  { flag: /^--no-(cli-)?pager$/, text: 'To switch the pager off: export SKYCTL_PAGER=' },
  {
    flag: /^--(inbound|outbound)$/,
    on: 'firewalls rules update',
    value: /^[[{]/,
    text: 'Write the rules to a file: COMMAND FIREWALL --file rules.yaml',
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
  {
    flag: /^--(since|after)$/,
    on: 'history list',
    value: /^\d+[smhd]$/,
    write: '--filter time<{1d}',
    text: "Did you mean --filter 'time<{1d}'? It keeps what is younger",
  },
  { flag: /^--(csv|tsv|yaml|ndjson|table)$/, write: '--output NAME' },
  { flag: /^--text$/, write: '--output tsv' },
  { flag: /^--last$/, on: 'history undo', leaveOut: 'without a number, the last change is undone' },
  { flag: /^--size$/, on: 'volumes update', verb: 'resize' },
  { flag: /^(-s|--shell)$/, on: 'completion', leaveOut: 'the shell follows at once' },
  {
    flag: /^--(scopes?|expiry|expires|expires-in)$/,
    on: 'tokens update',
    text: 'A token keeps its scopes and its expiry. To create another: GROUP create',
  },
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

/** Returns the hint of the first row that is about a flag. */
export function rowHint(unknown: UnknownFlag): Hint | undefined {
  const row = rows.find((one) => isAbout(one, unknown))
  if (!row) return undefined
  const { verb, append = '', leaveOut, write = leaveOut === undefined ? undefined : '', value } = row
  const words = wordsIn(write ?? '').map((word) => filledIn(word, unknown))
  const meaning = verb === undefined ? words.map(shellWord).join(' ') : `"${filledIn(`GROUP ${verb}`, unknown)}"`
  const usual = leaveOut === undefined ? `Did you mean ${meaning}?` : `Leave out FLAG: ${leaveOut}`
  const text = filledIn(row.text ?? usual, unknown, shellWord)
  if (verb !== undefined) {
    const argv = [...replaceVerb(unknown, verb), ...wordsIn(append)]
    return { text, argv, ...(row.text === undefined && { isCommand: true }) }
  }
  if (write === undefined) return { text }
  return { text, argv: value === undefined ? replaceFlag(unknown, words) : replaceFlagAndValue(unknown, words) }
}

function isAbout(row: Row, unknown: UnknownFlag): boolean {
  const { flag, value = '', parser, command } = unknown
  const path = pathOf(parser).replace('skyctl ', '')
  const isOn = row.on?.split(', ').some((name) => (/^--/.test(name) ? has(command, name.slice(2)) : name === path))
  return row.flag.test(flag) && isOn !== false && row.value?.test(value) !== false && row.if?.(unknown) !== false
}

const wordsIn = (text: string) => text.split(' ').filter((word) => word !== '')

const plain = (text: string) => text

function filledIn(text: string, { flag, value, parser }: UnknownFlag, quote = plain): string {
  const names: Readonly<Record<string, string>> = {
    FLAG: flag,
    NAME: flag.slice(2),
    COMMAND: pathOf(parser),
    GROUP: pathOf(parser).replace(/ \S+$/, ''),
  }
  return text
    .replaceAll(/\b(?:FLAG|NAME|COMMAND|GROUP)\b/g, (name) => names[name] ?? name)
    .replaceAll(/\{(.+?)\}/g, (_, otherwise: string) => (value === undefined ? otherwise : quote(value)))
}
