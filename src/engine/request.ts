/** `--dry-run`: the requests that would be sent. */
import type { Operation } from '../catalogue/operation'
import type { Context } from '../context'
import { printMany, printOne, type View } from '../output/print'
import type { Flags } from './command'
import type { Id } from './resource'
import { viewOf } from './view'

export interface PlannedRequest {
  method: string
  path: string
  body?: unknown
}

/** A request as it would be sent; `path` fills the holes of the operation's path. */
export function planRequest(
  { method, path }: Operation,
  given: { path?: Readonly<Record<string, Id>>; body?: unknown },
): PlannedRequest {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given.path?.[name])))
  return { method, path: filled, ...(given.body !== undefined && { body: given.body }) }
}

/** Prints what would be sent: one request is an object, several are an array. */
export async function printRequests(
  requests: readonly PlannedRequest[],
  { flags, context }: { flags: Flags; context: Context },
): Promise<void> {
  const fields = ['method', 'path', 'body']
  // Chosen columns are those of the answer, and there is none.
  const { columns: _, ...others } = flags
  const { quiet: __, ...view } = await viewOf({ fields, columns: fields.map((path) => ({ path })) }, others, context)
  const whole: View = { ...view, format: view.format === 'table' ? 'yaml' : view.format }
  if (requests.length === 1) await printOne(requests[0], whole, context.stdout)
  else await printMany(requests, whole, context.stdout)
  await context.say('Nothing was sent')
}
