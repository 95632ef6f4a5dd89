/**
 * HTTP server of the sandbox: access checks, and answers to requests and errors. It uses Node's server without web
 * Request and Response, because those load Node's fetch (20 ms for every sandbox command).
 */
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http'
import { revision } from '../catalogue/revision'
import { formatJson } from '../data/json'
import { readBody, understood } from './body'
import { type Controlled, changeSettings, controlHeader, readSettings } from './control'
import type { State } from './database'
import { answer, type Incoming, type Reply, type Rules } from './exchange'
import { takeDroppedAnswer, takeFailure } from './faults'
import { ApiRefusal, notFound, refusal, refusedAs } from './refusal'
import { findRoute, wordsOf } from './routes'
import { describe, outbox } from './world'

interface ServerOptions extends Rules, Controlled {
  state: State
  /** Reports whether a URL names this sandbox, for a request that arrived on that port. */
  isOwn(url: URL, port: number | undefined): boolean
  closed: AbortSignal
}

/** Request that passed the access checks. */
interface SandboxRequest extends Pick<Incoming, 'query' | 'header' | 'body' | 'answerHeader'> {
  method: string
  path: string
}

const base = '/v4'

export function createServer(options: ServerOptions): RequestListener {
  return (incoming, outgoing) => {
    outgoing.setHeader('X-Spec-Version', revision)
    outgoing.setHeader('Date', new Date(options.world.clock.now()).toUTCString())
    serve(incoming, outgoing, options)
      .catch(refused)
      .then((reply) => send(outgoing, reply))
      .catch(() => outgoing.destroy())
  }
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse, options: ServerOptions) {
  const { method = '' } = incoming
  const values = headerValues(incoming)
  const header = (name: string) => values.get(name)?.join(', ')
  const { pathname: path, searchParams: query } = guard(incoming, values, options)
  if (options.strict && path.endsWith('/')) throw refusal(null, 'The path must not end with a slash')
  const body = await understood(await readBody(incoming), header('content-type'))
  const answerHeader = (name: string, value: string) => outgoing.setHeader(name, value)
  // HEAD is answered like GET; Node sends only the headers.
  const request = { method: method === 'HEAD' ? 'GET' : method, path, query, header, body, answerHeader }
  const controlled = await control(request, options)
  if (controlled) return controlled
  await disturb(request, options)
  const reply = await operate(request, options)
  // The client sees a connection that closes before the first byte of an answer.
  if (request.method !== 'GET' && takeDroppedAnswer(options.faults, belowBase(path))) outgoing.destroy()
  return reply
}

/** Sends an answer; a null body sends 204. */
async function send(outgoing: ServerResponse, { status, body }: Omit<Reply, 'status'> & { status: number }) {
  // The client has disconnected.
  if (outgoing.destroyed) return
  if (body === null) {
    outgoing.writeHead(204).end()
    return
  }
  const text = await formatJson(body, 0)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
  outgoing.writeHead(status, headers).end(text)
}

function refused(error: unknown) {
  const { status, errors } =
    error instanceof ApiRefusal ? error : refusedAs(500, error instanceof Error ? error.message : String(error))
  return { status, body: { errors } }
}

/** Rejects web pages: their requests have an Origin header, or a host name that resolves here (DNS rebinding). */
function guard(incoming: IncomingMessage, values: HeaderValues, { isOwn }: ServerOptions): URL {
  const { socket, url: target = '' } = incoming
  const [host = '', ...more] = values.get('host') ?? []
  if (host === '' || more.length > 0) throw refusal(null, 'Must have exactly one Host header')
  // A target may be a full URL whose host differs from the header.
  const url = parsedUrl(target.startsWith('/') ? `http://${host}${target}` : target)
  const own = /^[\w.:[\]-]+$/.test(host) ? parsedUrl(`http://${host}`) : undefined
  // URLs treat a backslash as a slash, but paths here do not.
  if (!url || !own || /^[^?]*\\/.test(target)) throw refusal(null, 'The host and the target must make a URL')
  if (!isOwn(own, socket.localPort) || !isOwn(url, socket.localPort)) {
    throw refusedAs(421, 'The sandbox answers only to its own host name and port')
  }
  const sites = values.get('sec-fetch-site') ?? ['none']
  if (values.has('origin') || sites.join() !== 'none') {
    throw refusedAs(403, 'The sandbox does not answer web pages')
  }
  return url
}

function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Values of headers by lower-case name; repeated headers are joined (RFC 9110, 5.3). */
type HeaderValues = ReadonlyMap<string, readonly string[]>

/** Reads the headers. Node's parsed headers drop some duplicates and cannot hold the name `constructor`. */
function headerValues({ rawHeaders }: IncomingMessage): HeaderValues {
  const values = new Map<string, string[]>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    const value = rawHeaders[index + 1] ?? ''
    const others = values.get(name)
    if (others) others.push(value)
    else values.set(name, [value])
  }
  return values
}

/** Handles control requests; undefined for all other requests. */
async function control(request: SandboxRequest, { state, ...controlled }: ServerOptions): Promise<Reply | undefined> {
  const { method, path, header } = request
  if (wordsOf(path)[0] !== 'sandbox') return undefined
  const { name, value } = controlHeader
  if (header(name.toLowerCase()) !== value) throw refusedAs(403, `Needs the header ${name}: ${value}`)
  const { world } = controlled
  const answers: Record<string, () => object | Promise<object>> = {
    'GET control': () => readSettings(controlled),
    'PUT control'() {
      changeSettings(request.body(), controlled)
      return readSettings(controlled)
    },
    'GET world': () => state.read(() => describe(world)),
    'GET outbox': () => state.read(() => outbox(world)),
  }
  const body = await answers[`${method} ${wordsOf(path).slice(1).join('/')}`]?.()
  return body && { status: 200, body }
}

/** Applies the configured faults to a request. */
async function disturb({ path, answerHeader }: SandboxRequest, { faults, closed }: ServerOptions): Promise<void> {
  if (faults.latencyMs) {
    // Loaded on use: a list of the context sandbox has no delay.
    const { setTimeout } = await import('node:timers/promises')
    await setTimeout(faults.latencyMs, undefined, { signal: closed })
  }
  const failure = takeFailure(faults, belowBase(path))
  if (failure === undefined) return
  if (failure === 429 || failure === 503) answerHeader('Retry-After', '1')
  throw refusedAs(failure, failure === 429 ? 'Too many requests' : statusText(failure))
}

const statusText = (status: number) => STATUS_CODES[status] ?? `Status ${status}`
const belowBase = (path: string) => (path.startsWith(`${base}/`) ? path.slice(base.length) : path)

async function operate(request: SandboxRequest, { state, ...rules }: ServerOptions): Promise<Reply> {
  const { method, path, answerHeader } = request
  const route = path.startsWith(`${base}/`) ? await findRoute(method, wordsOf(belowBase(path))) : undefined
  if (!route) throw notFound()
  if (!route.match) {
    answerHeader('Allow', route.allowed.join(', '))
    throw refusedAs(405, 'Method Not Allowed')
  }
  const { served, parameters } = route.match
  const work = () => answer(served, { ...request, parameter: (name) => parameters.get(name) }, rules)
  return method === 'GET' ? state.read(work) : state.transaction(work)
}
