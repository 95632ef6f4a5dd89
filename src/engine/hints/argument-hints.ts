/** Hints for surplus arguments: values that were left unquoted, and words that a flag or another command takes. */
import type { Option, Command as Parser } from 'commander'
import { isFormat } from '../../output/formats'
import { shortDuration } from '../../rules/durations'
import { amountIn, isUnit, unitHint } from '../../rules/flag-units'
import { shellWord } from '../../rules/texts'
import type { Outline } from '../command'
import { testsMeant } from '../filter/correct-test'
import { splitTest } from '../filter/test-syntax'
import { groupLayout } from '../help'
import { SpelledOption } from '../spelled-option'
import { sortField } from '../unknown-fields'
import { pathOf } from '../usage-error'
import { firstHint, type Hint, type Rule, replaceVerb, replaceWords, type WrongLine } from './hint'
import { otherToolFlagHint } from './other-tool-flag-hints'
import { stdinHint } from './stdin-hint'
import { formFlags } from './value-forms'

/** Arguments that the command does not take. */
interface SurplusWords extends WrongLine {
  words: readonly string[]
  /** Entries of the same group. */
  siblings: readonly Outline[]
}

/** `volumes create help`. */
const helpHint: Rule<SurplusWords> = ({ words: [word, other], parser }) =>
  word === 'help' && other === undefined ? `Write ${pathOf(parser)} --help` : undefined

/** `audit list` and `ips rdns set 192.0.2.31 www.example.net`: the command is a verb of its own. */
const verbHint: Rule<SurplusWords> = ({ words, parser, argv }) => {
  const isMore = parser.registeredArguments.length === 0 && words.length > 1
  const [first = ''] = parser.args
  // With a value of a flag before it, the word may be another value.
  const isFirst = argv.indexOf(first) === pathOf(parser).split(' ').length - 1
  if (!/^(list|ls|show|get|set|add)$/.test(first) || !isFirst || isMore) return undefined
  const form = groupLayout.commandUsage?.(parser)
  return { text: `Leave out "${first}"`, argv: argv.toSpliced(argv.indexOf(first), 1), form }
}

/** `--json label,size`, `-q .data[].id` and `--public true`: the word before it takes no value here. */
const switchHint: Rule<SurplusWords> = ({ words: [word = '', other], parser, argv }) => {
  const before = argv[argv.indexOf(word) - 1] ?? ''
  const option = parser.options.find((one) => one.is(before))
  if (!option || option.required || other !== undefined) return undefined
  if (option.long === '--json' && parser.name() === 'list')
    return { text: 'Name fields with --columns', argv: replaceWords(argv, [word], ['--columns', word]) }
  if (before === '-q' && /[[\].]/.test(word) && parser.options.some(({ long }) => long === '--query')) {
    const query = word.replace(/^\.(?=.)/, '')
    const text = `For a query: --query ${shellWord(query)}; -q is --quiet`
    return { text, argv: replaceWords(argv, [before, word], ['--query', query]) }
  }
  if (!/^(true|yes|1)$/.test(word)) return undefined
  const text = `${option.long} takes no value: leave out "${word}"`
  return { text, argv: replaceWords(argv, [before, word], [before]) }
}

/** `--label my vol`: a value has several words. */
const unquotedHint: Rule<SurplusWords> = ({ words, parser, argv }) => {
  const [only, ...others] = argv.flatMap((flag, place) => {
    const option = parser.options.find((one) => one.is(flag))
    const [value, ...after] = argv.slice(place + 1)
    if (!(option instanceof SpelledOption) || !option.required || value === undefined) return []
    const isWhole = words.every((word, index) => after[index] === word)
    return isWhole ? [{ flag, option, texts: [value, ...after.slice(0, words.length)] }] : []
  })
  if (!only || others.length > 0) return undefined
  const hint = valueHint(only.option, only.texts, parser)
  const flags = hint?.values.flatMap((value) => [only.flag, value])
  return hint && flags && { text: hint.text, argv: replaceWords(argv, [only.flag, ...only.texts], flags) }
}

/** The text of a hint, and the values for a flag: several if it is to be repeated. */
interface ValueHint {
  text: string
  values: readonly string[]
}

/** Returns a hint for a value that a shell split at its blanks; undefined if the words can be something else. */
function valueHint({ flag }: SpelledOption, texts: readonly string[], parser: Parser): ValueHint | undefined {
  const name = `--${flag.name}`
  const write = (value: string) => ({ text: `Write ${name} ${shellWord(value)}`, values: [value] })
  const [first = '', second = ''] = texts
  if (flag.values === 'sort') return write(sortField(first, texts.slice(1).join(' ')) ?? texts.join(','))
  if (flag.values === 'filter') return filterTestHint(texts.join(' '))
  if (flag.value === 'ports') return texts.every(isPorts) ? write(texts.join(',')) : undefined
  // `--from 198.51.100.7 22` and `--from 198.51.100.7 10m`: the second one is no address.
  if (flag.value === 'networks' && texts.some((text) => !/^(--from)?$/.test(formFlags(text)[0] ?? ''))) return undefined
  if (flag.value === 'time') {
    // `--for 1 hour`: the unit follows the number at once.
    const time = shortDuration(`${first} ${second}`)
    return time === undefined ? undefined : write(time)
  }
  const quoted = texts.join(' ')
  if (isUnit(flag.value)) {
    const amount = amountIn(flag.value, quoted)
    return amount === undefined ? undefined : { text: unitHint(name, quoted, flag.value), values: [String(amount)] }
  }
  // Labels of firewalls have no blanks.
  if (flag.name === 'label' && parser.parent?.name() === 'firewalls') return write(texts.join('-'))
  const isText = flag.value === 'text' && flag.values === undefined
  if (flag.list !== 'commas') return isText ? quote(name, quoted) : undefined
  const joined = texts.join(',')
  const several = write(joined)
  const text = `${quote(name, quoted).text}. For several: ${name} ${shellWord(joined)}`
  return isText ? { ...several, text } : several
}

const isPorts = (text: string) => /^\d[\d,-]*$/.test(text)

const quote = (name: string, value: string): ValueHint => ({
  text: `Quote the value: ${name} ${shellWord(value)}`,
  values: [value],
})

/** `--filter size '>' 20`, `--filter status=active region=us-east` and `--filter label=my vol`. */
function filterTestHint(text: string): ValueHint | undefined {
  const tests = (testsMeant(text, []) ?? [text]).map((test) => {
    const { path = '', operator = '', operand = '' } = splitTest(test) ?? {}
    return operand === '' ? '' : `${path}${operator}${operand}`
  })
  const [only = '', ...others] = tests
  if (tests.includes('')) return undefined
  if (others.length === 0 && only.includes(' ')) return quote('--filter', only)
  const flags = tests.map((test) => `--filter ${shellWord(test)}`).join(' ')
  return { text: `${others.length > 0 ? 'Repeat --filter:' : 'Write'} ${flags}`, values: tests }
}

/** Returns flags, with their values, in place of the words. */
type FindFlags = (words: readonly string[], parser: Parser) => readonly string[] | undefined

const proposing =
  (findFlags: FindFlags): Rule<SurplusWords> =>
  ({ words, parser, argv }) => {
    const flags = findFlags(words, parser)
    return flags && { text: `Did you mean ${flags.map(shellWord).join(' ')}?`, argv: replaceWords(argv, words, flags) }
  }

/** `size=40`, and `email me@example.net`: the dashes of a flag are missing, or a list needs a filter. */
const flagByName: FindFlags = (words, parser) => {
  const [, name, ...values] = /^(?:--?)?([a-z_-]+)[= ](\S+)$/.exec(words.join(' ')) ?? []
  const option = unsetOptions(parser).find((one) => one.is(`--${name}`))
  if (option?.required && option.long) return [option.long, ...values]
  const isTest = words.length === 1 && values.length === 1 && parser.options.some(({ long }) => long === '--filter')
  return isTest ? ['--filter', ...words] : undefined
}

/** `audit high`, `version check`, `volumes list json`: a value that one flag has, or a flag without its dashes. */
const flagByValue: FindFlags = ([word = '', other], parser) => {
  if (other !== undefined) return undefined
  const options = unsetOptions(parser)
  const same = options.find((one) => one.is(`--${word}`) && !one.required)
  if (same?.long) return [same.long]
  if (isFormat(word)) return ['--output', word]
  const isValue = (value: string) => value.toLowerCase() === word.toLowerCase()
  const [option, ...others] = options.filter(({ flag: { values } }) => Array.isArray(values) && values.some(isValue))
  return option?.long && others.length === 0 ? [option.long, word] : undefined
}

/** `firewalls open web 22 10m` and `firewalls test web 203.0.113.9 22`: each word can only be the value of one flag. */
const flagByForm: FindFlags = (words, parser) => {
  const options = unsetOptions(parser)
  const flags = words.map((word) => formFlags(word))
  // `volumes wait --for` takes a state.
  const isUnset = ([name]: string[]) =>
    options.some(({ long, flag }) => long === name && (name !== '--for' || flag.value === 'time'))
  const isEach = new Set(flags.map(([name]) => name)).size === flags.length
  return isEach && flags.every(isUnset) ? flags.flat() : undefined
}

/** `volumes attach data-2 to web-1`, `volumes resize data-2 40 GB`: the flag that the command lacks, or mostly has. */
const expectedFlag: FindFlags = (words, parser) => {
  const [word = '', ...others] = /^(to|on|at|for|with)$/.test(words[0] ?? '') ? words.slice(1) : words
  // `ips list -6`: a flag of another tool.
  if (word === '' || word.startsWith('-')) return undefined
  const unset = unsetOptions(parser)
  const named = (name: string) => unset.find(({ long }) => long === name)
  const file = /[/\\]|\.(ya?ml|json|pub)$/i.test(word) ? named('--file') : undefined
  const required = unset.find(({ flag }) => flag.required)
  const unit = required?.flag.value
  // `ipv6 ranges create web-2`: an instance is no prefix length.
  const isMisfit = (unit === 'n' || isUnit(unit)) && !/^\d/.test(word)
  // With other flags, the word is as likely one of theirs.
  const usual = hasOwnFlags(parser) ? undefined : named(parser.name() === 'update' ? '--label' : '--compute-id')
  const option = file ?? (isMisfit ? undefined : required) ?? usual
  const amount = isUnit(unit) && option === required ? amountIn(unit, [word, ...others].join(' ')) : undefined
  if (!option?.long || (others.length > 0 && amount === undefined)) return undefined
  return [option.long, String(amount ?? word)]
}

/** `audit fix`: a flag that the command lacks on purpose, without its dashes. */
const rowOfWord: Rule<SurplusWords> = ({ words: [word = '', other], ...line }) => {
  const hint =
    other === undefined && otherToolFlagHint({ ...line, flag: `--${word}`, word, value: undefined, isAttached: false })
  return hint ? { ...hint, text: hint.text.replace(`--${word}`, `"${word}"`) } : undefined
}

/** `volumes list data`: a list takes no target. */
const viewHint: Rule<SurplusWords> = (surplus) => {
  const { words, parser, siblings } = surplus
  const isView = parser.name() === 'list' && siblings.some(({ name }) => name === 'view')
  if (!parser.parent || !isView || hasOwnFlags(parser) || words.some((word) => word.startsWith('-'))) return undefined
  const text = `Did you mean "${pathOf(parser.parent)} view"?`
  return { text, argv: replaceVerb(surplus, 'view'), isCommand: true }
}

/** Returns visible flags that are not on the command line. */
function unsetOptions(parser: Parser): SpelledOption[] {
  const values = parser.opts()
  const isUnset = (option: Option): option is SpelledOption =>
    option instanceof SpelledOption && !option.hidden && values[option.attributeName()] === undefined
  return parser.options.filter(isUnset)
}

const hasOwnFlags = (parser: Parser) =>
  parser.options.some(
    (option) =>
      option instanceof SpelledOption &&
      option.flag.group !== 'Global flags' &&
      parser.getOptionValueSource(option.attributeName()) === 'cli',
  )

const rules: readonly Rule<SurplusWords>[] = [
  ...[helpHint, verbHint, stdinHint, unquotedHint, switchHint],
  ...[flagByName, flagByValue, flagByForm, expectedFlag].map(proposing),
  ...[rowOfWord, viewHint],
]

/** Returns a hint for words that the value of the flag before them lacks. */
export const splitValueHint = (surplus: SurplusWords): Hint | undefined => firstHint([unquotedHint], surplus)

/** Returns a hint by the first rule that knows what the words are for. */
export const surplusHint = (surplus: SurplusWords): Hint | undefined => firstHint(rules, surplus)

/** `firewalls open list web`: the first word, before the misplaced one, is no target but such a flag. */
const rowOfFirstWord: Rule<SurplusWords> = (surplus) =>
  rowOfWord({ ...surplus, words: surplus.parser.args.slice(0, 1) })

/** Returns a hint for a word in the place of another argument. */
export const misplacedHint = (surplus: SurplusWords): Hint | undefined =>
  firstHint([rowOfFirstWord, unquotedHint, ...[flagByForm, flagByValue].map(proposing)], surplus)
