/** Logs the attempts of a request for --debug, without secrets. */
import type { Redactor } from './redact'
import type { AttemptLine } from './settings'
import type { WireAnswer, WireRequest } from './transport'

export type Tell = (line: Omit<AttemptLine, 'request' | 'attempt'>) => void

export class AttemptLog {
  constructor(
    private readonly tell: Tell,
    private readonly redactor: Redactor,
  ) {}

  async request({ method, path, headers, body }: WireRequest, origin: string): Promise<void> {
    this.tell({ text: `> ${method} ${origin}${this.redactor.path(path)}` })
    this.#headers('>', headers)
    if (body !== undefined) this.tell({ text: `> ${await this.redactor.body(body)}` })
  }

  /** `requestId` is the service's id of the exchange. */
  async answer(
    { status, headers, body }: WireAnswer,
    { requestId, milliseconds }: { requestId: string | undefined; milliseconds: number },
  ): Promise<void> {
    const serviceId = requestId && this.redactor.text(requestId)
    this.tell({ text: `< ${status} in ${Math.round(milliseconds)} ms`, ...(serviceId && { serviceId }) })
    this.#headers('<', headers)
    if (body.length > 0) this.tell({ text: `< ${await this.redactor.body(body.toString())}` })
  }

  fault(text: string): void {
    this.tell({ text: `< ${this.redactor.text(text)}` })
  }

  #headers(direction: '<' | '>', headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers))
      this.tell({ text: `${direction} ${name}: ${this.redactor.header(name, value)}` })
  }
}
