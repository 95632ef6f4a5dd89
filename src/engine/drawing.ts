/** Formats of pictures, which only few commands have, in an `output` flag of their own. */
import { defaultFormat, unknownFormat } from '../output/formats'
import type { Command, Flags } from './command'

/**
 * Turns such a format into a flag `drawing`; the messages beside it are for people. Returns the flags unchanged for
 * commands without pictures, and throws `usage` for a format that the command does not have either.
 */
export function withDrawing(flags: Flags, command: Command): Flags {
  const { output } = flags
  const { values } = command.flags.find(({ name }) => name === 'output') ?? {}
  if (typeof output !== 'string' || flags.json || values === undefined || typeof values === 'string') return flags
  if (values.includes(output)) return { ...flags, output: defaultFormat, drawing: output }
  throw unknownFormat(output, '--output', values)
}
