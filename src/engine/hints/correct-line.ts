/** Whole lines at the end of hints: everything that the user typed, corrected, so that it can be pasted. */
import type { Command as Parser } from 'commander'
import { isPrivateKey, secretKeys } from '../../rules/secrets'
import { shellWord } from '../../rules/texts'
import type { CommandCall } from '../command'
import { MisplacedArgument } from '../passthrough'
import { UnknownCommand, UsageError } from '../usage-error'
import type { Hint } from './hint'

/** A line that was parsed, and the parser of its command. */
export interface LineMatch {
  call: CommandCall
  parser: Parser
}

export interface WholeLine {
  text: string
  /** True if values of an example are in it. */
  isExample: boolean
}

/** Finds the whole line for a corrected one. */
export type FindLine = (argv: readonly string[]) => Promise<WholeLine | undefined>

interface Corrector {
  /** Throws for a mistake. */
  parse(argv: readonly string[]): Promise<LineMatch | undefined>
  findHint(error: UsageError | UnknownCommand, argv: readonly string[], findLine: FindLine): Promise<Hint | undefined>
}

/** A tired line has two or three mistakes. */
const mostMistakes = 5
/** Longer lines, such as those with 100 targets, hide what was corrected. */
const mostCharacters = 400

/** Returns a function that corrects lines until they are right; undefined for those with a secret, or without a hint. */
export function lineFinder(corrector: Corrector, attempts = mostMistakes): FindLine {
  return async (argv) => {
    if (attempts === 0 || argv.some(isUnfit)) return undefined
    const findLine = lineFinder(corrector, attempts - 1)
    try {
      const match = await corrector.parse(argv)
      const likely = match && (await lineMeant(argv, match))
      return likely ? await findLine(likely) : match && (await checkCall(argv, match))
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof UnknownCommand)) return undefined
      const hint = await corrector.findHint(error, argv, findLine)
      if (hint?.example !== undefined) return { text: hint.example, isExample: true }
      return hint && followHint(hint, findLine)
    }
  }
}

/** Returns the line of a hint, with what follows it. */
export async function followHint(
  { argv, before = '', pipe = '' }: Hint,
  findLine: FindLine,
): Promise<WholeLine | undefined> {
  const line = argv && (await findLine(argv))
  return line && { ...line, text: before + line.text + pipe }
}

/** Returns the line with arguments and values as they are meant; undefined if the command would take them. */
async function lineMeant(argv: readonly string[], match: LineMatch): Promise<readonly string[] | undefined> {
  const { command, input } = match.call
  const others = await command.argumentsMeant?.(input.arguments, input.flags)
  if (others) return replaceArguments(argv, input.arguments, others)
  return (await import('./corrected-values')).correctValues(argv, match.call, match.parser)
}

/** Returns the line with other words in place of its arguments, between which may be flags. */
function replaceArguments(argv: readonly string[], words: readonly string[], others: readonly string[]): string[] {
  const places = words.map((word) => argv.lastIndexOf(word))
  const first = Math.min(...places)
  return argv.flatMap((word, place) => (place === first ? others : places.includes(place) ? [] : [word]))
}

/** Keys, and passwords in URLs. */
const isUnfit = (word: string) => isPrivateKey(word) || /:\/\/[^/]*@/.test(word)

/** Codes, passwords, and headers such as `Authorization`. */
const mayHaveSecret = (flag: string) => flag === 'header' || secretKeys.test(flag.replaceAll('-', '_'))

/** Returns the line of a call, completed from an example if it lacks something. */
async function checkCall(argv: readonly string[], { call, parser }: LineMatch): Promise<WholeLine | undefined> {
  if (Object.keys(call.input.flags).some(mayHaveSecret)) return undefined
  const { lacksOf } = await import('../complete-line')
  const { missing, flags, surplus, example } = lacksOf(call)
  // `rules add web tcp`: the second argument is a direction.
  if (surplus !== undefined) throw new MisplacedArgument(parser, surplus)
  const isComplete = missing.length === 0 && flags.length === 0
  const isAsked = call.command.needsQuestion?.(call.input) === true
  const words = argv.filter((word) => !(isAsked && /^(-y|--yes)$/.test(word)))
  const text = isComplete ? ['skyctl', ...words.map(shellWord)].join(' ') : example
  return text === undefined || text.length > mostCharacters ? undefined : { text, isExample: !isComplete }
}

/** Returns a hint with the whole line at its end. */
export function withLine({ text, form, isCommand }: Hint, line: WholeLine | undefined): string {
  if (!line) return form === undefined ? text : `${text}: ${form}`
  if (line.isExample) return `${sentence(text)} For example: ${line.text}`
  if (isCommand) return `Did you mean "${line.text}"?`
  return /\?$|[:,]/.test(text) ? `${sentence(text)} Try: ${line.text}` : `${text}: ${line.text}`
}

const sentence = (text: string) => (text.endsWith('?') ? text : `${text}.`)
