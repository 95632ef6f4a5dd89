/** Whether a line asks for JSON: also one that cannot be parsed, so that a script reads in JSON what is wrong with it. */
import { type FormatName, isFormat, isJson } from '../output/formats'
import type { Environment } from '../rules/environment'

interface AskedJson {
  format: FormatName
  by: 'line' | 'environment'
}

/**
 * Which JSON is asked for; undefined where none is. A line that names several formats, or one that does not exist, is
 * wrong, and is told so in JSON where that is one of them, or else what the environment names.
 */
export function jsonAskedBy(argv: readonly string[], env: Environment): AskedJson | undefined {
  const named = formatsNamed(argv).filter(isFormat)
  const format = named.findLast(isJson)
  if (format) return { format, by: 'line' }
  const { SKYCTL_OUTPUT: variable } = env
  return named.length === 0 && isFormat(variable) && isJson(variable)
    ? { format: variable, by: 'environment' }
    : undefined
}

/** `-qo json` and `-ojson` too: flags without a value may stand before the letter. */
const outputFlag = /^(?:--output(?:=(.*))?|-[qyv]*o=?(.*))$/s

/** What stands behind `--` are no flags. */
function formatsNamed(argv: readonly string[]): (string | undefined)[] {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  return words.flatMap((word, index) => {
    if (word === '--json') return ['json']
    const [flag, long, short] = outputFlag.exec(word) ?? []
    return flag === undefined ? [] : [long || short || words[index + 1]]
  })
}
