/**
 * Configures commander: turns command data into its parser and help. Its errors are those of ./usage-error, which become
 * problems here. No other file runs it.
 */
import type { Command as Parser } from 'commander'
import type { Problem } from '../errors'
import type { Argument, Command, CommandCall, CommandEntry, CommandGroup, Outline, Root } from './command'
import { globalFlags } from './flags'
import type { LineMatch } from './hints/correct-line'
import { optionsOf, type SpelledOption } from './spelled-option'
import { flagTracker, refuseFlag } from './typing-mistakes'
import { HelpShown, pathOf, ReportingParser, typedFlags, UnknownCommand, UsageError } from './usage-error'

interface Reader {
  /** Maximum width of help. */
  columns: number
  /** Topics of help, if the line may name one. */
  topics?: readonly string[]
  /** Returns help on a group or command as one document, if that was requested. */
  document?(words: readonly string[]): Promise<string>
}

/** A command line's meaning. */
export interface ParsedLine {
  /** Text of help or version, if one was requested. */
  text: string
  /** The command to run otherwise. */
  call?: CommandCall & {
    /** Adds to a problem of the command what the words of the line tell about it. */
    explain(problem: Problem): Promise<Problem>
  }
}

/** Shared by the root, the group and the command on the command line. */
const globalOptions = optionsOf(globalFlags)

/**
 * Parses a command line. It knows the outline of every entry, and loads the command on the command line. It turns errors
 * of commander into `usage` problems.
 */
export async function parseArguments(argv: readonly string[], program: Root, reader: Reader): Promise<ParsedLine> {
  const parsed: Parsing['parsed'] = { text: '' }
  const parse = (other: readonly string[]) => parseOther(other, program, reader)
  const line = { argv, program, topics: reader.topics, parse }
  try {
    await parseLine(argv, program, { ...reader, parsed })
  } catch (error) {
    const complains = error instanceof UsageError || error instanceof UnknownCommand
    if (complains) {
      throw await (await import('./hints/usage-problem')).usageProblem(error, line)
    }
    if (!(error instanceof HelpShown)) throw error
    if (reader.document) return { text: await documentOf(error, program, reader.document) }
  }
  const { text, match } = parsed
  if (!match) return { text }
  const explain = async (problem: Problem) =>
    (await import('./hints/split-values')).withSplitValue(problem, match, line)
  return { text, call: { ...match.call, explain } }
}

/** Parses a line, and throws the errors of commander. */
async function parseLine(
  argv: readonly string[],
  program: Root,
  reader: Reader & Pick<Parsing, 'parsed'>,
): Promise<void> {
  const line = withHelp(argv, program)
  const root = buildParser(program, { ...reader, argv, line, expectOnce: flagTracker() })
  await layOut(root, line)
  if (asksForHelp(line))
    root.addHelpText('after', (await import('../output/wrap')).reflow(program.epilogue, reader.columns))
  await root.parseAsync(line, { from: 'user' })
}

/** Parses a line that a hint proposes; undefined for help. */
async function parseOther(argv: readonly string[], program: Root, reader: Reader): Promise<LineMatch | undefined> {
  const parsed: Parsing['parsed'] = { text: '' }
  await parseLine(argv, program, { ...reader, parsed })
  return parsed.match
}

function documentOf({ what, parser }: HelpShown, { version }: Root, help: NonNullable<Reader['document']>) {
  return what === 'version' ? `${JSON.stringify({ version })}\n` : help(pathOf(parser).split(' ').slice(1))
}

/**
 * Turns `help volumes list` into `volumes list --help`, and `help` into `--help`; other words after `help` are topics.
 */
function withHelp(argv: readonly string[], { entries }: Root): string[] {
  const [first, second] = argv
  if (first === undefined) return ['--help']
  const isNext = (entry: Outline) => isNamed(entry, second)
  const namesPage = first === 'help' && (second === undefined || second === first || entries.some(isNext))
  return namesPage ? [...argv.slice(1), '--help'] : [...argv]
}

interface Parsing extends Reader {
  /** The command line, word by word. */
  argv: readonly string[]
  /** The words after the names of groups, if the line begins with these. */
  line: readonly string[]
  /** Result, which commander's callbacks fill. */
  parsed: Pick<ParsedLine, 'text'> & { match?: LineMatch }
  expectOnce: ReturnType<typeof flagTracker>
}

function buildParser({ name, description, version, entries }: Root, parsing: Parsing): Parser {
  const root = prepare(new ReportingParser(name), parsing)
    .description(description)
    .version(version, '-V, --version', 'Show the version')
  return addEntries(addOptions(root, globalOptions, parsing), entries, parsing)
}

/**
 * Adds entries; each gets its settings, its flags and its own entries when it is used: for all commands together that would
 * take 3 ms.
 */
function addEntries(parent: Parser, entries: readonly CommandEntry[], parsing: Parsing, usual?: string): Parser {
  const entryOf = new Map<Parser, CommandEntry>()
  // Only the one that the next word of the line names: creating all of them takes a twentieth of what help adds.
  const match = entries.find((entry) => isNamed(entry, parsing.line[0]))
  for (const entry of match ? [match] : entries) {
    const { name, aliases = [], summary } = entry
    const parser = parent.createCommand(name).aliases(aliases).summary(summary).description(summary)
    if (entry.heading !== undefined) parser.helpGroup(entry.heading)
    entryOf.set(parser, entry)
    parent.addCommand(parser, { hidden: entry.hidden === true, isDefault: entry.name === usual })
  }
  parent.on('beforeHelp', () => refuseUnknown(parent))
  return parent.hook('preSubcommand', async (_parent, subcommand) => {
    if (usual !== undefined) refuseUnknown(parent)
    const entry = entryOf.get(subcommand)
    if (entry) await define(subcommand, entry, parsing)
  })
}

async function define(subcommand: Parser, entry: CommandEntry, parsing: Parsing): Promise<void> {
  const parser = prepare(subcommand, parsing)
  const { name, commands, defaultCommand, load } = entry
  if (commands) {
    const inner = commands.map((outline) => ({ ...outline, load: async () => within(await load(), outline.name) }))
    await layOut(parser, parsing.argv)
    const line = isNamed(entry, parsing.line[0]) ? parsing.line.slice(1) : []
    return defineGroup(parser, inner, { ...parsing, line, defaultCommand })
  }
  const command = await load()
  if ('commands' in command) throw new Error(`the outline knows no commands of ${name}`)
  await layOut(parser, parsing.argv, command)
  defineCommand(parser, command, parsing)
}

/** Sets the layout of a page, which is loaded if the line may ask for it. Groups need that of commands for `--all` only. */
async function layOut(parser: Parser, argv: readonly string[], command?: Command): Promise<void> {
  if (!asksForHelp(argv)) return
  const isLong = command !== undefined || argv.includes('--all')
  parser.configureHelp(
    isLong ? (await import('./command-help')).layoutOf(command) : (await import('./help')).groupLayout,
  )
}

const asksForHelp = (argv: readonly string[]) =>
  argv.some((word) => word === 'help' || word === '--help' || /^-\w*h/.test(word))

function within(entry: CommandGroup | Command, name: string): Promise<CommandGroup | Command> {
  const loadIt = 'commands' in entry ? entry.commands[name] : undefined
  if (!loadIt) throw new Error(`the outline has ${name}, which is not in ${entry.name}`)
  return loadIt()
}

function defineGroup(
  parser: Parser,
  entries: readonly CommandEntry[],
  { defaultCommand, ...parsing }: Parsing & Pick<CommandEntry, 'defaultCommand'>,
): void {
  addEntries(addOptions(parser, globalOptions, parsing), entries, parsing, defaultCommand)
  // `volumes help create` is `volumes create --help`.
  const help = addOptions(prepare(parser.createCommand('help'), parsing), globalOptions, parsing)
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

const isNamed = ({ name, aliases = [] }: Outline, word = '') => name === word || aliases.includes(word)

const namesOf = (parser: Parser): string[] => [parser.name(), ...parser.aliases()]

function defineCommand(parser: Parser, command: Command, parsing: Parsing): void {
  parser.description([command.summary, ...(command.details ? [command.details] : [])].join('\n\n'))
  const own = optionsOf(command.flags)
  // A command may have its own form of a global flag, with more values.
  const others = globalOptions.filter(({ flag }) => !own.some((option) => option.flag.name === flag.name))
  addOptions(parser, [...own, ...others], parsing)
  for (const argument of command.arguments ?? []) parser.argument(shown(argument), argument.description)
  parser.action(async () => {
    const [, ...words] = pathOf(parser).split(' ')
    const input = { arguments: parser.args, flags: typedFlags(parser) }
    const match = { call: { command, input, words: words.join(' ') }, parser }
    const { arguments: parameters = [] } = command
    const hasPlaces = parameters.length === 1 || parameters.some(({ passthrough }) => passthrough)
    if (hasPlaces && parser.args.length > 1) await (await import('./surplus-targets')).expectPlaces(match, parsing.argv)
    parsing.parsed.match = match
  })
}

/** Returns `<volume...>` for required arguments that may be repeated, `[region]` for optional ones. */
function shown({ name, many, optional }: Argument): string {
  const text = many ? `${name}...` : name
  return optional ? `[${text}]` : `<${text}>`
}

function prepare(parser: Parser, { columns, parsed }: Parsing): Parser {
  parser
    .helpCommand(false)
    .helpOption('-h, --help', 'Show this help')
    .allowExcessArguments(false)
    .enablePositionalOptions()
    .configureOutput({
      getOutHelpWidth: () => columns,
      // skyctl's help has no colors, and commander would open stdout to detect them.
      getOutHasColors: () => false,
      writeOut: (text) => {
        parsed.text += text
      },
      writeErr: () => {},
    })
  return parser
}

function addOptions(parser: Parser, options: readonly SpelledOption[], { argv, expectOnce }: Parsing): Parser {
  for (const option of options) {
    parser.addOption(option)
    parser.on(`option:${option.name()}`, (value: string | undefined) => {
      if (value !== undefined) refuseFlag(value, option, parser.options, argv)
      expectOnce(option, value, { parser, options })
    })
  }
  return parser
}
