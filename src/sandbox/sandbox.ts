/**
 * The embedded service: an own implementation of the API with state. Nothing of it runs in the background; states
 * that end with time are computed when they are read.
 */
import { setMaxListeners } from 'node:events'
import { type Clock, MovableClock, systemClock } from './clock'
import { describe, type Message, outbox, type WorldDescription } from './describe'
import type { Failure, Faults, Occasion } from './faults'
import { RateLimiter } from './limits'
import { authority, isNamed, type Listener, listen } from './listen'
import { ownerToken } from './secrets'
import { seed as builtIn } from './seed/built-in'
import { createServer } from './server'
import { inMemory, type Storage } from './storage'
import { createWorld, type World } from './world'

export interface SandboxOptions {
  clock?: Clock
  /** When its time begins, in milliseconds since the epoch; the present of the clock unless given. */
  startsAt?: number | undefined
  /** Time stands still until it is moved, through the control path. */
  stopped?: boolean
  /** Memory unless a file is given: `sharedFile` or `heldFile` of ./journal. */
  storage?: Storage | undefined
  /** Fills the world where nothing was kept yet: the built-in world, or `seedFrom` of ./seed/restore. */
  seed?: ((world: World) => void) | undefined
  /** How long creating, cloning and resizing take; 1000 unless given. */
  transitionMs?: number | undefined
  /** How long every answer is held back. */
  latencyMs?: number | undefined
  failures?: readonly Failure[]
  droppedAnswers?: readonly Occasion[]
  /** Whether the rate limits are enforced. */
  rateLimit?: boolean
  /** Refuses with 400 what real clients send and the document does not name (gaps.md, What existing clients send). */
  strict?: boolean
}

export interface Listening {
  /** Such as `http://127.0.0.1:8080/v4`. */
  baseUrl: string
  /** Ends open connections at once. */
  close(): Promise<void>
}

export interface Sandbox {
  /** Answers over HTTP: on loopback and a free port unless told otherwise. */
  listen(options?: { port?: number | undefined; host?: string }): Promise<Listening>
  world: World
  ownerToken: string
  describe(): WorldDescription
  /** What a real service would have sent elsewhere, oldest first. */
  outbox(): Message[]
  close(): Promise<void>
}

export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { storage = inMemory, transitionMs = 1000 } = options
  const clock = new MovableClock(options.clock ?? systemClock)
  if (options.startsAt !== undefined) clock.moveTo(options.startsAt)
  clock.stopped = options.stopped ?? false
  const world = createWorld(clock, transitionMs)
  const state = await storage(world.tables, () => (options.seed ?? builtIn)(world))
  const listeners = new Set<Listener>()
  const closing = new AbortController()
  // Every answer that is held back waits for it.
  setMaxListeners(0, closing.signal)
  const server = createServer({
    world,
    clock,
    state,
    limiter: new RateLimiter(clock),
    faults: faultsOf(options),
    strict: options.strict ?? false,
    isOwn: (url, port) => [...listeners].some(({ address }) => address.port === port && isNamed(url, address)),
    closed: closing.signal,
  })
  const closeListener = async (listener: Listener) => {
    if (listeners.delete(listener)) await listener.close()
  }
  return {
    world,
    ownerToken,
    async listen({ port = 0, host = '127.0.0.1' } = {}) {
      const listener = await listen(server, { port, host })
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

function faultsOf({ latencyMs = 0, rateLimit = false, failures = [], droppedAnswers = [] }: SandboxOptions): Faults {
  return { latencyMs, rateLimit, failures, droppedAnswers }
}
