/** Turns commander's errors into problems with skyctl's wording. */
import type { Command as Parser } from 'commander'
import { Problem } from '../errors'
import { shellWord } from '../rules/shell-words'
import { pathOf } from './help'
import { unknownCommand, type Words } from './unknown-command'
import { UnknownCommand, type UsageError } from './usage-error'

/** Creates the problem; `words` is only called for an unknown command. */
export async function usageProblem(error: UsageError | UnknownCommand, words: () => Promise<Words>): Promise<Problem> {
  const said = error instanceof UnknownCommand ? error : complaint(error)
  return said instanceof UnknownCommand ? unknownCommand(said, await words()) : said
}

function complaint({ parser, cause: error }: UsageError): Problem | UnknownCommand {
  const help = `See ${pathOf(parser)} --help`
  const [said = '', suggestion] = error.message.replace(/^error: /, '').split('\n')
  const quoted = said.replaceAll("'", '"').replace(/\.$/, '')
  const hint = suggestion?.replace(/^\((.*)\)$/, '$1') ?? help
  const commands = parser.createHelp().visibleCommands(parser)
  switch (error.code) {
    case 'commander.help': {
      const names = commands.map((command) => command.name()).join(', ')
      return new Problem('usage', `"${parser.name()}" needs a command: ${names}`, { hint: help })
    }
    case 'commander.unknownCommand':
      return new UnknownCommand(/'(.*)'/s.exec(said)?.[1] ?? '', parser)
    case 'commander.unknownOption':
      return new Problem('usage', quoted.replace('option', 'flag'), { hint })
    case 'commander.optionMissingArgument': {
      const flag = /--[\w-]+/.exec(said)?.[0] ?? ''
      return new Problem('usage', `flag "${flag}" needs a value`, { hint })
    }
    case 'commander.excessArguments': {
      const surplus = parser.args.slice(parser.registeredArguments.length)
      const missing = surplus.length === 1 && requiredFlags(parser)[0]
      const meant = missing ? `Did you mean ${missing} ${shellWord(surplus[0] ?? '')}?` : hint
      return new Problem('usage', `unexpected argument "${surplus.join(' ')}"`, { hint: meant })
    }
    default:
      return new Problem('usage', quoted, { hint })
  }
}

/** Returns required flags that are missing on the command line, according to their descriptions. */
function requiredFlags(parser: Parser): string[] {
  const given = parser.opts()
  return parser.options
    .filter((option) => option.description.includes('(required)') && given[option.attributeName()] === undefined)
    .map(({ long }) => long ?? '')
}
