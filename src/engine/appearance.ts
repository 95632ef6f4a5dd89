/** In which form, and how coloured, the command line and the environment want the output. */
import { Problem } from '../errors'
import { type FormatName, formatNamed } from '../output/formats'
import type { ColorChoice } from '../output/style'
import type { Environment } from '../rules/environment'
import type { Flags } from './command'
import { textFlag } from './flag-values'

/** Undefined where neither names one; throws `usage` for one that is none. */
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

/** What `--color` says; throws `usage` for what makes no sense. */
export function namedColor(flags: Flags): ColorChoice['flag'] {
  return parseColor(textFlag(flags, 'color') ?? 'auto', '--color')
}

/** The same of a text that `from` names: the flag, or the variable in its place. */
export function parseColor(named: string, from: string): ColorChoice['flag'] {
  const known = colors.find((color) => color === named)
  if (known) return known
  throw new Problem('usage', `${from}: "${named}" is not one of ${colors.join(', ')}`)
}
