/** Implements `--if-present`: an object that does not exist counts as removed. */
import type { Operation } from '../catalogue/operation'
import { isGone } from '../errors'
import { missingKeyOf } from './absent-label'
import type { ActionStep } from './action'
import type { ResolvedTarget } from './resolved-target'

/** Reports whether an error means that there is nothing to remove, and that this is no failure. */
export async function isAbsent(
  error: unknown,
  operation: Operation,
  { entry, options, subject }: Pick<ActionStep, 'entry' | 'options' | 'subject'>,
): Promise<boolean> {
  // An earlier run may have deleted it.
  const isExpected = options.ifPresent || (entry?.past !== undefined && operation.method === 'DELETE')
  return isExpected === true && isGone(error, await placesOf(operation, subject))
}

/** Returns the paths of the object: a `not_found` for anything else does not count. */
async function placesOf({ path }: Operation, subject: ResolvedTarget | undefined): Promise<string[]> {
  if (!subject) return [path]
  const { resource } = subject
  const { id, label } = await subject.identity()
  return [
    ...(id === undefined ? [] : [missingKeyOf({ id }, resource)]),
    ...(label === undefined ? [] : [missingKeyOf({ label }, resource)]),
  ]
}
