/** Hints for surplus arguments: words that were left unquoted, and words that a flag or another command takes. */
import type { Option, Command as Parser } from 'commander'
import { isFormat } from '../output/formats'
import { shortDuration } from '../rules/durations'
import { shellWord } from '../rules/texts'
import type { Command, Outline } from './command'
import { groupLayout } from './help'
import { ownHint } from './own-flag-hints'
import { SpelledOption } from './spelled-option'
import { sortField } from './unknown-fields'
import { pathOf } from './usage-error'

interface Surplus {
  /** The arguments that the command does not take. */
  words: readonly string[]
  parser: Parser
  command: Command | undefined
  argv: readonly string[]
  /** Entries of the same group. */
  siblings: readonly Outline[]
}

/** Returns a hint by the first rule that knows what the words are for. */
export function surplusHint(surplus: Surplus): string | undefined {
  for (const rule of [
    helpHint,
    verbHint,
    fieldsHint,
    unquotedHint,
    switchHint,
    pairHint,
    choiceHint,
    ownFlagHint,
    portHint,
    flagHint,
    viewHint,
  ]) {
    const hint = rule(surplus)
    if (hint !== undefined) return hint
  }
  return undefined
}

/** `volumes create help`. */
function helpHint({ words: [word, other], parser }: Surplus): string | undefined {
  return word === 'help' && other === undefined ? `Write ${pathOf(parser)} --help` : undefined
}

const verbs = ['list', 'ls', 'show', 'get', 'set', 'add']

/** `audit list` and `ips rdns set 192.0.2.31 www.example.net`: the command is a verb of its own. */
function verbHint({ words, parser, argv }: Surplus): string | undefined {
  const isMore = parser.registeredArguments.length === 0 && words.length > 1
  const [first = ''] = parser.args
  // With a value of a flag before it, the word may be another value.
  const isFirst = argv.indexOf(first) === pathOf(parser).split(' ').length - 1
  return verbs.includes(first) && isFirst && !isMore
    ? `Leave out "${first}": ${groupLayout.commandUsage?.(parser)}`
    : undefined
}

/** `--json label,size`, as gh has it. */
function fieldsHint({ words: [word = ''], parser, argv }: Surplus): string | undefined {
  return parser.name() === 'list' && argv[argv.indexOf(word) - 1] === '--json'
    ? 'Name fields with --columns'
    : undefined
}

/** A flag with its value, and the words behind it up to the next flag, which may belong to the value. */
interface ValueAndMore {
  option: SpelledOption
  value: string
  more: readonly string[]
}

/** `--label my vol`: the value has several words. */
export function unquotedHint({ words, parser, argv }: Omit<Surplus, 'siblings' | 'command'>): string | undefined {
  const [only, ...others] = valuesIn(argv, parser).filter(({ more }) => more.length >= words.length)
  if (!only || others.length > 0) return undefined
  const whole = [only.value, ...only.more.slice(0, words.length)]
  // Labels of firewalls have no blanks.
  if (only.option.flag.name === 'label' && parser.parent?.name() === 'firewalls')
    return `Write --label ${shellWord(whole.join('-'))}`
  return valueHint({ ...only, more: only.more.slice(0, words.length) })
}

function valuesIn(argv: readonly string[], parser: Parser): ValueAndMore[] {
  return argv.flatMap((flag, index) => {
    const option = parser.options.find((one) => one.is(flag))
    const value = argv[index + 1]
    if (!(option instanceof SpelledOption) || !option.required || value === undefined) return []
    const after = argv.slice(index + 2)
    const end = after.findIndex((word) => word.startsWith('-'))
    return [{ option, value, more: end < 0 ? after : after.slice(0, end) }]
  })
}

/** Returns a hint for a value that a shell split at its blanks; undefined if the words can be something else. */
function valueHint({ option: { flag }, value, more }: ValueAndMore): string | undefined {
  const name = `--${flag.name}`
  const [second = '', third] = more
  if (flag.values === 'sort') return `Write ${name} ${sortField(value, more.join(' ')) ?? [value, ...more].join(',')}`
  if (flag.values === 'filter') {
    const test = third === undefined ? `${value}=${second}` : `${value}${second}${third}`
    return more.length <= 2 ? `Write ${name} ${shellWord(test)}` : undefined
  }
  if (flag.value === 'time') return timeHint(name, value, second)
  const several = flag.list === 'commas' ? `${name} ${shellWord([value, ...more].join(','))}` : undefined
  if (flag.value !== 'text' || flag.values !== undefined) return several && `Write ${several}`
  return `Quote the value: ${name} ${shellWord([value, ...more].join(' '))}${several ? `. For several: ${several}` : ''}`
}

/** `--for 1 hour`: the unit follows the number at once. */
function timeHint(flag: string, value: string, unit: string): string | undefined {
  const time = shortDuration(`${value} ${unit}`)
  return time && `Write ${flag} ${time}`
}

/** `--public true`: a switch takes no value. */
function switchHint({ words: [word, other], parser, argv }: Surplus): string | undefined {
  const before = argv[argv.indexOf(word ?? '') - 1] ?? ''
  const option = parser.options.find((one) => one.is(before))
  if (other !== undefined || !option || option.required || !/^(true|yes|1)$/.test(word ?? '')) return undefined
  return `${option.long} takes no value: leave out "${word}"`
}

/** `size=40`, and `email me@example.net`: the dashes of a flag are missing, or a list needs a filter. */
function pairHint({ words: [word = '', second, third], parser }: Surplus): string | undefined {
  const [, name = word, attached] = /^(?:--?)?([a-z_-]+)=(.+)$/s.exec(word) ?? []
  const value = attached ?? second
  if ((attached === undefined) === (second === undefined) || third !== undefined || value === undefined)
    return undefined
  const option = unsetOptions(parser).find((one) => one.is(`--${name}`))
  if (option?.required) return `Did you mean ${option.long} ${shellWord(value)}?`
  const isFilter = attached !== undefined && parser.options.some(({ long }) => long === '--filter')
  return isFilter ? `Did you mean --filter ${shellWord(word)}?` : undefined
}

/** `audit high`, `version check`, `volumes list json`: a value that one flag has, or a flag without its dashes. */
function choiceHint({ words: [word = '', other], parser }: Surplus): string | undefined {
  if (other !== undefined) return undefined
  const options = unsetOptions(parser)
  const same = options.find((one) => one.is(`--${word}`) && !one.required)
  if (same) return `Did you mean ${same.long}?`
  if (isFormat(word)) return `Did you mean --output ${word}?`
  const having = options.filter(({ flag: { values } }) => Array.isArray(values) && values.includes(word))
  const [option] = having
  return option && having.length === 1 ? `Did you mean ${option.long} ${word}?` : undefined
}

/** `audit fix`: a flag that the command lacks on purpose, without its dashes. */
function ownFlagHint({ words: [word = '', other], parser, command }: Surplus): string | undefined {
  if (other !== undefined) return undefined
  const unknown = { flag: `--${word}`, value: undefined, isAttached: false, parser, command }
  return ownHint(unknown)?.replace(`--${word}`, `"${word}"`)
}

/** `firewalls open web 22`, also with the protocol, as in `22/tcp` and `tcp/22`. */
export function portHint({ words: [word = '', other], parser }: Pick<Surplus, 'words' | 'parser'>): string | undefined {
  if (other !== undefined || !unsetOptions(parser).some(({ long }) => long === '--port')) return undefined
  const [before, after] = word.split('/')
  const [ports = '', protocol] = /^\d/.test(word) ? [before, after] : [after, before]
  if (!/^\d[\d,-]*$/.test(ports) || (protocol !== undefined && !/^(tcp|udp)$/i.test(protocol))) return undefined
  return `Did you mean --port ${ports}${protocol ? ` --protocol ${protocol}` : ''}?`
}

const fillers = ['to', 'on', 'at', 'for', 'with']

/** `volumes attach data-2 web-1`, `rules diff web rules.yaml`: a flag takes the word. */
function flagHint({ words, parser }: Surplus): string | undefined {
  const [word, other] = fillers.includes(words[0] ?? '') ? words.slice(1) : words
  // `ips list -6`: a flag of another tool.
  if (word === undefined || other !== undefined || word.startsWith('-')) return undefined
  const flag = flagFor(word, parser)
  const [, amount = word] = flag === '--size' ? (/^(\d+)G(i?B)?$/i.exec(word) ?? []) : []
  return flag && `Did you mean ${flag} ${shellWord(amount)}?`
}

function flagFor(word: string, parser: Parser): string | undefined {
  const unset = unsetOptions(parser).map(({ long }) => long)
  if (/[/\\]|\.(ya?ml|json|pub)$/i.test(word) && unset.includes('--file')) return '--file'
  const required = unsetOptions(parser).find(({ flag }) => flag.required)
  // `ipv6 ranges create web-2`: an instance is no prefix length.
  if (required && (required.flag.value !== 'n' || /^\d/.test(word))) return required.long
  if (/^\d[\d,-]*$/.test(word) && unset.includes('--port')) return '--port'
  // With other flags, the word is as likely one of theirs.
  const usual = parser.name() === 'update' ? '--label' : '--compute-id'
  return unset.includes(usual) && !hasOwnFlags(parser) ? usual : undefined
}

/** `volumes list data`: a list takes no target. */
function viewHint({ words, parser, siblings }: Surplus): string | undefined {
  const group = parser.parent
  const isWord = words.every((word) => !word.startsWith('-'))
  const isView = parser.name() === 'list' && isWord && siblings.some(({ name }) => name === 'view')
  return group && isView && !hasOwnFlags(parser) ? `Did you mean "${pathOf(group)} view"?` : undefined
}

/** Returns visible flags that are not on the command line. */
function unsetOptions(parser: Parser): SpelledOption[] {
  const values = parser.opts()
  const isUnset = (option: Option): option is SpelledOption =>
    option instanceof SpelledOption && !option.hidden && values[option.attributeName()] === undefined
  return parser.options.filter(isUnset)
}

function hasOwnFlags(parser: Parser): boolean {
  return parser.options.some(
    (option) =>
      option instanceof SpelledOption &&
      option.flag.group !== 'Global flags' &&
      parser.getOptionValueSource(option.attributeName()) === 'cli',
  )
}
