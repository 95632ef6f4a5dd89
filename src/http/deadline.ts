/** Limits of requests, and their end: when their time is over, and after an interruption. */
import { setMaxListeners } from 'node:events'
import { usualMemory } from '../data/memory-limits'

/** Limits in time and size for each answer (reliability.md). */
export const defaultLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  /** Maximum time between two chunks of a body. */
  bodyMs: 15_000,
  /** Maximum size of a body, also when decompressed. */
  bytes: 32 * 2 ** 20,
  /** Maximum memory of a parsed answer, and of the pages that are read ahead. */
  memory: usualMemory,
  /** Time for the answer to a write in flight after SIGINT or SIGTERM. */
  graceMs: 5_000,
}

export type Limits = Readonly<typeof defaultLimits>

// setTimeout fires at once for a longer time, and Node 24 warns of a negative one.
const longestTimer = 2 ** 31 - 1

/**
 * The time limit of a request, including its retries and the pauses between them. Each request has its own, so a
 * command of many requests may take longer.
 */
export class Deadline {
  readonly #refusedEnd: number
  #end = 0
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  #listener: (() => void) | undefined

  /** Starts the time at once. `refused` is the time for a request that the rate limit refuses again and again. */
  constructor(
    private readonly milliseconds: number,
    private readonly now: () => number,
    refused = milliseconds,
  ) {
    this.#refusedEnd = now() + refused
    this.restart()
  }

  /** Starts the time again, after a refusal. */
  restart(): void {
    clearTimeout(this.#timer)
    this.#isOver = false
    this.#end = this.now() + this.milliseconds
    this.#timer = setTimeout(() => this.#over(), Math.min(this.milliseconds, longestTimer)).unref()
  }

  #over(): void {
    this.#isOver = true
    this.#listener?.()
  }

  /** Calls back when the time is up, also if it already is. One at a time can listen: a signal would take more CPU time. */
  listen(listener: () => void): () => void {
    this.#listener = listener
    if (this.#isOver) listener()
    return () => {
      this.#listener = undefined
    }
  }

  /** Returns the remaining milliseconds; those of a request that the rate limit refuses are others. */
  left(isRefused = false): number {
    return (isRefused ? this.#refusedEnd : this.#end) - this.now()
  }

  /** Clears the timer; call it when the request is over. */
  stop(): void {
    clearTimeout(this.#timer)
  }
}

/** The time limit of the request has passed. The message is that time: `5 s`. */
export class OutOfTime extends Error {
  readonly code = 'OUT_OF_TIME'
}

/** Tells all requests in flight of an interruption, with one listener: to add and remove one for each takes 0.1 ms. */
export class Interruption {
  readonly #listeners = new Set<() => void>()
  #stop = () => {}

  constructor(readonly signal: AbortSignal | undefined) {}

  /** Calls back once, also if the signal is already aborted. Returns a function that stops listening. */
  listen(listener: () => void): () => void {
    if (this.signal?.aborted) listener()
    if (this.#listeners.size === 0) this.#stop = watch(this.signal, this.#tell)
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#stop()
    }
  }

  readonly #tell = () => {
    for (const listener of this.#listeners) listener()
  }
}

/** Calls back once the signal is aborted, also if it already is. Returns a function that stops listening. */
export function watch(signal: AbortSignal | undefined, run: () => void): () => void {
  if (signal?.aborted) run()
  signal?.addEventListener('abort', run, { once: true })
  return () => signal?.removeEventListener('abort', run)
}

/** Creates an abort controller for any number of requests: Node warns of more than ten listeners. */
export function createAbortController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}
