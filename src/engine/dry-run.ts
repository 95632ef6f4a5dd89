/** Implements `--dry-run`: prints the requests with placeholders for secrets, as output ends up in logs. */

import type { PlannedRequest } from '../account/change'
import { columnsFor, type FieldPath } from '../output/column'
import { isForPeople } from '../output/formats'
import { printMany, printOne, type View } from '../output/print'
import { withoutSecrets } from '../rules/secrets'
import type { CommandContext } from './command-context'
import { viewOf } from './printing'

/** A request as printed. */
interface Printed {
  method: string
  path: string
  body?: unknown
  /** Traffic that it blocks and allows; people have read it before. */
  effects?: unknown
}

const fields: readonly FieldPath<Printed>[] = ['method', 'path', 'body']

function asPrinted({ operation, path: pathParameters, body, effects }: PlannedRequest, hasEffects: boolean): Printed {
  const { method, path } = operation
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(pathParameters?.[name])))
  return {
    method,
    path: filled,
    ...(body !== undefined && { body: withoutSecrets(body) }),
    ...(hasEffects && effects && { effects }),
  }
}

/** Prints requests: a single one as an object, several as an array. */
export async function printRequests(
  planned: readonly PlannedRequest[],
  { flags, session }: Pick<CommandContext, 'flags' | 'session'>,
): Promise<void> {
  // --columns names fields of the answer, and there is none.
  const { columns: _, ...others } = flags
  const { quiet: __, ...view } = await viewOf({ fields, columns: columnsFor<Printed>(fields) }, others, session)
  const whole: View = { ...view, format: isForPeople(view.format) ? 'yaml' : view.format }
  const requests = planned.map((one) => asPrinted(one, !isForPeople(view.format)))
  if (requests.length === 1) await printOne(requests[0], whole, session.ui.stdout)
  else await printMany(requests, whole, session.ui.stdout)
  await session.ui.status('Nothing was sent')
}
