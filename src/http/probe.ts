/** A connection to a service by itself, to tell which of its steps fails. Nothing is sent over it. */
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { openTunnel } from './proxy'

export interface Probe {
  /** The address that answered: that of the proxy, where there is one. */
  address: string | undefined
  /** Undefined where the service is reached without TLS. */
  certificate?: Certificate
}

interface Certificate {
  /** Milliseconds since the epoch; NaN where the certificate does not say so. */
  from: number
  to: number
  issuer: string
  /** Why it is not to be trusted, as `faultOf` reads it. */
  fault?: Error
}

interface Way {
  proxy: URL | undefined
  timeoutMs: number
  signal: AbortSignal
}

/** Throws what `faultOf` tells in words. */
export async function probe(service: URL, { proxy, timeoutMs, signal }: Way): Promise<Probe> {
  // The one that holds the others: with it, all of them end.
  let outer: Socket | undefined
  let ended: Error | undefined
  const keep = (socket: Socket) => {
    // What ends it later is told to nobody.
    outer = socket.on('error', () => {})
    if (ended) socket.destroy(ended)
  }
  // The way to a proxy has no socket yet while a module is loaded.
  const end = (error: Error) => {
    ended = error
    outer?.destroy(error)
  }
  const late = setTimeout(() => end(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })), timeoutMs)
  const stop = () => end(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    const { host, port, encrypted } = placeOf(service)
    const to = `${service.hostname}:${port}`
    const tunnel = proxy && (await openTunnel({ proxy, to, timeoutMs, onSocket: keep }))
    if (!encrypted) return { address: (await opened(connect({ host, port }), 'connect', keep)).remoteAddress }
    // A certificate that is not to be trusted is looked at all the same: no byte of ours goes over this connection.
    const way = { ...(tunnel ? { socket: tunnel } : { port }), rejectUnauthorized: false }
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
  // Of a failed handshake, Node gives the code only.
  const reason: unknown = socket.authorizationError
  const code = reason instanceof Error ? Reflect.get(reason, 'code') : reason
  return { ...certificate, fault: Object.assign(new Error(String(code)), { code: String(code) }) }
}
