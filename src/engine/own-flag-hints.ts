/** Hints for flags that a command lacks on purpose, although users expect them. */
import type { Command as Parser } from 'commander'
import { shellWord } from '../rules/texts'
import type { Command } from './command'
import { rulesFlagHint } from './doctl-rules'
import { type Hint, leaveOut, rename, replaceFlag, replaceFlagAndValue, replaceWords, type TypedFlag } from './hint'
import { pathOf } from './usage-error'

export interface UnknownFlag extends TypedFlag {
  parser: Parser
  /** The command of the line; undefined for a group. */
  command: Command | undefined
}

/** Returns the line without `--id 1004 --type linode`. */
function withoutService(argv: readonly string[]): string[] {
  const isService = (word = '') => /^--(entity-)?(id|type)(=|$)/.test(word)
  return argv.filter((word, place) => {
    const before = argv[place - 1] ?? ''
    return !isService(word) && !(isService(before) && !before.includes('='))
  })
}

const isChosen = (argv: readonly string[]) => argv.some((word) => /^--(public|private)$/.test(word))

interface Rule {
  flag: RegExp
  /** Reports whether the rule holds for the command. */
  of(command: Command | undefined, unknown: UnknownFlag): boolean
  hint(unknown: UnknownFlag): string | Hint
}

export const has = (command: Command | undefined, name: string) =>
  command?.flags.some((one) => one.name === name) === true

const severitiesOf = (command: Command | undefined) => {
  const values = command?.flags.find(({ name }) => name === 'fail-on')?.values
  return Array.isArray(values) ? values : undefined
}

/** Returns the flag for `--id 1004 --type linode`, as linode-cli has it; undefined without an id. */
function serviceFlag({ args }: Parser): string | undefined {
  const words = args.flatMap((word) => (word.startsWith('--') ? word.split('=') : [word]))
  const after = (name: RegExp) => words.find((_, index) => name.test(words[index - 1] ?? ''))
  const id = after(/^--(entity-)?id$/)
  const kind = /balancer/.test(after(/^--(entity-)?type$/) ?? '') ? 'balancer' : 'compute'
  return id === undefined || id.startsWith('-') ? undefined : `--${kind}-id ${shellWord(id)}`
}

const rules: readonly Rule[] = [
  {
    flag: /^--((min-)?(severity|level)|only)$/,
    of: (command) => severitiesOf(command) !== undefined,
    hint(unknown) {
      const severity = severitiesOf(unknown.command)?.includes(unknown.value) ? unknown.value : 'high'
      const query = `findings[?severity=='${severity}']`
      return {
        text: `To print only these: --query "${query}" --json. To fail for them: --fail-on ${severity}`,
        argv: replaceFlagAndValue(unknown, ['--query', query, '--json']),
      }
    },
  },
  {
    flag: /^--(fix|repair)$/,
    of: (command) => command?.name === 'doctor' || command?.name === 'audit',
    hint: (unknown) => leaveOut(unknown, 'each problem is printed with the command that fixes it'),
  },
  {
    flag: /^--(region|location|zone|type)$/,
    of: (command) => has(command, 'public') && has(command, 'private'),
    hint: (unknown) => ({
      text: `Leave out ${unknown.flag}: an address belongs to an instance. Write --compute-id INSTANCE --public`,
      argv: replaceFlagAndValue(unknown, isChosen(unknown.argv) ? [] : ['--public']),
    }),
  },
  {
    flag: /^--(id|entity-id|type|entity-type)$/,
    of: (command, { parser }) => has(command, 'balancer-id') && serviceFlag(parser) !== undefined,
    hint: ({ parser, argv }) => ({
      text: `Write ${serviceFlag(parser)} in place of --id and --type`,
      argv: [...withoutService(argv), ...(serviceFlag(parser)?.split(' ') ?? [])],
    }),
  },
  {
    // `volumes attach data-1 --id 1001`: the volume is there already.
    flag: /^--id$/,
    of: (command, { parser }) => has(command, 'compute-id') && /^[^-]/.test(parser.args[0] ?? ''),
    hint: (unknown) => rename(unknown, '--compute-id'),
  },
  {
    flag: /^--(entity-)?type$/,
    of: (command, { value }) =>
      has(command, 'compute-id') && /^(linode|server|droplet|instance|compute)s?$/.test(value ?? ''),
    hint: (unknown) => ({
      text: `Leave out ${unknown.flag}, and name the instance with --compute-id`,
      argv: replaceFlagAndValue(unknown, []),
    }),
  },
  {
    flag: /^(-w|--watch)$/,
    of: (command) => has(command, 'limit') || command?.name === 'overview' || command?.name === 'audit',
    hint: () => 'To repeat it every 2 seconds, put "watch" before the line',
  },
  {
    flag: /^--list$/,
    of: (command) => has(command, 'expired') || (command?.name === 'open' && has(command, 'from')),
    hint: () => 'To list openings: skyctl firewalls openings',
  },
  {
    flag: /^--(port|ports|protocol)$/,
    of: (command) => has(command, 'expired'),
    hint: () => 'Without flags, all openings are closed. For one: --mark MARK, from skyctl firewalls openings',
  },
  {
    flag: /^--count$/,
    of: (command, { value }) => has(command, 'limit') && value === undefined,
    hint: (unknown) => ({
      text: "To count them: --query 'length(@)'",
      argv: replaceFlag(unknown, ['--query', 'length(@)']),
    }),
  },
  {
    // gh has it for --limit; -l is a selector elsewhere.
    flag: /^-L$/,
    of: (command) => has(command, 'limit'),
    hint: (unknown) => rename(unknown, '--limit'),
  },
  {
    flag: /^--no-colou?r$/,
    of: () => true,
    hint: (unknown) => ({
      text: 'Write --color never, or set NO_COLOR=1',
      argv: replaceFlag(unknown, ['--color', 'never']),
    }),
  },
  {
    flag: /^--no-(cli-)?pager$/,
    of: () => true,
    hint: () => 'To switch the pager off: export SKYCTL_PAGER=',
  },
  {
    // linode-cli has rules as JSON there.
    flag: /^--(inbound|outbound)$/,
    of: (_command, { parser, value = '' }) => pathOf(parser) === 'skyctl firewalls rules update' && /^[[{]/.test(value),
    hint: () => 'Write the rules to a file: skyctl firewalls rules update FIREWALL --file rules.yaml',
  },
  {
    flag: /^--(inbound|outbound)$/,
    of: (command) => command?.arguments?.some(({ name }) => name === 'direction') === true,
    hint: (unknown) => ({
      text: 'Write it without dashes, after the firewall',
      argv: replaceFlag(unknown, [unknown.flag.slice(2)]),
      form: `${pathOf(unknown.parser)} FIREWALL ${unknown.flag.slice(2)}`,
    }),
  },
  {
    flag: /^--(delay|slow)$/,
    of: (_command, { parser }) => pathOf(parser) === 'skyctl sandbox start',
    hint: (unknown) => rename(unknown, '--latency'),
  },
  {
    flag: /^--(from|to|ports?|action|protocol|addresses|cidr|label|description)$/,
    of: (_command, { parser }) => pathOf(parser) === 'skyctl firewalls rules diff',
    hint: ({ argv }) => ({
      text: 'It compares a file. To preview a change of one rule: skyctl firewalls rules update --dry-run',
      argv: replaceWords([...argv, '--dry-run'], ['diff'], ['update']),
    }),
  },
  {
    flag: /^--((in|out)bound-)?rules?$/,
    of: (_command, { parser }) => pathOf(parser) === 'skyctl firewalls create',
    hint: rulesFlagHint,
  },
  {
    flag: /^--(at|position|index)$/,
    of: (_command, { parser }) => pathOf(parser) === 'skyctl firewalls rules update',
    hint: ({ value = 'N' }) =>
      `To move a rule: skyctl firewalls rules move FIREWALL inbound RULE --at ${shellWord(value)}`,
  },
  {
    flag: /^--(since|after)$/,
    of: (_command, { parser }) => pathOf(parser) === 'skyctl history list',
    hint(unknown) {
      const test = `time<${/^\d+[smhd]$/.test(unknown.value ?? '') ? unknown.value : '1d'}`
      return {
        text: `Did you mean --filter '${test}'? It keeps what is younger`,
        argv: replaceFlagAndValue(unknown, ['--filter', test]),
      }
    },
  },
  {
    flag: /^--(csv|tsv|yaml|ndjson|table|text)$/,
    of: () => true,
    hint(unknown) {
      const format = unknown.flag === '--text' ? 'tsv' : unknown.flag.slice(2)
      return { text: `Did you mean --output ${format}?`, argv: replaceFlag(unknown, ['--output', format]) }
    },
  },
  {
    flag: /^--last$/,
    of: (_command, { parser }) => pathOf(parser) === 'skyctl history undo',
    hint: (unknown) => leaveOut(unknown, 'without a number, the last change is undone'),
  },
  {
    flag: /^--size$/,
    of: (_command, { parser }) => pathOf(parser) === 'skyctl volumes update',
    hint: ({ argv }) => ({
      text: 'Did you mean "skyctl volumes resize"?',
      argv: replaceWords(argv, ['update'], ['resize']),
      isCommand: true,
    }),
  },
  {
    flag: /^--(scopes?|expiry|expires|expires-in)$/,
    of: (_command, { parser }) => pathOf(parser) === 'skyctl tokens update',
    hint: () => 'A token keeps its scopes and its expiry. To create another: skyctl tokens create',
  },
  {
    flag: /^--(no-)?wait$/,
    of: (command) => has(command, 'wait-timeout') && !has(command, 'wait'),
    hint: (unknown) => leaveOut(unknown, 'it always waits, at most for --wait-timeout 5m'),
  },
  {
    flag: /^--wait$/,
    of: (_command, { parser }) => pathOf(parser) === 'skyctl volumes view',
    hint: ({ parser: { args } }) =>
      `To wait for it: skyctl volumes wait ${shellWord(args.find((word) => !word.startsWith('-')) ?? 'VOLUME')} --for active`,
  },
  {
    flag: /^--(dry-run|what-if|preview|check)$/,
    of: (command) => command?.name === 'plan' || command?.name === 'validate' || command?.paged === true,
    hint: (unknown) => leaveOut(unknown, `${pathOf(unknown.parser)} changes nothing`),
  },
  {
    flag: /^(-f|--file|--filename)$/,
    of: (command) => command?.name === 'export',
    // The shell writes the file.
    hint: ({ value }) => `Write skyctl export > ${shellWord(value ?? 'account.yaml')}`,
  },
  {
    flag: /^--(out|outfile|out-file|output-file)$/,
    of: (command) => !has(command, 'out'),
    hint: () => 'Redirect the output to a file: > FILE',
  },
]

export function ownHint(unknown: UnknownFlag): string | Hint | undefined {
  const { flag, command } = unknown
  return rules.find((rule) => rule.flag.test(flag) && rule.of(command, unknown))?.hint(unknown)
}
