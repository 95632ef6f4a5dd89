/** Sending a change, and what is done when its answer is lost. */
import type { Context } from '../context'
import type { Change, RequestBody } from './change'
import { adoptCreated, isLost, settle } from './lost'
import { type Found, type Item, named, pathOf, readItem } from './resource'

/**
 * Sends a change and resolves to its answer. Where that was lost, what has been made is looked for, and what has been
 * changed is looked at, before anything is sent again (reliability.md).
 */
export async function send(change: Change, body: RequestBody, context: Context, found?: Found): Promise<Item> {
  const { operation, resource, settled } = change
  const client = await context.client()
  const path = found && pathOf(resource, found.id)
  const began = context.clock.now()
  const call = async () => {
    const request = client.call(operation, { ...(path && { path }), ...(operation.body && { body }) })
    return (await (found ? named(request, found.id, resource) : request)) as Item
  }
  try {
    return await call()
  } catch (error) {
    if (!isLost(error)) throw error
    if (!found || !settled) return adoptCreated(error, { label: body.label, began, resource, context })
    const read = () => readItem(found.id, resource, context)
    return settle(error, { read, send: call, settled: (record) => settled(record, body), context })
  }
}
