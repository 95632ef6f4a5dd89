/** A proxy before a service that lets chosen requests through and loses their answers, or loses the requests. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `unavailable`: 503, and nothing was done; `done, then 503`: it was. */
export type Fate = 'none' | 'answer lost' | 'request lost' | 'unavailable' | 'done, then 503'

export interface Lossy {
  baseUrl: string
  /** What shall happen to the next request of this method and path (below the base URL); in order of the calls. */
  lose(method: string, path: string | RegExp, fate: Fate): void
  /** Lets the next such request and its answer through, before what is lost later. */
  pass(method: string, path: string | RegExp): void
  /** Keeps the next such request from the service until it is released; then it meets its fate. */
  hold(method: string, path: string | RegExp, fate?: Fate): Held
  close(): Promise<void>
}

export interface Held {
  arrived: Promise<void>
  /** The service has answered it, or it was lost. */
  gone: Promise<void>
  release(): void
}

interface Plan {
  method: string
  path: string | RegExp
  fate: Fate
  /** Ends when the request may go on. */
  wait?: () => Promise<void>
  /** Told when the service has answered, or never will. */
  gone?: () => void
}

export async function lossyProxy(target: string): Promise<Lossy> {
  const plans: Plan[] = []
  const base = new URL(target)
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const path = (incoming.url ?? '').slice(base.pathname.length)
    const index = plans.findIndex((plan) => plan.method === incoming.method && matches(plan.path, path))
    const [plan] = index < 0 ? [] : plans.splice(index, 1)
    await plan?.wait?.()
    if (plan?.fate === 'request lost') {
      incoming.socket.destroy()
      plan.gone?.()
      return
    }
    if (plan?.fate === 'unavailable') {
      outgoing.writeHead(503).end()
      return
    }
    const { host: _host, ...headers } = incoming.headers
    const onward = request(
      { host: base.hostname, port: base.port, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        plan?.gone?.()
        if (plan?.fate === 'answer lost') {
          answer.resume().on('end', () => incoming.socket.destroy())
          return
        }
        if (plan?.fate === 'done, then 503') {
          answer.resume().on('end', () => outgoing.writeHead(503).end())
          return
        }
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      },
    )
    onward.end(Buffer.concat(chunks))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}${base.pathname}`,
    lose: (method, path, fate) => plans.push({ method, path, fate }),
    pass: (method, path) => plans.push({ method, path, fate: 'none' }),
    hold(method, path, fate = 'none') {
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      let gone = () => {}
      const answered = new Promise<void>((resolve) => {
        gone = resolve
      })
      const arrived = new Promise<void>((resolve) => {
        const wait = () => {
          resolve()
          return released
        }
        plans.push({ method, path, fate, wait, gone })
      })
      return { arrived, release, gone: answered }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function matches(wanted: string | RegExp, path: string): boolean {
  return typeof wanted === 'string' ? wanted === path : wanted.test(path)
}
