/** HTTP client of the API: calls an operation, reads the pages of a collection, or sends any request. */
import type { Answer, Operation } from '../catalogue/operation'
import { defaultPageSize, pageSizes } from '../catalogue/paging'
import { Problem } from '../errors'
import { KnownSecrets } from '../rules/secrets'
import { expectBody, needing, normalizeBody, normalizeItems, Reader } from './answer'
import { createAbortController, defaultLimits, type Limits } from './deadline'
import { parseHttpDate } from './http-date'
import type { Page } from './page-sequence'
import type { Bounds, Collection } from './pages'
import { isPage, itemKeyBy, limitItems, pacedPages, parsePage, readableItems, readPage, readPages } from './pages'
import type { PauseOptions, PlannedRequests } from './planned-requests'
import { failing, type RequestSummary } from './problems'
import type { Burst } from './rate-limit'
import type { RequestPlan } from './rate-plan'
import { Redactor } from './redact'
import type { RequestOutcome } from './request-outcome'
import { buildRequest, type Call, familyOf, type Request, requestOf, type Sending } from './requests'
import { type RequestResult, RetryingRequest } from './retrying-request'
import type { ClientSettings } from './settings'

export type { Bounds } from './pages'
export type { RequestOutcome } from './request-outcome'
export type { Call } from './requests'
export type { ApiWarning, ClientSettings } from './settings'

/** Client of the API at an address. Every method throws problems only, or the reason of `settings.signal`. */
export class Client {
  readonly #exchanger: RetryingRequest
  readonly #reader: Reader
  readonly #looked = new Map<string, Promise<boolean>>()

  constructor(
    private readonly settings: ClientSettings,
    private readonly limits: Limits = defaultLimits,
  ) {
    const secrets = settings.secrets ?? new KnownSecrets()
    secrets.learnCredential(settings.token)
    const redactor = new Redactor(secrets)
    this.#exchanger = new RetryingRequest(settings, limits, redactor)
    this.#reader = new Reader(settings, limits, redactor)
  }

  /** The service's time in milliseconds since the epoch, from its last answer; undefined without one. */
  get serviceTime(): number | undefined {
    return this.#reader.serviceTime
  }

  /** Reads; resolves to the answer's body: to null or `{}` if the operation may answer with none. */
  async call<O extends Operation>(operation: O, call: Call = {}): Promise<Answer<O>> {
    const { answerOf } = await import('./request-outcome')
    return answerOf(await this.once(operation, call))
  }

  /** Sends an operation, as often as that is safe, and resolves to what became of it. Throws defects only. */
  async once<O extends Operation>(operation: O, call: Call = {}): Promise<RequestOutcome<Answer<O>>> {
    const request = () => requestOf(operation, call, this.settings)
    return this.#outcomeOf(request, (answered) => this.#record(operation, call, answered) as Promise<Answer<O>>)
  }

  /** Sends any request as `once` does; an answer without a body is null. */
  async onceAny(sending: Sending): Promise<RequestOutcome> {
    const request = () => buildRequest(sending, this.settings)
    return this.#outcomeOf(request, async (answered) => {
      const { body } = await this.#reader.read(answered)
      const { status } = answered.answer
      if (sending.returns) expectBody(sending.returns, { status, body }, failing(answered.summary, status))
      return body ?? null
    })
  }

  async #outcomeOf<A>(
    request: () => Promise<Request>,
    read: (answered: RequestResult) => Promise<A>,
  ): Promise<RequestOutcome<A>> {
    // Before anything is sent, so that a failure finds it. Lists do not need it.
    const { failureOf, lastAnswerOf } = await import('./request-outcome')
    let answered: RequestResult | undefined
    try {
      answered = await this.#exchanger.exchange(await request())
      return { is: 'ok', answer: await read(answered).catch(this.#failAtAddress), ...lastAnswerOf(answered) }
    } catch (error) {
      return failureOf(error, answered)
    }
  }

  /** Reads an answer in the operation's schema. */
  async #record(operation: Operation, call: Call, answered: RequestResult): Promise<unknown> {
    const { body } = await this.#reader.read(answered, operation)
    const { status } = answered.answer
    const fail = failing(answered.summary, status)
    const answer = normalizeBody(needing(operation, call), { status, body }, fail)
    const { expectSameObject } = await import('./expect-same-object')
    expectSameObject(operation, call, { answer, fail })
    return answer
  }

  /** Returns the error, or `WrongAddress` if the API is at another address. */
  async #atAddress(error: unknown): Promise<unknown> {
    const { detectWrongAddress, probePath, probeTimeoutMs } = await import('./wrong-address')
    const { baseUrl, looked = this.#looked, userAgent } = this.settings
    const look = async (address: string) => {
      const sending = { method: 'GET', path: probePath, idempotency: 'safe' } as const
      const request = await buildRequest(sending, { baseUrl: address, userAgent })
      const probe = { ...request, base: address, once: true, signal: AbortSignal.timeout(probeTimeoutMs) } as const
      return (await this.#reader.read(await this.#exchanger.exchange(probe))).body
    }
    return detectWrongAddress(error, { baseUrl, looked, look })
  }

  readonly #failAtAddress = async (error: unknown) => Promise.reject(await this.#atAddress(error))

  /** Yields the items of one page at a time, in order and without duplicates. If a page fails, the whole read fails. */
  async *pages<O extends Operation>(operation: O, call: Call & Bounds = {}): AsyncGenerator<Answer<O>[], void> {
    const unreadable = call.onUnreadable && new Map<unknown, string>()
    const collection: Collection = {
      summary: operation,
      operation,
      request: (query) => requestOf(operation, { ...call, query: { ...call.query, ...query } }, this.settings),
      identity: itemKeyBy(operation.distinct ?? ['id']),
      page: (body, number, fail) =>
        parsePage(body, number, (items) => normalizeItems(needing(operation, call), items, fail, unreadable), fail),
    }
    const pages = this.#readPages(collection, call)
    yield* readableItems(pages, unreadable, call.onUnreadable) as AsyncGenerator<Answer<O>[], void>
  }

  /** Yields the items of any list, read as `pages` does. A page size in the path's query is kept. */
  pagesAt(
    { path, headers = {} }: Pick<Sending, 'path' | 'headers'>,
    bounds: Bounds = {},
  ): AsyncGenerator<unknown[], void> {
    const [place = ''] = path.split('?')
    const summary: RequestSummary = { method: 'GET', path: place, idempotency: 'safe' }
    const request = async (paging: Readonly<Record<string, number>>) => {
      const query = new URLSearchParams(path.slice(place.length))
      const size = query.get('page_size')
      for (const [key, value] of Object.entries(paging)) query.set(key, String(value))
      if (size !== null) query.set('page_size', size)
      const built = await buildRequest({ ...summary, headers, path: `${place}?${query}` }, this.settings)
      return { ...built, family: familyOf(summary) }
    }
    const page: Collection['page'] = (body, number, fail) => {
      if (number === 1 && !isPage(body)) throw new Problem('usage', `${place} is not a list of pages`)
      return parsePage(body, number, (items) => items, fail)
    }
    return this.#readPages({ summary, request, page, identity: itemKeyBy(['id']) }, bounds)
  }

  /**
   * Announces the requests of a command, and prints their number with -v. The plan starts each of them when the rate limit
   * allows it: at once, unless more are planned than it allows.
   */
  async plan(requests: readonly PlannedRequests[], options: PauseOptions = {}): Promise<RequestPlan> {
    const { notePlan, planRequests } = await import('./rate-plan')
    notePlan(requests, this.settings)
    return planRequests(requests, options, this.settings)
  }

  /** Waits until the rate limit allows a burst of requests, according to the last answer. */
  readonly awaitRateLimit = async (burst: Burst) => (await import('./rate-limit')).awaitRateLimit(burst, this.settings)

  /** Closes every connection; one that is still being opened would keep the process running. */
  close(): Promise<void> {
    return this.#exchanger.close()
  }

  async *#readPages(
    collection: Collection,
    { page, limit = Number.POSITIVE_INFINITY, onPage, ...bounds }: Bounds,
  ): AsyncGenerator<unknown[], void> {
    const size = bounds.pageSize ?? Math.min(defaultPageSize, Math.max(pageSizes.smallest, limit))
    const sized = page === undefined || bounds.pageSize !== undefined
    let stop = createAbortController()
    let window = this.settings.concurrency
    const onLimited = () => {
      window = Math.max(1, Math.floor(window / 2))
    }
    const readOne = async (number: number, page_size: number) => {
      const request = await collection.request({ ...(sized && { page_size }), page: number })
      // A body of so many bytes needs more memory when it is parsed: a smaller page is requested without reading it.
      const most = page === undefined && page_size > pageSizes.smallest ? { mostBytes: this.limits.memory } : {}
      const answered = await this.#exchanger.exchange({ ...request, ...most, signal: stop.signal, onLimited })
      return this.#pageIn(answered, number, collection).catch(this.#failAtAddress)
    }
    const paced = pacedPages(readOne, {
      limit: page === undefined ? limit : 0,
      plan: async (count) => (await import('./rate-plan')).planPages(collection.summary, count, this.settings),
      signal: () => stop.signal,
    })
    const restart = () => {
      stop.abort()
      stop = createAbortController()
    }
    try {
      const reading = {
        ...{ size, read: paced.read, restart, onPage, identity: collection.identity, window: () => window },
        mostAhead: this.limits.memory / parsedSize,
        lastWanted: (twice: number, size: number) => Math.ceil((limit + twice) / size),
        fail: failing(collection.summary),
      }
      yield* limitItems(limit, page === undefined ? readPages(reading) : readPage(page, reading))
    } finally {
      stop.abort()
      await paced.end()
    }
  }

  async #pageIn(answered: RequestResult, number: number, { operation, page }: Collection): Promise<Page> {
    const { body, bytes } = await this.#reader.read(answered, operation)
    const answeredAt = parseHttpDate(answered.answer.headers.date ?? '', this.settings.clock.now())
    return { ...page(body, number, failing(answered.summary)), bytes, answeredAt }
  }
}

/** Memory of typical records as a multiple of their text. */
const parsedSize = 4
