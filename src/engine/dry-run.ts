/** Implements `--dry-run`: prints the requests with placeholders for secrets, as output ends up in logs. */

import type { Change, PlannedRequest } from '../account/change'
import { filledPath } from '../catalogue/operation'
import { columnsFor } from '../output/column'
import { isForPeople } from '../output/formats'
import { printMany, printOne, type View } from '../output/print'
import { withoutSecrets } from '../rules/secrets'
import type { CommandContext } from './change-command-context'
import { isVerbose } from './flag-values'
import { viewOf } from './printing'

/** A request as printed. */
interface Printed {
  method: string
  path: string
  body?: unknown
  /** Traffic that it blocks and allows; people have read it before. */
  effects?: unknown
}

const columns = columnsFor<Printed>(['method', 'path', 'body'])

function asPrinted({ operation, path: pathParameters, body, effects }: PlannedRequest, hasEffects: boolean): Printed {
  const { method, path } = operation
  return {
    method,
    path: filledPath(path, pathParameters ?? {}),
    ...(body !== undefined && { body: withoutSecrets(body) }),
    ...(hasEffects && effects && { effects }),
  }
}

/** Prints the requests of the changes that are needed. */
export async function showAll<T extends { input: string }>(
  targets: readonly T[],
  prepare: (target: T) => Promise<Change>,
  context: CommandContext,
): Promise<void> {
  const { forEachTarget, together } = await import('./bulk')
  const show = (changes: readonly Change[]) =>
    printRequests(
      changes.filter(({ noop }) => !noop),
      context,
    )
  await forEachTarget(targets, { verb: 'check', changes: false, act: prepare, ...together(show) }, context)
}

/** Prints requests: a single one as an object, several as an array. */
export async function printRequests(
  planned: readonly PlannedRequest[],
  { flags, session }: Pick<CommandContext, 'flags' | 'session'>,
): Promise<void> {
  // --columns names fields of the answer, and there is none.
  const { columns: _, ...others } = flags
  const { quiet: __, ...view } = await viewOf({ columns }, others, session)
  const whole: View = { ...view, format: isForPeople(view.format) ? 'yaml' : view.format }
  const requests = planned.map((one) => asPrinted(one, !isForPeople(view.format)))
  const isShort = view.terminal && isForPeople(view.format) && !isVerbose(flags) && requests.some(isLongUpdate)
  const shown = isShort ? requests.map((one) => (isLongUpdate(one) ? { ...one, body: undefined } : one)) : requests
  if (shown.length === 1) await printOne(shown[0], whole, session.ui.stdout)
  else await printMany(shown, whole, session.ui.stdout)
  await session.ui.status(isShort ? 'Nothing was sent. To print the body of the request, add -v' : 'Nothing was sent')
}

/** Lines of a body, as JSON, that leave the difference above it on a screen. */
const fewLines = 16

/** Reports whether a body would scroll the difference off the screen, which was printed first. */
const isLongUpdate = ({ method, body }: Printed) =>
  method === 'PUT' && body !== undefined && JSON.stringify(body, null, 1).split('\n').length > fewLines
