/** The sandbox as a web server: what it lets in, which operation a request is for, and how a refusal is told. */

import { STATUS_CODES } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { revision } from '../catalogue/revision'
import { type Controlled, changeSettings, controlHeader, shownSettings } from './control'
import { describe, outbox } from './describe'
import { answer, parseBody, type Rules } from './exchange'
import { takeDroppedAnswer, takeFailure } from './faults'
import { writeJson } from './json'
import type { Connection } from './listen'
import { served } from './operations'
import { notFound, Refusal, refusal, refusedAs } from './refusal'
import type { State } from './storage'

interface ServerOptions extends Rules, Controlled {
  state: State
  /** Whether a URL names this sandbox, where the request came in on that port. */
  isOwn(url: URL, port: number | undefined): boolean
  /** Aborted when the sandbox closes. */
  closed: AbortSignal
}

interface Types {
  Bindings: Connection
  Variables: { body: Uint8Array }
}

type Server = Hono<Types>
type Exchanging = Context<Types>

const base = '/v4'
const largestBody = 1024 * 1024

export function createServer(options: ServerOptions): Server {
  // The same path with a slash at its end, where that is let pass.
  const server: Server = new Hono({ strict: options.strict })
  server.use(async (c, next) => {
    c.header('X-Spec-Version', revision)
    c.header('Date', new Date(options.world.clock.now()).toUTCString())
    guard(c, options)
    if (options.strict && new URL(c.req.url).pathname.endsWith('/')) {
      throw refusal(null, 'The path must not end with a slash')
    }
    c.set('body', await readBody(c.req.raw))
    await next()
  })
  control(server, options)
  server.use((c, next) => disturb(c, next, options))
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

/** What only the sandbox has. */
function control(server: Server, { state, ...controlled }: ServerOptions): void {
  server.use('/sandbox/*', async (c, next) => {
    const { name, value } = controlHeader
    if (c.req.header(name) !== value) throw refusedAs(403, `Needs the header ${name}: ${value}`)
    await next()
  })
  const settings = (c: Exchanging) => c.json(shownSettings(controlled))
  server.get('/sandbox/control', settings)
  server.put('/sandbox/control', (c) => {
    changeSettings(parseBody(exchangeOf(c)), controlled)
    return settings(c)
  })
  server.get('/sandbox/world', async (c) => c.json(await state.read(() => describe(controlled.world))))
  server.get('/sandbox/outbox', async (c) => c.json(await state.read(() => outbox(controlled.world))))
}

/** Lets go wrong what is to go wrong with a request. */
async function disturb(c: Exchanging, next: () => Promise<void>, { faults, closed }: ServerOptions) {
  const { pathname } = new URL(c.req.url)
  const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname
  if (faults.latencyMs > 0) await setTimeout(faults.latencyMs, undefined, { signal: closed })
  const failure = takeFailure(faults, path)
  if (failure !== undefined) {
    if (failure === 429 || failure === 503) c.header('Retry-After', '1')
    throw refusedAs(failure, failure === 429 ? 'Too many requests' : statusText(failure))
  }
  await next()
  // The client sees a connection that ends before the first byte of an answer.
  const isWrite = c.req.method !== 'GET' && c.req.method !== 'HEAD'
  if (isWrite && c.res.ok && takeDroppedAnswer(faults, path)) c.env.outgoing.destroy()
}

const statusText = (status: number) => STATUS_CODES[status] ?? `Status ${status}`

/** Keeps web pages out: they come with an origin, or by a name that was made to lead here (DNS rebinding). */
function guard(c: Exchanging, { isOwn }: ServerOptions): void {
  const { rawHeaders, socket } = c.env.incoming
  const [host = '', ...more] = rawHeaders.filter((_, index) => index % 2 && /^host$/i.test(rawHeaders[index - 1] ?? ''))
  if (host === '' || more.length > 0) throw refusal(null, 'Must have exactly one Host header')
  const names = (url: string) => URL.canParse(url) && isOwn(new URL(url), socket.localPort)
  // A target may be a whole URL, and name another host than the header does.
  if (!/^[\w.:[\]-]+$/.test(host) || !names(`http://${host}`) || !names(c.req.url))
    throw refusedAs(421, 'The sandbox answers only to its own host name and port')
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
      const work = () => answer(one, exchangeOf(c), rules)
      const { status, body } = await (method === 'GET' ? state.read(work) : state.transaction(work))
      if (body === null) return c.body(null, 204)
      const headers = { 'Content-Type': 'application/json' }
      return c.body(writeJson(body), status as ContentfulStatusCode, headers)
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
