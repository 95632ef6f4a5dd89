/** The sandbox as a web server: what it lets in, which operation a request is for, and how a refusal is told. */

import { STATUS_CODES } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { answer, type Rules } from './exchange'
import { served } from './operations'
import { notFound, Refusal, refusedAs } from './refusal'
import type { State } from './storage'

export interface ServerOptions extends Rules {
  state: State
  /** Whether a request's URL names this sandbox. */
  isOwn(url: URL): boolean
  latencyMs: number
  /** The status with which a request must fail. */
  failureOf(path: string): number | undefined
  /** Aborted when the sandbox closes. */
  closed: AbortSignal
}

export type Server = Hono<{ Variables: { body: Uint8Array } }>
type Exchanging = Context<{ Variables: { body: Uint8Array } }>

const base = '/v4'
const largestBody = 1024 * 1024

export function createServer(options: ServerOptions): Server {
  const server: Server = new Hono()
  server.use(async (c, next) => {
    c.header('X-Spec-Version', '4.176.0')
    c.header('Date', new Date(options.world.clock.now()).toUTCString())
    guard(c, options)
    const url = new URL(c.req.url)
    const path = url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length) : url.pathname
    const body = await readBody(c.req.raw)
    c.set('body', body)
    options.world.remember(c.req.method, path + url.search, body)
    if (options.latencyMs > 0) await setTimeout(options.latencyMs, undefined, { signal: options.closed })
    const failure = options.failureOf(path)
    if (failure !== undefined) throw refusedAs(failure, failure === 429 ? 'Too many requests' : statusText(failure))
    await next()
  })
  route(server, options)
  server.notFound(() => {
    throw notFound()
  })
  server.onError((error, c) => {
    const { status, errors } = error instanceof Refusal ? error : refusedAs(500, error.message)
    return c.json({ errors }, status as ContentfulStatusCode)
  })
  return server
}

const statusText = (status: number) => STATUS_CODES[status] ?? `Status ${status}`

/** Keeps web pages out: they come with an origin, or by a name that was made to lead here (DNS rebinding). */
function guard(c: Exchanging, { isOwn }: ServerOptions): void {
  if (!isOwn(new URL(c.req.url))) throw refusedAs(421, 'The sandbox answers only to its own host name and port')
  const site = c.req.header('sec-fetch-site')
  if (c.req.header('origin') !== undefined || (site !== undefined && site !== 'none')) {
    throw refusedAs(403, 'The sandbox does not answer web pages')
  }
}

function route(server: Server, { state, ...rules }: ServerOptions): void {
  const methods = new Map<string, string[]>()
  for (const one of served) {
    const { method, path } = one.operation
    const pattern = base + path.replaceAll(/\{(\w+)\}/g, ':$1')
    methods.set(pattern, [...(methods.get(pattern) ?? []), method])
    server.on(method, pattern, async (c) => {
      const { status, body } = await state.transaction(() => answer(one, exchangeOf(c), rules))
      return body === null ? c.body(null, 204) : c.json(body, status as ContentfulStatusCode)
    })
  }
  for (const [pattern, allowed] of methods) {
    server.all(pattern, (c) => {
      c.header('Allow', allowed.join(', '))
      throw refusedAs(405, 'Method Not Allowed')
    })
  }
}

function exchangeOf(c: Exchanging) {
  return {
    parameter: (name: string) => c.req.param(name),
    query: new URL(c.req.url).searchParams,
    header: (name: string) => c.req.header(name),
    body: c.get('body'),
    answerHeader: (name: string, value: string) => c.header(name, value),
  }
}

/** At most 1 MiB: no body of the document comes near it. */
async function readBody({ body }: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > largestBody) throw refusedAs(413, `Body is larger than ${largestBody} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
