/**
 * The sandbox as a web server: what it lets in, and how an answer or a refusal is told. It stands on Node's server alone,
 * with no request or response of the web's own: those load all of Node's fetch, 20 ms at every command on the sandbox.
 */
import { type IncomingMessage, type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { revision } from '../catalogue/revision'
import { readBody, understood, written } from './body'
import { type Controlled, changeSettings, controlHeader, shownSettings } from './control'
import { describe, outbox } from './describe'
import { answer, type Incoming, type Reply, type Rules } from './exchange'
import { takeDroppedAnswer, takeFailure } from './faults'
import { notFound, Refusal, refusal, refusedAs } from './refusal'
import { findRoute, wordsOf } from './routes'
import type { State } from './storage'

interface ServerOptions extends Rules, Controlled {
  state: State
  /** Whether a URL names this sandbox, where the request came in on that port. */
  isOwn(url: URL, port: number | undefined): boolean
  /** Aborted when the sandbox closes. */
  closed: AbortSignal
}

/** A request that was let in. */
interface Asked extends Pick<Incoming, 'query' | 'header' | 'body' | 'answerHeader'> {
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
  const header = headersOf(incoming)
  const { pathname: path, searchParams: query } = guard(incoming, options)
  if (options.strict && path.endsWith('/')) throw refusal(null, 'The path must not end with a slash')
  const body = await understood(await readBody(incoming), header('content-type'))
  const answerHeader = (name: string, value: string) => outgoing.setHeader(name, value)
  // The answer to a HEAD is that to a GET, of which Node sends the head.
  const asked = { method: method === 'HEAD' ? 'GET' : method, path, query, header, body, answerHeader }
  const controlled = await control(asked, options)
  if (controlled) return controlled
  await disturb(asked, options)
  const reply = await operate(asked, options)
  // The client sees a connection that ends before the first byte of an answer.
  if (asked.method !== 'GET' && takeDroppedAnswer(options.faults, belowBase(path))) outgoing.destroy()
  return reply
}

/** Null for the body of a reply: it has none. */
async function send(outgoing: ServerResponse, { status, body }: Omit<Reply, 'status'> & { status: number }) {
  // Where the connection is gone there is nobody to tell.
  if (outgoing.destroyed) return
  if (body === null) {
    outgoing.writeHead(204).end()
    return
  }
  const text = await written(body)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
  outgoing.writeHead(status, headers).end(text)
}

function refused(error: unknown) {
  const { status, errors } = error instanceof Refusal ? error : refusedAs(500, (error as Error).message)
  return { status, body: { errors } }
}

/** Keeps web pages out: they come with an origin, or by a name that was made to lead here (DNS rebinding). */
function guard(incoming: IncomingMessage, { isOwn }: ServerOptions): URL {
  const { rawHeaders, socket, url: target = '' } = incoming
  const [host = '', ...more] = valuesOf('host', rawHeaders)
  if (host === '' || more.length > 0) throw refusal(null, 'Must have exactly one Host header')
  // A target may be a whole URL, and name another host than the header does.
  const url = parsedUrl(target.startsWith('/') ? `http://${host}${target}` : target)
  const own = /^[\w.:[\]-]+$/.test(host) ? parsedUrl(`http://${host}`) : undefined
  // A backslash is a slash to URLs, and to none of our paths.
  if (!url || !own || /^[^?]*\\/.test(target)) throw refusal(null, 'The host and the target must make a URL')
  if (!isOwn(own, socket.localPort) || !isOwn(url, socket.localPort)) {
    throw refusedAs(421, 'The sandbox answers only to its own host name and port')
  }
  const header = headersOf(incoming)
  const site = header('sec-fetch-site')
  if (header('origin') !== undefined || (site !== undefined && site !== 'none')) {
    throw refusedAs(403, 'The sandbox does not answer web pages')
  }
  return url
}

const parsedUrl = (text: string) => (URL.canParse(text) ? new URL(text) : undefined)

/** Headers by their names in lower case; one that came several times as a list (RFC 9110, 5.3). */
function headersOf({ rawHeaders }: IncomingMessage): Incoming['header'] {
  return (name) => {
    const values = valuesOf(name, rawHeaders)
    return values.length > 0 ? values.join(', ') : undefined
  }
}

/** Node's own tables of headers leave some that are doubled out, and others cannot take the name `constructor`. */
function valuesOf(name: string, rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
}

/** What only the sandbox has; undefined for what it has not. */
async function control(asked: Asked, { state, ...controlled }: ServerOptions): Promise<Reply | undefined> {
  const { method, path, header } = asked
  if (wordsOf(path)[0] !== 'sandbox') return undefined
  const { name, value } = controlHeader
  if (header(name.toLowerCase()) !== value) throw refusedAs(403, `Needs the header ${name}: ${value}`)
  const { world } = controlled
  const answers: Record<string, () => object | Promise<object>> = {
    'GET control': () => shownSettings(controlled),
    'PUT control'() {
      changeSettings(asked.body(), controlled)
      return shownSettings(controlled)
    },
    'GET world': () => state.read(() => describe(world)),
    'GET outbox': () => state.read(() => outbox(world)),
  }
  const body = await answers[`${method} ${wordsOf(path).slice(1).join('/')}`]?.()
  return body && { status: 200, body }
}

/** Lets go wrong what is to go wrong with a request. */
async function disturb({ path, answerHeader }: Asked, { faults, closed }: ServerOptions): Promise<void> {
  if (faults.latencyMs > 0) await setTimeout(faults.latencyMs, undefined, { signal: closed })
  const failure = takeFailure(faults, belowBase(path))
  if (failure === undefined) return
  if (failure === 429 || failure === 503) answerHeader('Retry-After', '1')
  throw refusedAs(failure, failure === 429 ? 'Too many requests' : statusText(failure))
}

const statusText = (status: number) => STATUS_CODES[status] ?? `Status ${status}`
const belowBase = (path: string) => (path.startsWith(`${base}/`) ? path.slice(base.length) : path)

async function operate(asked: Asked, { state, ...rules }: ServerOptions): Promise<Reply> {
  const { method, path, answerHeader } = asked
  const found = path.startsWith(`${base}/`) ? await findRoute(method, wordsOf(belowBase(path))) : undefined
  if (!found) throw notFound()
  const { served, parameters, allowed } = found
  if (!served) {
    answerHeader('Allow', allowed.join(', '))
    throw refusedAs(405, 'Method Not Allowed')
  }
  const work = () => answer(served, { ...asked, parameter: (name) => parameters.get(name) }, rules)
  return method === 'GET' ? state.read(work) : state.transaction(work)
}
