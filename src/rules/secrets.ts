/** Redacts secrets: in request bodies by the names of fields, and in all output of a run by their values. */
import { isRecord } from './records'

export const hidden = '[redacted]'

/** Variables with a proxy, which may hold a password, to a service with TLS, in the order in which curl reads them. */
export const proxyVariables = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'] as const

/** Names of secret fields in requests and answers (api.md). */
export const secretKeys = /^(.*token|.*secret|scratch|otp_code|tfa_code|response|.*private.*|.*password)$/i

/** Reports whether a text contains a private key in a format of ssh-keygen, OpenSSL or PuTTY. */
export function isPrivateKey(text: string): boolean {
  return /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----|^PuTTY-User-Key-File|SSH PRIVATE KEY FILE FORMAT/m.test(text)
}

/** Returns a copy of a body for display. Values of secret fields and all private keys are replaced by a placeholder. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value === 'string') return isPrivateKey(value) ? hidden : value
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isSecret(key, inner) ? hidden : withoutSecrets(inner)]),
  )
}

const isSecret = (key: string, value: unknown) => value !== null && typeof value !== 'boolean' && secretKeys.test(key)

/** Minimum length of a secret in characters. Shorter values would redact parts of ordinary words. */
const least = 6
/** Minimum length in data, where only unmistakable secrets are redacted. */
const leastInData = 16

/** Removes the blanks that apps show between the digits of a one-time code, as in `863 097`. */
export const withoutBlanks = (code: string) => code.replaceAll(/\s/g, '')

interface Form {
  text: string
  secret: string
  inData: boolean
}

/**
 * The secrets of a run. They are registered when they are read and found by value, because the service may repeat them
 * anywhere. URL, JSON and base64 encodings are found too.
 */
export class KnownSecrets {
  /** Encoded secrets, longest first because one secret may be a prefix of another. */
  #forms: Form[] = []
  #shortestInData = Number.POSITIVE_INFINITY
  /** Patterns of all-digit secrets; they do not match inside longer numbers. */
  #codes: RegExp[] = []
  /** Registered secrets, each with its `inData`: answers may repeat a secret, and must not be added again. */
  readonly #registered = new Set<string>()
  readonly #revealed = new Set<string>()
  readonly #writings: readonly ((text: string) => string)[]

  /** `writings` are functions that return other encodings of a text. */
  constructor(...writings: readonly ((text: string) => string)[]) {
    this.#writings = writings
  }

  /** Registers a credential, which is redacted in messages and data. */
  learnCredential(text: string | undefined): void {
    this.learn(text, { inData: true })
  }

  /** Registers a secret, which is redacted in messages. Values too short to be distinctive are ignored. */
  learn(text: string | undefined, { inData = false } = {}): void {
    const secret = text?.trim() ?? ''
    const key = `${inData} ${secret}`
    if (secret.length < least || this.#registered.has(key)) return
    this.#registered.add(key)
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

  /** Allows a requested secret in printed data. Messages still redact it. */
  reveal(secret: string): void {
    this.#revealed.add(secret)
  }

  /** Redacts secrets in messages, questions and traces. */
  inMessage(text: string): string {
    let clean = text
    for (const form of this.#forms) clean = clean.replaceAll(form.text, hidden)
    for (const code of this.#codes) clean = clean.replace(code, hidden)
    return clean
  }

  /** Redacts credentials in printed data. */
  inData(text: string): string {
    // Fast path: most cells of a table are shorter than any token.
    if (text.length < this.#shortestInData) return text
    let clean = text
    for (const form of this.#forms) {
      if (form.inData && clean.includes(form.text) && !this.#revealed.has(form.secret))
        clean = clean.replaceAll(form.text, hidden)
    }
    return clean
  }
}

/** Returns both percent-encodings: with upper-case and lower-case digits. */
function urlForms(text: string): string[] {
  const escaped = encodeURIComponent(Buffer.from(text).toString())
  return [escaped, escaped.replaceAll(/%../g, (code) => code.toLowerCase())]
}

/** Returns the forms of a text inside longer base64, which depend on its offset in a group of three bytes. */
function base64Forms(text: string): string[] {
  const forms = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    const first = before === 0 ? 0 : before + 1
    return bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6))
  })
  return [...forms, ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))]
}
