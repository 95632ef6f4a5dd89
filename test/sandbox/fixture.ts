import { test as base, expect } from 'vitest'
import type { SandboxOptions } from '../../src/sandbox/sandbox'
import { type ManualClock, manualClock } from '../support/clock'
import { mismatch } from '../support/openapi-document'
import { openTestSandbox, type TestSandbox, type World } from '../support/sandbox'

export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of the body
  body: any
}

export interface CallOptions {
  body?: unknown
  /** Default: the owner's token; null sends none. */
  token?: string | null
  headers?: Record<string, string>
}

export interface Service {
  sandbox: TestSandbox
  world: World
  clock: ManualClock
  baseUrl: string
  /** Sends a request, such as `GET /volumes`, over a socket and compares the answer with the OpenAPI document. */
  call(line: string, options?: CallOptions): Promise<Reply>
}

/** Initial time of the clock: the times in tests derive from it. */
export const start = Date.UTC(2026, 0, 15, 12, 30)

interface Fixtures {
  /** Opens a sandbox whose clock is stopped until the test advances it. */
  open: (options?: SandboxOptions) => Promise<Service>
  service: Service
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures this one needs
  open: async ({}, use) => {
    const sandboxes: TestSandbox[] = []
    await use(async (options = {}) => {
      const clock = manualClock(start)
      const sandbox = await openTestSandbox({ clock, ...options })
      sandboxes.push(sandbox)
      const { world, baseUrl } = sandbox
      return { sandbox, world, clock, baseUrl, call: caller(baseUrl, sandbox.ownerToken) }
    })
    for (const sandbox of sandboxes) await sandbox.close()
  },
  service: async ({ open }, use) => use(await open()),
})

function caller(baseUrl: string, ownerToken: string): Service['call'] {
  return async (line, { body, token = ownerToken, headers = {} } = {}) => {
    const [method = '', path = ''] = line.split(' ')
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const reply = { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined }
    expect(mismatch(method, path, reply), `${line} matches the OpenAPI document`).toBeUndefined()
    return reply
  }
}

/** Answer to a request that is refused with one error. */
export const refused = (status: number, reason: unknown, field: string | null = null) => ({
  status,
  body: { errors: [{ field, reason }] },
})
