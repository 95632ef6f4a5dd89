/** A proxy before a service that forwards chosen requests and loses their answers, or loses the requests. */
import { createServer, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listening } from './listening'

/** Fate of a request. */
export interface Loss {
  /** Whether it reaches the service. */
  done: boolean
  /** Replaces the answer. */
  reply(outgoing: ServerResponse): void
}

export const cut: Loss['reply'] = (outgoing) => void outgoing.socket?.destroy()
export const answer503: Loss['reply'] = (outgoing) => void outgoing.writeHead(503).end()

const refusing =
  (reason: string): Loss['reply'] =>
  (outgoing) =>
    void outgoing.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ errors: [{ reason }] }))

/** A refusal that another attempt does not change. */
export const refusal = refusing('not today')

/** A refusal that ends by itself; nothing was done (gaps.md, Busy). */
export const busy = refusing('Linode busy.')

export const badGateway: Loss['reply'] = (outgoing) => void outgoing.writeHead(502).end()

/** Applies new rules, but answers 502 to the write, and to the three lookups that follow. */
export function loseAsBadGateway(proxy: Lossy): void {
  // The rules are read to prepare the change, and again right before it.
  for (const _lookup of ['prepare', 'before']) proxy.pass('GET', /rules$/)
  proxy.lose('PUT', /rules$/, { done: true, reply: badGateway })
  for (const _attempt of [1, 2, 3]) proxy.lose('GET', /rules$/, { done: false, reply: badGateway })
}

const losses = {
  'answer lost': { done: true, reply: cut },
  'request lost': { done: false, reply: cut },
  unavailable: { done: false, reply: answer503 },
  'done, then 503': { done: true, reply: answer503 },
} satisfies Record<string, Loss>

export type Fate = 'none' | keyof typeof losses

export interface Lossy {
  baseUrl: string
  /** Sets the fate of the next request of this method and path (below the base URL), in the order of the calls. */
  lose(method: string, path: string | RegExp, fate: Fate | Loss): void
  /** Forwards the next such request and its answer, before later ones are lost. */
  pass(method: string, path: string | RegExp): void
  /** Holds the next such request until it is released. Then it meets its fate. */
  hold(method: string, path: string | RegExp, fate?: Fate | Loss): HeldRequest
  /** Loses all requests, from the next one on, for so long or until `back`. */
  away(forMs: number, reply: Loss['reply']): Away
  /** Number of requests with a fate that have not arrived yet. */
  pending(): number
  close(): Promise<void>
}

export interface Away {
  /** Number of lost requests. */
  lost(): number
  back(): void
}

export interface HeldRequest {
  arrived: Promise<void>
  /** Resolves when the service has answered it, or when it was lost. */
  ended: Promise<void>
  release(): void
}

interface Plan {
  method: string
  path: string | RegExp
  /** Undefined if the request is forwarded. */
  loss: Loss | undefined
  /** Resolves when the request may be forwarded. */
  wait?: () => Promise<void>
  /** Is called when the service has answered, or never will. */
  ended?: () => void
}

export async function lossyProxy(target: string): Promise<Lossy> {
  const plans: Plan[] = []
  let whileAway: () => Loss['reply'] | undefined = () => undefined
  const base = new URL(target)
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming)
    const awayReply = whileAway()
    if (awayReply) return awayReply(outgoing)
    const path = (incoming.url ?? '').slice(base.pathname.length)
    const index = plans.findIndex((plan) => plan.method === incoming.method && matches(plan.path, path))
    const [plan] = index < 0 ? [] : plans.splice(index, 1)
    await plan?.wait?.()
    if (plan?.loss?.done === false) {
      plan.loss.reply(outgoing)
      plan.ended?.()
      return
    }
    const { host: _host, ...headers } = incoming.headers
    const onward = request(
      { host: base.hostname, port: base.port, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        plan?.ended?.()
        if (plan?.loss) {
          const { reply } = plan.loss
          answer.resume().on('end', () => reply(outgoing))
          return
        }
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      },
    )
    // A test may end while a request is in progress.
    onward.on('error', () => outgoing.destroy())
    onward.end(body)
  })
  const { origin, close } = await listening(server)
  return {
    baseUrl: `${origin}${base.pathname}`,
    lose: (method, path, fate) => plans.push({ method, path, loss: lossOf(fate) }),
    pass: (method, path) => plans.push({ method, path, loss: undefined }),
    hold(method, path, fate = 'none') {
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      let ended = () => {}
      const answered = new Promise<void>((resolve) => {
        ended = resolve
      })
      const arrived = new Promise<void>((resolve) => {
        const wait = () => {
          resolve()
          return released
        }
        plans.push({ method, path, loss: lossOf(fate), wait, ended })
      })
      return { arrived, release, ended: answered }
    },
    away(forMs, reply) {
      let back: number | undefined
      let lost = 0
      whileAway = () => {
        back ??= performance.now() + forMs
        if (performance.now() >= back) return undefined
        lost += 1
        return reply
      }
      return {
        lost: () => lost,
        back: () => {
          back = 0
        },
      }
    },
    pending: () => plans.length,
    close,
  }
}

function lossOf(fate: Fate | Loss): Loss | undefined {
  if (typeof fate === 'object') return fate
  return fate === 'none' ? undefined : losses[fate]
}

function matches(pattern: string | RegExp, path: string): boolean {
  return typeof pattern === 'string' ? pattern === path : pattern.test(path)
}
