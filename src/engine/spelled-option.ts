/** Defines flags for commander. */
import { Option } from 'commander'
import { Problem } from '../errors'
import type { Flag } from './command'

declare module 'commander' {
  interface Option {
    /** Reports whether `text` is this flag. Part of commander, but missing in its types. */
    is(text: string): boolean
  }
}

/** A flag with its snake_case spelling, its aliases and its old names. */
export class SpelledOption extends Option {
  constructor(
    readonly flag: Flag,
    negative = false,
  ) {
    const name = `--${negative ? 'no-' : ''}${flag.name}${!negative && flag.value ? ` <${flag.value}>` : ''}`
    super(flag.short && !negative ? `-${flag.short}, ${name}` : name, flagText(flag))
    if (flag.list && !negative) {
      // The value is false if `--no-…` came before it.
      this.argParser((text: string, before: string[] | false | undefined) => [
        ...(before || []),
        ...itemsOf(text, flag),
      ])
    }
    // Parsers of other tools take `-o=json` as well as `-ojson`.
    else if (flag.short && flag.value) this.argParser((text: string) => text.replace(/^=/, ''))
    this.helpGroup(`${flag.group ?? 'Flags'}:`)
    this.hidden = flag.hidden === true
  }

  override attributeName(): string {
    return this.flag.name
  }

  override is(text: string): boolean {
    if (super.is(text)) return true
    const isTyped = (other: string) => text === `--${other}`
    if (!this.negate && (this.flag.aliases?.some(isTyped) || this.flag.oldNames?.some(isTyped))) return true
    // Called for each pair of flags when they are added, so other spellings are only tried if there is an underscore.
    return text.startsWith('--') && text.includes('_') && this.is(text.replaceAll('_', '-'))
  }
}

export function optionsOf(flags: readonly Flag[]): SpelledOption[] {
  return flags.flatMap((flag) => [
    ...(flag.negative === 'only' ? [] : [new SpelledOption(flag)]),
    ...(flag.negative ? [new SpelledOption(flag, true)] : []),
  ])
}

/** Throws `usage` for empty items: an unset variable must not empty an existing list. */
function itemsOf(text: string, { list, name }: Flag): string[] {
  const items = (list === 'commas' ? text.split(',').map((item) => item.trim()) : [text]).filter((item) => item !== '')
  if (items.length > 0) return items
  throw new Problem('usage', `--${name}: "${text}" is empty`, {
    hint: 'Leave the flag out. To empty a list, use its --no- flag, such as --no-tags',
  })
}

const repeats = { repeats: ' (repeatable)', commas: ' (repeatable, or a,b)' }

/** Returns the description of a flag for help and other documents. */
export function flagText({ description, list, required, defaultText }: Flag): string {
  const repeated = list === undefined ? '' : repeats[list]
  return `${description}${repeated}${required ? ' (required)' : ''}${defaultText === undefined ? '' : ` (default ${defaultText})`}`
}
