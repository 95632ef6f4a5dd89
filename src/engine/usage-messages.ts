/** Turns commander's errors, and mistakes that it lets pass, into problems with skyctl's wording. */
import type { Command as Parser } from 'commander'
import { Problem } from '../errors'
import { nearest, orList } from '../rules/nearest'
import { shellWord } from '../rules/texts'
import type { Argument } from './command'
import { groupLayout, pathOf } from './help'
import { SpelledOption } from './spelled-option'
import { entriesAt, proposedLine, type TypedLine } from './typed-line'
import { UnknownCommand, UsageError } from './usage-error'

interface KnownWords extends TypedLine {
  words(): Promise<Words>
}

/** Creates the problem; `words` is only called for an unknown command. */
export async function usageProblem(error: UsageError | UnknownCommand, line: KnownWords): Promise<Problem> {
  if (error instanceof UsageError && error.cause.code === 'commander.unknownOption') return unknownFlag(error, line)
  const problem = error instanceof UnknownCommand ? error : complaint(error, line)
  return problem instanceof UnknownCommand ? unknownCommand(problem, line) : problem
}

async function unknownFlag({ parser, flag: word, cause }: UsageError, line: TypedLine): Promise<Problem> {
  // The rest of the word is a value, and may be a secret.
  const flag = /^(--[^=]*|-.)/s.exec(word)?.[0] ?? word
  const match = parser.options.find((option) => option.is(flag))
  if (match && word.includes('='))
    return new Problem('usage', `flag "${flag}" takes no value`, {
      hint: flag === '--json' ? 'Name fields with --columns' : `Write ${flag}`,
    })
  const { doubleDashed, flagHint } = await import('./flag-hints')
  const retyped = doubleDashed(flag, line.argv)
  if (retyped) return unknownLongFlag(retyped, parser, line)
  const hint = (await flagHint(flag, parser, line)) ?? suggestionIn(cause.message) ?? `See ${pathOf(parser)} --help`
  return new Problem('usage', `unknown flag "${flag}"`, { hint })
}

/** Creates the problem of a long flag with one dash, as terraform has them: `-auto-approve`. */
async function unknownLongFlag(
  { flag, argv }: { flag: string; argv: readonly string[] },
  parser: Parser,
  { program }: TypedLine,
): Promise<Problem> {
  const { flagHint } = await import('./flag-hints')
  const hint = (await flagHint(flag, parser, { argv, program })) ?? `Long flags have two dashes: ${flag}`
  return new Problem('usage', `unknown flag "${flag.slice(1)}"`, { hint })
}

function complaint({ parser, cause: error, flag }: UsageError, line: TypedLine): Problem | UnknownCommand {
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
      return usage(`flag "${flag}" needs a value`)
    case 'commander.missingArgument': {
      const { args, registeredArguments } = parser
      const missing = registeredArguments.find(({ required }, index) => required && args[index] === undefined)
      return usage(`missing required argument "${missing?.name()}"`, `Write ${groupLayout.commandUsage?.(parser)}`)
    }
    case 'commander.excessArguments': {
      const surplus = parser.args.slice(parser.registeredArguments.length)
      return usage(`unexpected argument "${surplus.join(' ')}"`, hintAbout(surplus, parser, line))
    }
    default:
      return usage(error.message)
  }
}

/** Returns a hint with the flag or the command that takes a surplus argument. */
function hintAbout(
  [word = '', ...more]: readonly string[],
  parser: Parser,
  { argv, program }: TypedLine,
): string | undefined {
  const [first = ''] = parser.args
  const at = argv.indexOf(first)
  const name = parser.name()
  if (/^(set|add|update|reset|change|view|show|get)$/.test(first) && argv[at - 1] === name) {
    const line = proposedLine(argv.toSpliced(at, 1))
    return `The command is "${pathOf(parser)}"${line === undefined ? '' : `: ${line}`}`
  }
  const place = argv.indexOf(word)
  if (name === 'list' && argv[place - 1] === '--json') {
    const line = proposedLine(argv.toSpliced(place, 0, '--columns'))
    return line === undefined ? 'Name fields with --columns' : `Did you mean "${line}"?`
  }
  const flag = more.length === 0 ? flagFor(word, parser) : undefined
  if (flag) return `Did you mean ${flag} ${shellWord(word)}?`
  const start = argv.findIndex((one) => one === name || parser.aliases().includes(one))
  const canView =
    name === 'list' && parser.parent && entriesAt(parser.parent, program).some((one) => one.name === 'view')
  if (!canView || start < 0 || argv.includes('--')) return undefined
  const line = proposedLine(argv.with(start, 'view'))
  return line === undefined ? undefined : `Did you mean "${line}"?`
}

/** Returns the flag that a surplus argument may be the value of: `rules diff web rules.yaml`, `volumes update data logs`. */
function flagFor(word: string, parser: Parser): string | undefined {
  const isUnset = (flag: string) =>
    parser.options.some((option) => option.long === flag && parser.opts()[option.attributeName()] === undefined)
  if (/[/\\]|\.(ya?ml|json|pub)$/i.test(word) && isUnset('--file')) return '--file'
  const usual = parser.name() === 'update' ? '--label' : '--compute-id'
  return requiredFlags(parser)[0] ?? (isUnset(usual) ? usual : undefined)
}

/** Returns commander's suggestion for a flag, which only its text has, in brackets on the last line. */
function suggestionIn(message: string): string | undefined {
  return message.split("'\n(")[1]?.slice(0, -1)
}

/** Returns required flags that are missing on the command line. */
function requiredFlags(parser: Parser): string[] {
  const values = parser.opts()
  return parser.options
    .filter((option) => option instanceof SpelledOption && option.flag.required)
    .filter((option) => values[option.attributeName()] === undefined)
    .map(({ long }) => long ?? '')
}

/** Common words for commands with other names, and the commands: `whoami`, `auth status`. */
export type Words = Readonly<Record<string, readonly string[]>>

/** Creates the problem of an unknown command, with the most likely commands. */
async function unknownCommand(error: UnknownCommand, line: KnownWords): Promise<Problem> {
  const { word, group } = error
  const path = pathOf(group)
  const where = group.parent ? ` for ${path}` : ''
  const { commandHint } = await import('./command-hints')
  const words = await line.words()
  // Two words of another tool may have a meaning of their own: `config use-context`.
  const next = line.argv[line.argv.indexOf(word) + 1]
  const both = (!group.parent && words[`${word}-${next}`.toLowerCase()]) || undefined
  const lines = both?.map((one) => `skyctl ${one}`) ?? suggestionsFor(word, group, words)
  const hint =
    commandAdvice[`${group.name()} ${word}`] ??
    commandHint(error, line) ??
    (lines.length > 0 ? `Did you mean ${orList(lines)}?` : `See ${path} --help, or search: ${searchFor(word)}`)
  return new Problem('usage', `unknown command "${word}"${where}`, { hint })
}

/** Advice for commands that skyctl has no counterpart of. */
const commandAdvice: Readonly<Record<string, string>> = {
  'sandbox stop': 'The sandbox stops with Ctrl-C in its terminal, or with its process',
}

const searchFor = (word: string) => (/^[\w-]+$/.test(word) ? `skyctl help find ${word}` : 'skyctl help find WORD')

/** Returns whole commands, best first: those for a common word, or else those with a similar spelling. */
function suggestionsFor(word: string, group: Parser, words: Words): string[] {
  const path = pathOf(group)
  const elsewhere = group.parent && words[`${group.name()}-${word}`.toLowerCase()]
  if (elsewhere) return elsewhere.map((line) => `skyctl ${line}`)
  const linesByWord = new Map<string, readonly string[]>()
  for (const [other, lines] of Object.entries(words)) {
    const below = lines.map((line) => `skyctl ${line}`).filter((line) => line.startsWith(`${path} `))
    if (below.length > 0) linesByWord.set(other, below)
  }
  const exact = linesByWord.get(word.toLowerCase())
  if (exact) return [...exact]
  for (const command of group.createHelp().visibleCommands(group)) {
    for (const name of [command.name(), ...command.aliases()]) linesByWord.set(name, [`${path} ${command.name()}`])
  }
  const near = nearest(word, linesByWord.keys()).flatMap((name) => linesByWord.get(name) ?? [])
  return [...new Set(near)].slice(0, 3)
}

/** Throws `usage` for a word before `--` that was taken for an argument after it: the user meant something else. */
export function expectPassthrough(
  parameters: readonly Argument[],
  args: readonly string[],
  argv: readonly string[],
): void {
  const place = parameters.findIndex(({ passthrough }) => passthrough)
  const argument = parameters[place]
  if (!argument || args.length <= place) return
  const dashes = argv.indexOf('--')
  if (dashes >= 0 && argv.length - dashes - 1 >= args.length - place) return
  const word = args[place] ?? ''
  const hint = /^[\d,-]+$/.test(word) ? `Did you mean --port ${word}?` : `Put the ${argument.name} after --: -- ${word}`
  throw new Problem('usage', `unexpected argument "${word}"`, { hint })
}
