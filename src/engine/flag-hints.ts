/** Finds what unknown flags of other tools mean, and the command line to type instead. */
import type { Command as Parser } from 'commander'
import { fieldsOf } from '../catalogue/field-types'
import { shellWord } from '../rules/texts'
import { type Argument, type Command, commandAt, isGroup } from './command'
import { filterTests, flagAdvice, meaningsOf, movedFlags } from './flag-synonyms'
import { groupLayout, pathOf } from './help'
import { flagNameOf, isSecretFlag, proposedLine, type TypedLine } from './typed-line'

/** Flags that no flag of skyctl replaces, and what to do instead. */
const explanations: readonly { flags: RegExp; hint: (path: string) => string }[] = [
  {
    flags: /^(.*token|(api|access)-?key|auth|bearer|pat)$/,
    hint: () =>
      'The history of the shell would keep a token. Set SKYCTL_TOKEN or SKYCTL_TOKEN_FILE, or sign in: skyctl auth login',
  },
  {
    flags: /^(.*password|.*secret|pass|passwd|passphrase|pwd|credentials?)$/,
    hint: () => 'Secrets are never flags: skyctl asks for them, or reads them from a file or stdin',
  },
  { flags: /^(help-all|full-help|help-full)$/, hint: (path) => `To see all flags: ${path} --help --all` },
]

/** Returns a hint for the first unknown flag; undefined if no meaning is known. */
export async function flagHint(flag: string, parser: Parser, line: TypedLine): Promise<string | undefined> {
  const name = flagNameOf(flag)
  const path = pathOf(parser)
  const explained = explanations.find(({ flags }) => flags.test(name))
  if (explained) return explained.hint(path)
  const [, ...names] = path.split(' ')
  const entry = await commandAt(line.program, names)
  const command = entry && !isGroup(entry) ? entry : undefined
  const [, , advice] =
    flagAdvice.find(([where, flags]) => where === names.join(' ') && flags.split(' ').includes(name)) ?? []
  return (
    advice ??
    translation(line.argv, { parser, command, place: -names.length }) ??
    elsewhere(name, names, line.argv) ??
    (isRead(command) && toFile.test(name) ? `The result goes to stdout: ${path} > FILE` : undefined)
  )
}

const toFile = /^(out|out-?file|output-(file|dir)|file|dir|directory|save|to-file)$/

const isRead = (command: Command | undefined) => command?.operations?.every(({ method }) => method === 'GET') === true

/** Returns a hint with the command of the same group that has the flag: `volumes resize` for `volumes update --size`. */
function elsewhere(flag: string, names: readonly string[], argv: readonly string[]): string | undefined {
  const other = movedFlags[names.join(' ')]?.[flag]
  if (other === undefined) return undefined
  // Names may be aliases; with flags among them, the rest is ambiguous.
  const rest = argv.slice(names.length)
  const isPlain = !argv.slice(0, names.length).some(isFlag)
  return `Use another command: ${(isPlain && proposedLine([...other.split(' '), ...rest])) || `skyctl ${other}`}`
}

/** Returns a long flag that was typed with one dash, if any tool has it, and the line with two; undefined for other flags. */
export function doubleDashed(
  short: string,
  argv: readonly string[],
): { flag: string; argv: readonly string[] } | undefined {
  const at = argv.findIndex((word) => /^-[a-z]{2}[a-z-]*(=|$)/.test(word) && word.startsWith(short))
  const flag = `-${argv[at]?.replace(/=.*/s, '')}`
  if (at < 0 || meaningsOf(flagNameOf(flag)).length < 2) return undefined
  return { flag, argv: argv.map((word, index) => (index === at ? `-${word}` : word)) }
}

interface Place {
  parser: Parser
  command: Command | undefined
  /** Number of arguments before the word; negative before the end of the command's name. */
  place: number
}

/** The words that one or two words of a line should be. */
interface Step {
  used: number
  /** Undefined if that is not clear. */
  words: readonly string[] | undefined
  /** Reason, to be followed by the line. */
  why?: string
  /** Hint without a line. */
  short?: string
  isArgument?: true
}

/** Returns a hint about the first unknown flag, with the whole line if all unknown flags have a meaning. */
function translation(argv: readonly string[], place: Place): string | undefined {
  const steps: Step[] = []
  let count = place.place
  for (let index = 0; index < argv.length; index += steps.at(-1)?.used ?? 1) {
    steps.push(stepAt(argv.slice(index), { ...place, place: count }))
    if (steps.at(-1)?.isArgument) count += 1
  }
  const first = steps.find(({ words, why }) => why !== undefined || words === undefined)
  // A label is not the volume where one is named already.
  if (first?.why === undefined || (first.isArgument && count > mostArguments(place.command))) return undefined
  const isClear = steps.every(({ words }) => words !== undefined)
  const line = isClear ? proposedLine(steps.flatMap(({ words = [] }) => words)) : undefined
  return line === undefined ? (first.short ?? first.why) : `${first.why}: ${line}`
}

const mostArguments = ({ arguments: args = [] }: Pick<Command, 'arguments'> = {}) =>
  args.some(({ many }) => many) ? Number.POSITIVE_INFINITY : args.length

const isFlag = (word: string) => word.startsWith('-') && word !== '-'

function stepAt(words: readonly string[], place: Place): Step {
  const [word = ''] = words
  if (word === '--') return { used: words.length, words }
  if (!isFlag(word)) return { used: 1, words: [word], isArgument: true }
  const option = place.parser.options.find((one) => one.is(word.replace(/=.*/s, '')))
  // `-qv` and `-ojson` begin with a known flag.
  const isKnown = option ?? (/^-[^-]./.test(word) && place.parser.options.some((one) => one.is(word.slice(0, 2))))
  if (!isKnown) return unknownStep(words, place)
  const used = option?.required && !word.includes('=') ? 2 : 1
  return { used, words: words.slice(0, used) }
}

/** A meaning of an unknown flag. */
interface Meaning extends Omit<Step, 'used'> {
  takesValue?: true
}

function unknownStep([word = '', next]: readonly string[], place: Place): Step {
  const joined = /^--[^=]*=(.*)|^-[^-](.+)/s.exec(word)?.slice(1).find(Boolean)
  const following = next === undefined || isFlag(next) ? undefined : next
  const value = joined ?? following
  for (const meaning of meaningsOf(flagNameOf(word))) {
    for (const find of finders) {
      const match = find(meaning, value, place)
      if (!match) continue
      const { takesValue, ...step } = match
      return { ...step, used: takesValue && joined === undefined && following !== undefined ? 2 : 1 }
    }
  }
  return { used: 1, words: undefined }
}

type Finder = (meaning: string, value: string | undefined, place: Place) => Meaning | undefined

const hasFlag = ({ parser }: Place, name: string) => parser.options.some(({ long }) => long === `--${name}`)

const needless: Finder = (meaning, _value, place) => {
  if (meaning === 'all' && hasFlag(place, 'limit')) return { words: [], why: 'Lists are complete without it' }
  if (meaning !== 'yes') return undefined
  // A proposed line never answers a question: -f may have meant a file, and --confirm may have had a value.
  if (!place.command) return { words: undefined, why: 'Use --yes' }
  return {
    words: [],
    why: `The command asks ${place.command.asks ? 'first, and --yes answers' : 'nothing, and needs no such flag'}`,
  }
}

const asFlag: Finder = (meaning, value, { parser, command }) => {
  const option = parser.options.find(({ long, hidden }) => long === `--${meaning}` && !hidden)
  if (!option || (meaning === 'filter' && value !== undefined && !/[=<>~]/.test(value))) return undefined
  const why = `Use --${meaning}`
  if (!option.required) return { words: [`--${meaning}`], why }
  const isShown = value !== undefined && !isSecretFlag(meaning)
  // jq begins with a dot, which JMESPath does not.
  const shown = meaning === 'query' ? value?.replace(/^\./, '') : meaning === 'filter' ? ofTags(value, command) : value
  return { words: isShown && shown !== undefined ? [`--${meaning}`, shown] : undefined, why, takesValue: true }
}

/** Returns a test of tags for a label selector of another tool, whose key is no field: `tags=prod` for `env=prod`. */
function ofTags(test: string | undefined, command: Command | undefined): string | undefined {
  const [, key, value] = /^([\w-]+)=+(\w[\w-]*)$/.exec(test ?? '') ?? []
  const paths = command?.records ? fieldsOf(command.records).map(({ path }) => path) : []
  return key !== undefined && paths.includes('tags') && !paths.includes(key) ? `tags=${value}` : test
}

const asFilter: Finder = (meaning, value, place) => {
  if (!hasFlag(place, 'filter') || !place.command?.records) return undefined
  const path = meaning.replaceAll('-', '_')
  const field = fieldsOf(place.command.records).find((one) => one.path === path || one.path === `${path}s`)
  if (!field) return undefined
  const isBoolean = field.kind === 'boolean'
  const testValue = isBoolean ? (value ?? 'true') : value
  const words = testValue === undefined ? undefined : ['--filter', `${field.path}=${testValue}`]
  const short = `Use --filter ${field.path}=VALUE`
  return { words, why: 'Use --filter', short, ...(!isBoolean && { takesValue: true as const }) }
}

/** Turns a flag into a test that holds more than its value: `--older-than 30d` is `created>30d`. */
const asTest: Finder = (meaning, value, place) => {
  const test = Object.keys(filterTests).find((one) => filterTests[one]?.split(' ').includes(meaning))
  const path = test && /^\w+/.exec(test)?.[0]
  if (!test || !hasFlag(place, 'filter') || !place.command?.records) return undefined
  if (!fieldsOf(place.command.records).some((field) => field.path === path)) return undefined
  const takesValue = test.endsWith('VALUE') ? true : undefined
  const words = takesValue && value === undefined ? undefined : ['--filter', test.replace('VALUE', () => value ?? '')]
  return { words, why: 'Use --filter', short: `Use --filter ${shellWord(test)}`, ...(takesValue && { takesValue }) }
}

const asArgument: Finder = (meaning, value, { parser, command, place }) => {
  const args = command?.arguments ?? []
  const index = args.findIndex((one) => namesOf(one, args).includes(meaning))
  const argument = args[index]
  if (!argument) return undefined
  const words = index === place && value !== undefined ? [nearValue(value, argument)] : undefined
  const why = `The ${argument.name} needs no flag`
  const short = `${why}: ${groupLayout.commandUsage?.(parser)}`
  return { words, why, short, takesValue: true, isArgument: true }
}

/** Returns the names that a flag for an argument might have. */
function namesOf({ name }: Argument, { length }: readonly Argument[]): string[] {
  return [name, `${name}-id`, ...(length === 1 ? ['id', 'label'] : [])]
}

/** Returns `inbound` for `in`. */
function nearValue(value: string, { values }: Argument): string {
  const choices = typeof values === 'string' ? [] : (values ?? [])
  return choices.find((choice) => choice.startsWith(value.toLowerCase())) ?? value
}

/** In the order of their precedence. */
const finders: readonly Finder[] = [needless, asFlag, asFilter, asTest, asArgument]
