/** Hints at the end of messages about wrong lines, and changes to the words of a line. */
import type { Command as Parser } from 'commander'
import type { Command } from '../command'

/** The next step after a mistake. */
export interface Hint {
  /** Sentence without the line: `Did you mean --label?` */
  text: string
  /** The typed line with the correction, word by word. It may have other mistakes. */
  argv?: readonly string[] | undefined
  /** Form of the command, which is shown if there is no whole line. */
  form?: string | undefined
  /** Command before the line, whose output it reads: `skyctl volumes list --quiet | `. */
  before?: string
  /** Command behind the line: ` | jq .`. */
  pipe?: string
  /** Complete line with values of an example in place of what is missing. */
  example?: string | undefined
  /** True if the text names nothing but a command, so that the whole line takes its place. */
  isCommand?: true
}

/** A line with a mistake, and the parser that found it. */
export interface WrongLine {
  argv: readonly string[]
  parser: Parser
  /** The command of the line; undefined for a group. */
  command: Command | undefined
}

/** A flag that the command does not have. */
export interface UnknownFlag extends WrongLine {
  /** The word of the line that has the flag: `--name`, `--name=data` or `-n5`. */
  word: string
  /** With its dashes, without a value. */
  flag: string
  /** The value behind `=`, or else the next word, which may be one. */
  value: string | undefined
  isAttached: boolean
}

/** Returns a hint for a mistake; undefined if the rule is about others. */
export type Rule<Mistake> = (mistake: Mistake) => string | Hint | undefined

/** Returns the hint of the first rule that has one. */
export function firstHint<Mistake>(rules: readonly Rule<Mistake>[], mistake: Mistake): Hint | undefined {
  for (const rule of rules) {
    const hint = rule(mistake)
    if (hint !== undefined) return hintOf(hint)
  }
  return undefined
}

export const hintOf = (hint: string | Hint): Hint => (typeof hint === 'string' ? { text: hint } : hint)

/** Returns the line with other words in place of a flag; its value is kept. */
export function replaceFlag({ argv, word, value, isAttached }: UnknownFlag, words: readonly string[]): string[] {
  const attached = isAttached && value !== undefined ? [value] : []
  return argv.toSpliced(argv.indexOf(word), 1, ...words, ...attached)
}

/** Returns the line with other words in place of a flag and its value. */
export function replaceFlagAndValue(unknown: UnknownFlag, words: readonly string[]): string[] {
  const { argv, word, value, isAttached } = unknown
  return argv.toSpliced(argv.indexOf(word), isAttached || value === undefined ? 1 : 2, ...words)
}

/** Returns the line with other words in place of adjacent ones; undefined if they are not adjacent. */
export function replaceWords(
  argv: readonly string[],
  words: readonly string[],
  others: readonly string[],
): string[] | undefined {
  const place = argv.findLastIndex((_, start) => words.every((word, index) => argv[start + index] === word))
  return place < 0 ? undefined : argv.toSpliced(place, words.length, ...others)
}

/** Returns the line with another command of the same group. */
export function replaceVerb({ argv, parser }: WrongLine, verb: string): string[] {
  const place = argv.findIndex((word) => word === parser.name() || parser.aliases().includes(word))
  return argv.toSpliced(place, 1, verb)
}

/** Proposes another name for a flag. */
export const rename = (flag: UnknownFlag, name: string): Hint => ({
  text: `Did you mean ${name}?`,
  argv: replaceFlag(flag, [name]),
})

export const has = (command: Command | undefined, name: string) =>
  command?.flags.some((one) => one.name === name) === true

/** Reports whether a command changes or shows several objects that it is given by name. */
export const takesNames = ({ command }: UnknownFlag) =>
  command?.arguments?.some(({ many, values }) => many && typeof values === 'string' && values !== 'files') === true

/** `volumes attach data-1 --id 1001`: the volume is there already. */
export const hasTarget = ({ parser: { args } }: UnknownFlag) => /^[^-]/.test(args[0] ?? '')
