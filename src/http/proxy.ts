/**
 * Connects to a service through the proxy of the environment, in a tunnel with CONNECT (RFC 9110, 9.3.6). It replaces
 * undici's own agent, which reconnects forever if a proxy hangs up, and mixes up failures of proxy and service.
 */
import type { IncomingMessage } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { Problem } from '../errors'
import type { Environment } from '../rules/environment'
import { isLoopback } from '../rules/host-names'

/** The proxy could not be reached, or did not open the tunnel. */
export class ProxyError extends Error {
  constructor(
    /** `HOST:PORT`, without parts of the URL that may be secret. */
    readonly host: string,
    readonly reason: { cause: Error } | { status: number },
  ) {
    super(`the proxy ${host} failed`, 'cause' in reason ? reason : undefined)
    this.name = 'ProxyError'
  }
}

/**
 * Returns the proxy for a service; undefined without one. Plain HTTP is for loopback only (reliability.md, Secrets),
 * and loopback needs no proxy. Throws `usage` for an invalid URL, without quoting it: it may have a password.
 */
export async function proxyFor(service: URL, env: Environment): Promise<URL | undefined> {
  const text = env.https_proxy || env.HTTPS_PROXY
  if (!text || service.protocol !== 'https:' || isLoopback(service.hostname)) return undefined
  if (await isExempt(service, env.no_proxy ?? env.NO_PROXY ?? '')) return undefined
  const address = text.includes('://') ? text : `http://${text}`
  const proxy = URL.canParse(address) ? new URL(address) : undefined
  // Text after "/", "?" or "#" would be the rest of an unescaped password.
  if (proxy && /^https?:$/.test(proxy.protocol) && /^\/?$/.test(proxy.pathname + proxy.search + proxy.hash))
    return proxy
  throw new Problem('usage', 'HTTPS_PROXY is not the URL of a proxy', {
    hint: 'Write it as http://proxy.example.net:3128, and / ? # in a password as %2F %3F %23',
  })
}

/**
 * Reports whether NO_PROXY exempts a service. Entries are `example.net` with its subdomains (also written
 * `.example.net` or `*.example.net`), `host:port`, `*`, addresses (`10.0.0.1`, `2001:db8::1`, `[2001:db8::1]:8443`) and
 * networks (`10.0.0.0/8`, `2001:db8::/32`).
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

/** Compares addresses. Loads the address library only for a service whose host is an address. */
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
  /** Receives the connection as soon as it exists, so that the caller can end it early. */
  onSocket(socket: Socket): void
}

/** Resolves to a connection to the service; throws ProxyError. */
export async function openTunnel({ proxy, to, timeoutMs, onSocket }: Tunnel): Promise<Socket> {
  const { request } = proxy.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const hostname = proxy.hostname.replaceAll(/[[\]]/g, '')
  const options = {
    method: 'CONNECT',
    hostname,
    // Node would check the proxy's certificate against the Host header, which names the service.
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

/** Decodes `%40` as `@`; a `%` without two hex digits is kept, as people write it in passwords. */
function unescaped(text: string): Buffer {
  const bytes = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
