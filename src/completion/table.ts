/**
 * Commands, flags and values for Tab, as data. The build writes the table from the definitions of all commands, so that an
 * answer loads none of them.
 */

/**
 * Possible values of a flag, an argument or a field: choices, or a source such as `volumes`, `files` or `sort`. Without
 * a source any text is valid, and nothing is completed.
 */
export type CompletionValues = readonly string[] | string

export interface CompletionWord {
  /** The name that is offered, then its aliases. */
  names: readonly string[]
  description: string
}

export interface CompletionFlag extends CompletionWord {
  /** Missing if the flag takes no value. */
  values?: CompletionValues
  /** A value may have several items between commas. */
  commas?: true
  /** The flag may occur again. */
  repeats?: true
}

export interface CompletionArgument {
  values: CompletionValues
  /** All following words are such arguments, too. */
  many?: true
}

/** A field of the records that a command prints. */
export interface CompletionField {
  name: string
  values: CompletionValues
}

/** The root, a group or a command: what may follow it. */
export interface CompletionPlace {
  commands: readonly CompletionWord[]
  /** Indexes in `flags` of the table. */
  flags: readonly number[]
  arguments: readonly CompletionArgument[]
  /** Index in `fields` of the table. */
  fields?: number
}

export interface CompletionTable {
  /** By command words, such as `volumes list`; the root is the empty text. */
  places: Readonly<Record<string, CompletionPlace>>
  /** Flags of all places, each once: most commands share them. */
  flags: readonly CompletionFlag[]
  /** Indexes of the flags that may follow anywhere. */
  globals: readonly number[]
  /** Fields for filters, sorting and columns, each list once. */
  fields: readonly (readonly CompletionField[])[]
}
