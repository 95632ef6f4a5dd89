/** What can be asked, and what on. Flows take this interface, so that they know no library. */
import type { Background } from './background'
import type { Narrowing } from './narrowing'
import type { Left } from './remaining'

export interface Choice<T> {
  name: string
  value: T
  description?: string
}

/** Says what is wrong with an answer, which is then asked for again. */
export type Check = (text: string) => true | string

export interface Ask {
  text(message: string, options?: { initial?: string; check?: Check }): Promise<string>
  /** What is typed is not shown. */
  secret(message: string, options?: { check?: Check }): Promise<string>
  /** A code that is valid for a while: `left` says how long. */
  code(message: string, options: { left: Left; check: Check }): Promise<string>
  /** An empty answer is no. Who gives a time ends the question when it is over. */
  confirm(message: string, options?: { left?: Left }): Promise<boolean>
  select<T>(message: string, choices: readonly Choice<T>[]): Promise<T>
  /** A choice among many: what is typed narrows it down. */
  search<T>(message: string, find: (typed: string) => readonly Choice<T>[]): Promise<T>
  /** Gives each thing one of the levels; all have the first one unless raised. */
  levels(message: string, options: Levels): Promise<Map<string, string>>
  /** What the questions are shown in. */
  readonly window: Window
  /** Whether that is dark or light; `dark` where neither the terminal nor COLORFGBG tells. */
  background(): Promise<Background>
}

interface Window {
  /** Undefined where the terminal does not tell. */
  columns: number | undefined
  rows: number | undefined
  color: boolean
  /** It shows more than ASCII. */
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
  /** It shows more than ASCII. */
  unicode: boolean
  /** It does what control sequences say: TERM is not `dumb`. */
  commands: boolean
  /** What it does with lines that are longer than its window has become. */
  narrowing: Narrowing
  /** The variable of that name. */
  colorFgBg: string | undefined
  signal: AbortSignal
  /** Stands before what is to be confirmed: the account that it is about, where there are several. */
  account: string
  /** Confirms without asking. */
  yes: boolean
  /** Makes visible what could command the terminal: questions name things as the service sent them. */
  safe(text: string): string
  /** Columns that a text takes. */
  widthOf(text: string): number
}
