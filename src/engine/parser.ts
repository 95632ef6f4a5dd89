/**
 * Configures commander: turns command data into its parser and help. Its errors are those of ./usage-error, which become
 * problems here. No other file runs it.
 */
import type { Command as Parser } from 'commander'
import { reflow } from '../output/wrap'
import {
  type Argument,
  type Command,
  type CommandEntry,
  type CommandGroup,
  type Flags,
  type Input,
  isGroup,
  type Outline,
  type Root,
} from './command'
import { globalFlags } from './flags'
import { groupLayout, pathOf } from './help'
import { optionsOf, type SpelledOption } from './spelled-option'
import { flagTracker, refuseFlag } from './typing-mistakes'
import { HelpShown, ReportingParser, UnknownCommand, UsageError } from './usage-error'
import type { Words } from './usage-messages'

interface Runner {
  /** Runs a command; `words` is its name: `volumes update`. */
  run(command: Command, input: Input, words: string): Promise<void>
  /** Maximum width of help. */
  columns: number
  /** Returns words for unknown commands. */
  words(): Promise<Words>
  /** Returns help on a group or command as one document, if that was requested. */
  document?(words: readonly string[]): Promise<string>
}

/** Shared by the root, the group and the command on the command line. */
const globalOptions = optionsOf(globalFlags)

/** Runs a command line; resolves to the text of help or version if one was requested. */
type Parse = (argv: readonly string[]) => Promise<string>

/**
 * Creates the parser. It knows the outline of every entry, and loads the command on the command line. It turns errors
 * of commander into `usage` problems.
 */
export function createParser(program: Root, runner: Runner): Parse {
  const texts: string[] = []
  return async (typed) => {
    const root = buildParser(program, {
      ...runner,
      ...{ typed, expectOnce: flagTracker(), write: (text: string) => texts.push(text) },
    })
    await layOut(root, typed)
    try {
      await root.parseAsync(withHelp(typed, root), { from: 'user' })
    } catch (error) {
      const complains = error instanceof UsageError || error instanceof UnknownCommand
      if (complains)
        throw await (await import('./usage-messages')).usageProblem(error, { typed, program, words: runner.words })
      if (!(error instanceof HelpShown)) throw error
      if (runner.document) return documentOf(error, program, runner.document)
    }
    return texts.join('')
  }
}

function documentOf({ what, parser }: HelpShown, { version }: Root, help: NonNullable<Runner['document']>) {
  return what === 'version' ? `${JSON.stringify({ version })}\n` : help(pathOf(parser).split(' ').slice(1))
}

/**
 * Turns `help volumes list` into `volumes list --help`, and `help` into `--help`; other words after `help` are topics.
 */
function withHelp(typed: readonly string[], root: Parser): string[] {
  const [first, second] = typed
  if (first === undefined) return ['--help']
  const names = [first, ...root.commands.flatMap(namesOf)]
  const asked = first === 'help' && (second === undefined || names.includes(second))
  return asked ? [...typed.slice(1), '--help'] : [...typed]
}

interface Writer extends Runner {
  /** The command line, word by word. */
  typed: readonly string[]
  expectOnce: ReturnType<typeof flagTracker>
  write(text: string): void
}

function buildParser({ name, description, version, epilogue, entries }: Root, runner: Writer): Parser {
  const root = prepare(new ReportingParser(name), runner)
    .description(description)
    .version(version, '-V, --version', 'Show the version')
    .addHelpText('after', reflow(epilogue, runner.columns))
  return addEntries(addOptions(root, globalOptions, runner), entries, runner)
}

/**
 * Adds entries; each gets its flags and its own entries when it is used: for all commands together that would take 3
 * ms.
 */
function addEntries(parent: Parser, entries: readonly CommandEntry[], runner: Writer, usual?: string): Parser {
  const entryOf = new Map<Parser, CommandEntry>()
  for (const entry of entries) {
    const parser = named(prepare(parent.createCommand(entry.name), runner), entry).description(entry.summary)
    if (entry.heading !== undefined) parser.helpGroup(entry.heading)
    entryOf.set(parser, entry)
    parent.addCommand(parser, { hidden: entry.hidden === true, isDefault: entry.name === usual })
  }
  parent.on('beforeHelp', () => refuseUnknown(parent))
  return parent.hook('preSubcommand', async (_parent, typed) => {
    if (usual !== undefined) refuseUnknown(parent)
    const entry = entryOf.get(typed)
    if (entry) await define(typed, entry, runner)
  })
}

async function define(parser: Parser, entry: CommandEntry, runner: Writer): Promise<void> {
  const { name, commands, defaultCommand, load } = entry
  if (commands) {
    const inner = commands.map((outline) => ({ ...outline, load: async () => within(await load(), outline.name) }))
    await layOut(parser, runner.typed)
    return defineGroup(parser, inner, { ...runner, defaultCommand })
  }
  const command = await load()
  if (isGroup(command)) throw new Error(`the outline knows no commands of ${name}`)
  await layOut(parser, runner.typed, command)
  defineCommand(parser, command, runner)
}

/** Sets the layout of a page, which is loaded if the line may ask for it; groups need it for `--all` only. */
async function layOut(parser: Parser, typed: readonly string[], command?: Command): Promise<void> {
  const isHelp = (word: string) => word === 'help' || word === '--help' || /^-\w*h/.test(word)
  if (!typed.some(isHelp) || !(command || typed.includes('--all'))) return
  parser.configureHelp((await import('./command-help')).layoutOf(command))
}

function within(entry: CommandGroup | Command, name: string): Promise<CommandGroup | Command> {
  const loadIt = isGroup(entry) ? entry.commands[name] : undefined
  if (!loadIt) throw new Error(`the outline has ${name}, which is not in ${entry.name}`)
  return loadIt()
}

function defineGroup(
  parser: Parser,
  entries: readonly CommandEntry[],
  { defaultCommand, ...runner }: Writer & Pick<CommandEntry, 'defaultCommand'>,
): void {
  addEntries(addOptions(parser, globalOptions, runner), entries, runner, defaultCommand)
  // `volumes help create` is `volumes create --help`.
  const help = addOptions(prepare(parser.createCommand('help'), runner), globalOptions, runner)
    .argument('[command...]')
    .option('--all')
  help.action(async (words: string[], { all }: { all?: true }) => {
    await parser.parseAsync([...words, '--help', ...(all ? ['--all'] : [])], { from: 'user' })
  })
  parser.addCommand(help, { hidden: true })
}

/** Throws for an unknown command, for which commander would print the group's help. */
function refuseUnknown(group: Parser): void {
  const [word] = group.args
  if (word === undefined || word.startsWith('-') || group.commands.some((one) => namesOf(one).includes(word))) return
  throw new UnknownCommand(word, group)
}

const namesOf = (parser: Parser): string[] => [parser.name(), ...parser.aliases()]

function defineCommand(parser: Parser, command: Command, runner: Writer): void {
  parser.description([command.summary, ...(command.details ? [command.details] : [])].join('\n\n'))
  const own = optionsOf(command.flags)
  // A command may have its own form of a global flag, with more values.
  const others = globalOptions.filter(({ flag }) => !own.some((option) => option.flag.name === flag.name))
  addOptions(parser, [...own, ...others], runner)
  for (const argument of command.arguments ?? []) parser.argument(shown(argument), argument.description)
  parser.action(async () => {
    if (command.arguments?.some(({ passthrough }) => passthrough)) {
      const { expectPassthrough } = await import('./usage-messages')
      expectPassthrough(command.arguments, parser.args, runner.typed)
    }
    const [, ...words] = pathOf(parser).split(' ')
    await runner.run(command, { arguments: parser.args, flags: givenFlags(parser) }, words.join(' '))
  })
}

/** Returns `<volume...>` for required arguments that may be repeated, `[region]` for optional ones. */
function shown({ name, many, optional }: Argument): string {
  const text = many ? `${name}...` : name
  return optional ? `[${text}]` : `<${text}>`
}

function named(parser: Parser, { aliases, summary }: Outline): Parser {
  return parser.aliases(aliases ?? []).summary(summary)
}

function prepare(parser: Parser, { columns, write }: Writer): Parser {
  parser
    .helpCommand(false)
    .helpOption('-h, --help', 'Show this help')
    .allowExcessArguments(false)
    .enablePositionalOptions()
    .configureHelp(groupLayout)
    .configureOutput({
      getOutHelpWidth: () => columns,
      // skyctl's help has no colors, and commander would open stdout to detect them.
      getOutHasColors: () => false,
      writeOut: write,
      writeErr: () => {},
    })
  return parser
}

function addOptions(parser: Parser, options: readonly SpelledOption[], { typed, expectOnce }: Writer): Parser {
  for (const option of options) {
    parser.addOption(option)
    parser.on(`option:${option.name()}`, (value: string | undefined) => {
      if (value !== undefined) refuseFlag(value, option, parser.options, typed)
      expectOnce(option, value, options)
    })
  }
  return parser
}

/** Returns the flags on the command line, wherever they are; the one nearest to the command wins. */
function givenFlags(parser: Parser): Flags {
  const given: Record<string, Flags[string]> = parser.parent ? { ...givenFlags(parser.parent) } : {}
  for (const [name, value] of Object.entries(parser.opts<Flags>())) {
    if (parser.getOptionValueSource(name) === 'cli') given[name] = value
  }
  return given
}
