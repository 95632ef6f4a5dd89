/**
 * The way to a service through the proxy that the environment names: a tunnel, made with CONNECT (RFC 9110, 9.3.6).
 * undici's own agent reconnects without end where a proxy hangs up, and does not tell its failures from the service's.
 */
import type { IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { Problem } from '../errors'
import type { Environment } from '../rules/environment'
import { isLoopback } from '../rules/loopback'

/** The proxy could not be reached, or leads nowhere. */
export class ProxyError extends Error {
  constructor(
    /** `HOST:PORT`, without what may be secret in the URL. */
    readonly host: string,
    readonly reason: { cause: Error } | { status: number },
  ) {
    super(`the proxy ${host} failed`, 'cause' in reason ? reason : undefined)
    this.name = 'ProxyError'
  }
}

/**
 * The proxy to a service, undefined where none is named. Plain HTTP is for loopback only (reliability.md, Secrets), and
 * nothing on loopback is asked of a proxy. Throws `usage` for a URL that makes no sense, without quoting it: it may
 * hold a password.
 */
export async function proxyFor(service: URL, env: Environment): Promise<URL | undefined> {
  const text = env.https_proxy || env.HTTPS_PROXY
  if (!text || service.protocol !== 'https:' || isLoopback(service.hostname)) return undefined
  if (await isExempt(service, env.no_proxy ?? env.NO_PROXY ?? '')) return undefined
  const address = text.includes('://') ? text : `http://${text}`
  const proxy = URL.canParse(address) ? new URL(address) : undefined
  // Behind "/", "?" or "#" there would be the rest of a password that should have been escaped.
  if (proxy && /^https?:$/.test(proxy.protocol) && /^\/?$/.test(proxy.pathname + proxy.search + proxy.hash))
    return proxy
  throw new Problem('usage', 'HTTPS_PROXY is not the URL of a proxy', {
    hint: 'Write it as http://proxy.example.net:3128, and / ? # in a password as %2F %3F %23',
  })
}

/**
 * `example.net`, with what is below it; `.example.net` and `*.example.net` are the same; `host:port`; `*`; addresses,
 * `10.0.0.1`, `2001:db8::1`, `[2001:db8::1]:8443`; networks, `10.0.0.0/8`, `2001:db8::/32`.
 */
async function isExempt({ hostname, port }: URL, list: string): Promise<boolean> {
  const entries = list.toLowerCase().split(/[\s,]+/)
  if (entries.includes('*')) return true
  const address = hostname.replaceAll(/[[\]]/g, '')
  if (isIP(address) !== 0) return isAmong(address, port, entries)
  return entries.some((entry) => {
    const name = entry.replace(/^\*?\.?/, '').replace(/:\d+$/, '')
    const only = /:(\d+)$/.exec(entry)?.[1]
    if (name === '' || !isPort(port, only)) return false
    return hostname === name || hostname.endsWith(`.${name}`)
  })
}

/** The library that computes with addresses is loaded for a service without a name only. */
async function isAmong(address: string, port: string, entries: readonly string[]): Promise<boolean> {
  const { covers, parseAddress, parseNetwork } = await import('../rules/addresses')
  const service = parseAddress(address)
  return entries.some((entry) => {
    const whole = parseNetwork(entry) ?? parseAddress(entry)
    const [, host = '', only] = /^\[?(.+?)\]?(?::(\d+))?$/.exec(entry) ?? []
    const named = whole ?? (isPort(port, only) ? parseAddress(host) : undefined)
    return service !== undefined && named !== undefined && covers(named, service)
  })
}

const isPort = (port: string, only: string | undefined) => only === undefined || only === (port || '443')

interface Tunnel {
  proxy: URL
  /** `HOST:PORT` of the service. */
  to: string
  timeoutMs: number
  /** Is given the connection as soon as there is one, to end it early. */
  onSocket(socket: Socket): void
}

/** Resolves to a connection on which the service listens; throws ProxyError. */
export async function openTunnel({ proxy, to, timeoutMs, onSocket }: Tunnel): Promise<Socket> {
  const { request } = proxy.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const hostname = proxy.hostname.replaceAll(/[[\]]/g, '')
  const options = {
    method: 'CONNECT',
    hostname,
    // Node would take the name in the Host header, that of the service, for the certificate of the proxy.
    servername: isIP(hostname) ? '' : hostname,
    port: proxy.port,
    path: to,
    headers: { host: to, ...authorization(proxy) },
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
  }
  return new Promise((resolve, reject) => {
    const fail = (reason: ProxyError['reason']) => reject(new ProxyError(proxy.host, reason))
    request(options)
      .on('socket', onSocket)
      .on('error', (cause: Error) => fail({ cause }))
      .on('connect', ({ statusCode: status = 0 }: IncomingMessage, socket: Socket) => {
        if (status >= 200 && status < 300) return resolve(socket)
        socket.destroy()
        fail({ status })
      })
      .end()
  })
}

function authorization({ username, password }: URL): { 'proxy-authorization'?: string } {
  if (!username && !password) return {}
  return { 'proxy-authorization': `Basic ${unescaped(`${username}:${password}`).toString('base64')}` }
}

/** `%40` is `@`; a `%` that begins no escape stands for itself, as people write it in passwords. */
function unescaped(text: string): Buffer {
  const bytes = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
