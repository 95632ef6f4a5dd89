/**
 * Embedded implementation of the API with state. It has no background tasks: timed states are computed when they are
 * read.
 */
import { once, setMaxListeners } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { isIP } from 'node:net'
import process from 'node:process'
import { Problem } from '../errors'
import { errorCode, fileLimitProblem } from '../files/file-problem'
import { MovableClock, type ServiceClock, systemClock } from './clock'
import { inMemory, type Storage } from './database'
import type { Faults, InjectedFailure, Occasion } from './faults'
import { RateLimiter } from './limits'
import { ownerToken } from './secrets'
import { createServer } from './server'
import {
  seed as builtIn,
  createWorld,
  describe,
  type Message,
  outbox,
  type World,
  type WorldDescription,
} from './world'

export interface SandboxOptions {
  clock?: ServiceClock
  /** Initial time in milliseconds since the epoch; defaults to the clock's current time. */
  startsAt?: number | undefined
  /** True to stop time. The control endpoint can move it. */
  stopped?: boolean
  /** Storage; defaults to memory. Files: `sharedFile` or `heldFile` of ./file-storage. */
  storage?: Storage | undefined
  /** Fills an empty storage; defaults to the built-in world. For files: `seedFrom` of ./restore-world. */
  seed?: ((world: World) => void) | undefined
  /** Duration of creating, cloning and resizing in milliseconds; defaults to 1000. */
  transitionMs?: number | undefined
  latencyMs?: number | undefined
  failures?: readonly InjectedFailure[]
  droppedAnswers?: readonly Occasion[]
  /** True to enforce the rate limits. */
  rateLimit?: boolean
  /** Counts the requests. A caller that passes it can count others. */
  limiter?: RateLimiter
  /** True to reject undocumented input of real clients with 400 (gaps.md, What existing clients send). */
  strict?: boolean
}

export interface Listening {
  /** Base URL such as `http://127.0.0.1:8080/v4`. */
  baseUrl: string
  /** Stops listening and ends open connections at once. */
  close(): Promise<void>
}

export interface Sandbox {
  /** Serves HTTP, by default on loopback and a free port. `background`: neither it nor its connections keep the process running. */
  listen(options?: { port?: number | undefined; host?: string; background?: boolean }): Promise<Listening>
  world: World
  ownerToken: string
  describe(): WorldDescription
  /** Lists the messages that a real service would have sent, oldest first. */
  outbox(): Message[]
  close(): Promise<void>
}

export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { storage = inMemory, transitionMs = 1000 } = options
  const clock = clockOf(options)
  const world = createWorld(clock, transitionMs)
  const state = await storage(world.tables, () => (options.seed ?? builtIn)(world))
  const listeners = new Set<HttpListener>()
  const closing = new AbortController()
  // Every delayed answer adds a listener.
  setMaxListeners(0, closing.signal)
  const server = createServer({
    world,
    clock,
    state,
    limiter: options.limiter ?? new RateLimiter(clock),
    faults: faultsOf(options),
    strict: options.strict === true,
    isOwn: (url, port) => [...listeners].some(({ address }) => address.port === port && isNamed(url, address)),
    closed: closing.signal,
  })
  const closeListener = async (listener: HttpListener) => {
    if (listeners.delete(listener)) await listener.close()
  }
  return {
    world,
    ownerToken,
    async listen({ port = 0, host = '127.0.0.1', background = false } = {}) {
      const listener = await listen(server, { port, host, background })
      listeners.add(listener)
      return { baseUrl: `http://${authority(listener.address)}/v4`, close: () => closeListener(listener) }
    },
    describe: () => describe(world),
    outbox: () => outbox(world),
    async close() {
      closing.abort()
      await Promise.all([...listeners].map(closeListener))
      await state.close()
    },
  }
}

function clockOf({ clock: baseClock = systemClock, startsAt, stopped = false }: SandboxOptions): MovableClock {
  const clock = new MovableClock(baseClock)
  if (startsAt !== undefined) clock.moveTo(startsAt)
  clock.stopped = stopped
  return clock
}

function faultsOf({ latencyMs = 0, rateLimit = false, failures = [], droppedAnswers = [] }: SandboxOptions): Faults {
  return { latencyMs, rateLimit, failures, droppedAnswers }
}

export interface Address {
  host: string
  port: number
}

export interface HttpListener {
  address: Address
  close(): Promise<void>
}

/**
 * Reports whether Node denies this process the network, which needs `--allow-net` where Node has this flag. Node 20 has no
 * `permission` to import by name.
 */
const isNetworkDenied = () =>
  process.allowedNodeEnvironmentFlags.has('--allow-net') &&
  process.permission !== undefined &&
  !process.permission.has('net')

/** Serves HTTP; port 0 selects a free port. */
export async function listen(
  answer: RequestListener,
  { host, port, background = false }: Address & { background?: boolean },
): Promise<HttpListener> {
  // Node throws its refusal where nothing can catch it.
  if (isNetworkDenied()) {
    throw new Problem('local', `cannot listen on ${authority({ host, port })}: Node's permission model denies it`, {
      hint: 'Start Node with --allow-net',
    })
  }
  // A client that stands still for longer, as in a debugger or on a busy machine, would lose its next request.
  const server = createHttpServer({ keepAliveTimeout: 0 }, answer)
  if (background) server.unref().on('connection', (socket) => socket.unref())
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    const limit = fileLimitProblem(error)
    if (limit) throw limit
    throw new Problem('local', `cannot listen on ${authority({ host, port })}: ${reasonOf(error)}`, { cause: error })
  }
  // A server that listens on TCP has an address with a port.
  const bound = Object.assign({ port }, server.address())
  return {
    address: { host, port: bound.port },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Reports whether a URL names this server. Only addresses and `localhost` count: any other name may resolve here. */
export function isNamed({ protocol, hostname, port }: URL, address: Address): boolean {
  if (protocol !== 'http:' || Number(port || 80) !== address.port) return false
  if (hostname === 'localhost' || hostname === bracketed(address.host)) return true
  const anyAddress = address.host === '0.0.0.0' || address.host === '::'
  return anyAddress && isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0
}

export function authority({ host, port }: Address): string {
  return `${bracketed(host)}:${port}`
}

const bracketed = (host: string) => (isIP(host) === 6 ? `[${host}]` : host)

function reasonOf(error: unknown): string {
  const code = errorCode(error)
  if (code === 'EADDRINUSE') return 'the port is in use'
  if (code === 'EACCES') return 'permission denied'
  return error instanceof Error ? error.message : String(error)
}
