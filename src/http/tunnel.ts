/**
 * Connects to a service through a proxy: in a tunnel with CONNECT (RFC 9110, 9.3.6), or with SOCKS5 (RFC 1928). It
 * replaces undici's own agents. The one for CONNECT reconnects forever if a proxy hangs up, and mixes up failures of
 * proxy and service. The one for SOCKS5 prints a warning, fails for the address of an IPv6 service, and notices a proxy
 * that hangs up after five seconds; but this uses its protocol.
 */
import type { IncomingMessage } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import type { Trust } from './authorities'
import { ProxyError, type ProxyFailure } from './network-errors'
import type { ChosenProxy } from './proxy'

interface Tunnel {
  proxy: ChosenProxy
  /** Authorities, if not those of the runtime: for a proxy with TLS. */
  trust?: Trust | undefined
  /** Host of the service, with brackets around an IPv6 address. */
  host: string
  port: number
  timeoutMs: number
  /** Receives the connection as soon as it exists, so that the caller can end it early. */
  onSocket(socket: Socket): void
}

/** Resolves to a connection to the service; throws ProxyError. */
export function openTunnel(tunnel: Tunnel): Promise<Socket> {
  return tunnel.proxy.url.protocol.startsWith('socks') ? openSocks(tunnel) : openConnect(tunnel)
}

async function openConnect({ proxy, trust, host, port, timeoutMs, onSocket }: Tunnel): Promise<Socket> {
  const { url } = proxy
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const hostname = withoutBrackets(url.hostname)
  const path = `${host}:${port}`
  const options = {
    ...trust,
    method: 'CONNECT',
    hostname,
    // Node would check the proxy's certificate against the Host header, which names the service.
    servername: isIP(hostname) ? '' : hostname,
    port: url.port,
    path,
    headers: { host: path, ...authorization(url) },
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
  }
  return new Promise((resolve, reject) => {
    const fail = (failure: ProxyFailure) => reject(new ProxyError(proxy, failure))
    request(options)
      .on('socket', onSocket)
      .on('error', (cause: Error) => fail({ cause }))
      .on('connect', ({ statusCode: status = 0 }: IncomingMessage, socket: Socket) => {
        if (status >= 200 && status < 300) return resolve(socket)
        socket.destroy()
        fail(status === 407 ? 'credentials' : { answer: `it answers ${status}`, lasting: status < 500 })
      })
      .end()
  })
}

/** The proxy resolves the name of the service: that is what `socks5h` asks for, and all that most tunnels can. */
async function openSocks({ proxy, host, port, timeoutMs, onSocket }: Tunnel): Promise<Socket> {
  const { Socks5Client } = await import('undici/lib/core/socks5-client.js')
  const { hostname, port: proxyPort, username, password } = proxy.url
  const socket = connect({ host: withoutBrackets(hostname), port: Number(proxyPort) || 1080 })
  onSocket(socket)
  const client = new Socks5Client(socket, {
    username: unescaped(username).toString(),
    password: unescaped(password).toString(),
  })
  const late = setTimeout(() => socket.destroy(withCode('ETIMEDOUT')), timeoutMs)
  return new Promise<Socket>((resolve, reject) => {
    const fail = (failure: ProxyFailure) => reject(new ProxyError(proxy, failure))
    socket.once('connect', () => client.handshake())
    client
      .once('authenticated', () => client.connect(withoutBrackets(host), port))
      .once('connected', () => resolve(socket))
      .on('error', (error) => fail(socksFailure(error)))
      .once('close', () => fail({ cause: withCode('ECONNRESET') }))
  }).finally(() => clearTimeout(late))
}

/** Describes the proxy's answer, by the code that undici gives it. */
function socksFailure(error: Error): ProxyFailure {
  const code = 'code' in error ? String(error.code) : ''
  const [, kind = ''] = /^UND_ERR_SOCKS5_(.+)$/.exec(code) ?? []
  if (kind === '') return { cause: error }
  if (kind === 'AUTH_REJECTED' || kind === 'AUTH_FAILED') return 'credentials'
  const [, reply] = /^REPLY_(\d+)$/.exec(kind) ?? []
  if (reply === undefined) return { answer: 'it does not speak SOCKS5', lasting: true }
  const answer = error.message.replace(/^.*: /, '')
  return { answer: `it answers "${answer}"`, lasting: !passing.includes(reply) }
}

/** Replies that may be another one later: failure, network or host unreachable, connection refused, TTL expired. */
const passing: readonly string[] = ['1', '3', '4', '5', '6']

const withCode = (code: string) => Object.assign(new Error(code), { code })
const withoutBrackets = (hostname: string) => hostname.replaceAll(/[[\]]/g, '')

function authorization({ username, password }: URL): { 'proxy-authorization'?: string } {
  if (!username && !password) return {}
  return { 'proxy-authorization': `Basic ${unescaped(`${username}:${password}`).toString('base64')}` }
}

/** Decodes `%40` as `@`; a `%` without two hex digits is kept, as people write it in passwords. */
function unescaped(text: string): Buffer {
  const bytes = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
