/** The service as operations: one call, the pages of a collection, or any request. */
import type { Answer, Operation } from '../catalogue/operation'
import { pageSizes, usualPageSize } from '../catalogue/paging'
import { roomFor } from '../data/bounds'
import { Problem } from '../errors'
import { KnownSecrets } from '../rules/known-secrets'
import { expectAbout } from './about'
import { type Held, readBody, readErrors, readWarnings, shaped, shapedItems, type Taken } from './answer'
import { type Answered, Exchanger } from './exchange'
import { HeldPages, stopper } from './held-pages'
import { defaultLimits, type Limits } from './limits'
import type { Page } from './page-sequence'
import { identityBy, isPage, pageOf, readPage, readPages, upTo } from './pages'
import { type Asked, refusal, senseless } from './problems'
import { recorded } from './recorded'
import { Redactor } from './redact'
import { buildRequest, type Call, type Request, requestOf, type Sending } from './requests'
import { parseHttpDate } from './retry'
import type { Settings } from './settings'
import type { WireAnswer } from './transport'

export type { Call } from './requests'
export type { Settings, Warning } from './settings'

/** Without bounds everything is read; `page` reads that one page, `limit` no more items than wanted. */
export interface Bounds {
  page?: number
  pageSize?: number
  limit?: number
}

interface Received {
  status: number
  headers: Record<string, string>
  /** null where there is none. */
  body: unknown
}

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
  scopes: Operation['scopes']
  request(query: Readonly<Record<string, number>>): Promise<Request>
  /** What tells its items apart. */
  identity(item: unknown): unknown
  /** `fail` makes a problem of what makes no sense. */
  page(body: unknown, number: number, fail: (what: string) => Problem): Page
}

class ServiceClient implements Client {
  readonly progress: Client['progress'] = { pagesRead: 0 }
  serviceTime: number | undefined
  readonly #settings: Settings
  readonly #limits: Limits
  readonly #redactor: Redactor
  readonly #exchanger: Exchanger
  readonly #taken: Taken
  #turn: Promise<unknown> = Promise.resolve()

  constructor(settings: Settings, limits: Limits) {
    this.#settings = settings
    this.#limits = limits
    this.#taken = { bytes: limits.bytes, room: roomFor(limits.memory) }
    const secrets = settings.secrets ?? new KnownSecrets()
    secrets.learnCredential(settings.token)
    this.#redactor = new Redactor(secrets)
    this.#exchanger = new Exchanger(settings, limits, this.#redactor)
  }

  async call<O extends Operation>(operation: O, call: Call = {}): Promise<Answer<O>> {
    return (await this.receive(operation, call)).body
  }

  async receive<O extends Operation>(operation: O, call: Call = {}) {
    const request = await requestOf(operation, call, this.#settings)
    const { method, path } = operation
    const exchange = () => this.#exchanger.exchange(request)
    return recorded(call.recorded ?? { method, path, holes: call.path }, this.#settings, exchange, async (answered) => {
      // It is gone: an earlier attempt, whose answer was lost, has deleted it.
      const gone = method === 'DELETE' && answered.lostBefore && answered.answer.status === 404
      const { body } = gone ? { body: {} } : await this.#read(answered, operation.scopes)
      const { status, headers } = answered.answer
      const fail = (what: string) => senseless(what, answered.asked)
      const answer = shaped(operation, { status, body }, fail)
      expectAbout(operation, call.path ?? {}, { answer, fail })
      return { body: answer as Answer<O>, headers }
    })
  }

  async *pages<O extends Operation>(operation: O, call: Call & Bounds = {}): AsyncGenerator<Answer<O>[], void> {
    const collection: Collection = {
      asked: operation,
      scopes: operation.scopes,
      request: (query) => requestOf(operation, { ...call, query: { ...call.query, ...query } }, this.#settings),
      identity: identityBy(operation.distinct ?? ['id']),
      page: (body, number, fail) => pageOf(body, number, (items) => shapedItems(operation, items, fail), fail),
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
    return this.#readPages({ asked, scopes: [], request, page, identity: identityBy(['id']) }, {})
  }

  async send(sending: Sending): Promise<Received> {
    const request = await buildRequest(sending, this.#settings)
    const [path = ''] = this.#redactor.path(request.path).split('?', 1)
    const exchange = () => this.#exchanger.exchange(request)
    return recorded({ method: request.method, path }, this.#settings, exchange, async (answered) => {
      const { body } = await this.#read(answered, [])
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
        fail: (what: string) => senseless(what, collection.asked),
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
    const { body, memory } = await this.#read(answered, collection.scopes)
    const page = collection.page(body, number, (what) => senseless(what, answered.asked))
    const release = held.hold(memory, answered.asked)
    this.progress.pagesRead += 1
    this.progress.pagesTotal = page.pages
    return { ...page, release }
  }

  /** Answers are unpacked and read one at a time: many bombs at once are no worse than one. */
  #inTurn<T>(answer: WireAnswer, read: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(read).finally(answer.release)
    this.#turn = turn.catch(() => {})
    return turn
  }

  /** The body of an answer that tells of success; throws what the service refused, or failed to do. */
  async #read({ answer, asked }: Answered, scopes: Operation['scopes']): Promise<Held> {
    const { status, headers } = answer
    this.serviceTime = parseHttpDate(headers.date ?? '') ?? this.serviceTime
    if (status >= 200 && status < 300) {
      const held = await this.#inTurn(answer, () => readBody(answer, asked, this.#taken))
      for (const { title, details } of readWarnings(answer, held.body)) {
        const told = details === undefined ? {} : { details: this.#redactor.text(details) }
        this.#settings.warn?.({ title: this.#redactor.text(title), ...told })
      }
      return held
    }
    const errors = (await this.#inTurn(answer, () => readErrors(answer, asked, this.#taken))).map(
      ({ field, reason }) => ({
        field: field && this.#redactor.text(field),
        reason: this.#redactor.text(reason),
      }),
    )
    const { clock, token, tokenVariable } = this.#settings
    throw refusal({ asked, answer, errors, scopes, now: clock.now(), signedIn: Boolean(token), tokenVariable })
  }
}
