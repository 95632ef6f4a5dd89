/**
 * The one place that knows commander: it turns commands as data into its parser and its help, and its complaints
 * into problems.
 */
import { Command as Parser } from 'commander'
import { reflow } from '../output/reflow'
import { wrap } from '../output/wrap'
import { paragraphsOf } from './access'
import { expectBehindDashes } from './behind-dashes'
import { type Argument, type Command, type Flags, type Group, type Input, isGroup } from './command'
import { Asked, Complained, UnknownCommand } from './complained'
import { continued } from './example'
import { globalFlags } from './flags'
import { helpLayout, pathOf } from './help'
import { refuseFlag } from './missing-value'
import { flagTracker } from './repeated-flags'
import { optionsOf, type SpelledOption } from './spelled-option'
import type { Words } from './unknown-command'

/** What help says of a group or a command above it. */
export interface Outline {
  name: string
  aliases?: readonly string[] | undefined
  summary: string
  hidden?: boolean | undefined
  /** The command of a group that runs where none is named. */
  usual?: string | undefined
  /** Of a group. */
  commands?: readonly Outline[] | undefined
}

/** A group or a command, read only when a command is typed. */
export interface Entry extends Outline {
  load(): Promise<Group | Command>
}

export interface Root {
  name: string
  description: string
  version: string
  /** Stands below the list of commands in help. */
  epilogue: string
  entries: readonly Entry[]
}

interface Runner {
  /** `words` lead to the command: `volumes update`. */
  run(command: Command, input: Input, words: string): Promise<void>
  /** How wide help may be. */
  columns: number
  /** Read where an unknown command is typed. */
  words(): Promise<Words>
  /** What help on the group or command of these words is, where it is wanted as one document. */
  document?(words: readonly string[]): Promise<string>
}

/** The same for the root, the group and the command that are typed. */
const globalOptions = optionsOf(globalFlags)

/** Runs a command line; resolves to the help or version text where that was asked for. */
type Parse = (argv: readonly string[]) => Promise<string>

/**
 * Makes the parser: it knows the outline of every entry, and reads the command that is typed.
 * Complaints of commander come out as problems of usage.
 */
export function createParser(program: Root, runner: Runner): Parse {
  const texts: string[] = []
  return async (typed) => {
    const root = buildParser(program, {
      ...runner,
      ...{ typed, expectOnce: flagTracker(), write: (text: string) => texts.push(text) },
    })
    try {
      await root.parseAsync(withHelp(typed, root), { from: 'user' })
    } catch (error) {
      const complains = error instanceof Complained || error instanceof UnknownCommand
      if (complains) throw await (await import('./complaint')).problemOf(error, runner.words)
      if (!(error instanceof Asked)) throw error
      if (runner.document) return documentOf(error, program, runner.document)
    }
    return texts.join('')
  }
}

function documentOf({ what, parser }: Asked, { version }: Root, help: (words: readonly string[]) => Promise<string>) {
  return what === 'version' ? `${JSON.stringify({ version })}\n` : help(pathOf(parser).split(' ').slice(1))
}

/** `help volumes list` is `volumes list --help`, and `help` that of the root; other words after `help` are topics. */
function withHelp(typed: readonly string[], root: Parser): string[] {
  const [first, second] = typed
  if (first === undefined) return ['--help']
  const names = [first, ...root.commands.flatMap(namesOf)]
  const asked = first === 'help' && (second === undefined || names.includes(second))
  return asked ? [...typed.slice(1), '--help'] : [...typed]
}

interface Writer extends Runner {
  /** The line, word by word. */
  typed: readonly string[]
  expectOnce: ReturnType<typeof flagTracker>
  write(text: string): void
}

function buildParser({ name, description, version, epilogue, entries }: Root, runner: Writer): Parser {
  const root = prepare(new Parser(name), runner)
    .description(description)
    .version(version, '-V, --version', 'Show the version')
    .addHelpText('after', reflow(epilogue, runner.columns))
  return addEntries(addOptions(root, globalOptions, runner), entries, runner)
}

/** Each entry gets its flags and its own entries when it is typed: those of all commands together take 3 ms. */
function addEntries(parent: Parser, entries: readonly Entry[], runner: Writer, usual?: string): Parser {
  const entryOf = new Map<Parser, Entry>()
  for (const entry of entries) {
    const parser = named(prepare(parent.createCommand(entry.name), runner), entry).description(entry.summary)
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

async function define(parser: Parser, { name, commands, usual, load }: Entry, runner: Writer): Promise<void> {
  if (commands) {
    const inner = commands.map((outline) => ({ ...outline, load: async () => within(await load(), outline.name) }))
    return defineGroup(parser, inner, { ...runner, usual })
  }
  const command = await load()
  if (isGroup(command)) throw new Error(`the outline knows no commands of ${name}`)
  defineCommand(parser, command, runner)
}

function within(entry: Group | Command, name: string): Promise<Group | Command> {
  const loadIt = isGroup(entry) ? entry.commands[name] : undefined
  if (!loadIt) throw new Error(`the outline has ${name}, which is not in ${entry.name}`)
  return loadIt()
}

function defineGroup(
  parser: Parser,
  entries: readonly Entry[],
  { usual, ...runner }: Writer & Pick<Entry, 'usual'>,
): void {
  addEntries(addOptions(parser, globalOptions, runner), entries, runner, usual)
  // `volumes help create` is `volumes create --help`.
  const help = addOptions(prepare(parser.createCommand('help'), runner), globalOptions, runner).argument('[command...]')
  help.action(async (words: string[]) => {
    await parser.parseAsync([...words, '--help'], { from: 'user' })
  })
  parser.addCommand(help, { hidden: true })
}

/** Help on a word that is no command would be that of the group, as if it were one. */
function refuseUnknown(group: Parser): void {
  const [word] = group.args
  if (word === undefined || word.startsWith('-') || group.commands.some((one) => namesOf(one).includes(word))) return
  throw new UnknownCommand(word, group)
}

const namesOf = (parser: Parser): string[] => [parser.name(), ...parser.aliases()]

function defineCommand(parser: Parser, command: Command, runner: Writer): void {
  parser.description([command.summary, ...paragraphsOf(command)].join('\n\n'))
  addOptions(parser, [...optionsOf(command.flags), ...globalOptions], runner)
  for (const argument of command.arguments ?? []) parser.argument(shown(argument), argument.description)
  if (command.form) parser.addHelpText('after', `\n${command.form.title}:\n${indented([command.form.text])}`)
  if (command.examples) {
    const width = runner.columns - 2
    const lines = command.examples.flatMap(({ line, what }) => [
      wrap(`# ${what}`, width, '# '),
      continued(line, width),
      '',
    ])
    parser.addHelpText('after', `\nExamples:\n${indented(lines.slice(0, -1))}`)
  }
  parser.action(async () => {
    expectBehindDashes(command.arguments ?? [], parser.args, runner.typed)
    const [, ...words] = pathOf(parser).split(' ')
    await runner.run(command, { arguments: parser.args, flags: givenFlags(parser) }, words.join(' '))
  })
}

function indented(texts: readonly string[]): string {
  return texts.join('\n').replaceAll(/^(?=.)/gm, '  ')
}

/** `<volume...>`: required and many; `[region]`: optional. */
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
    .exitOverride((error) => {
      if (error.exitCode !== 0) throw new Complained(parser, error)
      throw new Asked(parser, error.code === 'commander.version' ? 'version' : 'help')
    })
    .configureHelp(helpLayout)
    .configureOutput({
      getOutHelpWidth: () => columns,
      // There are none in ours, and commander would open stdout to know.
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
      if (value !== undefined) refuseFlag(value, option, options, typed)
      expectOnce(option, value, options)
    })
  }
  return parser
}

/** What was typed, wherever it stood in the line; the flag nearest to the command wins. */
function givenFlags(parser: Parser): Flags {
  const given: Record<string, Flags[string]> = parser.parent ? { ...givenFlags(parser.parent) } : {}
  for (const [name, value] of Object.entries(parser.opts<Flags>())) {
    if (parser.getOptionValueSource(name) === 'cli') given[name] = value
  }
  return given
}
