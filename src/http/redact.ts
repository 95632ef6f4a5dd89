/** Removes secrets from logs and messages about requests and answers: by key, and by value. */
import { formatJson, parseJson } from '../data/json'
import type { FieldError } from '../errors'
import { hidden, KnownSecrets, secretKeys } from '../rules/secrets'

/** Personal data, which does not belong in a trace that is sent around. */
const personalKeys = /^(ssh_key|authorized_keys|.*phone_number)$/i
const isHidden = (key: string) => secretKeys.test(key) || personalKeys.test(key)
const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie'])

export class Redactor {
  /** Secrets that the service returned, and personal data: results may show them, logs and messages may not. */
  readonly #others = new KnownSecrets()

  /** `secrets` are those of the run; the secrets in sent bodies are added to them. */
  constructor(private readonly secrets: KnownSecrets) {}

  text(text: string): string {
    return this.#others.inMessage(this.secrets.inMessage(text))
  }

  error({ field, reason }: FieldError): FieldError {
    return { field: field && this.text(field), reason: this.text(reason) }
  }

  header(name: string, value: string): string {
    return secretHeaders.has(name) ? hidden : this.text(value)
  }

  path(path: string): string {
    const [start = '', ...query] = path.split('?')
    const pairs = query
      .join('?')
      .split('&')
      .map((pair) => {
        const [key = '', ...value] = pair.split('=')
        return value.length > 0 && isHidden(key) ? `${key}=${hidden}` : pair
      })
    return this.text(query.length > 0 ? `${start}?${pairs.join('&')}` : start)
  }

  /** Learns the secrets of a sent body, to redact them wherever they come back. */
  async notice(body: string): Promise<void> {
    this.#masked(await parseJson(body), this.secrets)
  }

  /** Redacts a body. Keys cannot be found in a body that is not JSON, so only its length is shown. */
  async body(body: string): Promise<string> {
    try {
      return this.text(await formatJson(this.#masked(await parseJson(body), this.#others), 0))
    } catch {
      return `(${body.length} characters that are not JSON)`
    }
  }

  #masked(value: unknown, learning: KnownSecrets): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#masked(item, learning))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (!isHidden(key) || inner === null) return [key, this.#masked(inner, learning)]
        // A number can be a secret too, such as a code.
        if (typeof inner !== 'object') (secretKeys.test(key) ? learning : this.#others).learn(String(inner))
        return [key, hidden]
      }),
    )
  }
}
