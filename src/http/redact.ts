/** Keeps secrets out of whatever is written for a person: by the key they stand under, and by their value. */
import { formatJson, parseJson } from '../data/json'
import { hidden, secretKeys } from '../rules/secrets'

/** What is nobody else's business either, where a trace is sent around. */
const personalKeys = /^(ssh_key|authorized_keys|.*phone_number)$/i
const isHidden = (key: string) => secretKeys.test(key) || personalKeys.test(key)
const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie'])
/** A shorter value would hide words that it happens to stand in; its key hides it still. */
const shortestLearned = 6

export class Redactor {
  readonly #forms = new Set<string>()

  constructor(...secrets: readonly string[]) {
    for (const secret of secrets) this.#learn(secret)
  }

  text(text: string): string {
    let clean = text
    for (const form of this.#forms) clean = clean.replaceAll(form, hidden)
    return clean
  }

  header(name: string, value: string): string {
    return secretHeaders.has(name) ? hidden : this.text(value)
  }

  /** A path with its query. */
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

  /** Learns the secrets of a body, so that they are known wherever they come back. */
  async notice(body: string): Promise<void> {
    this.#masked(await parseJson(body))
  }

  /** A body. What is no JSON cannot be searched for keys, so only its length is told. */
  async body(body: string): Promise<string> {
    try {
      return this.text(await formatJson(this.#masked(await parseJson(body)), 0))
    } catch {
      return `(${body.length} characters that are no JSON)`
    }
  }

  #masked(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#masked(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (!isHidden(key) || inner === null) return [key, this.#masked(inner)]
        if (typeof inner === 'string' && inner.length >= shortestLearned) this.#learn(inner)
        return [key, hidden]
      }),
    )
  }

  #learn(secret: string): void {
    if (secret === '') return
    const base64 = base64Forms(secret)
    for (const form of [secret, encodeURIComponent(secret), ...base64]) this.#forms.add(form)
    for (const form of base64) this.#forms.add(form.replaceAll('+', '-').replaceAll('/', '_'))
  }
}

/** How a text looks inside any longer one in base64: it depends on where in a group of three bytes it begins. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    const first = before === 0 ? 0 : before + 1
    return bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6))
  })
}
