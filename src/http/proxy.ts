/** Chooses the proxy for a service from the environment. tunnel.ts connects through it. */
import { isIP } from 'node:net'
import { Problem } from '../errors'
import type { Environment } from '../rules/environment'
import { isLoopback } from '../rules/host-names'
import { proxyVariables } from '../rules/secrets'

export interface ChosenProxy {
  url: URL
  variable: string
}

/** Schemes of proxies: HTTP, HTTP over TLS, and SOCKS5. A SOCKS5 proxy resolves the name of the service in any case. */
const schemes = /^(https?|socks5h?):$/

/**
 * Returns the proxy for a service; undefined without one. Plain HTTP is for loopback only (reliability.md, Secrets),
 * and loopback needs no proxy. An empty variable is not set. Throws `usage` for an invalid URL, without quoting it: it
 * may have a password.
 */
export async function proxyFor(service: URL, env: Environment): Promise<ChosenProxy | undefined> {
  const variable = proxyVariables.find((name) => env[name])
  if (!variable || service.protocol !== 'https:' || isLoopback(service.hostname)) return undefined
  if (await isExempt(service, env.no_proxy || env.NO_PROXY || '')) return undefined
  const url = parseProxy(env[variable] ?? '')
  if (url) return { url, variable }
  throw new Problem('usage', `${variable} is not the URL of a proxy that skyctl supports`, {
    hint: 'Write it as http://, https:// or socks5h://proxy.example.net:3128, and / ? # in a password as %2F %3F %23',
  })
}

function parseProxy(text: string): URL | undefined {
  const address = text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  // Text after "/", "?" or "#" would be the rest of an unescaped password.
  const isComplete = url && url.hostname !== '' && /^\/?$/.test(url.pathname + url.search + url.hash)
  return isComplete && schemes.test(url.protocol) ? url : undefined
}

/**
 * Reports whether NO_PROXY exempts a service. Entries are `example.net` with its subdomains (also written
 * `.example.net` or `*.example.net`), `host:port`, `*`, addresses (`10.0.0.1`, `2001:db8::1`, `[2001:db8::1]:8443`) and
 * networks (`10.0.0.0/8`, `2001:db8::/32`). A dot at the end of a name, which makes it absolute, has no effect.
 */
async function isExempt({ hostname, port }: URL, list: string): Promise<boolean> {
  const entries = list.toLowerCase().split(/[\s,]+/)
  if (entries.includes('*')) return true
  const address = hostname.replaceAll(/[[\]]/g, '')
  if (isIP(address) !== 0) return isAmong(address, port, entries)
  const host = hostname.replace(/\.$/, '')
  return entries.some((entry) => {
    const name = entry.replace(/^\*?\.?/, '').replace(/\.?(:\d+)?$/, '')
    const only = /:(\d+)$/.exec(entry)?.[1]
    if (name === '' || !isPort(port, only)) return false
    return host === name || host.endsWith(`.${name}`)
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
