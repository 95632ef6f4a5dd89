/** A client for tests: its pauses take no time, and everything that it reports is recorded. */
import { onTestFinished } from 'vitest'
import type { Account } from '../../src/account/account'
import type { Id } from '../../src/account/resource'
import { sendRequest } from '../../src/account/send'
import type { Answer, Operation } from '../../src/catalogue/operation'
import type { Dialogue } from '../../src/commands/flows/dialogue'
import { type ApiWarning, Client, type ClientSettings } from '../../src/http/client'
import { defaultLimits, type Limits } from '../../src/http/deadline'

export interface RecordingClient {
  client: Client
  /** Pauses before further attempts, in milliseconds. */
  pauses: number[]
  notes: string[]
  debug: string[]
  warnings: ApiWarning[]
}

export const token = 'canary+token/0123456789=abcdef'
export const now = Date.UTC(2026, 5, 1, 12)

/**
 * Creates a client until the test ends. Pauses are the longest that jitter allows. A concurrent test passes
 * `onTestFinished` of its context as `atEnd`.
 */
export function observedClient(
  baseUrl: string,
  settings: Partial<ClientSettings> = {},
  limits: Partial<Limits> = {},
  atEnd: typeof onTestFinished = onTestFinished,
): RecordingClient {
  const observed = {
    pauses: [] as number[],
    notes: [] as string[],
    debug: [] as string[],
    warnings: [] as ApiWarning[],
  }
  const client = new Client(
    {
      baseUrl,
      token,
      timeoutMs: 20_000,
      retries: 2,
      maxWaitMs: 60_000,
      concurrency: 8,
      clock: {
        now: () => now,
        monotonic: () => now,
        async sleep(milliseconds, signal) {
          signal?.throwIfAborted()
          observed.pauses.push(milliseconds)
        },
      },
      random: () => 1,
      env: {},
      userAgent: 'skyctl/test',
      // The servers of these tests have no other base URL.
      looked: new Map([baseUrl, new URL(baseUrl).origin].map((one) => [`${one}/v4`, Promise.resolve(false)])),
      debug: () => (line) => observed.debug.push(line.text),
      note: (line) => observed.notes.push(line),
      warn: (warning) => observed.warnings.push(warning),
      ...settings,
    },
    { ...defaultLimits, ...limits },
  )
  atEnd(() => client.close())
  return { client, ...observed }
}

/** Returns a way to send changes with a client, without a history. */
export function sendWith(client: Client): Dialogue['send'] {
  return (operation, body) => change(client, { operation, ...(body && { body }) })
}

/** Sends a change with a client, without a history, and resolves to its answer. */
export function change<O extends Operation>(
  client: Client,
  request: { operation: O; path?: Record<string, Id>; body?: Record<string, unknown> },
): Promise<Answer<O>> {
  const account = {
    signal: new AbortController().signal,
    client: async () => client,
    history: async () => undefined,
  } as unknown as Account
  return sendRequest(request, account)
}
