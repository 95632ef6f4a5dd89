/** Commands as data, for help, completions, the reference and the parser. */
import type { NameKind } from '../account/resource'
import type { Operation } from '../catalogue/operation'
import type { Session } from './session'

/** Fields of a command's records, as values of `--columns`, `--sort` and `--filter`. */
export type FieldValues = 'columns' | 'sort' | 'filter'

/** Completion values of a flag or argument; names of account objects come from the completion cache. */
export type Values = NameKind | FieldValues | 'files' | 'commands' | readonly string[]

/** Headings of flags that many commands share. Help names each group in one line, with the topic that explains it. */
export type FlagGroup =
  | 'Paging flags'
  | 'Wait flags'
  | 'Bulk flags'
  | 'Rule safety flags'
  | 'Output flags'
  | 'Global flags'

export interface Flag {
  /** Without dashes, in kebab-case: `compute-id`. The snake_case spelling works too. */
  name: string
  short?: string
  /** Other names of the flag. */
  aliases?: readonly string[]
  /** Names of earlier versions; they work, but help, completion and reference leave them out. */
  oldNames?: readonly string[]
  /** Placeholder for the value in help, such as `id`; a flag without one is a boolean. */
  value?: string
  /** Stands for the value in proposed lines: only the reader knows it. */
  standIn?: string
  description: string
  /** The flag may be repeated; with `commas` one value may have several items. */
  list?: 'repeats' | 'commas'
  /** `--no-NAME` exists: besides `--NAME`, or instead of it. */
  negative?: 'also' | 'only'
  values?: Values
  /** Required, unless a file has the value. */
  required?: true
  /** Default value, as a user would type it. */
  defaultText?: string
  /** Group of shared flags; without one it is among the command's own flags. */
  group?: FlagGroup
  /** Accepted, but not shown: it has no effect that users need, or an earlier version had it. */
  hidden?: true
  /** Shown by `--help --all`, completion and the reference only: few users need it. */
  rare?: true
}

export interface Argument {
  /** Name in help: `volume`. */
  name: string
  description: string
  many?: true
  optional?: true
  values?: Values
  /** Must follow `--`: words there are never flags of skyctl. */
  passthrough?: true
  /** Shown by `--help --all` and the reference only: the page has it in its text, or its name says it all. */
  rare?: true
}

/** Flags on the command line; others are absent. */
export type Flags = Readonly<Record<string, string | readonly string[] | boolean | undefined>>

export interface Input {
  arguments: readonly string[]
  flags: Flags
}

/** A command with its input. */
export interface CommandCall {
  command: Command
  input: Input
  /** The command's name: `volumes update`. */
  words: string
}

/** Flags of the command line, and the session in which the command runs. */
export interface CommandInput {
  flags: Flags
  session: Session
}

/** A line that a user typed, and the program that it is a line of. */
export interface Invocation extends Input {
  program: Root
}

/** Template of a file that a command reads, in YAML. */
export interface FileExample {
  /** Title of the file: `The file of --file, as YAML or JSON`. */
  title: string
  text: string
  /** Help topic that explains the file. */
  topic: string
}

export interface Command {
  name: string
  aliases?: readonly string[]
  summary: string
  /** Paragraphs below the summary in help. */
  details?: string
  /** Further paragraphs, for `--help --all` and the reference. */
  moreDetails?: string
  arguments?: readonly Argument[]
  flags: readonly Flag[]
  /** Returns what wrong arguments mean, such as a method and a path for `volumes`; undefined for others. */
  argumentsMeant?(
    words: readonly string[],
    flags: Flags,
  ): readonly string[] | undefined | Promise<readonly string[] | undefined>
  /** Returns the flags that a line needs because of its other words, such as `--for` without a command. */
  lacks?(input: Input): readonly string[]
  /** Reports whether a line is refused with `--yes`: somebody has to see its question. */
  needsQuestion?(input: Input): boolean
  /** Whole command lines, each with its purpose. */
  examples?: readonly { line: string; what: string }[]
  form?: FileExample
  hidden?: true
  /** True if it asks before it acts, with some of its flags at least; `--yes` answers. */
  asks?: true
  /** True if shells run it: it prints no warnings about the environment. */
  forShells?: true
  /** True if it runs in the background and handles SIGINT and SIGTERM itself. */
  background?: true
  /** Output that goes through a pager if it is longer than the screen: the command changes nothing and asks nothing. */
  paged?: true | 'long help'
  /** Requests of the command: define the required token scopes. */
  operations?: readonly Operation[]
  /** Data that decides about its requests, if no list of operations can name them: `the changes that it undoes`. */
  requestsDependOn?: string
  /** Operation whose answer the command prints: defines the fields that a shell completes. */
  records?: Operation
  run(invocation: Invocation, session: Session): Promise<void>
}

export interface CommandGroup {
  name: string
  aliases?: readonly string[]
  summary: string
  /** Default command of the group. */
  defaultCommand?: string
  /** By name, in the order of help; each is loaded when it is used. */
  commands: Readonly<Record<string, () => Promise<Command | CommandGroup>>>
}

/** Data of a group or a command for help above it. */
export interface Outline {
  name: string
  aliases?: readonly string[] | undefined
  summary: string
  hidden?: boolean | undefined
  /** Default command of a group. */
  defaultCommand?: string | undefined
  /** Commands of a group. */
  commands?: readonly Outline[] | undefined
}

/** A group or a command that is loaded when it is used. */
export interface CommandEntry extends Outline {
  /** Heading above it in the help of the root. */
  heading?: string
  load(): Promise<CommandGroup | Command>
}

export interface Root {
  name: string
  description: string
  version: string
  /** Text below the list of commands in help. */
  epilogue: string
  entries: readonly CommandEntry[]
}
