/** Hints for words that a command takes for targets, and that the value of the flag before them lacks: `--label allow ssh`. */
import type { Command as Parser } from 'commander'
import { isGone, type Problem } from '../../errors'
import { splitValueHint } from './argument-hints'
import type { TypedLine } from './command-hints'
import { followHint, type LineMatch, withLine } from './correct-line'
import { finderFor } from './usage-problem'

/** Adds the hint to the problem of a line that lacks something, or of such a word that names no object. */
export async function withSplitValue(error: Problem, match: LineMatch, line: TypedLine): Promise<Problem> {
  const { lacks, noTarget = '', failures = [] } = error.details
  const words = wordsAfterValue(match, line.argv)
  // A question proposes similar names; other hints know more.
  const isStray = (target: string, { details }: Problem) => words.includes(target) && /^$|\?$/.test(details.hint ?? '')
  const strays = failures.filter(({ target, problem }) => isGone(problem) && isStray(target, problem))
  if (words.length === 0 || !(lacks || words.includes(noTarget) || strays.length > 0)) return error
  const correction = splitValueHint({ ...line, words, parser: match.parser, command: match.call.command, siblings: [] })
  if (!correction) return error
  const hint = withLine(correction, await followHint(correction, finderFor(line)))
  // What the line lacks besides is in the whole line.
  if (strays.length === 0) return error.with({ hint, lacks: undefined, cause: error.cause })
  const [first] = strays
  const both = [first?.problem.details.hint ?? [], hint].flat().join(' ')
  const hinted = failures.map((one) => (one === first ? { ...one, problem: one.problem.with({ hint: both }) } : one))
  return error.with({ failures: hinted, cause: error.cause })
}

/** Returns the words between the value of a flag and the next flag, if the arguments before them are enough. */
function wordsAfterValue({ call, parser }: LineMatch, argv: readonly string[]): string[] {
  const { command, input } = call
  const needed = command.arguments?.filter(({ optional }) => !optional).length ?? 0
  const [words = [], ...others] = argv.flatMap((flag, place) => {
    const after = takesValue(parser, flag) ? argv.slice(place + 2) : []
    const end = after.findIndex((word) => word.startsWith('-'))
    const between = end < 0 ? after : after.slice(0, end)
    // `--context sandbox volumes update`: words before the command are none of its targets.
    return between.length > 0 && between.every((word) => input.arguments.includes(word)) ? [between] : []
  })
  const hasMany = command.arguments?.some(({ many, passthrough }) => many && !passthrough) === true
  return hasMany && others.length === 0 && input.arguments.length - words.length >= needed ? words : []
}

const takesValue = (parser: Parser, flag: string) => parser.options.some((one) => one.required && one.is(flag))
