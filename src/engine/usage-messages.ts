/** Turns commander's errors, and mistakes that it lets pass, into problems with skyctl's wording. */
import type { Command as Parser } from 'commander'
import { Problem } from '../errors'
import { joinNames } from '../rules/texts'
import { portHint, surplusHint, unquotedHint } from './argument-hints'
import type { Argument, Flags, Outline } from './command'
import { commandHint, entriesAt, type TypedLine } from './command-hints'
import { commandAt } from './command-tree'
import { flagHint, ownFlags } from './flag-hints'
import { groupLayout } from './help'
import type { UnknownFlag } from './own-flag-hints'
import { flagMeanings } from './synonyms'
import { pathOf, UnknownCommand, UsageError } from './usage-error'

/** Creates the problem of an error of commander. */
export async function usageProblem(error: UsageError | UnknownCommand, line: TypedLine): Promise<Problem> {
  if (error instanceof UsageError && error.cause.code === 'commander.unknownOption') return unknownFlag(error, line)
  if (error instanceof UsageError && error.cause.code === 'commander.missingArgument')
    return missingArgument(error, line)
  const problem = error instanceof UnknownCommand ? error : await complaint(error, line)
  return problem instanceof UnknownCommand ? unknownCommand(problem, line) : problem
}

async function unknownFlag({ parser, flag: word }: UsageError, { argv, program }: TypedLine): Promise<Problem> {
  // The rest of the word is a value, and may be a secret.
  const flag = /^(--[^=]*|-.)/s.exec(word)?.[0] ?? word
  const match = parser.options.find((option) => option.is(flag))
  if (match && word.includes('='))
    return new Problem('usage', `flag "${flag}" takes no value`, {
      hint: flag === '--json' ? 'Name fields with --columns' : `Write ${flag}`,
    })
  const single = singleDash(flag, argv, parser)
  const name = single === undefined ? flag : `-${single}`
  const unknown = {
    flag: name,
    ...typedValue(word, argv, single),
    parser,
    command: await commandOf(parser, program),
  }
  const hint = dashesHint(unknown) ?? innerHint(unknown, entriesAt(parser, program)) ?? flagHint(unknown)
  const others = otherUnknown(unknown, argv)
  const names = [single ?? flag, ...others.map((other) => other.flag)].map((one) => `"${one}"`)
  const hints = [hint, ...others.map(flagHint)]
  const text = `unknown flag${others.length > 0 ? 's' : ''} ${joinNames(names, 'and')}`
  return new Problem('usage', text, { hint: joinHints(hints.map((one) => one ?? flagsHint(parser))) })
}

/** Joins hints about the flags of a line: `Did you mean --label and --region?` */
function joinHints(hints: readonly string[]): string {
  const names = hints.flatMap((hint) => /^Did you mean (--[\w-]+)\?$/.exec(hint)?.[1] ?? [])
  if (names.length === hints.length) return `Did you mean ${joinNames(names, 'and')}?`
  return [...new Set(hints)].reduce((all, next) => `${all}${all.endsWith('?') ? '' : '.'} ${next}`)
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
    return [{ flag, ...typedValue(word, argv), parser, command }]
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
function dashesHint({ flag, parser }: UnknownFlag): string | undefined {
  const exists = flag === '--help' || parser.options.some((option) => option.is(flag))
  return exists ? `Long flags have two dashes: ${flag}` : undefined
}

/** `completion -s bash`: what other tools have as a flag is a command. */
function innerHint({ flag, value, parser }: UnknownFlag, entries: readonly Outline[]): string | undefined {
  // `--profile sandbox volumes list`: the flag is one of skyctl's, and takes the word.
  if (parser.options.some(({ long = null }) => long !== null && flagMeanings(flag).includes(long))) return undefined
  const entry = entries.find(({ name }) => name === value)
  return entry && `Did you mean "${pathOf(parser)} ${entry.name}"?`
}

/** Returns the whole flag of which `short` is the beginning, as terraform has them: `-auto-approve`. */
function singleDash(short: string, argv: readonly string[], parser: Parser): string | undefined {
  const word = argv.find((one) => /^-[a-z]{2}[a-z-]*(=|$)/.test(one) && one.startsWith(short))
  if (word === undefined || short.startsWith('--')) return undefined
  const flag = word.replace(/=.*/s, '')
  const isFlag = `-${flag}` === '--help' || parser.options.some((option) => option.is(`-${flag}`))
  return isFlag || flagMeanings(`-${flag}`).length > 0 ? flag : undefined
}

/** Returns the value of a flag, which was read as `--name=data`, `-n5` or `--name`, or typed with a single dash. */
function typedValue(word: string, argv: readonly string[], single?: string) {
  const whole = argv.find((one) => one === word || one.startsWith(single ?? word)) ?? word
  const [, attached] = /^-[^=]*=(.*)$/s.exec(whole) ?? (single ? [] : (/^-[^-](.+)$/s.exec(whole) ?? []))
  if (attached !== undefined) return { value: attached, isAttached: true }
  const next = argv[argv.indexOf(whole) + 1]
  return { value: next?.startsWith('-') && next !== '-' ? undefined : next, isAttached: false }
}

async function complaint(
  { parser, cause: error, flag }: UsageError,
  line: TypedLine,
): Promise<Problem | UnknownCommand> {
  const path = pathOf(parser)
  const usage = (message: string, hint = `See ${path} --help`) => new Problem('usage', message, { hint })
  switch (error.code) {
    case 'commander.help': {
      const commands = parser.createHelp().visibleCommands(parser)
      return usage(`"${parser.name()}" needs a command: ${commands.map((command) => command.name()).join(', ')}`)
    }
    case 'commander.unknownCommand':
      return new UnknownCommand(parser.args[0] ?? '', parser)
    case 'commander.optionMissingArgument':
      return usage(`flag "${flag}" needs a value`, valueNeeded(flag, parser))
    case 'commander.excessArguments': {
      const surplus = parser.args.slice(parser.registeredArguments.length)
      const siblings = entriesAt(parser.parent, line.program)
      const hint = surplusHint({
        words: surplus,
        parser,
        command: await commandOf(parser, line.program),
        argv: line.argv,
        siblings,
      })
      return usage(`unexpected argument "${surplus.join(' ')}"`, hint)
    }
    default:
      return usage(error.message)
  }
}

/** Names all missing arguments and flags, with a complete line. */
async function missingArgument({ parser }: UsageError, { program }: TypedLine): Promise<Problem> {
  const { alignArguments, completeLine } = await import('./complete-line')
  const command = await commandOf(parser, program)
  if (!command) throw new Error(`the program lacks the command ${pathOf(parser)}`)
  const options = Object.entries(parser.optsWithGlobals<Flags>())
  const onLine = options.filter(([name]) => parser.getOptionValueSourceWithGlobals(name) === 'cli')
  const input = { arguments: parser.args, flags: Object.fromEntries(onLine) }
  const { arguments: parameters = [], flags } = command
  const places = alignArguments(parameters, input.arguments)
  const missing = places.flatMap(({ argument, word }) => (word === undefined && !argument.optional ? [argument] : []))
  const hasFile = ['body', 'file'].some((name) => input.flags[name] !== undefined)
  const lacks = flags.flatMap(({ name, required, defaultText }) =>
    required && defaultText === undefined && !hasFile && input.flags[name] === undefined ? [`--${name}`] : [],
  )
  const names = missing.map(
    ({ name, values }) => `"${name}"${Array.isArray(values) ? ` (${joinNames(values, 'or')})` : ''}`,
  )
  const text = `missing required argument${names.length > 1 ? 's' : ''} ${joinNames(names, 'and')}`
  const line = completeLine({ command, input, words: pathOf(parser).replace('skyctl ', '') }, lacks)
  const hint = line ? `For example: ${line}` : `Write ${groupLayout.commandUsage?.(parser)}`
  return new Problem('usage', [text, ...lacks.map((flag) => `${flag} is required`)].join('; '), { hint })
}

/** Returns `Write --apply <id>: Undo all changes of one apply`. */
function valueNeeded(flag: string, parser: Parser): string | undefined {
  const option = parser.options.find((one) => one.is(flag))
  if (!option) return undefined
  const [value = ''] = /<[^>]+>/.exec(option.flags) ?? []
  return `Write ${option.long} ${value}: ${option.description.replace(/ \(required\)$/, '')}`
}

/** Creates the problem of an unknown command. */
function unknownCommand({ word, group }: UnknownCommand, line: TypedLine): Problem {
  const where = group.parent ? ` for ${pathOf(group)}` : ''
  return new Problem('usage', `unknown command "${word}"${where}`, { hint: commandHint(word, group, line) })
}

/** Throws `usage` for a word before `--` that was taken for an argument after it: the user matches something else. */
export function expectPassthrough(parameters: readonly Argument[], parser: Parser, argv: readonly string[]): void {
  const { args } = parser
  const place = parameters.findIndex(({ passthrough }) => passthrough)
  const argument = parameters[place]
  if (!argument || args.length <= place) return
  const dashes = argv.indexOf('--')
  if (dashes >= 0 && argv.length - dashes - 1 >= args.length - place) return
  const word = args[place] ?? ''
  const hint = unquotedHint({ words: [word], parser, argv }) ?? portHint({ words: [word], parser })
  throw new Problem('usage', `unexpected argument "${word}"`, {
    hint: hint ?? `Put the ${argument.name} after --: -- ${word}`,
  })
}
