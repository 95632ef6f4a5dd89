/** Detects requests for JSON output, also in command lines that cannot be parsed: scripts get such errors in JSON. */
import { type FormatName, isFormat, isJson } from '../output/formats'
import type { Environment } from '../rules/environment'

interface AskedJson {
  format: FormatName
  by: 'line' | 'environment'
}

/**
 * Returns the requested JSON format; undefined without one. A command line with several formats, or an unknown one, is
 * an error. That is printed as JSON if one of the formats is JSON, or if the environment names a JSON format.
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
