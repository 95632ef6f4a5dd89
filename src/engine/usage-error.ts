/** Errors that are thrown from within commander; ./complaint turns them into messages. */
import type { CommanderError, Command as Parser } from 'commander'

export class UsageError extends Error {
  constructor(
    readonly parser: Parser,
    override readonly cause: CommanderError,
  ) {
    super(cause.message)
  }
}

/** A word that is not a command of the group, or of the root. */
export class UnknownCommand extends Error {
  constructor(
    readonly word: string,
    readonly group: Parser,
  ) {
    super(word)
  }
}

/** Thrown after help or the version was printed on request. */
export class HelpShown extends Error {
  constructor(
    readonly parser: Parser,
    readonly what: 'help' | 'version',
  ) {
    super(what)
  }
}
