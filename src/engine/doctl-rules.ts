/** Rules in a flag, as doctl has them: `--inbound-rules protocol:tcp,ports:22,address:203.0.113.0/24`. */
import type { Command as Parser } from 'commander'
import { shellWord } from '../rules/texts'
import { type Hint, replaceFlagAndValue, type TypedFlag } from './hint'

/** Proposes the line without the rules, and a second one that adds the first of them. */
export function rulesFlagHint(unknown: TypedFlag & { parser: Parser }): Hint {
  const { flag, value = '', argv, parser } = unknown
  const direction = flag.includes('outbound') ? 'outbound' : 'inbound'
  const [first = ''] = value.split(/\s+/)
  const field = (name: string) => new RegExp(`(?:^|,)${name}:([^,]+)`).exec(first)?.[1]
  const ports = field('ports')
  const { label = 'LABEL' } = parser.opts<{ label?: string }>()
  const name = valueAfter(/^--(label|name)$/, argv) ?? label
  const context = valueAfter(/^--context$/, argv)
  const rule = [
    ...['skyctl', 'firewalls', 'rules', 'add', name, direction, '--action', 'accept'],
    ...['--protocol', field('protocol') ?? 'tcp'],
    ...(field('protocol') === 'icmp' ? [] : ['--port', ports === undefined || ports === 'all' ? '1-65535' : ports]),
    ...[direction === 'inbound' ? '--from' : '--to', field('address') ?? 'ADDRESS'],
    ...(context === undefined ? [] : ['--context', context]),
  ]
  return {
    text: 'Create it, and then add the rule',
    argv: [...replaceFlagAndValue(unknown, []), ...policiesBesides(argv)],
    pipe: ` && ${rule.map(shellWord).join(' ')}`,
    form: rule.map(shellWord).join(' '),
  }
}

/** Returns the policies that the line lacks, as doctl has them: what no rule accepts is dropped, inbound. */
function policiesBesides(argv: readonly string[]): string[] {
  const usual = ['--inbound-policy drop', '--outbound-policy accept'].map((text) => text.split(' '))
  return usual.filter(([flag = '']) => !argv.some((word) => word.startsWith(flag))).flat()
}

const valueAfter = (flag: RegExp, argv: readonly string[]) => argv.find((_, index) => flag.test(argv[index - 1] ?? ''))
