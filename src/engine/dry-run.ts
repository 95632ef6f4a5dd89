/** Implements `--dry-run`: prints the requests with placeholders for secrets, as output ends up in logs. */
import type { Operation } from '../catalogue/operation'
import { columnsFor, type FieldPath } from '../output/column'
import { isForPeople } from '../output/formats'
import { printMany, printOne, type View } from '../output/print'
import { withoutSecrets } from '../rules/secrets'
import type { ChangeContext, RequestBody } from './change-context'
import { viewOf } from './printing'
import type { Id } from './resource'

/** A request that is not sent yet. */
export interface PlannedRequest {
  operation: Operation
  /** Values of the path parameters. */
  path?: Readonly<Record<string, Id>>
  body?: RequestBody
}

/** A request as printed. */
interface Printed {
  method: string
  path: string
  body?: unknown
}

const fields: readonly FieldPath<Printed>[] = ['method', 'path', 'body']

function asPrinted({ operation, path: holes, body }: PlannedRequest): Printed {
  const { method, path } = operation
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(holes?.[name])))
  return { method, path: filled, ...(body !== undefined && { body: withoutSecrets(body) }) }
}

/** Prints requests: a single one as an object, several as an array. */
export async function printRequests(
  planned: readonly PlannedRequest[],
  { flags, session }: Pick<ChangeContext, 'flags' | 'session'>,
): Promise<void> {
  // --columns names fields of the answer, and there is none.
  const { columns: _, ...others } = flags
  const { quiet: __, ...view } = await viewOf({ fields, columns: columnsFor<Printed>(fields) }, others, session)
  const whole: View = { ...view, format: isForPeople(view.format) ? 'yaml' : view.format }
  const requests = planned.map(asPrinted)
  if (requests.length === 1) await printOne(requests[0], whole, session.stdout)
  else await printMany(requests, whole, session.stdout)
  await session.status('Nothing was sent')
}
