/** Implements `--wait` and `wait`: looks at an object until a condition is met. */

import { Problem } from '../errors'
import { spanText } from '../rules/durations'
import type { Account } from './account'
import { sameAccount } from './account'
import { compareFields } from './label-lookup'
import { groupOf, type Id, type Item, listCommandOf, nameOf, type Resource, readUnlessGone } from './resource'
import { keepingPlace, type WaitLimit, waitPauses } from './wait-limit'
import type { Sighting } from './wait-reads'

export interface Condition {
  /** Name in `--for`. */
  name: string
  field?: string
  /** Tests a record; `null` is a deleted object. */
  met(record: Item | null): boolean
}

const { first, longest, longestLate } = waitPauses

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
  /** The object in the answer to its change. */
  answer?: Item | undefined
  /** The object as it was read before. */
  before?: Item | undefined
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
  /** Newest known record. A list that shows an older one is out of date. */
  #newest: Item | undefined
  /** Number of lists in sequence that lacked the object. */
  #misses = 0
  /** Time before which a doubtful list is no reason to read the object by itself, and the pause after the next such read. */
  #aloneNotBefore = Number.NEGATIVE_INFINITY
  #alonePause: number = first

  constructor(
    private readonly condition: Condition,
    private readonly waited: Waited,
  ) {
    const { account, answer, before, id, isFirst = false, limit = account.clock.waitLimit, resource } = waited
    this.#begun = account.clock.monotonic()
    this.#limit = limit
    limit.start()
    this.#answered = !isFirst
    this.#newest = answer ?? before
    this.#aim = `${nameOf(resource, { id })} to be ${condition.name}`
  }

  readonly line = () =>
    `Waiting for ${this.#aim}${this.#status}${elapsed(this.waited.account.clock.monotonic() - this.#begun)}`

  readonly state = () => `${this.#status.slice(2) || 'waits'}, until it is ${this.condition.name}`

  async untilMet({ shown }: { shown: boolean }): Promise<Item | null> {
    const { condition, waited } = this
    const { account, answer, id, resource } = waited
    // An answer that meets the condition may be too early, so it is no proof.
    let record = answer && !condition.met(answer) ? answer : await this.#read(0)
    let isReported = false
    for (let pause: number = first; !condition.met(record); pause = Math.min(pause * 1.5, longest)) {
      if (record === null) throw new Problem('not_found', `${resource.noun} ${id} no longer exists`)
      const left = this.#limit.left()
      if (left <= 0) throw this.#timedOut(record, await this.#next())
      this.#aim = `${nameOf(resource, { id, record })} to be ${condition.name}`
      this.#status = `: ${record.status}`
      // Without a progress line, one message is enough.
      if (!isReported && !shown) await account.reporter.status(`Waiting for ${this.#aim}${this.#status}`)
      isReported = true
      const next = this.#jittered(pause)
      // The last look does not rely on a list.
      record = next < left ? await this.#read(next) : await this.#readAlone(left)
    }
    return record
  }

  /** Adds the command that continues the wait to a problem. */
  async explained(error: unknown): Promise<unknown> {
    if (!(error instanceof Problem) || final.has(error.code)) return error
    // Repeating a change would create a duplicate: only the wait continues.
    const again = await this.#next()
    const hint = mayPass(error, this.#answered) ? again : (error.details.hint ?? again)
    return error.with({ message: `${error.message} while waiting for ${this.#aim}`, hint })
  }

  /** Reads the object within so many milliseconds: with many others from a list, if that is enough. */
  async #read(milliseconds: number): Promise<Item | null> {
    const listed = this.#believed(await this.#look(milliseconds, false))
    if (listed !== undefined) return listed
    this.#aloneNotBefore = this.waited.account.clock.monotonic() + this.#alonePause
    this.#alonePause = Math.min(2 * this.#alonePause, longestLate)
    return this.#readAlone(0)
  }

  async #readAlone(milliseconds: number): Promise<Item | null> {
    const { record } = await this.#look(milliseconds, true)
    this.#newest = record ?? undefined
    return record ?? null
  }

  /** Returns undefined if the object must be read by itself, since a list may be out of date. */
  #believed({ record, isListed }: Sighting): Item | null | undefined {
    const { condition } = this
    const isCurrent = !isListed || (record && this.#isCurrent(record))
    this.#misses = record === undefined ? this.#misses + 1 : 0
    if (isCurrent) this.#newest = record ?? undefined
    if (!isListed || (isCurrent && condition.met(record ?? null))) return record
    const isDoubtful = this.#misses > mostMisses || condition.met(record ?? null)
    const mayAsk = this.waited.account.clock.monotonic() >= this.#aloneNotBefore
    const newest = this.#newest
    // Before it gives up, and before it takes an object for gone, it does not rely on a list.
    const isAsking = this.#limit.left() <= 0 || (isDoubtful && mayAsk)
    return isAsking || !newest || condition.met(newest) ? undefined : newest
  }

  #isCurrent(record: Item): boolean {
    const { updated, [this.condition.field ?? 'status']: _, ...others } = this.#newest ?? record
    if (typeof updated === 'string' && typeof record.updated === 'string' && updated !== record.updated)
      return updated < record.updated
    // Of the same second: it must show the other changes.
    return compareFields(record, others).length === 0
  }

  /** Looks, and again after temporary problems within the limit, after the pause that the service requests. */
  async #look(milliseconds: number, isAlone: boolean): Promise<Sighting> {
    let within = milliseconds
    for (let pause: number = first; ; pause = Math.min(pause * 2, longest)) {
      try {
        const sighting = await this.#lookOnce(within, isAlone)
        this.#answered = true
        return sighting
      } catch (error) {
        if (!(error instanceof Problem && mayPass(error, this.#answered))) throw error
        const { retryAfterMs = 0 } = error.details
        const left = this.#limit.left()
        if (left <= 0 || retryAfterMs > left) throw error
        within = Math.max(retryAfterMs, Math.min(this.#jittered(pause), left))
      }
    }
  }

  /** Reads the object after a pause: with a request of its own, unless the run waits for others, too. */
  async #lookOnce(milliseconds: number, isAlone: boolean): Promise<Sighting> {
    const { account, id, resource } = this.waited
    const { clock, signal } = account
    const { field } = this.condition
    if (clock.whileWaiting === keepingPlace) {
      await clock.sleep(milliseconds, signal)
      const record = await readUnlessGone(id, field, resource, account)
      return { record, isListed: record === undefined }
    }
    const { sharedReadsOf } = await import('./wait-reads')
    const reads = await sharedReadsOf(resource, account)
    return reads.look({ id, field, due: clock.monotonic() + milliseconds, isAlone, account, resource })
  }

  /** Returns a slightly different pause, so that programs that began together do not look together. */
  readonly #jittered = (pause: number) => pause * (0.8 + 0.4 * this.waited.account.clock.random())

  async #next(): Promise<string> {
    const { id, resource, account } = this.waited
    const { name } = this.condition
    const next = resource.view.paged
      ? `See when it is ${name}: skyctl ${listCommandOf(resource)}`
      : `Continue waiting: skyctl ${groupOf(resource)} wait ${id} --for ${name}`
    return next + (await sameAccount(account))
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

/** Lists in sequence that may lack an object before it is read by itself: pages may move, and a list may be late. */
const mostMisses = 1

const final = new Set<Problem['code']>(['wait_timed_out', 'not_found'])

/** Reports whether a problem may be temporary; answers of a gateway are, if the API has answered before. */
const mayPass = ({ code }: Problem, answered: boolean) =>
  code === 'unavailable' || code === 'rate_limited' || (answered && code === 'not_the_api')
