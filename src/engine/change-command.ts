/** Defines commands for one operation that creates an object, or changes the named ones. */

import type { Action } from '../account/action'
import { fixedBody, namedBy } from '../account/action-functions'
import { fieldPaths, type Operation } from '../catalogue/operation'
import type { Column } from '../output/column'
import { flagsOf, namedByFlags, withBodyLines } from './body'
import { printedContext } from './change-command-context'
import type { ChangeCommand, ColumnsFor } from './change-definition'
import {
  allowDuplicateFlag,
  bodyFlags,
  bodyLinesFlags,
  busyTimeoutFlag,
  dryRunFlag,
  ifPresentFlag,
  journalFlags,
  protectionFlag,
  resendFlag,
  waitFlags,
} from './change-flags'
import type { Command, Flag, Flags } from './command'
import { atOnceFor } from './flag-values'
import { concurrencyFlag, hiddenOutputFlags, outputFlags } from './flags'
import { viewOf } from './printing'
import type { Session } from './session'
import { targetArguments } from './target-arguments'

export function changeCommand<O extends Operation>(command: ChangeCommand<O> & ColumnsFor<O>): Command {
  const { name, aliases, action, input, help } = command
  const target = namedBy(action)
  return {
    name,
    ...(aliases && { aliases }),
    ...help,
    summary: help?.summary ?? action.operation.summary,
    operations: [action.operation],
    records: recordsOf(action),
    ...((command.question ?? action.safety?.traffic) && { asks: true }),
    ...(target && { arguments: targetArguments(target, input?.accepts === 'several' ? 'many' : 'one or stdin') }),
    flags: flagsFor(command),
    async run(commandInput, session) {
      const { flags } = commandInput
      const view = await viewFor(command, flags, session)
      const printed = printedContext(view, flags, session)
      const context = { ...printed, options: { ...printed.options, ...(await input?.options?.(flags, session)) } }
      // Help and lists do not need this module.
      const { runChange } = await import('./run-change')
      try {
        await withBodyLines(flags, () => runChange(command, target, { input: commandInput, context }))
      } catch (error) {
        throw await namedByFlags(error, command.action.operation.body, { flags, names: input?.names })
      }
    },
  }
}

type Sending = Pick<Action, 'operation' | 'resource'>

function flagsFor(command: Pick<ChangeCommand<Operation>, 'action' | 'input'>): readonly Flag[] {
  const { action, input = {} } = command
  const { operation, safety = {}, wait } = action
  const { accepts } = input
  const body = fixedBody(action) ? undefined : operation.body
  const fieldFlags = body ? flagsOf(body) : []
  // A new object has no list to empty.
  const fitting = operation.creates ? fieldFlags.filter(({ negative }) => negative !== 'only') : fieldFlags
  return [
    ...(input.flags?.(fitting) ?? fitting),
    ...(safety.uniqueLabel ? [allowDuplicateFlag] : []),
    ...(operation.method === 'DELETE' || safety.mayBeAbsent ? [ifPresentFlag] : []),
    ...(safety.protection ? [protectionFlag] : []),
    ...(body ? (accepts === 'lines' ? bodyLinesFlags : bodyFlags) : []),
    ...(wait ? waitFlags(wait({}).name) : [busyTimeoutFlag]),
    ...(accepts ? [{ ...concurrencyFlag, defaultText: String(atOnceFor(operation)) }, ...journalFlags] : []),
    ...(accepts === 'lines' && operation.idempotency === 'never' ? [resendFlag] : []),
    dryRunFlag,
    ...(printsData(command) ? outputFlags : hiddenOutputFlags),
  ]
}

/** Reports whether the command prints an answer with fields, or a record of each target. */
function printsData({
  action: { operation, wait },
  input,
}: Pick<ChangeCommand<Operation>, 'action' | 'input'>): boolean {
  // An update answers with the object, even if its fields are not documented.
  const answers = operation.method === 'PUT' || fieldPaths(operation).length > 0
  return answers || wait !== undefined || input?.accepts !== undefined
}

/** Returns the operation that defines the columns: the object's view, if the answer is empty. */
function recordsOf({ operation, resource }: Sending): Operation {
  return resource && fieldPaths(operation).length === 0 ? resource.view : operation
}

function viewFor({ action, columns = [] }: Viewed, flags: Flags, session: Session) {
  const key = action.resource?.key
  const fields = fieldPaths(recordsOf(action))
  return viewOf({ fields, columns: withTags(columns, fields, flags), ...(key && { key }) }, flags, session)
}

/** Adds the tags, uncut, if the line changes them: people see what was just set. */
function withTags(columns: readonly Column[], fields: readonly string[], flags: Flags): readonly Column[] {
  const isSet = ['tag', 'add-tag', 'remove-tag'].some((name) => flags[name] !== undefined)
  if (!isSet || !fields.includes('tags')) return columns
  return [...columns.filter(({ path }) => path !== 'tags'), { path: 'tags', whole: true, priority: 'high' }]
}

interface Viewed {
  action: Sending
  columns?: readonly Column[]
}
