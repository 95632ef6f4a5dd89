import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { isIP } from 'node:net'
import { Problem } from '../errors'
import { errorCode } from '../files/problem'

export interface Address {
  host: string
  port: number
}

export interface HttpListener {
  address: Address
  close(): Promise<void>
}

/** Serves HTTP; port 0 selects a free port. */
export async function listen(answer: RequestListener, { host, port }: Address): Promise<HttpListener> {
  const server = createServer(answer)
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw new Problem('local', `cannot listen on ${authority({ host, port })}: ${reasonOf(error)}`, { cause: error })
  }
  // A server that listens on TCP has an address with a port.
  const bound = Object.assign({ port }, server.address())
  return {
    address: { host, port: bound.port },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Reports whether a URL names this server. Only addresses and `localhost` count: any other name may resolve here. */
export function isNamed({ protocol, hostname, port }: URL, address: Address): boolean {
  if (protocol !== 'http:' || Number(port || 80) !== address.port) return false
  if (hostname === 'localhost' || hostname === bracketed(address.host)) return true
  const anyAddress = address.host === '0.0.0.0' || address.host === '::'
  return anyAddress && isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0
}

export function authority({ host, port }: Address): string {
  return `${bracketed(host)}:${port}`
}

const bracketed = (host: string) => (isIP(host) === 6 ? `[${host}]` : host)

function reasonOf(error: unknown): string {
  const code = errorCode(error)
  if (code === 'EADDRINUSE') return 'the port is in use'
  if (code === 'EACCES') return 'permission denied'
  return error instanceof Error ? error.message : String(error)
}
