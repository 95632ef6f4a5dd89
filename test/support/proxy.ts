/** A proxy before a service. A test can act before a request is forwarded, and before its answer is returned. */
import { createServer, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from './listening'

export interface ProxiedRequest {
  method: string
  /** Below the base URL. */
  path: string
  body: string
  /** The header `X-Filter`. */
  filter: string | undefined
}

export interface ProxyHooks {
  /** Closes the connection without forwarding the request, if it resolves to `drop`. */
  before?(proxied: ProxiedRequest): unknown
  after?(proxied: ProxiedRequest): void | Promise<void>
  /** Answers instead of the service, if it returns a body. */
  answer?(proxied: ProxiedRequest): object | undefined
  /** Refuses a request instead of the service, if it returns errors. */
  refuse?(proxied: ProxiedRequest): { errors: readonly object[] } | undefined
  /** Status of refusals; 400 by default. */
  refusal?: number
  /** Changes the body of a request for the service. */
  forward?(body: string): string
  /** Changes the body of an answer. */
  change?(body: unknown): unknown
  /** Headers added to every answer. */
  headers?: Readonly<Record<string, string>>
}

export async function openProxy(target: string, hooks: ProxyHooks) {
  const { before, after, answer, refuse, refusal = 400, forward = unchanged, change, headers: added = {} } = hooks
  const base = new URL(target)
  let open = 0
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url = '' } = incoming
    open += 1
    const body = await buffer(incoming)
    const filter = incoming.headers['x-filter']?.toString()
    const proxied = { method, path: url.slice(base.pathname.length), body: body.toString(), filter }
    if ((await before?.(proxied)) === 'drop') {
      incoming.socket.destroy()
      open -= 1
      return
    }
    const errors = refuse?.(proxied)
    const ownAnswer = errors ?? answer?.(proxied)
    const json = { 'Content-Type': 'application/json', ...added }
    if (ownAnswer) {
      open -= 1
      outgoing.writeHead(errors ? refusal : 200, json).end(JSON.stringify(ownAnswer))
      return
    }
    const { host: _host, 'content-length': _length, 'accept-encoding': encoding, ...rest } = incoming.headers
    const headers = { ...rest, ...(encoding && !change && { 'accept-encoding': encoding }) }
    const onward = request({ host: base.hostname, port: base.port, method, path: url, headers }, async (reply) => {
      await after?.(proxied)
      open -= 1
      if (change) {
        const text = (await buffer(reply)).toString()
        const changed = text === '' ? '' : JSON.stringify(change(JSON.parse(text)))
        const { 'content-length': _old, ...replyHeaders } = reply.headers
        outgoing.writeHead(reply.statusCode ?? 500, { ...replyHeaders, ...added }).end(changed)
        return
      }
      outgoing.writeHead(reply.statusCode ?? 500, { ...reply.headers, ...added })
      reply.pipe(outgoing)
    })
    // Without a listener it would be uncaught, and the client would wait for its time limit.
    onward.on('error', () => {
      open -= 1
      outgoing.destroy()
    })
    onward.end(forward(proxied.body))
  })
  const { origin, close } = await listening(server)
  return {
    /** Requests on their way to the service. */
    open: () => open,
    baseUrl: `${origin}${base.pathname}`,
    close,
  }
}

const unchanged = (body: string) => body
