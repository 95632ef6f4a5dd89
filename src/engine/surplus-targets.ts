/** Words that a command takes for targets, although they belong elsewhere: `resize data-1 50`, `open web other -- ssh`. */
import type { LineMatch } from './hints/correct-line'
import { UsageError } from './usage-error'

/** Throws for a word behind the first one that is in a wrong place. */
export async function expectPlaces(match: LineMatch, argv: readonly string[]): Promise<void> {
  const { call, parser } = match
  const { arguments: parameters = [] } = call.command
  if (parameters.some(({ passthrough }) => passthrough))
    (await import('./passthrough')).expectPassthrough(parameters, parser, argv)
  else await expectTargets(match, argv)
}

/** Throws if the line lacks a flag, and a hint knows that the words are its value. */
async function expectTargets({ call, parser }: LineMatch, argv: readonly string[]): Promise<void> {
  const { command, input } = call
  const { lacksOf } = await import('./complete-line')
  const lacks = lacksOf(call).flags.map((flag) => `${flag} is required`)
  // An update requires no flag, but needs one.
  const isBare = command.name === 'update' && !command.flags.some(({ name }) => input.flags[name] !== undefined)
  const message = isBare ? 'nothing to change' : lacks.join('; ')
  if (message === '') return
  const { surplusHint } = await import('./hints/argument-hints')
  const [, ...words] = input.arguments
  const hint = surplusHint({ words, parser, command, argv, siblings: [] })
  if (hint) throw new UsageError(parser, { code: 'skyctl.surplusTarget', message }, '')
}
