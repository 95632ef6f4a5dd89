/** Turns commander's errors, and mistakes that it lets pass, into problems with skyctl's wording. */
import type { Command as Parser } from 'commander'
import { Problem } from '../../errors'
import { joinNames } from '../../rules/texts'
import { commandAt } from '../command-tree'
import { groupLayout } from '../help'
import { MisplacedArgument } from '../passthrough'
import { pathOf, typedFlags, UnknownCommand, type UsageError } from '../usage-error'
import { misplacedHint, surplusHint } from './argument-hints'
import { type CorrectableLine, commandHint, entriesAt, type TypedLine } from './command-hints'
import { type FindLine, followHint, lineFinder, withLine } from './correct-line'
import { flagHint, ownFlags } from './flag-hints'
import { type Hint, hintOf, replaceFlag, replaceWords, type UnknownFlag } from './hint'
import { flagMeanings } from './synonyms'

/** A mistake on a line, and the next step. */
interface Mistake {
  message: string
  hint?: Hint | undefined
}

/** Creates the problem of an error of commander, with the whole line that corrects it if there is one. */
export async function usageProblem(error: UsageError | UnknownCommand, line: TypedLine): Promise<Problem> {
  const findLine = finderFor(line)
  const { message, hint } = await mistakeOf(error, { ...line, findLine })
  if (!hint) return new Problem('usage', message)
  return new Problem('usage', message, { hint: withLine(hint, await followHint(hint, findLine)) })
}

/** Returns a function that corrects other mistakes of a line. */
export const finderFor = (line: TypedLine): FindLine =>
  lineFinder({
    parse: line.parse,
    findHint: async (error, argv, findLine) => (await mistakeOf(error, { ...line, argv, findLine })).hint,
  })

async function mistakeOf(error: UsageError | UnknownCommand, line: CorrectableLine): Promise<Mistake> {
  if (error instanceof UnknownCommand) return unknownCommand(error, line)
  const { parser, cause, flag } = error
  const usage = (message: string, hint: string | Hint = `See ${pathOf(parser)} --help`): Mistake => ({
    message,
    hint: hintOf(hint),
  })
  switch (cause.code) {
    case 'commander.unknownOption':
      return unknownFlag(error, line)
    case 'commander.missingArgument':
      return missingArgument(error, line)
    case 'commander.unknownCommand':
      return unknownCommand({ word: parser.args[0] ?? '', group: parser }, line)
    case 'commander.excessArguments':
    case 'skyctl.misplacedArgument':
    case 'skyctl.surplusTarget':
      return surplusArguments(error, line)
    case 'commander.help': {
      const commands = parser.createHelp().visibleCommands(parser)
      return usage(`"${parser.name()}" needs a command: ${commands.map((command) => command.name()).join(', ')}`)
    }
    case 'commander.optionMissingArgument':
      return usage(`flag "${flag}" needs a value`, valueNeeded(flag, parser))
    case 'skyctl.repeatedFlag':
      return usage(cause.message, repeatedHint(error, line.argv))
    default:
      return usage(cause.message)
  }
}

async function unknownFlag({ parser, flag: typed }: UsageError, { argv, program }: TypedLine): Promise<Mistake> {
  // The rest of the word is a value, and may be a secret.
  const flag = /^(--[^=]*|-.)/s.exec(typed)?.[0] ?? typed
  const match = parser.options.find((option) => option.is(flag))
  if (match && typed.includes('=')) {
    const hint = flag === '--json' ? columnsHint(typed, argv) : { text: `Write ${flag}` }
    return { message: `flag "${flag}" takes no value`, hint }
  }
  const single = singleDash(flag, argv, parser)
  const name = single === undefined ? flag : `-${single}`
  const unknown = {
    flag: name,
    ...typedValue(typed, argv, single),
    ...{ argv, parser, command: await commandOf(parser, program) },
  }
  const hint = dashesHint(unknown) ?? flagHint(unknown)
  const others = otherUnknown(unknown, argv)
  const names = [single ?? flag, ...others.map((other) => other.flag)].map((one) => `"${one}"`)
  const hints = [hint, ...others.map(flagHint)].map((one) => one ?? { text: flagsHint(parser) })
  const message = `unknown flag${others.length > 0 ? 's' : ''} ${joinNames(names, 'and')}`
  return { message, hint: others.length === 0 ? hints[0] : { ...hint, ...joinHints(hints) } }
}

/** `--json=id,label`, as gh has it. */
const columnsHint = (typed: string, argv: readonly string[]): Hint => ({
  text: 'Name fields with --columns',
  argv: replaceWords(argv, [typed], ['--json', '--columns', typed.slice(typed.indexOf('=') + 1)]),
})

/** Joins hints about the flags of a line: `Did you mean --label and --region?` One with a form is the last. */
function joinHints(hints: readonly Hint[]): Pick<Hint, 'text' | 'form'> {
  const texts = [...hints.filter(({ form }) => !form), ...hints.filter(({ form }) => form)].map(({ text }) => text)
  const names = texts.flatMap((text) => /^Did you mean (--[\w-]+(?: \S+)?)\?$/.exec(text)?.[1] ?? [])
  if (names.length === texts.length) return { text: `Did you mean ${joinNames(names, 'and')}?` }
  const text = [...new Set(texts)].reduce((all, next) => `${all}${all.endsWith('?') ? '' : '.'} ${next}`)
  return { text, form: hints.findLast(({ form }) => form)?.form }
}

/** Returns the unknown flags after the first one, so that a line is corrected at once. */
function otherUnknown({ flag: first, parser, command }: UnknownFlag, argv: readonly string[]): UnknownFlag[] {
  const dashes = argv.indexOf('--')
  const words = dashes < 0 ? argv : argv.slice(0, dashes)
  const names = new Set([first])
  return words.flatMap((word, index) => {
    const [flag = first] = /^--[^=]+/.exec(word) ?? []
    const isValue = parser.options.some((option) => option.required && option.is(words[index - 1] ?? ''))
    const isKnown = names.has(flag) || flag === '--help' || parser.options.some((option) => option.is(flag))
    if (isKnown || isValue) return []
    names.add(flag)
    return [{ flag, ...typedValue(word, argv), argv, parser, command }]
  })
}

/** Returns the command of a parser; undefined for a group. */
async function commandOf(parser: Parser, program: TypedLine['program']) {
  const [, ...words] = pathOf(parser).split(' ')
  const entry = await commandAt(program, words)
  return entry && !('commands' in entry) ? entry : undefined
}

/** Names the flags of the command: nobody has to look for them in its help. */
function flagsHint(parser: Parser): string {
  const flags = ownFlags(parser)
  return `${flags ? `Its flags are ${flags}. ` : ''}See ${pathOf(parser)} --help`
}

/** `-output json`: the flag exists. */
function dashesHint(unknown: UnknownFlag): Hint | undefined {
  const { flag, parser } = unknown
  const exists = flag === '--help' || parser.options.some((option) => option.is(flag))
  return exists ? { text: `Long flags have two dashes: ${flag}`, argv: replaceFlag(unknown, [flag]) } : undefined
}

/** Returns the whole flag of which `short` is the beginning, as terraform has them: `-auto-approve`. */
function singleDash(short: string, argv: readonly string[], parser: Parser): string | undefined {
  const word = argv.find((one) => /^-[a-z]{2}[a-z-]*(=|$)/.test(one) && one.startsWith(short))
  if (word === undefined || short.startsWith('--')) return undefined
  const flag = word.replace(/=.*/s, '')
  const isFlag = `-${flag}` === '--help' || parser.options.some((option) => option.is(`-${flag}`))
  return isFlag || flagMeanings(`-${flag}`).length > 0 ? flag : undefined
}

/** Returns the word of a flag, and its value, which was read as `--name=data`, `-n5` or `--name`, or typed with a single dash. */
function typedValue(typed: string, argv: readonly string[], single?: string) {
  const word = argv.find((one) => one === typed) ?? argv.find((one) => one.startsWith(single ?? typed)) ?? typed
  const [, attached] = /^-[^=]*=(.*)$/s.exec(word) ?? (single ? [] : (/^-[^-](.+)$/s.exec(word) ?? []))
  if (attached !== undefined) return { word, value: attached, isAttached: true }
  const next = argv[argv.indexOf(word) + 1]
  return { word, value: next?.startsWith('-') && next !== '-' ? undefined : next, isAttached: false }
}

/** A label of hcloud is a tag here: `--label env=prod --label team=web`. */
function repeatedHint({ flag, parser }: UsageError, argv: readonly string[]): string | Hint {
  const isTag = (place: number) => argv[place] === '--label' && /^[\w./-]+=/.test(argv[place + 1] ?? '')
  const withTags = argv.map((word, place) =>
    isTag(place) ? '--tag' : word.replace(/^--label=(?=[\w./-]+=)/, '--tag='),
  )
  const hasTags = flag === '--label' && parser.options.some(({ long }) => long === '--tag')
  return hasTags && withTags.join() !== argv.join()
    ? { text: 'Did you mean --tag?', argv: withTags }
    : 'Keep one of them'
}

/** Names words that no argument takes. */
async function surplusArguments(error: UsageError, { argv, program }: TypedLine): Promise<Mistake> {
  const { parser } = error
  const isMisplaced = error instanceof MisplacedArgument
  const words = isMisplaced ? [error.word] : parser.args.slice(parser.registeredArguments.length)
  const siblings = entriesAt(parser.parent, program)
  const findHint = isMisplaced ? misplacedHint : surplusHint
  const hint = findHint({ words, parser, command: await commandOf(parser, program), argv, siblings })
  const passthrough = parser.registeredArguments.find(({ variadic }) => variadic)?.name()
  const otherwise = isMisplaced ? `Put the ${passthrough} after --: -- ${words[0]}` : `See ${pathOf(parser)} --help`
  const message =
    error.cause.code === 'skyctl.surplusTarget' ? error.message : `unexpected argument "${words.join(' ')}"`
  return { message, hint: hint ?? { text: otherwise } }
}

/** Names all missing arguments and flags, with a complete line. */
async function missingArgument({ parser }: UsageError, { program }: TypedLine): Promise<Mistake> {
  const command = await commandOf(parser, program)
  if (!command) throw new Error(`the program lacks the command ${pathOf(parser)}`)
  const input = { arguments: parser.args, flags: typedFlags(parser) }
  const call = { command, input, words: pathOf(parser).replace('skyctl ', '') }
  const { lacksOf } = await import('../complete-line')
  const { missing, flags, example } = lacksOf(call)
  const names = missing.map(
    ({ name, values }) => `"${name}"${Array.isArray(values) ? ` (${joinNames(values, 'or')})` : ''}`,
  )
  const text = `missing required argument${names.length > 1 ? 's' : ''} ${joinNames(names, 'and')}`
  const hint = example
    ? { text: `For example: ${example}`, example }
    : { text: `Write ${groupLayout.commandUsage?.(parser)}` }
  return { message: [text, ...flags.map((flag) => `${flag} is required`)].join('; '), hint }
}

/** Returns `Write --apply <id>: Undo all changes of one apply`. */
function valueNeeded(flag: string, parser: Parser): string | undefined {
  const option = parser.options.find((one) => one.is(flag))
  if (!option) return undefined
  const [value = ''] = /<[^>]+>/.exec(option.flags) ?? []
  return `Write ${option.long} ${value}: ${option.description.replace(/ \(required\)$/, '')}`
}

async function unknownCommand(
  { word, group }: Pick<UnknownCommand, 'word' | 'group'>,
  line: CorrectableLine,
): Promise<Mistake> {
  const where = group.parent ? ` for ${pathOf(group)}` : ''
  return { message: `unknown command "${word}"${where}`, hint: await commandHint(word, group, line) }
}
