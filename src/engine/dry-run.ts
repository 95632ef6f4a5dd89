/** `--dry-run`: the requests that would be sent, with a placeholder for each secret: what is printed ends up in logs. */
import type { Operation } from '../catalogue/operation'
import { columnsFor, type FieldPath } from '../output/column'
import { isForPeople } from '../output/formats'
import { printMany, printOne, type View } from '../output/print'
import { withoutSecrets } from '../rules/secrets'
import { viewOf } from './printing'
import type { Id } from './resource'
import type { RequestBody, Situation } from './situation'

/** A request that is not sent yet. */
export interface PlannedRequest {
  operation: Operation
  /** What fills the holes of the operation's path. */
  path?: Readonly<Record<string, Id>>
  body?: RequestBody
}

/** A request as it is printed. */
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

/** Prints what would be sent: one request is an object, several are an array. */
export async function printRequests(
  planned: readonly PlannedRequest[],
  { flags, session }: Pick<Situation, 'flags' | 'session'>,
): Promise<void> {
  // Chosen columns are those of the answer, and there is none.
  const { columns: _, ...others } = flags
  const { quiet: __, ...view } = await viewOf({ fields, columns: columnsFor<Printed>(fields) }, others, session)
  const whole: View = { ...view, format: isForPeople(view.format) ? 'yaml' : view.format }
  const requests = planned.map(asPrinted)
  if (requests.length === 1) await printOne(requests[0], whole, session.stdout)
  else await printMany(requests, whole, session.stdout)
  await session.say('Nothing was sent')
}
