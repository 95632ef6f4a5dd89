/** Flags as commander knows them. */
import { Option } from 'commander'
import type { Flag } from './command'
import { flagText } from './flag-text'

declare module 'commander' {
  interface Option {
    /** Whether this is the flag that was typed. Commander's own, but left out of its types. */
    is(typed: string): boolean
  }
}

/** A flag that may also be spelled in snake_case, or by another name. */
class SpelledOption extends Option {
  constructor(
    readonly flag: Flag,
    negative = false,
  ) {
    const name = `--${negative ? 'no-' : ''}${flag.name}${!negative && flag.value ? ` <${flag.value}>` : ''}`
    super(flag.short && !negative ? `-${flag.short}, ${name}` : name, flagText(flag))
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
    if (super.is(typed)) return true
    if (!this.negate && this.flag.aliases?.some((alias) => typed === `--${alias}`)) return true
    // Asked for each pair of flags when they are added: only what has an underscore is worth another spelling.
    return typed.startsWith('--') && typed.includes('_') && this.is(typed.replaceAll('_', '-'))
  }
}

export function optionsOf(flags: readonly Flag[]): Option[] {
  return flags.flatMap((flag) => [
    ...(flag.negative === 'only' ? [] : [new SpelledOption(flag)]),
    ...(flag.negative ? [new SpelledOption(flag, true)] : []),
  ])
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
