/** Opens a connection to a service step by step, to find the step that fails. It sends no request. */
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { Trust } from './authorities'
import type { ChosenProxy } from './proxy'
import { openTunnel } from './tunnel'

export interface Probe {
  /** The address that answered: the proxy's if there is one. */
  address: string | undefined
  /** Undefined for a service without TLS. */
  certificate?: Certificate
}

interface Certificate {
  /** Milliseconds since the epoch; NaN if the certificate has no valid date. */
  from: number
  to: number
  issuer: string
  /** Reason why the certificate is not trusted, for `toNetworkError`. */
  fault?: Error
}

interface Way {
  proxy: ChosenProxy | undefined
  trust?: Trust | undefined
  timeoutMs: number
  signal: AbortSignal
}

/** Connects to a service, and throws errors that `toNetworkError` can describe. */
export async function probe(service: URL, { proxy, trust, timeoutMs, signal }: Way): Promise<Probe> {
  // The socket that carries the others: destroying it ends them all.
  let outer: Socket | undefined
  let ended: Error | undefined
  const keep = (socket: Socket) => {
    // Ignores later errors of the socket.
    outer = socket.on('error', () => {})
    if (ended) socket.destroy(ended)
  }
  // There is no socket to a proxy yet while a module is loading.
  const end = (error: Error) => {
    ended = error
    outer?.destroy(error)
  }
  const late = setTimeout(() => end(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })), timeoutMs)
  const stop = () => end(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    const { host, port, encrypted } = placeOf(service)
    const tunnel =
      proxy && (await openTunnel({ proxy, trust, host: service.hostname, port, timeoutMs, onSocket: keep }))
    if (!encrypted) return { address: (await opened(connect({ host, port }), 'connect', keep)).remoteAddress }
    // Reads the certificate even if it is not trusted: skyctl sends no data over this connection.
    const way = { ...trust, ...(tunnel ? { socket: tunnel } : { port }), rejectUnauthorized: false }
    const socket = await opened(connectTls({ host, servername: isIP(host) ? '' : host, ...way }), 'secureConnect', keep)
    return { address: tunnel ? tunnel.remoteAddress : socket.remoteAddress, certificate: certificateOf(socket) }
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', stop)
    outer?.destroy()
  }
}

function placeOf({ protocol, hostname, port }: URL) {
  const encrypted = protocol === 'https:'
  return { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port) || (encrypted ? 443 : 80), encrypted }
}

function opened<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  keep: (socket: S) => void,
): Promise<S> {
  keep(socket)
  return new Promise((resolve, reject) => {
    socket.once('error', reject).once('close', () => reject(new Error('the connection was closed')))
    socket.once(event, () => resolve(socket))
  })
}

function certificateOf(socket: TLSSocket): Certificate {
  const { valid_from, valid_to, issuer } = socket.getPeerCertificate()
  const issuerName = [issuer?.O ?? issuer?.CN ?? 'an authority without a name'].flat().join(', ')
  const certificate = { from: Date.parse(valid_from), to: Date.parse(valid_to), issuer: issuerName }
  if (socket.authorized) return certificate
  // For a failed handshake, Node sets only the code.
  const reason: unknown = socket.authorizationError
  const code = reason instanceof Error ? Reflect.get(reason, 'code') : reason
  return { ...certificate, fault: Object.assign(new Error(String(code)), { code: String(code) }) }
}
