/** Hints for a name that no object has, and that another command of the group has: `firewalls openings close web`. */
import { isGone, type Problem } from '../errors'
import { orList } from '../rules/nearest'
import { shellWord } from '../rules/texts'
import type { CommandCall, Outline, Root } from './command'

/** Adds the command that the first argument names to a problem, if that argument was taken for the name of an object. */
export function withSiblingCommand(error: Problem, { words, input }: CommandCall, { entries }: Root): Problem {
  const [name = '', ...rest] = input.arguments
  const group = words.split(' ').slice(0, -1)
  const sibling = entriesOf(group, entries).find((one) => !one.hidden && !one.commands && namesOf(one).includes(name))
  if (!sibling) return error
  const line = ['skyctl', ...group, sibling.name, ...rest.map(shellWord)].join(' ')
  const hinted = (problem: Problem) => {
    const { hint = `Did you mean ${orList([line])}?` } = problem.details
    return problem.with({ hint, cause: problem.cause })
  }
  if (isGone(error)) return hinted(error)
  const failures = error.details.failures?.map((failure) =>
    failure.target === name && isGone(failure.problem) ? { ...failure, problem: hinted(failure.problem) } : failure,
  )
  return failures ? error.with({ failures, cause: error.cause }) : error
}

const entriesOf = (group: readonly string[], entries: readonly Outline[]): readonly Outline[] =>
  group.reduce((inner, name) => inner.find((one) => one.name === name)?.commands ?? [], entries)

const namesOf = ({ name, aliases = [] }: Outline) => [name, ...aliases]
