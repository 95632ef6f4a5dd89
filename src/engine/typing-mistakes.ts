/** Mistakes on the command line that commander lets pass: flags set twice or taken as values. */
import { CommanderError, type Option, type Command as Parser } from 'commander'
import { Problem } from '../errors'
import { hidden, isPrivateKey, secretKeys } from '../rules/secrets'
import type { SpelledOption } from './spelled-option'
import { UsageError } from './usage-error'

interface Occurrence {
  /** Form of the flag: `--wait` or `--no-wait`. */
  form: string
  /** Undefined for a flag without a value. */
  value: string | undefined
}

/** Throws `usage` if a flag is set too often. `options` are the flags of the same command. */
type Expect = (
  option: SpelledOption,
  value: string | undefined,
  place: { parser: Parser; options: readonly SpelledOption[] },
) => void

/** Remembers the flags of one command line, before and after the command's name. */
export function flagTracker(): Expect {
  const occurrences = new Map<string, Occurrence>()
  return (option, value, { parser, options }) => {
    const name = nameOf(option, options)
    const second = { form: formOf(option), value }
    const first = occurrences.get(name)
    occurrences.set(name, second)
    if (!first) return
    if (first.form !== second.form) throw repeated(`${first.form} and ${second.form} contradict each other`)
    if (value !== undefined && !option.flag.list) throw setTwice(option, [first.value, value], parser)
  }
}

/**
 * Returns the name that a flag shares with its opposite: `--no-tags` empties the list that `--tag` or `--tags` sets.
 */
function nameOf({ flag, negate }: SpelledOption, options: readonly SpelledOption[]): string {
  const list = negate && options.find((other) => other.flag.aliases?.includes(flag.name))
  return list ? list.flag.name : flag.name
}

const formOf = ({ flag, negate }: SpelledOption) => `--${negate ? 'no-' : ''}${flag.name}`

function setTwice(option: SpelledOption, values: readonly (string | undefined)[], parser: Parser): UsageError {
  const isSecret = secretKeys.test(option.flag.name.replaceAll('-', '_'))
  const [first, second] = values.map((value = '') => (isSecret || isPrivateKey(value) ? hidden : `"${value}"`))
  const message = `${formOf(option)} takes one value and is set twice: ${first} and ${second}`
  return new UsageError(parser, new CommanderError(1, 'skyctl.repeatedFlag', message), formOf(option))
}

function repeated(message: string): Problem {
  return new Problem('usage', message, { hint: 'Keep one of them' })
}

/**
 * Throws `usage` if a flag would take another flag as its value, or the rest of one: `--label --dry-run` would send a
 * request. `--label=--dry-run` sets such a value. `argv` is the command line, word by word.
 */
export function refuseFlag(value: string, option: Option, options: readonly Option[], argv: readonly string[]): void {
  const { long, short } = option
  // `-out FILE`, as terraform has it, is `-o ut FILE` here.
  const whole = `-${short}${value}`.replace(/=.*/s, '')
  if (short && argv.includes(`${short}${value}`) && options.some((other) => other.is(whole)))
    throw new Problem('usage', `unknown flag "${whole.slice(1)}"`, { hint: `Long flags have two dashes: ${whole}` })
  const isExplicit = argv.some((word) => word.startsWith('--') && word.endsWith(`=${value}`))
  if (isExplicit || !options.some((option) => option.is(value))) return
  throw new Problem('usage', `flag "${long}" needs a value`, {
    hint: `The next word, "${value}", is a flag. To pass it as a value, write ${long}=${value}`,
  })
}
