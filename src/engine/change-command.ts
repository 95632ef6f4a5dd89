/** Defines commands for one operation that creates an object, or changes the named ones. */

import { isMissing } from '../catalogue/normalize'
import type { Operation } from '../catalogue/operation'
import { Problem } from '../errors'
import type { Session } from '../session'
import { flagsOf } from './body'
import { changeContext, type RequestBody } from './change-context'
import type { ChangeCommand, ChangeStep } from './change-definition'
import type { Command, Flag, Flags } from './command'
import {
  bodyFlags,
  bodyLinesFlags,
  concurrencyFlag,
  dryRunFlag,
  ifPresentFlag,
  journalFlags,
  outputFlags,
  resendFlag,
  waitFlags,
} from './flags'
import { fieldPaths, viewOf } from './printing'
import type { Item, Resource } from './resource'
import { targetArguments } from './targets'

/** Returns a `settled` function that tests the record of the named object; throws if the answer lacks the field. */
export function recordShows(field: string, wanted: (record: Item, body: RequestBody) => boolean) {
  return async (body: RequestBody, { reread }: ChangeStep): Promise<Item | undefined> => {
    const record = await reread()
    if (record && isMissing(record, field))
      throw new Problem('defect', `the answer lacks the ${field} of ${record.label ?? record.id}, which decides`)
    return record && wanted(record, body) ? record : undefined
  }
}

export function changeCommand<O extends Operation>(command: ChangeCommand<O>): Command {
  const { operation, many = false, name, aliases, summary, details, form, examples } = command
  const target = namedBy(command)
  return {
    name,
    ...(aliases && { aliases }),
    ...(details && { details }),
    ...(form && { form }),
    ...(examples && { examples }),
    summary: summary ?? operation.summary,
    operations: [operation],
    records: recordsOf(command),
    ...(target && { arguments: targetArguments(target, many ? 'many' : 'one or stdin') }),
    flags: flagsFor(command),
    async run(input, session) {
      const { flags } = input
      const view = await viewFor(command, flags, session)
      const context = changeContext(view, flags, session)
      // Help and lists do not need this module.
      const { runChange } = await import('./run-change')
      await runChange(command, target, { input, context })
    },
    async perform(action, session) {
      const { performOne } = await import('./run-change')
      return performOne(command, target, { action, session })
    },
  }
}

/** Returns the kind of the named objects, if the operation's path has their id. */
function namedBy({ operation, resource }: ChangeCommand<Operation>): Resource | undefined {
  return resource && operation.path.includes(`{${resource.parameter}}`) ? resource : undefined
}

function flagsFor(command: ChangeCommand<Operation>): readonly Flag[] {
  const { operation, resource, wait } = command
  const body = typeof command.body === 'object' ? undefined : operation.body
  const made = body ? flagsOf(body) : []
  // A new object has no list to empty.
  const fitting = resource && !namedBy(command) ? made.filter(({ negative }) => negative !== 'only') : made
  return [
    ...(command.flags?.(fitting) ?? fitting),
    ...(operation.method === 'DELETE' ? [ifPresentFlag] : []),
    ...(body ? (command.batch ? bodyLinesFlags : bodyFlags) : []),
    ...(wait ? waitFlags(wait({}).name) : []),
    ...(command.many || command.batch ? [concurrencyFlag, ...journalFlags] : []),
    ...(command.batch && operation.idempotency === 'never' ? [resendFlag] : []),
    dryRunFlag,
    ...outputFlags,
  ]
}

/** Returns the operation that defines the columns: the object's view, if the answer is empty. */
function recordsOf({ operation, resource }: ChangeCommand<Operation>): Operation {
  return resource && fieldPaths(operation).length === 0 ? resource.view : operation
}

function viewFor(command: ChangeCommand<Operation>, flags: Flags, session: Session) {
  const { resource, columns = [] } = command
  const key = resource?.key
  return viewOf({ fields: fieldPaths(recordsOf(command)), columns, ...(key && { key }) }, flags, session)
}
