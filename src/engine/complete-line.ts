/** Completes a typed line that lacks something, with values from the examples of its command. */
import { Problem } from '../errors'
import { shellWord } from '../rules/texts'
import type { Argument, Command, CommandCall, Input } from './command'

/** Adds a complete line to a problem of a command that lacks flags or arguments, or has a query of jq. */
export function withCompleteLine(error: unknown, call: CommandCall): unknown {
  if (!(error instanceof Problem)) return error
  const { jq, otherWord } = error.details
  if (jq !== undefined) return withPipe(error, jq, call)
  if (otherWord) return withWord(error, otherWord, call)
  if (!error.details.lacks) return error
  const line = completeLine(call, error.details.lacks)
  if (line === undefined) return error
  const { hint } = error.details
  const next = `${hint === undefined ? '' : `${hint}. `}For example: ${line}`
  return error.with({ hint: next })
}

/** Proposes the line with other words in place of one, and with what it lacks besides. */
function withWord(error: Problem, [typed, ...meant]: readonly [string, ...string[]], call: CommandCall): Problem {
  const { command, input, words } = call
  const corrected = input.arguments.flatMap((one) => (one === typed ? meant : [one]))
  const { flags, example } = lacksOf({ ...call, input: { ...input, arguments: corrected } })
  const whole = ['skyctl', words, ...corrected.map(shellWord), ...typedFlags(command, input)].join(' ')
  const message = [error.message, ...flags.map((flag) => `${flag} is required`)].join('; ')
  const line = flags.length === 0 ? whole : example
  const hint =
    line === undefined ? `Write ${meant.join(' ')}` : `${flags.length === 0 ? 'Write' : 'For example:'} ${line}`
  return error.with({ message, hint })
}

/** Proposes a pipe: jq is a program of its own. */
function withPipe(error: Problem, jq: string, { command, input, words }: CommandCall): Problem {
  const { query, output, json, ...flags } = input.flags
  const line = ['skyctl', words, ...input.arguments.map(shellWord), ...typedFlags(command, { ...input, flags })].join(
    ' ',
  )
  const hint = `Pipe JSON to jq: ${line} --json | jq ${shellWord(jq)}`
  return error.with({ hint })
}

/** Missing parts of a line: arguments, and flags such as `--action`; and the line with all of that, if an example has it. */
interface Lacks {
  missing: readonly Argument[]
  flags: readonly string[]
  /** The first word that is none of the values of its argument, such as `tcp` in the place of `inbound`. */
  surplus: string | undefined
  example: string | undefined
}

/** Returns what a line lacks. */
export function lacksOf(call: CommandCall): Lacks {
  const { command, input } = call
  const places = alignArguments(command.arguments ?? [], input.arguments)
  const missing = places.flatMap(({ argument, word }) => (word === undefined && !argument.optional ? [argument] : []))
  // A file of rules or with a key has all but the label, and a body has that as well.
  const isInFile = (name: string) =>
    input.flags.body !== undefined || (input.flags.file !== undefined && name !== 'label')
  const required = command.flags.flatMap((flag) =>
    flag.required && flag.defaultText === undefined && !isInFile(flag.name) && input.flags[flag.name] === undefined
      ? [`--${flag.name}`]
      : [],
  )
  const flags = [...new Set([...required, ...(command.lacks?.(input) ?? [])])]
  const hasMany = command.arguments?.some(({ many }) => many) === true
  const surplus = hasMany ? undefined : input.arguments[places.filter(({ word }) => word !== undefined).length]
  return { missing, flags, surplus, example: completeLine(call, flags) }
}

/** Returns the typed line with what it lacks; undefined if no example of the command has that. */
function completeLine({ command, input, words }: CommandCall, lacks: readonly string[]): string | undefined {
  const typedWords = typedFlags(command, input)
  const examples = (command.examples ?? []).flatMap(({ line }) => exampleIn(line, words, command) ?? [])
  // `rules add web --to anywhere`: an outbound rule fits better than an inbound one.
  const shared = ({ flags }: Example) => typedWords.filter((word) => flags.has(word)).length
  for (const example of examples.toSorted((one, other) => shared(other) - shared(one))) {
    const added = addedFlags(example.flags, lacks, typedWords.length > 0)
    if (!added) continue
    const places = alignArguments(command.arguments ?? [], input.arguments)
    const isBare = input.arguments.length === 0 && typedWords.length === 0
    const needsAll = isBare || lacks.some((name) => !name.startsWith('--'))
    const required = places.map(({ argument: { optional, many }, word }, place) => {
      if (word !== undefined || (optional === true && !needsAll)) return word
      const fromExample = many ? example.arguments.slice(place).join(' ') : (example.arguments[place] ?? '')
      return fromExample === '' && optional === true && isBare ? undefined : fromExample
    })
    if (required.includes('')) continue
    const filled = required.flatMap((word, place) => (word === undefined ? [] : [wordAt(word, place, places)]))
    const more = input.arguments.slice(places.filter(({ word }) => word !== undefined).length).map(shellWord)
    return ['skyctl', words, ...filled, ...more, ...typedWords, ...added].join(' ')
  }
  return undefined
}

/** Quotes a typed word; one of an example is quoted already. */
const wordAt = (word: string, place: number, places: readonly ArgumentPlace[]) =>
  places[place]?.word === undefined ? word : shellWord(word)

export interface ArgumentPlace {
  argument: Argument
  /** The typed word; undefined if it is missing. */
  word: string | undefined
}

/** Assigns typed words to arguments: a word such as `inbound` belongs to the argument that has it among its values. */
function alignArguments(parameters: readonly Argument[], typed: readonly string[]): ArgumentPlace[] {
  const left = [...typed]
  const takes = ({ values }: Argument, word: string) =>
    Array.isArray(values) && values.some((value) => value.toLowerCase() === word.toLowerCase())
  return parameters.map((argument, place) => {
    const [next] = left
    const isOther =
      next === undefined ||
      (Array.isArray(argument.values) && !takes(argument, next)) ||
      parameters.slice(place + 1).some((later) => takes(later, next))
    return { argument, word: isOther ? undefined : left.shift() }
  })
}

interface Example {
  arguments: readonly string[]
  /** Words of each flag, by name. */
  flags: ReadonlyMap<string, readonly string[]>
}

/** Splits an example; undefined for one with a pipe or another command, and for one of another command. */
function exampleIn(line: string, words: string, command: Command): Example | undefined {
  const start = `skyctl ${words} `
  if (!line.startsWith(start) || /[|&<>;$]|(?:^| )-\w/.test(line)) return undefined
  const [before = ''] = line.slice(start.length).split(/(?:^| )-- /)
  const [parameters, flags]: [string[], Map<string, string[]>] = [[], new Map()]
  const parts = before.match(/(?:'[^']*'|"[^"]*"|\S)+/g) ?? []
  while (parts.length > 0) {
    const word = parts.shift() ?? ''
    const flag = command.flags.find(({ name, value }) => word === `--${name}` && value !== undefined)
    if (!word.startsWith('--')) parameters.push(word)
    else if (!flag) flags.set(word, [word])
    else flags.set(word, [word, flag.standIn ?? parts[0] ?? ''])
    if (flag) parts.shift()
  }
  return { arguments: parameters, flags }
}

/** Returns the words of the missing flags, or of all if none was typed; undefined if the example lacks them. */
function addedFlags(
  flags: Example['flags'],
  lacks: readonly string[],
  isTyped: boolean,
): readonly string[] | undefined {
  // An example is complete.
  if (!isTyped && flags.size > 0) return [...flags.values()].flat()
  const missing = lacks.flatMap((name) => {
    const names = name.match(/--[\w-]+/g) ?? []
    return names.length === 0 ? [] : [names.find((one) => flags.has(one))]
  })
  if (missing.includes(undefined)) return undefined
  return missing.flatMap((name = '') => flags.get(name) ?? [])
}

/** Returns the words of the flags on the command line that the command would take. */
function typedFlags({ flags, needsQuestion }: Command, input: Input): string[] {
  return Object.entries(input.flags).flatMap(([name, value]) => {
    if (value === undefined || (name === 'yes' && needsQuestion?.(input))) return []
    if (typeof value === 'boolean') return [value ? `--${name}` : `--no-${name}`]
    const isJoined = flags.find((flag) => flag.name === name)?.list === 'commas'
    const values = typeof value === 'string' ? [value] : isJoined ? [value.join(',')] : value
    return values.flatMap((one) => [`--${name}`, shellWord(one)])
  })
}
