/** Implements `--wait` and `wait`: polls an object until a condition is met. */

import { isGone, Problem } from '../errors'
import { spanText } from '../rules/durations'
import type { Account } from './account'
import { sameAccount } from './account'
import { groupOf, type Id, type Item, nameOf, type Resource, readItem } from './resource'

export interface Condition {
  /** Name in `--for`. */
  name: string
  /** Field that it tests. */
  field?: string
  /** Tests a record; `null` is a deleted object. */
  met(record: Item | null): boolean
}

const firstPause = 500
const longestPause = 5000

/**
 * Resolves to the object as last read (null: it was deleted). Throws `wait_timed_out` with its status, and `not_found`
 * if it vanished while it should exist. Any other error, also an interrupt, gets the command that continues the wait.
 * The object may be new, and no other message may have named it.
 */
export async function waitUntil(
  condition: Condition,
  {
    id,
    resource,
    account,
    timeoutMs,
    isFirst = false,
  }: {
    id: Id
    resource: Resource
    account: Account
    timeoutMs: number
    /**
     * True if this is the first request of the run. Then an answer that is not the API's means a wrong address, and
     * ends the wait.
     */
    isFirst?: boolean
  },
): Promise<Item | null> {
  let answered = !isFirst
  const begun = account.clock.now()
  const deadline = begun + timeoutMs
  let aim = `${nameOf(resource, { id })} to be ${condition.name}`
  let state = ''
  const progress = await account.reporter.progress(
    () => `Waiting for ${aim}${state}${elapsed(account.clock.now() - begun)}`,
    () => `${state.slice(2) || 'waits'}, until it is ${condition.name}`,
  )
  const waitOn = async () =>
    `Continue waiting: skyctl ${groupOf(resource)} wait ${id} --for ${condition.name}${await sameAccount(account)}`
  let told = false
  try {
    for (let pause = firstPause; ; pause = Math.min(pause * 1.5, longestPause)) {
      const record = await readPatiently(() => readOrNull(id, resource, { account, condition }), {
        deadline,
        account,
        answered,
      })
      answered = true
      if (condition.met(record)) return record
      if (record === null) throw new Problem('not_found', `${resource.noun} ${id} no longer exists`)
      const left = deadline - account.clock.now()
      if (left <= 0) throw timedOut({ record, condition, resource, timeoutMs, hint: await waitOn() })
      aim = `${nameOf(resource, { id, record })} to be ${condition.name}`
      state = `: ${record.status}`
      // Without a progress line, print one message.
      if (!told && !progress.shown) await account.reporter.status(`Waiting for ${aim}${state}`)
      told = true
      await account.clock.sleep(Math.min(pause, left), account.signal)
    }
  } catch (error) {
    if (!(error instanceof Problem) || final.has(error.code)) throw error
    // Repeating a change would create a duplicate: only the wait continues.
    const again = await waitOn()
    const hint = mayPass(error, answered) ? again : (error.details.hint ?? again)
    throw new Problem(error.code, `${error.message} while waiting for ${aim}`, { ...error.details, hint, cause: error })
  } finally {
    progress.done()
  }
}

/** Returns ` (12s)`, or nothing in the first second. */
const elapsed = (milliseconds: number) => (milliseconds < 1000 ? '' : ` (${spanText(milliseconds)})`)

const final = new Set<Problem['code']>(['wait_timed_out', 'not_found'])

/** Reports whether a problem may be temporary; answers of a gateway are, if the API has answered before. */
const mayPass = ({ code }: Problem, answered: boolean) =>
  code === 'unavailable' || code === 'rate_limited' || (answered && code === 'not_the_api')

/** Reads, and retries temporary problems until the deadline. */
async function readPatiently<T>(
  read: () => Promise<T>,
  { deadline, account, answered }: { deadline: number; account: Account; answered: boolean },
): Promise<T> {
  for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
    try {
      return await read()
    } catch (error) {
      const left = deadline - account.clock.now()
      if (!(error instanceof Problem && mayPass(error, answered)) || left <= 0) throw error
      await account.clock.sleep(Math.min(pause, left), account.signal)
    }
  }
}

async function readOrNull(
  id: Id,
  resource: Resource,
  { account, condition: { field } }: { account: Account; condition: Condition },
): Promise<Item | null> {
  try {
    return await readItem(id, resource, account, field === undefined ? {} : { essential: [field] })
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

function timedOut({
  record,
  condition,
  resource,
  timeoutMs,
  hint,
}: {
  record: Item
  condition: Condition
  resource: Resource
  timeoutMs: number
  hint: string
}): Problem {
  const name = nameOf(resource, { id: record.id, record })
  return new Problem(
    'wait_timed_out',
    `${name} is not ${condition.name} after ${timeoutMs / 1000}s; its status is ${record.status}`,
    { hint, retryable: true },
  )
}
