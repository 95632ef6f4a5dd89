/** Hints at the end of messages about wrong lines, and changes to the words of a line. */

/** The next step after a mistake. */
export interface Hint {
  /** Sentence without the line: `Did you mean --label?` */
  text: string
  /** The typed line with the correction, word by word. It may have other mistakes. */
  argv?: readonly string[] | undefined
  /** Form of the command, which is shown if there is no whole line. */
  form?: string | undefined
  /** Command behind the line: ` | jq .`. */
  pipe?: string
  /** Complete line with values of an example in place of what is missing. */
  example?: string | undefined
  /** True if the text names nothing but a command, so that the whole line takes its place. */
  isCommand?: true
}

export const hintOf = (hint: string | Hint): Hint => (typeof hint === 'string' ? { text: hint } : hint)

/** A flag that the command does not have, as it is on the line. */
export interface TypedFlag {
  argv: readonly string[]
  /** The word of the line that has the flag: `--name`, `--name=data` or `-n5`. */
  word: string
  /** With its dashes, without a value. */
  flag: string
  /** The value behind `=`, or else the next word, which may be one. */
  value: string | undefined
  isAttached: boolean
}

/** Returns the line with other words in place of a flag; its value is kept. */
export function replaceFlag({ argv, word, value, isAttached }: TypedFlag, words: readonly string[]): string[] {
  const place = argv.indexOf(word)
  const attached = isAttached && value !== undefined ? [value] : []
  return [...argv.slice(0, place), ...words, ...attached, ...argv.slice(place + 1)]
}

/** Returns the line with other words in place of a flag and its value. */
export function replaceFlagAndValue({ argv, word, value, isAttached }: TypedFlag, words: readonly string[]): string[] {
  const place = argv.indexOf(word)
  const length = isAttached || value === undefined ? 1 : 2
  return [...argv.slice(0, place), ...words, ...argv.slice(place + length)]
}

/** Returns the line with other words in place of adjacent ones; undefined if they are not adjacent. */
export function replaceWords(
  argv: readonly string[],
  words: readonly string[],
  others: readonly string[],
): string[] | undefined {
  const isPlace = (_: string, place: number) => words.every((word, index) => argv[place + index] === word)
  const place = argv.findLastIndex(isPlace)
  return place < 0 ? undefined : [...argv.slice(0, place), ...others, ...argv.slice(place + words.length)]
}

/** Proposes another name for a flag. */
export const rename = (flag: TypedFlag, name: string): Hint => ({
  text: `Did you mean ${name}?`,
  argv: replaceFlag(flag, [name]),
})

/** Proposes to leave out a flag that takes no value. */
export const leaveOut = (flag: TypedFlag, why: string): Hint => ({
  text: `Leave out ${flag.flag}: ${why}`,
  argv: replaceFlag(flag, []),
})
