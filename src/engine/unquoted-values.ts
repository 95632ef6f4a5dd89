/** Hints for values of flags that were left unquoted, so that a shell split them. */
import type { Command as Parser } from 'commander'
import { amountIn, isUnit, unitHint } from '../rules/amounts'
import { shortDuration } from '../rules/durations'
import { shellWord } from '../rules/texts'
import { type Hint, replaceWords } from './hint'
import { SpelledOption } from './spelled-option'
import { sortField } from './unknown-fields'

interface Surplus {
  /** The words that no argument takes. */
  words: readonly string[]
  parser: Parser
  argv: readonly string[]
}

/** A flag with its value, and the words behind it up to the next flag, which may belong to the value. */
interface ValueAndMore {
  /** The flag as typed. */
  word: string
  option: SpelledOption
  value: string
  more: readonly string[]
}

/** `--label my vol`: the value has several words. */
export function unquotedHint({ words, parser, argv }: Surplus): Hint | undefined {
  const [only, ...others] = valuesIn(argv, parser).filter(({ more }) => more.length >= words.length)
  if (!only || others.length > 0) return undefined
  const more = only.more.slice(0, words.length)
  const isFirewall = only.option.flag.name === 'label' && parser.parent?.name() === 'firewalls'
  const hint = isFirewall ? dashedLabel({ ...only, more }) : valueHint({ ...only, more })
  return (
    hint && {
      text: hint.text,
      argv: replaceWords(argv, [only.word, only.value, ...more], [only.word, hint.value]),
    }
  )
}

/** Labels of firewalls have no blanks. */
function dashedLabel({ value, more }: ValueAndMore): ValueHint {
  const label = [value, ...more].join('-')
  return { text: `Write --label ${shellWord(label)}`, value: label }
}

function valuesIn(argv: readonly string[], parser: Parser): ValueAndMore[] {
  return argv.flatMap((word, index) => {
    const option = parser.options.find((one) => one.is(word))
    const value = argv[index + 1]
    if (!(option instanceof SpelledOption) || !option.required || value === undefined) return []
    const after = argv.slice(index + 2)
    const end = after.findIndex((other) => other.startsWith('-'))
    return [{ word, option, value, more: end < 0 ? after : after.slice(0, end) }]
  })
}

/** A hint, and the value that it proposes. */
interface ValueHint {
  text: string
  value: string
}

/** Returns a hint for a value that a shell split at its blanks; undefined if the words can be something else. */
function valueHint({ option: { flag }, value, more }: ValueAndMore): ValueHint | undefined {
  const written = (text: string) => ({ text: `Write --${flag.name} ${shellWord(text)}`, value: text })
  const [second = '', third] = more
  if (flag.values === 'sort') return written(sortField(value, more.join(' ')) ?? [value, ...more].join(','))
  if (flag.values === 'filter') {
    const test = third === undefined ? `${value}=${second}` : `${value}${second}${third}`
    return more.length <= 2 ? written(test) : undefined
  }
  if (flag.value === 'time') {
    // `--for 1 hour`: the unit follows the number at once.
    const time = shortDuration(`${value} ${second}`)
    return time === undefined ? undefined : written(time)
  }
  if (isUnit(flag.value)) {
    const text = `${value} ${second}`
    const amount = amountIn(flag.value, text)
    const hint = unitHint(`--${flag.name}`, text, flag.value)
    return amount === undefined ? undefined : { text: hint, value: String(amount) }
  }
  const several = flag.list === 'commas' ? [value, ...more].join(',') : undefined
  if (flag.value !== 'text' || flag.values !== undefined) return several === undefined ? undefined : written(several)
  const quoted = [value, ...more].join(' ')
  const text = `Quote the value: --${flag.name} ${shellWord(quoted)}`
  return several === undefined
    ? { text, value: quoted }
    : { text: `${text}. For several: --${flag.name} ${shellWord(several)}`, value: several }
}
