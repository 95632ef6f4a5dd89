/** A proxy before a service. A test can act before a request is forwarded, and before its answer is returned. */
import { createServer, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from './listening'

interface ProxiedRequest {
  method: string
  /** Below the base URL. */
  path: string
  body: string
}

export interface ProxyHooks {
  /** Closes the connection without forwarding the request, if it resolves to `drop`. */
  before?(proxied: ProxiedRequest): unknown
  after?(proxied: ProxiedRequest): void | Promise<void>
  /** Answers instead of the service, if it returns a body. */
  answer?(proxied: ProxiedRequest): object | undefined
  /** Headers added to every answer. */
  headers?: Readonly<Record<string, string>>
}

export async function openProxy(target: string, { before, after, answer, headers: added = {} }: ProxyHooks) {
  const base = new URL(target)
  let open = 0
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url = '' } = incoming
    open += 1
    const body = await buffer(incoming)
    const proxied = { method, path: url.slice(base.pathname.length), body: body.toString() }
    if ((await before?.(proxied)) === 'drop') {
      incoming.socket.destroy()
      open -= 1
      return
    }
    const ownAnswer = answer?.(proxied)
    if (ownAnswer) {
      open -= 1
      outgoing.writeHead(200, { 'Content-Type': 'application/json', ...added }).end(JSON.stringify(ownAnswer))
      return
    }
    const { host: _host, ...headers } = incoming.headers
    const onward = request({ host: base.hostname, port: base.port, method, path: url, headers }, async (reply) => {
      await after?.(proxied)
      open -= 1
      outgoing.writeHead(reply.statusCode ?? 500, { ...reply.headers, ...added })
      reply.pipe(outgoing)
    })
    onward.end(body)
  })
  const { origin, close } = await listening(server)
  return {
    /** Requests on their way to the service. */
    open: () => open,
    baseUrl: `${origin}${base.pathname}`,
    close,
  }
}
