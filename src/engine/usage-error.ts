/** Parser of commander, the flags that it has read, and the errors that it throws; hints/usage-problem turns them into messages. */
import { Command, type CommanderError, type Option } from 'commander'
import type { Flags } from './command'

declare module 'commander' {
  interface Command {
    /** Throws. Part of commander, but missing in its types, as is the next. */
    unknownOption(flag: string): void
    optionMissingArgument(option: Option): void
  }
}

/** Parser whose errors name the flag at fault; those of commander have it only in their text. */
export class ReportingParser extends Command {
  #flag = ''

  constructor(name?: string) {
    super(name)
    this.exitOverride((error) => {
      if (error.exitCode !== 0) throw new UsageError(this, error, this.#flag)
      throw new HelpShown(this, error.code === 'commander.version' ? 'version' : 'help')
    })
  }

  override createCommand(name?: string): ReportingParser {
    return new ReportingParser(name)
  }

  override unknownOption(flag: string): void {
    this.#flag = flag
    super.unknownOption(flag)
  }

  override optionMissingArgument(option: Option): void {
    this.#flag = option.long ?? ''
    super.optionMissingArgument(option)
  }
}

/** Returns the full name of a command: `skyctl volumes resize`. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

export class UsageError extends Error {
  constructor(
    readonly parser: Command,
    override readonly cause: Pick<CommanderError, 'code' | 'message'>,
    /** The flag at fault, if one is. */
    readonly flag: string,
  ) {
    super(cause.message)
  }
}

/** A word that is not a command of the group, or of the root. */
export class UnknownCommand extends Error {
  constructor(
    readonly word: string,
    readonly group: Command,
  ) {
    super(word)
  }
}

/** Thrown after help or the version was printed on request. */
export class HelpShown extends Error {
  constructor(
    readonly parser: Command,
    readonly what: 'help' | 'version',
  ) {
    super(what)
  }
}

/** Returns the flags on the command line, wherever they are; the one nearest to the command wins. */
export function typedFlags(parser: Command): Flags {
  const flags: Record<string, Flags[string]> = parser.parent ? { ...typedFlags(parser.parent) } : {}
  for (const [name, value] of Object.entries(parser.opts<Flags>())) {
    if (parser.getOptionValueSource(name) === 'cli') flags[name] = value
  }
  return flags
}
