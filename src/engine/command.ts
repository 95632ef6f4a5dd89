/** What is typed, as data: help, completions, the reference and the parser are made from these. */
import type { Operation } from '../catalogue/operation'
import type { Session } from '../session'

/** Names that a shell completes: labels of objects of the account, regions, contexts. */
export type NameKind =
  | 'volumes'
  | 'firewalls'
  | 'tokens'
  | 'sshkeys'
  | 'apps'
  | 'computes'
  | 'balancers'
  | 'regions'
  | 'contexts'

/** Fields of the records that a command prints: to choose, to sort by, to filter by. */
export type FieldValues = 'columns' | 'sort' | 'filter'

/** Where a shell finds the values to complete; names of account objects come from the completion cache. */
export type Values = NameKind | FieldValues | 'files' | 'commands' | readonly string[]

export interface Flag {
  /** Without the dashes, in kebab-case: `compute-id`. The snake_case spelling is the same flag. */
  name: string
  short?: string
  /** Other whole names of the same flag. */
  aliases?: readonly string[]
  /** What stands for the value in help, such as `id`; a flag without one is a boolean. */
  value?: string
  description: string
  /** It may be given several times; with `commas` one value may also hold several. */
  list?: 'repeats' | 'commas'
  /** `--no-NAME` exists: besides `--NAME`, or as the only form. */
  negative?: 'also' | 'only'
  values?: Values
  /** It must be given, unless a file that the command takes does. */
  required?: true
  /** What holds where it is not given, as one would type it. */
  usual?: string
  /** Heading in help; without one it is a flag of the command itself. */
  group?: string
}

export interface Argument {
  /** As help shows it: `volume`. */
  name: string
  description: string
  many?: true
  optional?: true
  values?: Values
  /** It must stand behind `--`: whatever looks like a flag there is none of ours. */
  behindDashes?: true
}

/** The values that were given on the command line; a flag that was not given is absent. */
export type Flags = Readonly<Record<string, string | readonly string[] | boolean | undefined>>

export interface Input {
  arguments: readonly string[]
  flags: Flags
}

/** What a file that a command takes looks like, in YAML. */
export interface Form {
  /** Which file: `The file of --rules, as YAML or JSON`. */
  title: string
  text: string
}

export interface Command {
  name: string
  aliases?: readonly string[]
  summary: string
  /** Paragraphs below the summary in help. */
  details?: string
  arguments?: readonly Argument[]
  flags: readonly Flag[]
  /** Whole lines as one would type them, each with what it is for. */
  examples?: readonly { line: string; what: string }[]
  form?: Form
  hidden?: true
  /** A shell runs it for itself: it does not speak of the environment. */
  forShells?: true
  /** It goes on in the background: SIGINT and SIGTERM are its own affair. */
  background?: true
  /** What it asks the service for: tells which scopes a token needs for it. */
  operations?: readonly Operation[]
  /** What the records that it prints are an answer of: tells which fields a shell completes. */
  records?: Operation
  run(input: Input, session: Session): Promise<void>
}

export interface Group {
  name: string
  aliases?: readonly string[]
  summary: string
  /** The command that runs where none is named. */
  usual?: string
  /** By name, in the order of help: each is read when it is typed. */
  commands: Readonly<Record<string, () => Promise<Command | Group>>>
}

/** Commands that are read with their group, since they take little. */
export function atHand(...commands: readonly (Command | Group)[]): Group['commands'] {
  return Object.fromEntries(commands.map((command) => [command.name, async () => command]))
}

/** All that a group has. */
export function commandsOf({ commands }: Group): Promise<(Command | Group)[]> {
  return Promise.all(Object.values(commands).map((load) => load()))
}

export function isGroup(entry: Command | Group): entry is Group {
  return 'commands' in entry
}
