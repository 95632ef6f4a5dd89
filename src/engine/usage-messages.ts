/** Turns commander's errors, and mistakes that it lets pass, into problems with skyctl's wording. */
import type { Command as Parser } from 'commander'
import { Problem } from '../errors'
import { nearest, orList } from '../rules/nearest'
import { joinNames, shellWord } from '../rules/texts'
import type { Argument, Outline, Root } from './command'
import { groupLayout, pathOf } from './help'
import { SpelledOption } from './spelled-option'
import { meaningsOf } from './synonyms'
import { UnknownCommand, UsageError } from './usage-error'

/** A command line, word by word, and the program that it is for. */
interface TypedLine {
  argv: readonly string[]
  program: Root
  /** Topics of help, if the line may name one. */
  topics?: readonly string[] | undefined
}

/** Creates the problem of an error of commander. */
export function usageProblem(error: UsageError | UnknownCommand, line: TypedLine): Problem {
  if (error instanceof UsageError && error.cause.code === 'commander.unknownOption') return unknownFlag(error, line)
  const problem = error instanceof UnknownCommand ? error : complaint(error, line)
  return problem instanceof UnknownCommand ? unknownCommand(problem, line) : problem
}

function unknownFlag({ parser, flag: word, cause }: UsageError, { argv }: TypedLine): Problem {
  // The rest of the word is a value, and may be a secret.
  const flag = /^(--[^=]*|-.)/s.exec(word)?.[0] ?? word
  const match = parser.options.find((option) => option.is(flag))
  if (match && word.includes('='))
    return new Problem('usage', `flag "${flag}" takes no value`, {
      hint: flag === '--json' ? 'Name fields with --columns' : `Write ${flag}`,
    })
  const long = longFlag(flag, argv)
  const hint = (long && flagHint(long, parser)) ?? flagHint(flag, parser) ?? suggestionIn(cause.message)
  return new Problem('usage', `unknown flag "${long?.slice(1) ?? flag}"`, {
    hint: hint ?? `See ${pathOf(parser)} --help`,
  })
}

/** Returns the flag of which `short` is the beginning, as terraform has them: `--auto-approve` for `-auto-approve`. */
function longFlag(short: string, argv: readonly string[]): string | undefined {
  const word = argv.find((one) => /^-[a-z]{2}[a-z-]*(=|$)/.test(one) && one.startsWith(short))
  const flag = `-${word?.replace(/=.*/s, '')}`
  return word !== undefined && meaningsOf(flag).length > 0 ? flag : undefined
}

const secretFlag = /^--?(.*token|(api|access)-?key|bearer|.*password|.*secret|pass|passphrase|credentials?)$/

function flagHint(flag: string, parser: Parser): string | undefined {
  if (secretFlag.test(flag))
    return 'Secrets are never flags: set SKYCTL_TOKEN or SKYCTL_TOKEN_FILE, or sign in: skyctl auth login'
  const meanings = meaningsOf(flag).filter((name) =>
    parser.options.some((option) => option.long === name && !option.hidden),
  )
  return meanings.length > 0 ? `Did you mean ${joinNames(meanings, 'or')}?` : undefined
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
function hintAbout([word = '', ...more]: readonly string[], parser: Parser, line: TypedLine): string | undefined {
  const { argv, program } = line
  const name = parser.name()
  if (name === 'list' && argv[argv.indexOf(word) - 1] === '--json') return 'Name fields with --columns'
  const flag = more.length === 0 ? flagFor(word, parser) : undefined
  if (flag) return `Did you mean ${flag} ${shellWord(word)}?`
  const group = parser.parent
  const canView = name === 'list' && group && entriesAt(group, program).some((one) => one.name === 'view')
  return canView ? `Did you mean "${pathOf(group)} view"?` : undefined
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

/** Creates the problem of an unknown command, with the most likely commands. */
function unknownCommand({ word, group }: UnknownCommand, line: TypedLine): Problem {
  const path = pathOf(group)
  const where = group.parent ? ` for ${path}` : ''
  const lines = suggestionsFor(word, group, line)
  const hint =
    commandAdvice[`${group.name()} ${word}`] ??
    (lines.length > 0 ? `Did you mean ${orList(lines.slice(0, 3))}?` : `See ${path} --help`)
  return new Problem('usage', `unknown command "${word}"${where}`, { hint })
}

/** Advice for commands that skyctl has no counterpart of. */
const commandAdvice: Readonly<Record<string, string>> = {
  'sandbox stop': 'The sandbox stops with Ctrl-C in its terminal, or with its process',
}

/** Returns whole commands, best first: those with the word's meaning, or else those with a similar spelling. */
function suggestionsFor(word: string, group: Parser, { argv, program, topics = [] }: TypedLine): string[] {
  const path = pathOf(group)
  const entries = entriesAt(group, program)
  const linesByName = new Map(
    entries
      .filter(({ hidden }) => !hidden)
      .flatMap((entry) => namesOf(entry).map((name): [string, string] => [name, `${path} ${entry.name}`])),
  )
  const next = argv[argv.indexOf(word) + 1]
  const object = entries.find((entry) => entry.commands && namesOf(entry).includes(next ?? ''))
  // `get volumes`: the verb comes first in other tools.
  const verbs = [...meaningsOf(word), word.toLowerCase()]
  const swapped = verbs.flatMap((verb) => object?.commands?.find((command) => namesOf(command).includes(verb)) ?? [])
  if (object && swapped.length > 0) return [...new Set(swapped.map(({ name }) => `${path} ${object.name} ${name}`))]
  const matches = meaningsOf(word).flatMap(
    (name) => linesByName.get(name) ?? (name.includes(' ') ? `skyctl ${name}` : []),
  )
  if (matches.length > 0) return [...new Set(matches)]
  for (const topic of topics) linesByName.set(topic, `skyctl help ${topic}`)
  return [...new Set(nearest(word, linesByName.keys()).flatMap((name) => linesByName.get(name) ?? []))]
}

const namesOf = ({ name, aliases = [] }: Outline) => [name, ...aliases]

/** Returns the entries of a group, or of the root. */
function entriesAt(group: Parser, program: Root): readonly Outline[] {
  const [, ...names] = pathOf(group).split(' ')
  return names.reduce<readonly Outline[]>(
    (entries, name) => entries.find((entry) => entry.name === name)?.commands ?? [],
    program.entries,
  )
}

/** Throws `usage` for a word before `--` that was taken for an argument after it: the user matches something else. */
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
