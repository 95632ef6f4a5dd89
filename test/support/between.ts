/** A proxy before a service that lets a test act before a request goes on, and before its answer goes back. */
import { createServer, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from './listening'

interface Passing {
  method: string
  /** Below the base URL. */
  path: string
  body: string
}

export interface Between {
  /** What resolves to `drop` does not go on, and its connection is closed. */
  before?(passing: Passing): unknown
  after?(passing: Passing): void | Promise<void>
  /** Answers in the place of the service, where it returns a body. */
  answer?(passing: Passing): object | undefined
  /** Go back with every answer. */
  headers?: Readonly<Record<string, string>>
}

export async function between(target: string, { before, after, answer, headers: added = {} }: Between) {
  const base = new URL(target)
  let open = 0
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url = '' } = incoming
    open += 1
    const body = await buffer(incoming)
    const passing = { method, path: url.slice(base.pathname.length), body: body.toString() }
    if ((await before?.(passing)) === 'drop') {
      incoming.socket.destroy()
      open -= 1
      return
    }
    const own = answer?.(passing)
    if (own) {
      open -= 1
      outgoing.writeHead(200, { 'Content-Type': 'application/json', ...added }).end(JSON.stringify(own))
      return
    }
    const { host: _host, ...headers } = incoming.headers
    const onward = request({ host: base.hostname, port: base.port, method, path: url, headers }, async (reply) => {
      await after?.(passing)
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
