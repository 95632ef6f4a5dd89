/** Reads the objects that arguments name; `-` reads their names from stdin. */

import { type Account, manyObjects } from '../account/account'
import { parseTarget } from '../account/find-target'
import type { Resource, Target } from '../account/resource'
import { Problem } from '../errors'
import type { Input } from './command'
import type { Session } from './session'

/** Reads all targets before anything is done, so that a typing error in the last one has no effect on the first. */
export async function readTargets(
  input: Input,
  resource: Resource,
  session: Session,
  /** Targets to use if stdin is empty. */
  fallback: readonly string[] = [],
): Promise<Target[]> {
  const own = resource.parent ? { ...input, arguments: input.arguments.slice(1) } : input
  const read = await readNames(own, session)
  const names = read.length === 0 ? fallback : read
  if (names.length === 0) await printNothingToDo(resource.noun, session)
  return names.map((name) => parseTarget(name, resource.noun, resource.reference))
}

/** Returns the account, with a list for the look-ups of many targets. */
export async function accountFor(targets: readonly Target[], resource: Resource, account: Account): Promise<Account> {
  if (targets.length < manyObjects) return account
  const { withListFor } = await import('../account/with-object-list')
  return withListFor(targets, resource, account)
}

/** Reads the target of a command that takes only one. Throws `usage` if stdin has none or several. */
export async function readTarget(input: Input, resource: Resource, session: Session): Promise<Target> {
  const [target, ...others] = await readTargets(input, resource, session)
  if (target && others.length === 0) return target
  throw new Problem('usage', `one ${resource.noun} is needed, and stdin names ${target ? others.length + 1 : 'none'}`)
}

/** Prints a message for an empty stdin, which is no failure: `list --quiet | delete -` may find nothing to delete. */
export function printNothingToDo(noun: string, session: Session): Promise<void> {
  return session.ui.status(`Nothing to do: stdin names no ${noun}`)
}

/** Returns the typed names without duplicates; `-` adds the lines of stdin, which may be empty. */
export async function readNames({ arguments: args }: Input, session: Session): Promise<string[]> {
  const names = new Set<string>()
  for (const text of args) {
    for (const name of text === '-' ? await linesOfStdin(session) : [text]) names.add(name)
  }
  return [...names]
}

async function linesOfStdin(session: Session): Promise<string[]> {
  const lines = (await session.ui.readStdin()).split(/\r?\n/)
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}
