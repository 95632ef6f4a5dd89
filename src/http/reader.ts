/** Reads the bodies of answers one at a time, and tells what the API warns of. */
import type { Operation } from '../catalogue/operation'
import { roomFor } from '../data/bounds'
import { type Held, readBody, readErrors, readWarnings, type Taken } from './answer'
import type { Answered } from './exchange'
import type { Limits } from './limits'
import type { Redactor } from './redact'
import { isSuccess, parseHttpDate } from './retry'
import type { Settings } from './settings'
import type { WireAnswer } from './transport'

export class Reader {
  /** The API's own time in milliseconds since the epoch, as its last answer told. */
  serviceTime: number | undefined
  readonly #settings: Settings
  readonly #redactor: Redactor
  readonly #taken: Taken
  #turn: Promise<unknown> = Promise.resolve()

  constructor(settings: Settings, { bytes, memory }: Limits, redactor: Redactor) {
    this.#settings = settings
    this.#redactor = redactor
    this.#taken = { bytes, room: roomFor(memory) }
  }

  /** The body of an answer that tells of success; throws what the API refused, or failed to do. */
  async read(answered: Answered, operation?: Operation): Promise<Held> {
    const { answer, asked } = answered
    this.serviceTime = parseHttpDate(answer.headers.date ?? '') ?? this.serviceTime
    if (!isSuccess(answer)) throw await this.#refusal(answered, operation)
    const held = await this.#inTurn(answer, () => readBody(answer, asked, this.#taken))
    for (const { title, details } of readWarnings(answer, held.body)) {
      const told = details === undefined ? {} : { details: this.#redactor.text(details) }
      this.#settings.warn?.({ title: this.#redactor.text(title), ...told })
    }
    return held
  }

  async #refusal({ answer, asked, lostBefore }: Answered, operation: Operation | undefined) {
    const { errors, byTheApi } = await this.#inTurn(answer, () => readErrors(answer, asked, this.#taken))
    const told = { errors: errors.map((error) => this.#redactor.error(error)), byTheApi }
    const { clock, token, tokenVariable } = this.#settings
    const caller = { signedIn: Boolean(token), tokenVariable, now: clock.now() }
    const { refusal } = await import('./refusal')
    return refusal({ asked, answer, told, operation, lostBefore, ...caller })
  }

  /** Answers are unpacked and read one at a time: many bombs at once are no worse than one. */
  #inTurn<T>(answer: WireAnswer, read: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(read).finally(answer.release)
    this.#turn = turn.catch(() => {})
    return turn
  }
}
