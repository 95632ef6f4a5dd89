/** Functions for all actions. */
import { isMissing } from '../catalogue/normalize'
import { Problem } from '../errors'
import type { Action, ActionStep, CreatingAction } from './action'
import type { RequestBody } from './change-context'
import type { CreationAttempt } from './find-created'
import { type Compare, compareFields } from './label-lookup'
import { type Item, pathOf, type Resource } from './resource'
import type { Undo } from './undo'

/** Returns the body of an action that always sends the same one. */
export const fixedBody = ({ body }: Pick<Action, 'body'>): RequestBody | undefined =>
  typeof body === 'function' ? undefined : body

/** Returns the kind of the named objects: the last one whose id is in the operation's path. A new object has none. */
export function namedBy({ operation, resource }: Pick<Action, 'operation' | 'resource'>): Resource | undefined {
  return [resource, resource?.parent].find((one) => one && operation.path.includes(`{${one.parameter}}`))
}

/** Reports whether a lost creation is looked for among the objects of its kind. */
export const createsOwnKind = (action: Action): action is CreatingAction =>
  action.operation.creates !== undefined && action.operation.creates === action.resource?.noun

/** Returns the kind of the objects that an action changes or creates; new ones are below the named object, if it is their parent. */
export async function kindBelow(resource: Resource, { subject }: Pick<ActionStep, 'subject'>): Promise<Resource> {
  if (!subject || subject.resource.noun !== resource.parent?.noun) return subject?.resource ?? resource
  return { ...resource, path: pathOf(subject.resource, (await subject.find()).id) }
}

/** Returns what tells the object of a creation from others. */
export async function attemptOf(
  { resource, creation = {} }: CreatingAction,
  body: RequestBody,
  step: ActionStep,
): Promise<Omit<CreationAttempt, 'before'>> {
  const compare: Compare = (record, expected) => (creation.compare ?? compareFields)(record, expected, step)
  return { body, resource: await kindBelow(resource, step), account: step.account, compare }
}

/** Returns a `findDone` that tests the record of the named object; throws if the answer lacks the field. */
export function recordShows(field: string, matches: (record: Item, body: RequestBody) => boolean) {
  return async (body: RequestBody, { reread }: ActionStep): Promise<Item | undefined> => {
    const record = await reread()
    if (!record) return undefined
    if (isMissing(record, field))
      throw new Problem(
        'defect',
        `the answer lacks the ${field} of ${record.label ?? record.id}, so skyctl cannot tell whether it was changed`,
      )
    return matches(record, body) ? record : undefined
  }
}

type Ways<R> = { [Way in Undo['by']]: (undo: Extract<Undo, { by: Way }>) => R }

/** Chooses by the way of an undo. Nothing else compares it: with a new way, each caller must have an answer to compile. */
export function byWay<R>(undo: Undo, ways: Ways<R>): R {
  switch (undo.by) {
    case 'restoring':
      return ways.restoring(undo)
    case 'device':
      return ways.device(undo)
    case 'rules':
      return ways.rules(undo)
    case 'hand':
      return ways.hand(undo)
  }
}
