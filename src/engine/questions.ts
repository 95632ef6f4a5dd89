/** Interface for questions to the user. Flows use it, and so depend on no library. */

export interface PromptChoice<T> {
  name: string
  value: T
  description?: string
}

/** Validates an answer: true, or the reason to ask again. */
export type InputCheck = (text: string) => true | string

/** Returns the time that is left, such as `9:41`; called when the question is asked. */
export type Left = () => string

export interface Prompts {
  text(message: string, options?: { initial?: string; check?: InputCheck }): Promise<string>
  /** Reads a secret without echo. */
  secret(message: string, options?: { check?: InputCheck }): Promise<string>
  /** Reads a code with limited validity; `left` returns the remaining time. */
  code(message: string, options: { left: Left; check: InputCheck }): Promise<string>
  /** Asks yes or no; an empty answer means no. A caller that sets `left` must cancel the question on expiry. */
  confirm(message: string, options?: { left?: Left }): Promise<boolean>
  select<T>(message: string, choices: readonly PromptChoice<T>[]): Promise<T>
  /** Selects from many choices, filtered by the typed text. */
  search<T>(message: string, find: (text: string) => readonly PromptChoice<T>[]): Promise<T>
  /** Assigns one of the levels to each item; the default is the first. */
  levels(message: string, options: Levels): Promise<Map<string, string>>
  readonly window: Window
}

/** Number of colours: 0 without control sequences, the 16 that themes define, or also those that no theme changes. */
export type PaletteSize = 0 | 16 | 256

export interface Window {
  /** Size of the window; undefined if unknown. */
  columns: number | undefined
  rows: number | undefined
  colors: PaletteSize
  /** True if the terminal supports UTF-8. */
  unicode: boolean
}

interface Levels {
  things: readonly string[]
  levels: readonly string[]
  check: (levels: ReadonlyMap<string, string>) => true | string
}

export interface Terminal {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  color: boolean
  /** True if the terminal has the colours of 256-colour palettes. */
  manyColors: boolean
  /** True if the terminal supports UTF-8. */
  unicode: boolean
  /** True if the terminal supports control sequences: TERM is not `dumb`. */
  commands: boolean
  signal: AbortSignal
  /** Prefix of confirmations: the account concerned, if there are several. */
  account: string
  /** True to confirm everything without asking. */
  yes: boolean
  /** Escapes control characters, because questions contain names sent by the service. */
  safe(text: string): string
  /** Breaks a text between words where the window is too narrow for it. */
  wrapText(text: string): string
}
