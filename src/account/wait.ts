/** Implements `--wait` and `wait`: polls an object until a condition is met. */

import { isGone, Problem } from '../errors'
import { spanText } from '../rules/durations'
import type { Account } from './account'
import { sameAccount } from './account'
import { groupOf, type Id, type Item, nameOf, type Resource, readItem } from './resource'
import { type WaitLimit, waitPauses } from './wait-limit'

export interface Condition {
  /** Name in `--for`. */
  name: string
  /** Field that it tests. */
  field?: string
  /** Tests a record; `null` is a deleted object. */
  met(record: Item | null): boolean
}

const { first, longest } = waitPauses

interface Waited {
  id: Id
  resource: Resource
  account: Account
  /** Undefined: the time limit of all waits of the command. */
  limit?: WaitLimit
  /**
   * True if this is the first request of the run. Then an answer that is not the API's means a wrong address, and ends
   * the wait.
   */
  isFirst?: boolean
}

/**
 * Resolves to the object as last read (null: it was deleted). Throws `wait_timed_out` with its status, and `not_found`
 * if it vanished while it should exist. Any other error, also an interrupt, gets the command that continues the wait.
 * The object may be new, and no other message may have named it.
 */
export async function waitUntil(condition: Condition, waited: Waited): Promise<Item | null> {
  const { clock, reporter } = waited.account
  const wait = new Wait(condition, waited)
  const progress = await reporter.progress(wait.line, wait.state)
  try {
    return await clock.whileWaiting(() => wait.untilMet(progress), condition.name)
  } catch (error) {
    throw await wait.explained(error)
  } finally {
    progress.done()
  }
}

class Wait {
  readonly #begun: number
  readonly #limit: WaitLimit
  #answered: boolean
  /** `volume "data" (3001) to be active`. */
  #aim: string
  /** `: creating`; empty before the first answer. */
  #status = ''

  constructor(
    private readonly condition: Condition,
    private readonly waited: Waited,
  ) {
    const { account, id, isFirst = false, limit = account.clock.waitLimit, resource } = waited
    this.#begun = account.clock.monotonic()
    this.#limit = limit
    limit.start()
    this.#answered = !isFirst
    this.#aim = `${nameOf(resource, { id })} to be ${condition.name}`
  }

  readonly line = () =>
    `Waiting for ${this.#aim}${this.#status}${elapsed(this.waited.account.clock.monotonic() - this.#begun)}`

  readonly state = () => `${this.#status.slice(2) || 'waits'}, until it is ${this.condition.name}`

  async untilMet({ shown }: { shown: boolean }): Promise<Item | null> {
    const { condition, waited } = this
    const { account, id, resource } = waited
    let isReported = false
    for (let pause: number = first; ; pause = Math.min(pause * 1.5, longest)) {
      const record = await this.#read()
      if (condition.met(record)) return record
      if (record === null) throw new Problem('not_found', `${resource.noun} ${id} no longer exists`)
      const left = this.#limit.left()
      if (left <= 0) throw this.#timedOut(record, await this.#next())
      this.#aim = `${nameOf(resource, { id, record })} to be ${condition.name}`
      this.#status = `: ${record.status}`
      // Without a progress line, one message is enough.
      if (!isReported && !shown) await account.reporter.status(`Waiting for ${this.#aim}${this.#status}`)
      isReported = true
      await account.clock.sleep(Math.min(pause, left), account.signal)
    }
  }

  /** Adds the command that continues the wait to a problem. */
  async explained(error: unknown): Promise<unknown> {
    if (!(error instanceof Problem) || final.has(error.code)) return error
    // Repeating a change would create a duplicate: only the wait continues.
    const again = await this.#next()
    const hint = mayPass(error, this.#answered) ? again : (error.details.hint ?? again)
    const text = `${error.message} while waiting for ${this.#aim}`
    return new Problem(error.code, text, { ...error.details, hint, cause: error })
  }

  async #read(): Promise<Item | null> {
    const { condition, waited } = this
    const { account, id, resource } = waited
    const read = () => readOrNull(id, resource, { account, condition })
    const record = await readPatiently(read, { limit: this.#limit, account, answered: this.#answered })
    this.#answered = true
    return record
  }

  async #next(): Promise<string> {
    const { id, resource, account } = this.waited
    const words = `${groupOf(resource)} wait ${id} --for ${this.condition.name}`
    return `Continue waiting: skyctl ${words}${await sameAccount(account)}`
  }

  #timedOut(record: Item, hint: string): Problem {
    const { resource } = this.waited
    const name = nameOf(resource, { id: record.id, record })
    return new Problem(
      'wait_timed_out',
      `${name} is not ${this.condition.name} after ${this.#limit.milliseconds / 1000}s; its status is ${record.status}`,
      { hint, retryable: true },
    )
  }
}

/** Returns ` (12s)`, or nothing in the first second. */
const elapsed = (milliseconds: number) => (milliseconds < 1000 ? '' : ` (${spanText(milliseconds)})`)

const final = new Set<Problem['code']>(['wait_timed_out', 'not_found'])

/** Reports whether a problem may be temporary; answers of a gateway are, if the API has answered before. */
const mayPass = ({ code }: Problem, answered: boolean) =>
  code === 'unavailable' || code === 'rate_limited' || (answered && code === 'not_the_api')

/** Reads, and retries temporary problems within the limit, after the pause that the service requests. */
async function readPatiently<T>(
  read: () => Promise<T>,
  { limit, account, answered }: { limit: WaitLimit; account: Account; answered: boolean },
): Promise<T> {
  for (let pause: number = first; ; pause = Math.min(pause * 2, longest)) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof Problem && mayPass(error, answered))) throw error
      const { retryAfterMs = 0 } = error.details
      const left = limit.left()
      if (left <= 0 || retryAfterMs > left) throw error
      await account.clock.sleep(Math.max(retryAfterMs, Math.min(pause, left)), account.signal)
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
