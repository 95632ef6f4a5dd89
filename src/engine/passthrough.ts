/** Arguments in a wrong place, such as words that belong behind `--`. */
import type { Command as Parser } from 'commander'
import type { Argument } from './command'
import { UsageError } from './usage-error'

/** A word that commander takes as an argument, and that belongs elsewhere. */
export class MisplacedArgument extends UsageError {
  constructor(
    parser: Parser,
    readonly word: string,
  ) {
    super(parser, { code: 'skyctl.misplacedArgument', message: word }, '')
  }
}

/** Throws for a word before `--` that was taken for an argument after it: the user matches something else. */
export function expectPassthrough(parameters: readonly Argument[], parser: Parser, argv: readonly string[]): void {
  const { args } = parser
  const place = parameters.findIndex(({ passthrough }) => passthrough)
  if (!parameters[place] || args.length <= place) return
  const dashes = argv.indexOf('--')
  if (dashes >= 0 && argv.length - dashes - 1 >= args.length - place) return
  throw new MisplacedArgument(parser, args[place] ?? '')
}
