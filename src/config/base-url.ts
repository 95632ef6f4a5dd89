import { Problem } from '../errors'
import type { Environment } from '../rules/environment'
import { isLoopback } from '../rules/host-names'

/**
 * Parses a service's base URL and removes a trailing slash. Requires https except for loopback addresses; rejects
 * userinfo, query and fragment (reliability.md, Secrets). Messages refer to the value as `name` and never quote it,
 * because it may contain a password.
 */
export function parseBaseUrl(text: string, name = 'the base URL'): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // URL silently drops blanks and an empty query; a base URL with either is a mistake.
  if (!url || !isPlain(text)) {
    throw new Problem('usage', `${name} must be an absolute URL such as https://api.example.net/v4`)
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Problem('usage', `${name} must begin with https:// (http:// is for this machine only)`)
  }
  if (/[@?#]/.test(text)) throw new Problem('usage', `${name} must have no user name, password, "?" or "#"`)
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Throws `usage` if Node accepts any certificate: the token would be sent to any server that answers. */
export function refuseUnverified(baseUrl: string, { NODE_TLS_REJECT_UNAUTHORIZED: verify }: Environment): void {
  const { hostname, host } = new URL(baseUrl)
  if (verify !== '0' || isLoopback(hostname)) return
  throw new Problem(
    'usage',
    `NODE_TLS_REJECT_UNAUTHORIZED=0 would send the token to any server that claims to be ${host}`,
    { hint: 'Unset it, and name the file of the certificate authority in NODE_EXTRA_CA_CERTS' },
  )
}

/** Reports whether a text has no blanks, controls or backslashes. Unicode's class of controls would take 0.5 ms. */
function isPlain(text: string): boolean {
  return /^https?:\/\/./i.test(text) && !/[^\x20-\x7e\xa0-\uffff]|[\s\\]/.test(text)
}

/** Redacts user and password of an address for display. A contexts file edited by hand may contain them. */
export function shownBaseUrl(text: string): string {
  return text.replace(/.*@/s, '[redacted]@')
}

/** Returns scheme, host and port, to which a token is bound. */
export function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin
}
