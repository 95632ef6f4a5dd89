import { Problem } from '../errors'
import { isLoopback } from '../rules/loopback'

/**
 * A service's base address, without a slash at its end. https is required but for loopback addresses; userinfo,
 * query and fragment are refused (reliability.md, Secrets). `name` says in the message whose value it is; the value
 * itself may hold a password and is never quoted.
 */
export function parseBaseUrl(text: string, name = 'the base URL'): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // URL drops blanks, and an empty query, silently: a base URL that needs it is a mistake.
  if (!url || !isPlain(text)) {
    throw new Problem('usage', `${name} must be an absolute URL such as https://api.example.net/v4`)
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Problem('usage', `${name} must begin with https:// (http:// is for this machine only)`)
  }
  if (/[@?#]/.test(text)) throw new Problem('usage', `${name} must have no user name, password, "?" or "#"`)
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** No blanks, controls or backslashes. To look up Unicode's class of controls would take each start 0.5 ms. */
function isPlain(text: string): boolean {
  return /^https?:\/\/./i.test(text) && !/[^\x20-\x7e\xa0-\uffff]|[\s\\]/.test(text)
}

/** An address as it may be shown: one that was written into the file by hand may hold a password. */
export function shownBaseUrl(text: string): string {
  return text.replace(/.*@/s, '[redacted]@')
}

/** Scheme, host and port: what a token is bound to. */
export function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin
}
