/** Reads the bodies of answers one at a time, and reports the API's warnings. */
import type { Operation } from '../catalogue/operation'
import { type BodyLimits, type ParsedBody, readBody, readWarnings } from './answer'
import { parseHttpDate } from './http-date'
import type { Limits } from './limits'
import type { Redactor } from './redact'
import { isSuccess } from './retry'
import type { RequestResult } from './retrying-request'
import type { ClientSettings } from './settings'
import type { WireAnswer } from './transport'

export class Reader {
  /** The API's time in milliseconds since the epoch, from its last answer. */
  serviceTime: number | undefined
  readonly #settings: ClientSettings
  readonly #redactor: Redactor
  readonly #bodyLimits: BodyLimits
  #turn: Promise<unknown> = Promise.resolve()

  constructor(settings: ClientSettings, limits: Limits, redactor: Redactor) {
    this.#settings = settings
    this.#redactor = redactor
    this.#bodyLimits = limits
  }

  /** Reads the body of a successful answer; throws the problem of a failed one. */
  async read(answered: RequestResult, operation?: Operation): Promise<ParsedBody> {
    const { answer, summary } = answered
    this.serviceTime = parseHttpDate(answer.headers.date ?? '', this.#settings.clock.now()) ?? this.serviceTime
    if (!isSuccess(answer)) throw await this.#refusal(answered, operation)
    const parsedBody = await this.#inTurn(answer, () => readBody(answer, summary, this.#bodyLimits))
    for (const { title, details } of readWarnings(answer, parsedBody.body)) {
      const redactedDetails = details === undefined ? {} : { details: this.#redactor.text(details) }
      this.#settings.warn?.({ title: this.#redactor.text(title), ...redactedDetails })
    }
    return parsedBody
  }

  async #refusal({ answer, summary, lostBefore }: RequestResult, operation: Operation | undefined) {
    const { readErrors } = await import('./error-body')
    const { errors, byTheApi } = await this.#inTurn(answer, () => readErrors(answer, summary, this.#bodyLimits))
    const apiErrors = { errors: errors.map((error) => this.#redactor.error(error)), byTheApi }
    const { clock, token, tokenVariable, context } = this.#settings
    const caller = { signedIn: Boolean(token), tokenVariable, context, now: clock.now() }
    const { errorFromResponse } = await import('./response-errors')
    return errorFromResponse({ summary, answer, apiErrors, operation, lostBefore, ...caller })
  }

  /** Decompresses and parses one answer at a time: many decompression bombs at once are no worse than one. */
  #inTurn<T>(answer: WireAnswer, read: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(read).finally(answer.release)
    this.#turn = turn.catch(() => {})
    return turn
  }
}
