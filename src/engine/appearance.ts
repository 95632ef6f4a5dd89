/** Reads the output format and the use of colour from the command line and the environment. */
import { Problem } from '../errors'
import { type FormatName, formatNamed, isFormat, isJson } from '../output/formats'
import type { ColorChoice } from '../output/style'
import type { Environment } from '../rules/environment'
import type { Flags } from './command'
import { choiceFlag, parseChoice, textFlag } from './flag-values'

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

export const namedColor = (flags: Flags): ColorChoice['flag'] => choiceFlag(flags, 'color', colors) ?? 'auto'

export const parseColor = (text: string, from: string) => parseChoice(text, colors, from)

interface AskedJson {
  format: FormatName
  by: 'line' | 'environment'
}

/**
 * Returns the requested JSON format, also of a command line that cannot be parsed: scripts get such errors in JSON.
 * Undefined without one. A command line with several formats, or an unknown one, is an error. That is printed as JSON if
 * one of the formats is JSON, or if the environment names a JSON format.
 */
export function requestedJson(argv: readonly string[], env: Environment): AskedJson | undefined {
  const named = formatsNamed(argv).filter(isFormat)
  const format = named.findLast(isJson)
  if (format) return { format, by: 'line' }
  const { SKYCTL_OUTPUT: variable } = env
  return named.length === 0 && isFormat(variable) && isJson(variable)
    ? { format: variable, by: 'environment' }
    : undefined
}

/** Matches `--output json`, `-qo json` and `-ojson`: short flags without a value may be combined with -o. */
const outputFlag = /^(?:--output(?:=(.*))?|-[qyv]*o=?(.*))$/s

/** Returns the formats on the command line; words after `--` are not flags. */
function formatsNamed(argv: readonly string[]): (string | undefined)[] {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  return words.flatMap((word, index) => {
    if (word === '--json') return ['json']
    const [flag, long, short] = outputFlag.exec(word) ?? []
    return flag === undefined ? [] : [long || short || words[index + 1]]
  })
}
