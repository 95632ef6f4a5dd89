/** Turns commander's errors into problems with skyctl's wording. */
import type { Command as Parser } from 'commander'
import { Problem } from '../errors'
import { nearest, orList } from '../rules/nearest'
import { shellWord } from '../rules/texts'
import { pathOf } from './help'
import { SpelledOption } from './spelled-option'
import { UnknownCommand, type UsageError } from './usage-error'

/** Creates the problem; `words` is only called for an unknown command. */
export async function usageProblem(error: UsageError | UnknownCommand, words: () => Promise<Words>): Promise<Problem> {
  const said = error instanceof UnknownCommand ? error : complaint(error)
  return said instanceof UnknownCommand ? unknownCommand(said, await words()) : said
}

function complaint({ parser, cause: error, flag }: UsageError): Problem | UnknownCommand {
  const path = pathOf(parser)
  const usage = (message: string, hint = `See ${path} --help`) => new Problem('usage', message, { hint })
  switch (error.code) {
    case 'commander.help': {
      const commands = parser.createHelp().visibleCommands(parser)
      return usage(`"${parser.name()}" needs a command: ${commands.map((command) => command.name()).join(', ')}`)
    }
    case 'commander.unknownCommand':
      return new UnknownCommand(parser.args[0] ?? '', parser)
    case 'commander.unknownOption':
      return usage(`unknown flag "${flag}"`, suggestionIn(error.message))
    case 'commander.optionMissingArgument':
      return usage(`flag "${flag}" needs a value`)
    case 'commander.missingArgument': {
      const { args, registeredArguments } = parser
      const missing = registeredArguments.find(({ required }, index) => required && args[index] === undefined)
      return usage(`missing required argument "${missing?.name()}"`)
    }
    case 'commander.excessArguments': {
      const surplus = parser.args.slice(parser.registeredArguments.length)
      const missing = surplus.length === 1 && requiredFlags(parser)[0]
      const hint = missing ? `Did you mean ${missing} ${shellWord(surplus[0] ?? '')}?` : undefined
      return usage(`unexpected argument "${surplus.join(' ')}"`, hint)
    }
    default:
      return usage(error.message)
  }
}

/** Returns commander's suggestion for a flag, which only its text has, in brackets on the last line. */
function suggestionIn(message: string): string | undefined {
  return message.split("'\n(")[1]?.slice(0, -1)
}

/** Returns required flags that are missing on the command line. */
function requiredFlags(parser: Parser): string[] {
  const given = parser.opts()
  return parser.options
    .filter((option) => option instanceof SpelledOption && option.flag.required)
    .filter((option) => given[option.attributeName()] === undefined)
    .map(({ long }) => long ?? '')
}

/** Common words for commands with other names, and the commands: `whoami`, `auth status`. */
export type Words = Readonly<Record<string, readonly string[]>>

/** Creates the problem of an unknown command, with the most likely commands. */
function unknownCommand({ word, group }: UnknownCommand, words: Words): Problem {
  const path = pathOf(group)
  const where = group.parent ? ` for ${path}` : ''
  const lines = meant(word, group, words)
  const hint = lines.length > 0 ? `Did you mean ${orList(lines)}?` : `See ${path} --help, or search: ${searchFor(word)}`
  return new Problem('usage', `unknown command "${word}"${where}`, { hint })
}

const searchFor = (word: string) => (/^[\w-]+$/.test(word) ? `skyctl help find ${word}` : 'skyctl help find WORD')

/** Returns whole commands, best first: those for a common word, or else those with a similar spelling. */
function meant(word: string, group: Parser, words: Words): string[] {
  const path = pathOf(group)
  const known = new Map<string, readonly string[]>()
  for (const [other, lines] of Object.entries(words)) {
    const below = lines.map((line) => `skyctl ${line}`).filter((line) => line.startsWith(`${path} `))
    if (below.length > 0) known.set(other, below)
  }
  const stands = known.get(word.toLowerCase())
  if (stands) return [...stands]
  for (const command of group.createHelp().visibleCommands(group)) {
    for (const name of [command.name(), ...command.aliases()]) known.set(name, [`${path} ${command.name()}`])
  }
  const near = nearest(word, known.keys()).flatMap((name) => known.get(name) ?? [])
  return [...new Set(near)].slice(0, 3)
}
