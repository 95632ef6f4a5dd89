/** What is wrong with a line, as it is thrown from within commander; ./complaint puts it in words. */
import type { CommanderError, Command as Parser } from 'commander'

export class Complained extends Error {
  constructor(
    readonly parser: Parser,
    override readonly cause: CommanderError,
  ) {
    super(cause.message)
  }
}

/** A word that is none of the commands of a group, or of the root. */
export class UnknownCommand extends Error {
  constructor(
    readonly word: string,
    readonly group: Parser,
  ) {
    super(word)
  }
}

/** Help or the version was asked for, and written. */
export class Asked extends Error {
  constructor(
    readonly parser: Parser,
    readonly what: 'help' | 'version',
  ) {
    super(what)
  }
}
