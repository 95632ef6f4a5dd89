/**
 * Sends requests with undici. It imports parts of undici by path (src/http/undici.d.ts). These are not a public
 * interface, so the version is pinned, and only parser.ts and tunnel.ts use one besides. The parser needs HTTP/1.1, and
 * undici 8 offers HTTP/2 wherever `allowH2` is not false.
 */
import type { Socket } from 'node:net'
import type { buildConnector as buildConnectorTypes, Dispatcher } from 'undici'
import buildConnector from 'undici/lib/core/connect.js'
import { kParser, kSocket } from 'undici/lib/core/symbols.js'
import Pool from 'undici/lib/dispatcher/pool.js'
import type { Environment } from '../rules/environment'
import { proxyVariables } from '../rules/secrets'
import type { Trust } from './authorities'
import type { Limits } from './deadline'
import { type Parser, type ParserCompiler, parserCompiler } from './parser'
import type { ChosenProxy } from './proxy'

export interface WireRequest {
  method: string
  /** Absolute, with the query. */
  path: string
  headers: Record<string, string>
  body?: string
  /** Maximum size of an answer that announces its size, if it is below that of the transport. */
  mostBytes?: number | undefined
}

export interface WireAnswer {
  status: number
  /** Names in lower case; repeated headers are joined by commas. */
  headers: Record<string, string>
  body: Buffer
  /** Frees the body; call it when the body is no longer needed. */
  release(): void
}

/** No answer came, or only a part of it. */
export class NoResponse extends Error {
  constructor(
    override readonly cause: Error,
    /** True if a byte of the request may have left. */
    readonly sent: boolean,
  ) {
    super(cause.message, { cause })
    this.name = 'Lost'
  }
}

/** The answer is larger than the limit. */
class LimitExceeded extends Error {
  readonly code = 'TOO_LARGE'
}

export interface Transport {
  start(request: WireRequest): WireExchange
  close(): Promise<void>
}

interface Options {
  origin: string
  connections: number
  env: Environment
  limits: Limits
}

/** Keeps up to `connections` connections to one origin alive, through the proxy of the environment if there is one. */
export async function createTransport({ origin, connections, env, limits }: Options): Promise<Transport> {
  const compiler = await parserCompiler()
  const sockets = new Set<Socket>()
  const load: Load = { bytes: 0, most: limits.bytes }
  const proxy = await chooseProxy(origin, env)
  const trust = await chooseTrust(origin, env)
  const dispatcher: Dispatcher = new Pool(origin, {
    allowH2: false,
    connections,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.bodyMs,
    connect: connector(limits.connectMs, { sockets, proxy, trust, compiler }),
  })
  dispatcher.on('connect', (_origin, targets) => {
    const parser = parserOf(targets.at(-1))
    if (!parser) return
    compiler.prepare(parser)
    ignoreContinue(parser)
  })
  return {
    start({ mostBytes, ...request }) {
      const exchange = new WireExchange(load)
      exchange.mostBytes = mostBytes
      dispatcher.dispatch({ origin, ...request }, exchange)
      return exchange
    },
    async close() {
      // undici would wait for the connect timeout of a socket that is still connecting.
      for (const socket of sockets) socket.destroy()
      await dispatcher.destroy()
    },
  }
}

/** Most environments have no proxy, and do not load what chooses one. */
async function chooseProxy(origin: string, env: Environment): Promise<ChosenProxy | undefined> {
  if (!proxyVariables.some((name) => env[name])) return undefined
  const { proxyFor } = await import('./proxy')
  return proxyFor(new URL(origin), env)
}

/** Authorities for a service, if not those of the runtime. Most environments name none. */
async function chooseTrust(origin: string, env: Environment): Promise<Trust | undefined> {
  if (!origin.startsWith('https:') || !(env.SSL_CERT_FILE || env.SSL_CERT_DIR)) return undefined
  return (await import('./authorities')).readTrust(env)
}

function parserOf(client: Dispatcher | undefined): Parser | undefined {
  const socket: object | undefined = client && Reflect.get(client, kSocket)
  return socket && Reflect.get(socket, kParser)
}

/**
 * undici closes a connection after a 100 that it did not request. A client must ignore it (RFC 9110, 15.2), as undici
 * does with all other statuses below 200. So undici's parser receives 102 instead.
 */
function ignoreContinue(parser: Parser): void {
  const onHeadersComplete = parser.onHeadersComplete.bind(parser)
  parser.onHeadersComplete = (status, ...more) => onHeadersComplete(status === 100 ? processing : status, ...more)
}

const processing = 102

/** Total size of the answers that are arriving or not yet read. */
interface Load {
  bytes: number
  readonly most: number
}

/** A request that was started. */
export class WireExchange implements Dispatcher.DispatchHandler {
  /** Rejects with `NoResponse` only. */
  readonly answer: Promise<WireAnswer>
  /** True if a byte of the request may have left. */
  sent = false
  mostBytes: number | undefined
  #controller: Dispatcher.DispatchController | undefined
  #aborted: Error | undefined
  #status = 0
  #headers: Record<string, string> = {}
  #chunks: Buffer[] = []
  #size = 0
  #resolve: (answer: WireAnswer) => void = () => {}
  #reject: (error: NoResponse) => void = () => {}

  constructor(readonly load: Load) {
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  abort(reason: Error): void {
    this.#aborted ??= reason
    this.#controller?.abort(reason)
    this.#release()
    this.#reject(new NoResponse(reason, this.sent))
  }

  /** Called when the connection is open and the request is about to be written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#aborted) controller.abort(this.#aborted)
    else this.sent = true
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return
    this.#status = status
    this.#headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    if (Number(this.#headers['content-length']) > (this.mostBytes ?? this.load.most)) this.abort(new LimitExceeded())
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#aborted) return
    this.#size += chunk.length
    this.load.bytes += chunk.length
    if (this.load.bytes > this.load.most) this.abort(new LimitExceeded())
    else this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    const body = Buffer.concat(this.#chunks)
    this.#chunks = []
    const answer = {
      status: this.#status,
      headers: this.#headers,
      body,
      release: () => {
        answer.body = Buffer.alloc(0)
        this.#release()
      },
    }
    this.#resolve(answer)
  }

  /** Subtracts this answer from the load, once. */
  #release(): void {
    this.load.bytes -= this.#size
    this.#size = 0
    this.#chunks = []
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#release()
    this.#reject(new NoResponse(error, this.sent))
  }
}

interface Ways {
  /** Sockets that are open or being opened. */
  sockets: Set<Socket>
  proxy: ChosenProxy | undefined
  trust: Trust | undefined
  compiler: ParserCompiler
}

function connector(timeoutMs: number, { sockets, proxy, trust, compiler }: Ways): buildConnectorTypes.connector {
  const build = buildConnector({ allowH2: false, timeout: timeoutMs, ...trust })
  const connect: typeof build = (options, callback) =>
    build(options, (...result) => compiler.connect(() => callback(...result)))
  const keep = (socket: Socket) => {
    sockets.add(socket)
    // Node goes on after an alert of TLS 1.3, and undici would report the end of the connection in its place.
    socket.once('error', (error) => socket.destroy(error))
    return socket.once('close', () => sockets.delete(socket))
  }
  if (!proxy) return (options, callback) => keep(connect(options, callback))
  return (options, callback) => {
    const { hostname: host, port } = options
    const open = async () => {
      const { openTunnel } = await import('./tunnel')
      return openTunnel({ proxy, trust, host, port: Number(port) || 443, timeoutMs, onSocket: keep })
    }
    open().then(
      (httpSocket) => keep(connect({ ...options, httpSocket }, callback)),
      (error) => callback(error, null),
    )
  }
}
