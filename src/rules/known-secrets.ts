/**
 * The secrets of a run, learnt where they enter: what is written passes here, whatever it is about. They are known by
 * their value, since the service may say them anywhere, also as URLs, JSON and base64 write them.
 */
import { hidden } from './secrets'

/** A shorter value would hide words that it happens to stand in; characters. */
const least = 6
/** Data is shown as it is, but for what can be nothing else. */
const leastInData = 16

interface Form {
  text: string
  secret: string
  inData: boolean
}

export class KnownSecrets {
  /** The longest first: one secret may begin with another. */
  #forms: Form[] = []
  #shortestInData = Number.POSITIVE_INFINITY
  /** Those of digits alone, which stand in no longer number. */
  #codes: RegExp[] = []
  /** And whether they are hidden in data. */
  readonly #known = new Map<string, boolean>()
  readonly #revealed = new Set<string>()
  readonly #writings: readonly ((text: string) => string)[]

  /** `writings`: how else texts are written. */
  constructor(...writings: readonly ((text: string) => string)[]) {
    this.#writings = writings
  }

  /** What signs in: from now on it is hidden in all that is written. */
  learnCredential(given: string | undefined): void {
    this.learn(given, { inData: true })
  }

  /** From now on it is hidden in messages. What is too short to tell from other texts is not. */
  learn(given: string | undefined, { inData = false } = {}): void {
    const secret = given?.trim() ?? ''
    const known = this.#known.get(secret)
    if (secret.length < least || known || known === inData) return
    this.#known.set(secret, inData)
    if (/^\d+$/.test(secret) && secret.length < leastInData) {
      this.#codes.push(new RegExp(`(?<!\\d)${secret}(?!\\d)`, 'g'))
      return
    }
    const writings = this.#writings.map((write) => write(secret))
    const texts = new Set([secret, ...writings, ...urlForms(secret), ...base64Forms(secret)])
    const forms = [...texts].map((text) => ({ text, secret, inData: inData && secret.length >= leastInData }))
    for (const { text, inData } of forms) if (inData) this.#shortestInData = Math.min(this.#shortestInData, text.length)
    this.#forms = [...this.#forms, ...forms].sort((one, other) => other.text.length - one.text.length)
  }

  /** What is printed may show this one: it was asked for. What is said may not. */
  reveal(secret: string): void {
    this.#revealed.add(secret)
  }

  /** What is said: messages, questions, traces. */
  inMessage(text: string): string {
    let clean = text
    for (const form of this.#forms) clean = clean.replaceAll(form.text, hidden)
    for (const code of this.#codes) clean = clean.replace(code, hidden)
    return clean
  }

  /** What is printed. */
  inData(text: string): string {
    // Most cells of a table are shorter than any token.
    if (text.length < this.#shortestInData) return text
    let clean = text
    for (const form of this.#forms) {
      if (form.inData && clean.includes(form.text) && !this.#revealed.has(form.secret))
        clean = clean.replaceAll(form.text, hidden)
    }
    return clean
  }
}

/** Both cases of the digits are in use. */
function urlForms(text: string): string[] {
  const escaped = encodeURIComponent(Buffer.from(text).toString())
  return [escaped, escaped.replaceAll(/%../g, (code) => code.toLowerCase())]
}

/** How a text looks inside any longer one in base64: it depends on where in a group of three bytes it begins. */
function base64Forms(text: string): string[] {
  const forms = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    const first = before === 0 ? 0 : before + 1
    return bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6))
  })
  return [...forms, ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))]
}
