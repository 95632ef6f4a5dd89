/**
 * Reads the objects that commands wait for. All waits of a client share one reader for each list, so a hundred waits need
 * about as many requests as one: a request reads the records of all of them. Only the last few are read one by one.
 */
import { isMissing } from '../catalogue/normalize'
import { Problem } from '../errors'
import type { Client } from '../http/client'
import type { Clock } from '../rules/times'
import type { Account } from './account'
import { type Id, type Item, type Resource, readUnlessGone } from './resource'
import { StateList } from './state-list'

/** A wish to see an object again. */
interface Look {
  id: Id
  /** Field that the record must have. */
  field: string | undefined
  /** Latest time of the look in milliseconds, by the monotonic clock. */
  due: number
  /** True to read the object with a request of its own. */
  isAlone: boolean
  account: Account
  resource: Resource
}

/** Result of a look. */
export interface Sighting {
  /** Undefined if the list lacks the object, and null if the service says that it does not exist. */
  record: Item | null | undefined
  /** True if it comes from a list, which may be older than the object. */
  isListed: boolean
}

interface PendingLook extends Look {
  /** True while a request reads it. */
  isBeingRead: boolean
  resolve(sighting: Sighting): void
  reject(error: unknown): void
}

/** Objects that are read one by one rather than by their list. */
const few = 2

/** Shortest time between two reads of a list in milliseconds: looks that are due meanwhile share the next one. */
const shortestGapMs = 500

const readers = new WeakMap<Client, Map<string, SharedReads>>()

export async function sharedReadsOf(resource: Resource, account: Account): Promise<SharedReads> {
  const client = await account.client()
  const ofClient = readers.get(client) ?? new Map<string, SharedReads>()
  readers.set(client, ofClient)
  const key = JSON.stringify([resource.list.path, resource.path])
  const reads = ofClient.get(key) ?? new SharedReads(new StateList(resource, client))
  ofClient.set(key, reads)
  return reads
}

export class SharedReads {
  readonly #looks = new Set<PendingLook>()
  /** Time before which the list is not read. */
  #listNotBefore = Number.NEGATIVE_INFINITY
  #isListBeingRead = false
  #pause = new AbortController()
  #pausesUntil = Number.POSITIVE_INFINITY
  #isRunning = false

  constructor(private readonly list: StateList) {}

  /** Resolves to what the next read of the object finds; it may come before it is due. */
  look(look: Look): Promise<Sighting> {
    const { signal, clock } = look.account
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const stop = () => pending.reject(signal.reason)
      const end = () => {
        signal.removeEventListener('abort', stop)
        this.#looks.delete(pending)
        // Fewer looks may be due earlier, or none.
        this.#wake()
      }
      const pending: PendingLook = {
        ...look,
        isBeingRead: false,
        resolve(sighting) {
          end()
          resolve(sighting)
        },
        reject(error) {
          end()
          reject(error)
        },
      }
      signal.addEventListener('abort', stop)
      this.#looks.add(pending)
      if (look.due < this.#pausesUntil) this.#wake()
      void this.#run(clock)
    })
  }

  /** Begins reads when they are due, until there is nothing to begin. It waits for none, as one may take long. */
  async #run(clock: Clock): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    // Waits that begin together share the first read, too.
    await clock.sleep(0)
    for (let next = this.#nextAt(); next < Number.POSITIVE_INFINITY; next = this.#nextAt()) {
      const now = clock.monotonic()
      if (next <= now) this.#beginReads(now, clock)
      else await this.#pauseUntil(next, clock)
    }
    this.#isRunning = false
  }

  /** Pauses; ends earlier when a look is due before, or when nothing is waited for any more. */
  async #pauseUntil(next: number, clock: Clock): Promise<void> {
    this.#pause = new AbortController()
    this.#pausesUntil = next
    await clock.sleep(next - clock.monotonic(), this.#pause.signal).catch(() => {})
    this.#pausesUntil = Number.POSITIVE_INFINITY
  }

  #wake(): void {
    // Each abort creates an exception.
    if (!this.#pause.signal.aborted) this.#pause.abort()
  }

  #nextAt(): number {
    const listAt = this.#isListBeingRead ? Number.POSITIVE_INFINITY : this.#listNotBefore
    const times = this.#idle().map((look) => (this.#isShared(look) ? Math.max(look.due, listAt) : look.due))
    return Math.min(...times)
  }

  readonly #idle = () => [...this.#looks].filter(({ isBeingRead }) => !isBeingRead)

  /** Reports whether the list serves a look. */
  readonly #isShared = ({ isAlone }: Look) => !isAlone && this.#looks.size > few

  #beginReads(now: number, clock: Clock): void {
    const isDue = ({ due }: Look) => due <= now
    const idle = this.#idle()
    const shared = idle.filter(this.#isShared)
    for (const look of idle) if (!this.#isShared(look) && isDue(look)) void readAlone(look)
    const isListDue = now >= this.#listNotBefore && shared.some(isDue)
    if (isListDue && !this.#isListBeingRead) void this.#readListed(shared, clock)
  }

  /** Reads the list; looks that come meanwhile are served by the next one. */
  async #readListed(looks: readonly PendingLook[], clock: Clock): Promise<void> {
    this.#isListBeingRead = true
    this.#listNotBefore = clock.monotonic() + shortestGapMs
    for (const look of looks) look.isBeingRead = true
    try {
      const records = await this.list.read(looks.map(({ id }) => id))
      for (const { id, field, resolve } of looks) {
        const record = records.get(id)
        const isLacking = record && field !== undefined && isMissing(record, field)
        resolve({ record: isLacking ? undefined : record, isListed: true })
      }
    } catch (error) {
      const { retryAfterMs = 0 } = error instanceof Problem ? error.details : {}
      this.#listNotBefore = Math.max(this.#listNotBefore, clock.monotonic() + retryAfterMs)
      for (const { reject } of looks) reject(error)
    }
    this.#isListBeingRead = false
    void this.#run(clock)
  }
}

async function readAlone(look: PendingLook): Promise<void> {
  const { id, field, resource, account, resolve, reject } = look
  look.isBeingRead = true
  try {
    const record = await readUnlessGone(id, field, resource, account)
    resolve({ record, isListed: record === undefined })
  } catch (error) {
    reject(error)
  }
}
