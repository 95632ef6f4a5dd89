/**
 * The one place that knows commander: it turns commands as data into its parser and its help, and its complaints
 * into problems.
 */
import { CommanderError, Option, Command as Parser } from 'commander'
import { Problem } from '../errors'
import { didYouMean } from '../rules/nearest'
import { type Argument, type Command, type Flag, type Flags, type Group, type Input, isGroup } from './command'
import { globalFlags } from './flags'

/** A group whose commands are read only when one of them is typed. */
export interface LazyGroup {
  name: string
  aliases?: readonly string[]
  summary: string
  load(): Promise<Group>
}

export interface Runner {
  run(command: Command, input: Input): Promise<void>
  writeHelp(text: string): void
  columns: number
}

/** A flag that may also be spelled in snake_case, or by another name. */
class SpelledOption extends Option {
  constructor(
    readonly flag: Flag,
    negative = false,
  ) {
    const name = `--${negative ? 'no-' : ''}${flag.name}${!negative && flag.value ? ` <${flag.value}>` : ''}`
    super(flag.short && !negative ? `-${flag.short}, ${name}` : name, flag.description)
    if (flag.list && !negative) {
      const split = flag.list === 'commas' ? listed : (text: string) => [text]
      this.argParser((text: string, before: string[] | undefined) => [...(before ?? []), ...split(text)])
    }
    this.helpGroup(`${flag.group ?? 'Flags'}:`)
  }

  override attributeName(): string {
    return this.flag.name
  }

  override is(typed: string): boolean {
    if (!typed.startsWith('--')) return super.is(typed)
    const spelled = typed.replaceAll('_', '-')
    return super.is(spelled) || (!this.negate && (this.flag.aliases ?? []).some((alias) => spelled === `--${alias}`))
  }
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** The whole parser: a summary for every group, and the commands of the one that is typed. */
export function buildParser(
  name: string,
  description: string,
  entries: readonly (LazyGroup | Command)[],
  runner: Runner,
): Parser {
  const root = prepare(new Parser(name), runner).description(description).usage('<group> <verb> [target...] [flags]')
  root.enablePositionalOptions()
  for (const entry of entries) {
    if ('load' in entry) {
      const group = named(prepare(root.createCommand(entry.name), runner), entry)
      group.description(entry.summary)
      root.addCommand(group, { hidden: false })
      root.hook('preSubcommand', async (_root, typed) => {
        if (typed === group) fill(group, await entry.load(), runner)
      })
    } else addCommand(root, entry, runner)
  }
  return root
}

function fill(parser: Parser, group: Group, runner: Runner): void {
  for (const entry of group.commands) {
    if (!isGroup(entry)) {
      addCommand(parser, entry, runner)
      continue
    }
    const inner = named(prepare(parser.createCommand(entry.name), runner), entry).description(entry.summary)
    fill(inner, entry, runner)
    parser.addCommand(inner)
  }
}

function addCommand(parent: Parser, command: Command, runner: Runner): void {
  const parser = named(prepare(parent.createCommand(command.name), runner, command.flags), command)
  parser.description(command.details ? `${command.summary}\n\n${command.details}` : command.summary)
  for (const argument of command.arguments ?? []) parser.argument(shown(argument), argument.description)
  if (command.examples) {
    const lines = command.examples.map(({ line, what }) => `  # ${what}\n  ${line}`)
    parser.addHelpText('after', `\nExamples:\n${lines.join('\n\n')}`)
  }
  parser.action(async () => {
    await runner.run(command, { arguments: parser.args, flags: givenFlags(parser) })
  })
  parent.addCommand(parser, { hidden: command.hidden ?? false })
}

/** `<volume...>`: required and many; `[region]`: optional. */
function shown({ name, many, optional }: Argument): string {
  const text = many ? `${name}...` : name
  return optional ? `[${text}]` : `<${text}>`
}

function named(parser: Parser, { aliases, summary }: { aliases?: readonly string[]; summary: string }): Parser {
  return parser.aliases(aliases ?? []).summary(summary)
}

function prepare(parser: Parser, runner: Runner, flags: readonly Flag[] = []): Parser {
  parser
    .helpCommand(false)
    .helpOption('-h, --help', 'Show this help')
    .allowExcessArguments(false)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: runner.writeHelp,
      writeErr: () => {},
      getOutHelpWidth: () => runner.columns,
      getErrHelpWidth: () => runner.columns,
    })
  for (const flag of [...flags, ...globalFlags]) {
    if (flag.negative !== 'only') parser.addOption(new SpelledOption(flag))
    if (flag.negative) parser.addOption(new SpelledOption(flag, true))
  }
  return parser
}

/** What was typed, wherever it stood in the line; the flag nearest to the command wins. */
function givenFlags(parser: Parser): Flags {
  const given: Record<string, string | string[] | boolean> = parser.parent ? { ...givenFlags(parser.parent) } : {}
  for (const [name, value] of Object.entries(parser.opts<Record<string, string | string[] | boolean>>())) {
    if (parser.getOptionValueSource(name) === 'cli') given[name] = value
  }
  return given
}

/** Parses a line and runs its command; complaints of the parser come out as problems of usage. */
export async function parse(root: Parser, argv: readonly string[]): Promise<void> {
  try {
    await root.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return
    throw complaint(root, argv, error)
  }
}

function complaint(root: Parser, argv: readonly string[], error: CommanderError): Problem {
  const parser = typedCommand(root, argv)
  const help = `${path(parser)} --help`
  const [said = '', suggestion] = error.message.replace(/^error: /, '').split('\n')
  if (error.code === 'commander.help') {
    return new Problem('usage', `${path(parser)} needs a command`, { hint: `See ${help}` })
  }
  if (error.code === 'commander.unknownCommand') {
    const typed = /'(.*)'/s.exec(said)?.[1] ?? ''
    const names = parser.commands.flatMap((command) => [command.name(), ...command.aliases()])
    const hint = didYouMean(typed, names) ?? `See ${help}`
    return new Problem('usage', `unknown command "${typed}" for ${path(parser)}`, { hint })
  }
  const hint = suggestion?.replace(/^\((.*)\)$/, '$1') ?? `See ${help}`
  return new Problem('usage', said.replaceAll("'", '"').replace(/\.$/, ''), { hint })
}

/** The deepest command whose words stand in the line. */
function typedCommand(root: Parser, argv: readonly string[]): Parser {
  let parser = root
  for (const word of argv) {
    const next = parser.commands.find((command) => command.name() === word || command.aliases().includes(word))
    if (next) parser = next
  }
  return parser
}

function path(parser: Parser): string {
  return parser.parent ? `${path(parser.parent)} ${parser.name()}` : parser.name()
}
