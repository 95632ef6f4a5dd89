/** What is done when a request that must not simply be repeated was sent, and its answer was lost (reliability.md). */
import type { Context } from '../context'
import { Problem } from '../errors'
import { parseTimestamp } from '../rules/times'
import { groupOf, type Item, labelled, type Resource } from './resource'

export function isLost(error: unknown): error is Problem {
  return error instanceof Problem && error.code === 'outcome_unknown'
}

/**
 * For what makes a new object: adopts the one that has its label and was created since the request began.
 * Throws the problem again, with what is known, where there is none or more than one, or where it has no label.
 */
export async function adoptCreated(lost: Problem, made: Made): Promise<Item> {
  const { resource, context } = made
  if (context.signal.aborted) throw lost
  const created = await findCreated(lost, made)
  await context.warn(`the answer was lost, but ${resource.noun} "${created.label}" (${created.id}) was created`)
  return created
}

/** What a request for a new object asked for, and when it began in milliseconds. */
export interface Made {
  label: unknown
  began: number
  resource: Resource
  context: Context
}

/** The one object that has the label and was created since; throws `outcome_unknown` with what is known otherwise. */
export async function findCreated(lost: Problem, { label, began, resource, context }: Made): Promise<Item> {
  if (typeof label !== 'string') {
    const hint = `Look before you try again: skyctl ${groupOf(resource)} list`
    throw new Problem('outcome_unknown', lost.message, { ...lost.details, hint, cause: lost })
  }
  // The service's times are whole seconds, so one that began in the same second counts.
  const since = Math.floor(began / 1000) * 1000
  const isNew = (item: Item) => item.label === label && parseTimestamp(String(item.created)) >= since
  const candidates = await labelled(label, resource, context).then(
    (items) => items.filter(isNew),
    () => undefined,
  )
  const [created] = candidates ?? []
  if (candidates?.length !== 1 || !created) {
    const known = candidates && `; ${candidates.length} new ${resource.noun}s are labelled "${label}"`
    throw new Problem('outcome_unknown', `${lost.message}${known ?? ''}`, {
      ...lost.details,
      hint: `Look before you try again: skyctl ${groupOf(resource)} list --filter label=${label}`,
    })
  }
  return created
}

/**
 * For what changes an object: reads it, and sends once more only where it is not as wanted yet.
 * Resolves to the object; throws the problem again where it stays unknown.
 */
export async function settle(
  lost: Problem,
  {
    read,
    send,
    settled,
    context,
  }: {
    read: () => Promise<Item>
    send: () => Promise<unknown>
    settled: (record: Item) => boolean
    context: Context
  },
): Promise<Item> {
  if (context.signal.aborted) throw lost
  const look = async () => {
    const record = await read().catch(() => undefined)
    return record && { record, done: settled(record) }
  }
  const before = await look()
  // What cannot be looked at cannot be decided.
  if (!before) throw lost
  if (before.done) return before.record
  try {
    await sendAgain(lost, send)
  } catch (error) {
    const after = await look()
    if (after?.done) return after.record
    throw error
  }
  return read()
}

/**
 * Sends once more what was seen not to be done. Where that fails without a verdict, the first request is as unknown as
 * before: throws its problem again.
 */
export async function sendAgain<T>(lost: Problem, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    throw decides(error) ? error : lost
  }
}

/** Whether a failure of the second request tells that the first was not done either. */
function decides(error: unknown): boolean {
  return !(error instanceof Problem && ['outcome_unknown', 'unavailable', 'rate_limited'].includes(error.code))
}
