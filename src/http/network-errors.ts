/** Describes network errors: the reason why no answer came, and whether a retry may help. */
import { versions } from 'node:process'
import type { ChosenProxy } from './proxy'

/** Reasons why an answer cannot be read: it is invalid, it is not the API's, or it exceeds a limit. */
export type Unreadable = 'defect' | 'not_the_api' | 'too_large'

export interface NetworkError {
  /** Ends a sentence: `GET /volumes: …`. */
  reason: string
  hint?: string
  /** True if a retry in this run would fail the same way. */
  lasting?: boolean
  /** True if a later run may succeed. */
  passes?: true
  /** Set if something answered, but not with a readable answer; `local` if this machine has no room for a connection. */
  code?: Exclude<Unreadable, 'defect'> | 'local'
}

/** The proxy cannot be reached; or it answers, but not with a connection, possibly for want of a user and a password. */
export type ProxyFailure = { cause: Error } | { answer: string; lasting: boolean } | 'credentials'

/** A proxy did not connect to the service. */
export class ProxyError extends Error {
  constructor(
    readonly proxy: ChosenProxy,
    readonly failure: ProxyFailure,
  ) {
    super(`the proxy ${proxy.url.host} failed`, typeof failure === 'object' && 'cause' in failure ? failure : undefined)
    this.name = 'ProxyError'
  }
}

type Row = Omit<NetworkError, 'reason'> & { reason: (host: string, message: string) => string }

const timeoutHint = 'Try again later, or check your network'
const addressHint = 'Check the base URL and your network'

const brokenCertificate = (reason: string, hint: string): Row => ({
  reason: (host) => `the certificate of ${host} ${reason}`,
  hint,
  lasting: true,
})

/** Returns what adds an authority in this runtime: bun trusts those of the system, and Node does if a variable is set. */
export function authorityHint({ bun, node }: { bun?: string; node: string }): string {
  const own = 'name its file in NODE_EXTRA_CA_CERTS'
  const [major = 0, minor = 0] = node.split('.').map(Number)
  const hasVariable = major > 24 || (major === 24 && minor >= 6) || (major === 22 && minor >= 19)
  const system = hasVariable
    ? ', or set NODE_USE_SYSTEM_CA=1 for those of the system'
    : ", or the file of the system's authorities in SSL_CERT_FILE"
  return `If you trust its authority, ${own}${bun === undefined ? system : ''}`
}

const unknownIssuer = (reason: string) => brokenCertificate(reason, authorityHint(versions))
const renewHint = 'Ask the operator of the service to renew it'

const refusedConnection: Row = { reason: (host) => `${host} refuses the connection`, hint: addressHint }
const unknownName: Row = { reason: (host) => `the host name ${host} cannot be resolved`, hint: addressHint }
const unreachable: Row = { reason: (host) => `${host} cannot be reached`, hint: addressHint }
const broken: Row = { reason: (host) => `the connection to ${host} broke`, hint: timeoutHint }
const notTheApi = (reason: string): Row => ({
  reason: () => reason,
  lasting: true,
  code: 'not_the_api',
  hint: addressHint,
})

/** The limit of this process, which a later run has, too. */
const localLimit = (reason: Row['reason'], hint: string): Row => ({ reason, hint, lasting: true, code: 'local' })

const fileLimit = localLimit(
  (host) => `cannot connect to ${host}: too many open files`,
  'Raise the limit, for example with ulimit -n 1024',
)

const refusedHandshake = (reason: Row['reason']): Row => ({
  reason,
  hint: 'skyctl sends no client certificate: use an address of the service that needs none',
  lasting: true,
})
const certificateRequired = refusedHandshake((host) => `${host} requires a client certificate`)
const handshakeFailure = refusedHandshake(
  (host) => `${host} refuses the TLS handshake, perhaps because it requires a client certificate`,
)

/** Faults by the error code of Node, OpenSSL or undici. */
const rows: Readonly<Record<string, Row>> = {
  ENOTFOUND: unknownName,
  EAI_AGAIN: unknownName,
  ECONNREFUSED: refusedConnection,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EADDRNOTAVAIL: unreachable,
  OUT_OF_TIME: {
    reason: (host, time) => `${host} did not answer completely within ${time}`,
    hint: 'Try again later, or wait longer with --timeout',
    lasting: true,
    passes: true,
  },
  ETIMEDOUT: { reason: (host) => `${host} does not answer`, hint: timeoutHint },
  ABORT_ERR: { reason: (host) => `${host} did not accept the connection in time`, hint: timeoutHint },
  UND_ERR_CONNECT_TIMEOUT: { reason: (host) => `${host} did not accept the connection in time`, hint: timeoutHint },
  UND_ERR_HEADERS_TIMEOUT: { reason: (host) => `${host} did not answer in time`, hint: timeoutHint },
  UND_ERR_BODY_TIMEOUT: { reason: (host) => `${host} stopped in the middle of its answer`, hint: timeoutHint },
  CERT_HAS_EXPIRED: brokenCertificate('has expired', renewHint),
  CERT_NOT_YET_VALID: brokenCertificate('is not valid yet', 'Check the clock of this machine'),
  CERT_REVOKED: brokenCertificate('is revoked', renewHint),
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownIssuer('is self-signed'),
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer('is signed by an authority that is not trusted'),
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer('is signed by an authority that is not known'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer('is signed by an authority that is not known'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer('is signed by an authority that is not known'),
  ERR_TLS_CERT_ALTNAME_INVALID: brokenCertificate('is for another name', addressHint),
  EMFILE: fileLimit,
  ENFILE: fileLimit,
  ERR_ACCESS_DENIED: localLimit(
    (host) => `cannot connect to ${host}: Node's permission model denies it`,
    'Start Node with --allow-net',
  ),
  NO_ADDRESS_SPACE: localLimit(
    () => 'this process may not reserve the 10 GB of address space that reading HTTP answers takes',
    'Raise the limit with ulimit -v unlimited, or set NODE_OPTIONS=--disable-wasm-trap-handler',
  ),
  TOO_LARGE: { reason: () => 'the answer is over 32 MiB', lasting: true, code: 'too_large' },
  UND_ERR_HEADERS_OVERFLOW: notTheApi('the headers of the answer are over 16 KiB'),
  NO_HTTP: notTheApi('the answer is not HTTP'),
}

/** Describes a failed attempt for --debug. The time limit is in the reason already, and is no time that has passed. */
export const attemptText = ({ reason }: Pick<NetworkError, 'reason'>, { message }: Error, passed: number) =>
  reason.endsWith(` ${message}`) ? reason : `${reason} (${message}) after ${Math.round(passed)} ms`

/** Describes an error of the connection to `host`, from Node or undici. */
export function toNetworkError(error: Error, host: string): NetworkError {
  if (error instanceof ProxyError) return proxyFault(error, host)
  const { code, message } = sourceOf(error)
  const row = rows[code] ?? rowOfFamily(code, message)
  return { ...row, reason: row.reason(host, message) }
}

/** A proxy that rejects a request will reject it again; one that cannot reach the service now may do so later. */
function proxyFault({ proxy: { url, variable }, failure }: ProxyError, host: string): NetworkError {
  const place = `the proxy ${url.host}`
  const hint = `Check ${variable}, or name the service in NO_PROXY`
  if (failure === 'credentials') return credentialsFault({ url, variable })
  if ('answer' in failure) {
    const { answer, lasting } = failure
    return { reason: `${place} does not connect to ${host}: ${answer}`, hint, lasting }
  }
  const fault = toNetworkError(failure.cause, place)
  return fault.code === 'local' ? fault : { ...fault, hint }
}

function credentialsFault({ url: { host, protocol, username }, variable }: ChosenProxy): NetworkError {
  const reason = username === '' ? 'wants a user and a password' : 'rejects the user and the password'
  return {
    reason: `the proxy ${host} ${reason}`,
    hint: `Set ${variable} to ${protocol}//USER:PASSWORD@${host}`,
    lasting: true,
  }
}

/**
 * Alerts of OpenSSL have a version of TLS in their code, which differs between the versions of OpenSSL, or no code of
 * their own but EPROTO. A service that requires a certificate sends its own alert with TLS 1.3 only (RFC 8446, section
 * 6.2), and `handshake_failure` before (RFC 5246, section 7.4.6).
 */
function rowOfFamily(code: string, message: string): Row {
  if (code.endsWith('_ALERT_CERTIFICATE_REQUIRED')) return certificateRequired
  if (/alert handshake failure/.test(message)) return handshakeFailure
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return {
      reason: (host) => `${host} does not speak TLS as expected`,
      hint: 'Check the base URL: the service may use plain HTTP there',
      lasting: true,
    }
  }
  return broken
}

/** Returns the code and the message of the error, or of the first cause that has a code. */
function sourceOf(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: '' }
  const { message } = error
  // undici's parser gives its errors no code. An unexpected end is a broken connection.
  if (error.name === 'HTTPParserError' && !message.includes('EOF')) return { code: 'NO_HTTP', message }
  // undici compiles its parser when the first connection is open. V8 reserves memory for it that is never used.
  if (error instanceof RangeError && message.startsWith('WebAssembly.')) return { code: 'NO_ADDRESS_SPACE', message }
  if ('code' in error && typeof error.code === 'string') return { code: error.code, message }
  return sourceOf(error.cause)
}
