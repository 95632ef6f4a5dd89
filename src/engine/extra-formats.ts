/** Formats that only few commands have, such as diagrams and Markdown, in an `output` flag of their own. */
import { Problem } from '../errors'
import { defaultFormat, formatNames, unknownFormat } from '../output/formats'
import { joinNames } from '../rules/texts'
import type { Command, Flag, Flags } from './command'
import { textFlag } from './flag-values'
import { globalFlags } from './flags'

/** Returns the global flag `output` with more formats. */
export function outputFlagWithFormats(more: readonly string[]): Flag[] {
  const values = [...formatNames, ...more]
  return globalFlags
    .filter(({ name }) => name === 'output')
    .map(({ group: _, ...flag }) => ({
      ...flag,
      description: `Print as ${joinNames(more, 'or')}, or in a common format`,
      values,
    }))
}

/**
 * Turns such a format into a flag `extraFormat`; the messages beside it are for people. Returns the flags unchanged for
 * commands without such formats, and throws `usage` for a format that the command does not have either.
 */
export function withExtraFormat(flags: Flags, command: Command): Flags {
  const { output } = flags
  const { values } = command.flags.find(({ name }) => name === 'output') ?? {}
  if (typeof output !== 'string' || flags.json || values === undefined || typeof values === 'string') return flags
  if (values.includes(output)) return { ...flags, output: defaultFormat, extraFormat: output }
  throw unknownFormat(output, '--output', values)
}

const surplus = ['query', 'columns', 'headers', 'raw']

/** Returns the format of its own that a command prints; throws `usage` for flags of other formats beside it. */
export function extraFormatOf(flags: Flags): string | undefined {
  const format = textFlag(flags, 'extraFormat')
  const other = format && surplus.find((name) => flags[name] !== undefined)
  if (!other) return format
  const form = flags[other] === false ? `no-${other}` : other
  throw new Problem('usage', `--${form} and --output ${format} contradict each other`)
}
