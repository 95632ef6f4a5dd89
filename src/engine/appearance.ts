/** Reads the output format and the use of colour from the command line and the environment. */
import { Problem } from '../errors'
import { type FormatName, formatNamed } from '../output/formats'
import type { ColorChoice } from '../output/style'
import type { Environment } from '../rules/environment'
import type { Flags } from './command'
import { textFlag } from './flag-values'

/** Returns the requested format; undefined without one. Throws `usage` for an unknown one. */
export function namedFormat(flags: Flags, { SKYCTL_OUTPUT: variable }: Environment): FormatName | undefined {
  const output = textFlag(flags, 'output')
  if (flags.json && output !== undefined && output !== 'json') {
    throw new Problem('usage', `--json and --output ${output} contradict each other`)
  }
  if (flags.json) return 'json'
  if (output !== undefined) return formatNamed(output, '--output')
  return variable ? formatNamed(variable, 'SKYCTL_OUTPUT') : undefined
}

const colors: readonly ColorChoice['flag'][] = ['auto', 'always', 'never']

/** Returns the value of `--color`; throws `usage` for an unknown one. */
export function namedColor(flags: Flags): ColorChoice['flag'] {
  return parseColor(textFlag(flags, 'color') ?? 'auto', '--color')
}

/** Parses a value of `--color`; `from` names its source in the error, a flag or a variable. */
export function parseColor(named: string, from: string): ColorChoice['flag'] {
  const known = colors.find((color) => color === named)
  if (known) return known
  throw new Problem('usage', `${from}: "${named}" is not one of ${colors.join(', ')}`)
}
