/** Sends one request with its retries and time limits, and logs it for -v and --debug. */
import type { Tell } from './attempt-log'
import { Deadline, Interruption, type Limits, OutOfTime, watch } from './deadline'
import { brokenProblem, interruptedProblem, lostProblem, type RequestSummary } from './problems'
import type { Redactor } from './redact'
import type { Request } from './requests'
import { type AttemptOutcome, isRefusedCreation, isUnknown, maxWaitOf, mayRepeat, pauseAfter } from './retry'
import type { ClientSettings } from './settings'
import { NoResponse, type Transport, type WireAnswer, type WireExchange, type WireRequest } from './transport'

export interface RequestResult {
  answer: WireAnswer
  /** The request without secrets, for messages. */
  summary: RequestSummary
  /** True if an earlier attempt may have succeeded although its answer was lost. */
  lostBefore: boolean
  /** Id that the service or a gateway gave the exchange. */
  requestId: string | undefined
}

interface Attempt {
  request: Request
  /** The request without secrets, for messages. */
  summary: RequestSummary
  budget: Deadline
  tell: Tell | undefined
  /** True if an earlier attempt may have succeeded although its answer was lost. */
  lostBefore: boolean
}

export class RetryingRequest {
  readonly #host: string
  readonly #origin: string
  /** Path of the base URL. */
  readonly #root: string
  readonly #interruption: Interruption
  readonly #queue = new AnswerQueue()
  /** Number of requests that wait for an answer. */
  #waiting = 0
  #waited = () => {}
  #opened: Promise<Transport> | undefined

  constructor(
    private readonly settings: ClientSettings,
    private readonly limits: Limits,
    private readonly redactor: Redactor,
  ) {
    const { host, origin } = new URL(settings.baseUrl)
    this.#host = host
    this.#origin = origin
    this.#root = rootOf(settings.baseUrl)
    this.#interruption = new Interruption(settings.signal)
  }

  /** Resolves to the last answer, whatever its status; throws a problem if none came. */
  async exchange(request: Request): Promise<RequestResult> {
    const { signal, clock, debug } = this.settings
    const summary = { ...request, path: this.redactor.path(request.path) }
    const { budget, end } = this.#begin()
    let lostBefore = false
    try {
      if (request.body !== undefined) await this.redactor.notice(request.body)
      const log = debug?.()
      for (let attempt = 1; ; attempt += 1) {
        signal?.throwIfAborted()
        const tell: Tell | undefined = log && ((line) => log({ ...line, attempt }))
        const outcome = await this.#attempt({ request, summary, budget, tell, lostBefore })
        if ('answer' in outcome) {
          this.#onAnswer(outcome.answer, request)
          await this.#queue.turn()
        }
        const pause = this.#pauseAfter(outcome, attempt, { request, budget })
        if (pause === undefined) {
          if ('answer' in outcome)
            return { answer: outcome.answer, summary, lostBefore, requestId: requestIdOf(outcome.answer) }
          throw lostProblem(summary, { ...outcome, sent: outcome.sent || lostBefore })
        }
        this.#note(summary, outcome, { attempt, pause })
        lostBefore ||= isUnknown(outcome)
        if ('answer' in outcome) outcome.answer.release()
        await clock.sleep(pause, signal)
        if (isRefusedCreation(outcome, request.idempotency)) budget.restart()
      }
    } catch (error) {
      throw lostBefore && error === signal?.reason ? interruptedProblem(summary, error) : error
    } finally {
      end()
    }
  }

  async close(): Promise<void> {
    const transport = await this.#opened?.catch(() => undefined)
    await transport?.close()
  }

  /** Starts the time limit of a request, and notes that a request waits until `end` is called. */
  #begin(): { budget: Deadline; end(): void } {
    const { timeoutMs, refusedMs, clock, onWait } = this.settings
    if (this.#waiting === 0) this.#waited = onWait?.() ?? (() => {})
    this.#waiting += 1
    const budget = new Deadline(timeoutMs, () => clock.monotonic(), refusedMs)
    const end = () => {
      budget.stop()
      this.#waiting -= 1
      if (this.#waiting === 0) this.#waited()
    }
    return { budget, end }
  }

  #onAnswer({ status, headers }: WireAnswer, { onLimited, family }: Request): void {
    const { last, clock } = this.settings
    if (last) {
      last.answer = { headers, at: clock.now(), receivedAt: clock.monotonic() }
      last.onAnswer?.(last.answer, status, family)
    }
    if (status === 429) onLimited?.()
  }

  /** Returns the pause before the next attempt in milliseconds; undefined if there must be no other attempt. */
  #pauseAfter(
    outcome: AttemptOutcome,
    attempt: number,
    { request: { idempotency, signal, once }, budget }: Pick<Attempt, 'request' | 'budget'>,
  ): number | undefined {
    const { retries, random, clock, maxWaitMs } = this.settings
    if (once || signal?.aborted || !mayRepeat(outcome, idempotency)) return undefined
    const isPatient = isRefusedCreation(outcome, idempotency)
    if (attempt > retries && !isPatient) return undefined
    const pause = pauseAfter(outcome, attempt, { random, now: clock.now() })
    const longest = isPatient ? (maxWaitMs ?? Number.POSITIVE_INFINITY) : maxWaitOf(this.settings)
    return pause <= Math.min(longest, budget.left(isPatient)) ? pause : undefined
  }

  async #attempt(attempt: Attempt): Promise<AttemptOutcome> {
    const { request, summary, tell, lostBefore } = attempt
    const { clock } = this.settings
    const wire = this.#wire(request)
    const log = tell && new (await import('./attempt-log')).AttemptLog(tell, this.redactor)
    await log?.request(wire, this.#origin)
    const began = clock.monotonic()
    const running = (await this.#transport()).start(wire)
    const release = this.#guard(running, attempt)
    try {
      const answer = await running.answer
      await log?.answer(answer, { requestId: requestIdOf(answer), milliseconds: clock.monotonic() - began })
      const failure = answer.status >= 500 ? this.settings.failure?.() : undefined
      if (failure) {
        answer.release()
        throw brokenProblem(summary, failure, lostBefore)
      }
      return { answer }
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
      const { signal } = this.settings
      if (signal?.aborted && error.cause === signal.reason)
        throw error.sent ? interruptedProblem(summary, signal.reason) : signal.reason
      const broken = this.settings.failure?.()
      if (broken) throw brokenProblem(summary, broken, lostBefore || error.sent)
      const { attemptText, toNetworkError } = await import('./network-errors')
      const fault = toNetworkError(error.cause, this.#host)
      log?.fault(attemptText(fault, error, clock.monotonic() - began))
      return { fault, sent: error.sent }
    } finally {
      release()
    }
  }

  #transport(): Promise<Transport> {
    const { concurrency, connections = concurrency, env } = this.settings
    this.#opened ??= import('./transport').then(({ createTransport }) =>
      createTransport({ origin: this.#origin, connections, env, limits: this.limits }),
    )
    return this.#opened
  }

  #wire({ method, path, headers, body, base, mostBytes }: Request): WireRequest {
    const root = base === undefined ? this.#root : rootOf(base)
    return { method, path: root + path, headers, ...(body !== undefined && { body }), mostBytes }
  }

  /** Aborts the request when its time is up or it is no longer needed. Returns a function that ends the watch. */
  #guard(running: WireExchange, { request, summary: { method, path }, budget }: Attempt): () => void {
    let grace: NodeJS.Timeout | undefined
    const interrupted = this.settings.signal
    const interrupt = () => {
      const stop = () => running.abort(interrupted?.reason)
      // The answer to a write in flight shows whether it succeeded, so it is worth a moment.
      if (method === 'GET' || !running.sent) return stop()
      const { graceMs } = this.limits
      grace = setTimeout(stop, graceMs)
      const title = `waiting up to ${graceMs / 1000} s for the answer to ${method} ${path}; a second signal stops at once`
      this.settings.warn?.({ title })
    }
    const releases = [
      this.#interruption.listen(interrupt),
      watch(request.signal, () => running.abort(new Error('canceled'))),
      budget.listen(() => running.abort(new OutOfTime(`${this.settings.timeoutMs / 1000} s`))),
    ]
    return () => {
      clearTimeout(grace)
      for (const release of releases) release()
    }
  }

  #note(
    { method, path, idempotency }: RequestSummary,
    outcome: AttemptOutcome,
    { attempt, pause }: { attempt: number; pause: number },
  ): void {
    const why = 'answer' in outcome ? `status ${outcome.answer.status}` : outcome.fault.reason
    const most = isRefusedCreation(outcome, idempotency) ? '' : ` of ${this.settings.retries + 1}`
    const next = `attempt ${attempt + 1}${most} in ${(pause / 1000).toFixed(1)}s`
    this.settings.note?.(`${method} ${path}: ${why}; ${next}`)
  }
}

/** Headers in which services and gateways send their id of an exchange. */
const idHeaders = ['x-request-id', 'request-id', 'x-correlation-id', 'x-trace-id']

const requestIdOf = ({ headers }: WireAnswer) => idHeaders.map((name) => headers[name]).find(Boolean)

const rootOf = (base: string) => new URL(base).pathname.replace(/\/$/, '')

/**
 * Continues with answers that arrived together one by one, each in a turn of the event loop of its own. undici writes the
 * next request of a connection when a turn has ended. Without the queue, it would write nothing until the program has
 * handled all of the answers, and the connections would be idle meanwhile.
 */
class AnswerQueue {
  readonly #waiting: (() => void)[] = []

  /** Resolves in a turn of its own, in the order of the calls. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) setImmediate(this.#next)
    })
  }

  readonly #next = () => {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(this.#next)
  }
}
