/** The service as operations: one call, the pages of a collection, or any request. */
import { type Answer, essentialOf, type Operation } from '../catalogue/operation'
import { pageSizes, usualPageSize } from '../catalogue/paging'
import { isGone, Problem } from '../errors'
import { KnownSecrets } from '../rules/known-secrets'
import { shaped, shapedItems } from './answer'
import { type Answered, Exchanger } from './exchange'
import { HeldPages, stopper } from './held-pages'
import { defaultLimits, type Limits } from './limits'
import type { Page } from './page-sequence'
import { type Bounds, identityBy, isPage, pageOf, readPage, readPages, upTo } from './pages'
import { type Asked, type Fail, failing, isUnreadable } from './problems'
import { Reader } from './reader'
import { Redactor } from './redact'
import { buildRequest, type Call, type Received, type Request, requestOf, type Sending } from './requests'
import { isSuccess } from './retry'
import type { Settings } from './settings'

export type { Bounds } from './pages'
export type { Call } from './requests'
export type { Settings, Warning } from './settings'

export interface Client {
  /** Resolves to the answer's body; to null or `{}` where the operation may answer with none. */
  call<O extends Operation>(operation: O, call?: Call): Promise<Answer<O>>
  /** The same, with what the headers of the answer tell besides. */
  receive<O extends Operation>(operation: O, call?: Call): Promise<Pick<Received, 'headers'> & { body: Answer<O> }>
  /** Yields the items of a page at a time, in order, none of them twice. A page that fails fails the whole. */
  pages<O extends Operation>(operation: O, call?: Call & Bounds): AsyncGenerator<Answer<O>[], void>
  /** Yields the items of any list, read as `pages` does; a page size that the path's query names holds. */
  pagesAt(list: Pick<Sending, 'path' | 'headers'>): AsyncGenerator<unknown[], void>
  /** Any request; a status that is none of success is thrown as a problem, as `call` does. */
  send(sending: Sending): Promise<Received>
  /** The service's own time in milliseconds since the epoch, as its last answer told; undefined where none did. */
  readonly serviceTime: number | undefined
  /** How far the last reading of pages is. */
  readonly progress: { pagesRead: number; pagesTotal?: number }
  /** Drops every connection; one that is still being made would keep the process. */
  close(): Promise<void>
}

/** Every method throws problems only, or the reason of `settings.signal`. */
export function createClient(settings: Settings, limits: Limits = defaultLimits): Client {
  return new ServiceClient(settings, limits)
}

/** A collection: how a page of it is asked for, and read. */
interface Collection {
  asked: Asked
  operation?: Operation
  request(query: Readonly<Record<string, number>>): Promise<Request>
  /** What tells its items apart. */
  identity(item: unknown): unknown
  page(body: unknown, number: number, fail: Fail): Page
}

/** The operation as this caller needs it. */
const needing = (operation: Operation, { essential }: Call): Operation =>
  essential ? { ...operation, essential: [...essentialOf(operation), ...essential] } : operation

class ServiceClient implements Client {
  readonly progress: Client['progress'] = { pagesRead: 0 }
  readonly #settings: Settings
  readonly #limits: Limits
  readonly #redactor: Redactor
  readonly #exchanger: Exchanger
  readonly #reader: Reader
  readonly #looked = new Map<string, Promise<boolean>>()

  constructor(settings: Settings, limits: Limits) {
    this.#settings = settings
    this.#limits = limits
    const secrets = settings.secrets ?? new KnownSecrets()
    secrets.learnCredential(settings.token)
    this.#redactor = new Redactor(secrets)
    this.#exchanger = new Exchanger(settings, limits, this.#redactor)
    this.#reader = new Reader(settings, limits, this.#redactor)
  }

  get serviceTime(): number | undefined {
    return this.#reader.serviceTime
  }

  async call<O extends Operation>(operation: O, call: Call = {}): Promise<Answer<O>> {
    return (await this.receive(operation, call)).body
  }

  async receive<O extends Operation>(operation: O, call: Call = {}) {
    const request = await requestOf(operation, call, this.#settings)
    const { method, path } = operation
    const exchange = () => this.#exchanger.exchange(request)
    const { recorded } = await import('./recorded')
    return recorded(call.recorded ?? { method, path, holes: call.path }, this.#settings, exchange, async (answered) => {
      const body = await this.#answerTo(operation, call, answered)
      return { body: body as Answer<O>, headers: answered.answer.headers }
    })
  }

  async #answerTo(operation: Operation, call: Call, answered: Answered): Promise<unknown> {
    try {
      return await this.#record(operation, call, answered)
    } catch (thrown) {
      const error = await this.#atAddress(thrown)
      // An earlier attempt, whose answer was lost, has deleted it.
      if (operation.method === 'DELETE' && answered.lostBefore && isGone(error)) return {}
      if (!isSuccess(answered.answer) || !isUnreadable(error)) throw error
      const { secondLook } = await import('./second-look')
      const seen = await secondLook(operation, call.body, () => this.#reread(operation, call))
      if (seen === undefined) throw error
      return seen
    }
  }

  /** What an answer holds, in the shape of the operation. */
  async #record(operation: Operation, call: Call, answered: Answered): Promise<unknown> {
    const { body } = await this.#reader.read(answered, operation)
    const { status } = answered.answer
    const fail = failing(answered.asked, status)
    if (operation.method === 'DELETE' && body === undefined && status !== 204) throw fail('it is empty', 'not_the_api')
    const answer = shaped(needing(operation, call), { status, body }, fail)
    const { expectAbout } = await import('./about')
    expectAbout(operation, call, { answer, fail })
    return answer
  }

  /** What is at the path of a request by now. */
  async #reread(operation: Operation, { path = {} }: Call): Promise<unknown> {
    const request = await requestOf({ ...operation, method: 'GET', repeat: 'safe' }, { path }, this.#settings)
    return this.#record(operation, { path }, await this.#exchanger.exchange(request))
  }

  /** An error, or where else the API is. */
  async #atAddress(error: unknown): Promise<unknown> {
    const { orWrongAddress, patienceMs, publicList } = await import('./versions')
    const { baseUrl, looked = this.#looked, userAgent } = this.#settings
    const look = async () => {
      const request = await buildRequest({ method: 'GET', path: publicList, repeat: 'safe' }, { baseUrl, userAgent })
      const signal = AbortSignal.timeout(patienceMs)
      return (await this.#reader.read(await this.#exchanger.exchange({ ...request, once: true, signal }))).body
    }
    return orWrongAddress(error, { baseUrl, looked, look })
  }

  readonly #failAtAddress = async (error: unknown) => Promise.reject(await this.#atAddress(error))

  async *pages<O extends Operation>(operation: O, call: Call & Bounds = {}): AsyncGenerator<Answer<O>[], void> {
    const collection: Collection = {
      asked: operation,
      operation,
      request: (query) => requestOf(operation, { ...call, query: { ...call.query, ...query } }, this.#settings),
      identity: identityBy(operation.distinct ?? ['id']),
      page: (body, number, fail) =>
        pageOf(body, number, (items) => shapedItems(needing(operation, call), items, fail), fail),
    }
    yield* this.#readPages(collection, call) as AsyncGenerator<Answer<O>[], void>
  }

  pagesAt({ path, headers = {} }: Pick<Sending, 'path' | 'headers'>): AsyncGenerator<unknown[], void> {
    const [place = ''] = path.split('?', 1)
    const asked: Asked = { method: 'GET', path: place, repeat: 'safe' }
    const request = (paging: Readonly<Record<string, number>>) => {
      const query = new URLSearchParams(path.slice(place.length))
      const size = query.get('page_size')
      for (const [key, value] of Object.entries(paging)) query.set(key, String(value))
      if (size !== null) query.set('page_size', size)
      return buildRequest({ ...asked, headers, path: `${place}?${query}` }, this.#settings)
    }
    const page: Collection['page'] = (body, number, fail) => {
      if (number === 1 && !isPage(body)) throw new Problem('usage', `${place} is not a list of pages`)
      return pageOf(body, number, (items) => items, fail)
    }
    return this.#readPages({ asked, request, page, identity: identityBy(['id']) }, {})
  }

  async send(sending: Sending): Promise<Received> {
    const request = await buildRequest(sending, this.#settings)
    const [path = ''] = this.#redactor.path(request.path).split('?', 1)
    const exchange = () => this.#exchanger.exchange(request)
    const { recorded } = await import('./recorded')
    return recorded({ method: request.method, path }, this.#settings, exchange, async (answered) => {
      const { body } = await this.#reader.read(answered).catch(this.#failAtAddress)
      const { status, headers } = answered.answer
      return { status, headers, body: body ?? null }
    })
  }

  close(): Promise<void> {
    return this.#exchanger.close()
  }

  async *#readPages(
    collection: Collection,
    { page, limit = Number.POSITIVE_INFINITY, ...bounds }: Bounds,
  ): AsyncGenerator<unknown[], void> {
    const size = bounds.pageSize ?? Math.min(usualPageSize, Math.max(pageSizes.smallest, limit))
    const sized = page === undefined || bounds.pageSize !== undefined
    const held = new HeldPages(this.#limits.memory)
    let stop = stopper()
    let window = this.#settings.concurrency
    const onLimited = () => {
      window = Math.max(1, Math.floor(window / 2))
    }
    const read = async (number: number, page_size: number) => {
      const { signal } = stop
      const request = await collection.request({ ...(sized && { page_size }), page: number })
      return this.#readPage(number, { ...request, signal, onLimited }, { collection, held })
    }
    const restart = (number: number) => {
      stop.abort()
      stop = stopper()
      held.forgetSizes()
      this.progress.pagesRead = number - 1
    }
    restart(1)
    try {
      const reading = {
        size,
        read,
        restart,
        identity: collection.identity,
        window: () => Math.min(window, held.fitting),
        lastWanted: (twice: number, size: number) => Math.ceil((limit + twice) / size),
        fail: failing(collection.asked),
      }
      yield* upTo(limit, page === undefined ? readPages(reading) : readPage(page, reading))
    } finally {
      stop.abort()
    }
  }

  async #readPage(
    number: number,
    request: Request,
    { collection, held }: { collection: Collection; held: HeldPages },
  ): Promise<Page> {
    const answered = await this.#exchanger.exchange(request)
    const { page, memory } = await this.#pageIn(answered, number, collection).catch(this.#failAtAddress)
    const release = held.hold(memory, answered.asked)
    this.progress.pagesRead += 1
    this.progress.pagesTotal = page.pages
    return { ...page, release }
  }

  async #pageIn(answered: Answered, number: number, { operation, page }: Collection) {
    const { body, memory } = await this.#reader.read(answered, operation)
    return { page: page(body, number, failing(answered.asked)), memory }
  }
}
