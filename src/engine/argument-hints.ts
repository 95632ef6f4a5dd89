/** Hints for surplus arguments: words that were left unquoted, and words that a flag or another command takes. */
import type { Option, Command as Parser } from 'commander'
import { isFormat } from '../output/formats'
import { amountIn, isUnit } from '../rules/amounts'
import { portsByName } from '../rules/ports'
import { shellWord } from '../rules/texts'
import type { Command, Outline } from './command'
import { groupLayout } from './help'
import { type Hint, hintOf, replaceWords } from './hint'
import { ownHint } from './own-flag-hints'
import { SpelledOption } from './spelled-option'
import { unquotedHint } from './unquoted-values'
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
export function surplusHint(surplus: Surplus): Hint | undefined {
  for (const rule of [
    helpHint,
    verbHint,
    fieldsHint,
    queryHint,
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
    if (hint !== undefined) return hintOf(hint)
  }
  return undefined
}

/** Returns a hint for a word in the place of another argument. */
export const misplacedHint = (surplus: Surplus): Hint | undefined =>
  unquotedHint(surplus) ?? portHint(surplus) ?? choiceHint(surplus)

/** `volumes create help`. */
function helpHint({ words: [word, other], parser }: Surplus): string | undefined {
  return word === 'help' && other === undefined ? `Write ${pathOf(parser)} --help` : undefined
}

const verbs = ['list', 'ls', 'show', 'get', 'set', 'add']

/** `audit list` and `ips rdns set 192.0.2.31 www.example.net`: the command is a verb of its own. */
function verbHint({ words, parser, argv }: Surplus): Hint | undefined {
  const isMore = parser.registeredArguments.length === 0 && words.length > 1
  const [first = ''] = parser.args
  // With a value of a flag before it, the word may be another value.
  const isFirst = argv.indexOf(first) === pathOf(parser).split(' ').length - 1
  if (!verbs.includes(first) || !isFirst || isMore) return undefined
  return {
    text: `Leave out "${first}"`,
    argv: argv.toSpliced(argv.indexOf(first), 1),
    form: groupLayout.commandUsage?.(parser),
  }
}

/** `--json label,size`, as gh has it. */
function fieldsHint({ words: [word = ''], parser, argv }: Surplus): Hint | undefined {
  if (parser.name() !== 'list' || argv[argv.indexOf(word) - 1] !== '--json') return undefined
  return { text: 'Name fields with --columns', argv: replaceWords(argv, [word], ['--columns', word]) }
}

/** `api GET /volumes -q .data[].id`: -q is for a query in other tools. */
function queryHint({ words, parser, argv }: Surplus): Hint | undefined {
  const [word = '', other] = words
  const isQuery = argv[argv.indexOf(word) - 1] === '-q' && /[[\].]/.test(word)
  if (other !== undefined || !isQuery || !parser.options.some(({ long }) => long === '--query')) return undefined
  const query = word.replace(/^\.(?=.)/, '')
  return {
    text: `For a query: --query ${shellWord(query)}; -q is --quiet`,
    argv: replaceWords(argv, ['-q', word], ['--query', query]),
  }
}

/** `--public true`: a switch takes no value. */
function switchHint({ words: [word = '', other], parser, argv }: Surplus): Hint | undefined {
  const before = argv[argv.indexOf(word) - 1] ?? ''
  const option = parser.options.find((one) => one.is(before))
  if (other !== undefined || !option || option.required || !/^(true|yes|1)$/.test(word)) return undefined
  return {
    text: `${option.long} takes no value: leave out "${word}"`,
    argv: replaceWords(argv, [before, word], [before]),
  }
}

/** `size=40`, and `email me@example.net`: the dashes of a flag are missing, or a list needs a filter. */
function pairHint(surplus: Surplus): Hint | undefined {
  const {
    words: [word = '', second, third],
    parser,
  } = surplus
  const [, name = word, attached] = /^(?:--?)?([a-z_-]+)=(.+)$/s.exec(word) ?? []
  const value = attached ?? second
  if ((attached === undefined) === (second === undefined) || third !== undefined || value === undefined)
    return undefined
  const option = unsetOptions(parser).find((one) => one.is(`--${name}`))
  if (option?.required && option.long) return proposal(surplus, option.long, value)
  const isFilter = attached !== undefined && parser.options.some(({ long }) => long === '--filter')
  return isFilter ? proposal(surplus, '--filter', word) : undefined
}

const isSameWord = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Proposes flags in place of the surplus words. */
const proposal = ({ words, argv }: Pick<Surplus, 'words' | 'argv'>, ...flags: string[]): Hint => ({
  text: `Did you mean ${flags.map(shellWord).join(' ')}?`,
  argv: replaceWords(argv, words, flags),
})

/** `audit high`, `version check`, `volumes list json`: a value that one flag has, or a flag without its dashes. */
function choiceHint(surplus: Surplus): Hint | undefined {
  const {
    words: [word = '', other],
    parser,
  } = surplus
  if (other !== undefined) return undefined
  const options = unsetOptions(parser)
  const same = options.find((one) => one.is(`--${word}`) && !one.required)
  if (same?.long) return proposal(surplus, same.long)
  if (isFormat(word)) return proposal(surplus, '--output', word)
  const having = options.filter(
    ({ flag: { values } }) => Array.isArray(values) && values.some((value) => isSameWord(value, word)),
  )
  const [option] = having
  return option?.long && having.length === 1 ? proposal(surplus, option.long, word) : undefined
}

/** `audit fix`: a flag that the command lacks on purpose, without its dashes. */
function ownFlagHint({ words: [word = '', other], parser, command, argv }: Surplus): Hint | undefined {
  if (other !== undefined) return undefined
  const hint = ownHint({ flag: `--${word}`, word, value: undefined, isAttached: false, argv, parser, command })
  if (hint === undefined) return undefined
  const { text, ...more } = hintOf(hint)
  return { text: text.replace(`--${word}`, `"${word}"`), ...more }
}

/** `firewalls open web 22`, also with the protocol, as in `22/tcp` and `tcp/22`. */
function portHint(surplus: Pick<Surplus, 'words' | 'parser' | 'argv'>): Hint | undefined {
  const {
    words: [word = '', other],
    parser,
  } = surplus
  if (other !== undefined || !unsetOptions(parser).some(({ long }) => long === '--port')) return undefined
  const named = portsByName[word.toLowerCase()]
  if (named !== undefined) return proposal(surplus, '--port', String(named))
  const [before, after] = word.split('/')
  const [ports = '', protocol] = /^\d/.test(word) ? [before, after] : [after, before]
  if (!/^\d[\d,-]*$/.test(ports) || (protocol !== undefined && !/^(tcp|udp)$/i.test(protocol))) return undefined
  return proposal(surplus, '--port', ports, ...(protocol === undefined ? [] : ['--protocol', protocol]))
}

const fillers = ['to', 'on', 'at', 'for', 'with']

/** `volumes attach data-2 web-1`, `volumes resize data-2 40 GB`: a flag takes the words. */
function flagHint(surplus: Surplus): Hint | undefined {
  const { words, parser } = surplus
  const rest = fillers.includes(words[0] ?? '') ? words.slice(1) : words
  const [word, other] = rest
  // `ips list -6`: a flag of another tool.
  if (word === undefined || word.startsWith('-')) return undefined
  const option = optionFor(word, parser)
  const unit = option?.flag.value
  const amount = isUnit(unit) ? amountIn(unit, rest.join(' ')) : undefined
  if (!option?.long || (other !== undefined && amount === undefined)) return undefined
  return proposal(surplus, option.long, String(amount ?? word))
}

function optionFor(word: string, parser: Parser): SpelledOption | undefined {
  const unset = unsetOptions(parser)
  const named = (name: string) => unset.find(({ long }) => long === name)
  const file = /[/\\]|\.(ya?ml|json|pub)$/i.test(word) ? named('--file') : undefined
  const required = unset.find(({ flag }) => flag.required)
  // `ipv6 ranges create web-2`: an instance is no prefix length.
  const isNumber = required?.flag.value === 'n' || isUnit(required?.flag.value)
  if (file || (required && (!isNumber || /^\d/.test(word)))) return file ?? required
  const port = /^\d[\d,-]*$/.test(word) ? named('--port') : undefined
  // With other flags, the word is as likely one of theirs.
  const usual = hasOwnFlags(parser) ? undefined : named(parser.name() === 'update' ? '--label' : '--compute-id')
  return port ?? usual
}

/** `volumes list data`: a list takes no target. */
function viewHint({ words, parser, siblings, argv }: Surplus): Hint | undefined {
  const group = parser.parent
  const isWord = words.every((word) => !word.startsWith('-'))
  const isView = parser.name() === 'list' && isWord && siblings.some(({ name }) => name === 'view')
  if (!group || !isView || hasOwnFlags(parser)) return undefined
  const name = argv.find((word) => word === parser.name() || parser.aliases().includes(word)) ?? ''
  return {
    text: `Did you mean "${pathOf(group)} view"?`,
    argv: replaceWords(argv, [name], ['view']),
    isCommand: true,
  }
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
