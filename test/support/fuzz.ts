/**
 * Sends random requests to a sandbox over its socket, 16 at once. Reports a 5xx, an answer that is not as described, a
 * world that breaks a rule of api.md, and one that changes when it is read from its file again.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { heldFile } from '../../src/sandbox/file-storage'
import { seed as builtIn } from '../../src/sandbox/world'
import { manualClock } from './clock'
import { brokenRules } from './invariants'
import { mismatch } from './openapi-document'
import { randomFrom } from './random'
import { type RandomRequest, randomRequests } from './random-requests'
import { firstNewToken, removesOwnAccess, soundRequests } from './random-valid-requests'
import { openTestSandbox, type TestSandbox } from './sandbox'

export interface Outcome {
  /** Number of answers by status. */
  statuses: Record<number, number>
  /** Number of successful answers. */
  succeeded: number
  /** Largest number of requests in progress at the same time. */
  atOnce: number
  /** At most ten faults. */
  faults: unknown[]
}

export const connections = 16
/** Number of times that the sandbox is closed, and opened again with its file. */
const legs = 5
/** Shares of valid requests, and of those that may break a rule of the service. The others are malformed in any way. */
const shares = { sound: 0.65, bold: 0.2 }

export async function fuzz(series: number, count: number): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'skyctl-fuzz-'))
  const clock = manualClock()
  const outcome: Outcome = { statuses: {}, succeeded: 0, atOnce: 0, faults: [] }
  const ids = new Set<string>()
  let previous: string | undefined
  try {
    for (let leg = 0; leg < legs && outcome.faults.length < 10; leg += 1) {
      const sandbox = await openTestSandbox({ clock, seed, storage: heldFile(join(folder, 'world')) })
      const current = stateOf(sandbox)
      if (previous !== undefined && previous !== current)
        outcome.faults.push({ leg, wrong: 'the file holds another world' })
      for (const [table, { records }] of Object.entries(sandbox.world.tables.saved))
        for (const { id } of records) ids.add(`${table} ${id}`)
      await sendAll(sandbox, { seed: series * legs + leg, count: Math.ceil(count / legs), clock, outcome, ids })
      for (const wrong of brokenRules(sandbox.world)) outcome.faults.push({ leg, wrong })
      previous = stateOf(sandbox)
      await sandbox.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return outcome
}

/** Creates the built-in world. New tokens get ids above those of its own. */
function seed(world: Parameters<typeof builtIn>[0]): void {
  builtIn(world)
  world.tokens.spend(firstNewToken - 1)
}

/** Returns all records as text. */
const stateOf = ({ world }: TestSandbox) => JSON.stringify(world.tables.saved)

interface Answer {
  status: number
  text: string
}

interface SendOptions {
  /** Every id that is or was in use, with its table. */
  ids: Set<string>
  seed: number
  count: number
  clock: ReturnType<typeof manualClock>
  outcome: Outcome
}

async function sendAll(sandbox: TestSandbox, { seed, count, clock, outcome, ids }: SendOptions): Promise<void> {
  const random = randomFrom(seed)
  const tokens = [...Array(24).fill(sandbox.ownerToken), ...sandbox.world.tokens.all().map(({ token }) => token)]
  const nextWild = randomRequests(seed, tokens)
  const { sound, bold } = soundRequests(sandbox, random)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let sent = 0
  let open = 0
  function next(): RandomRequest {
    for (;;) {
      const number = random()
      if (number < shares.sound + shares.bold) {
        const request = number < shares.sound ? sound() : bold()
        if (request) return signed(request, sandbox.ownerToken)
        continue
      }
      const request = nextWild()
      if (!removesOwnAccess(request)) return request
    }
  }
  async function work(): Promise<void> {
    while (sent < count && outcome.faults.length < 10) {
      sent += 1
      const request = next()
      open += 1
      outcome.atOnce = Math.max(outcome.atOnce, open)
      const { status, text } = await send(sandbox.baseUrl, request, agent).catch(noAnswer)
      open -= 1
      outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1
      if (status < 400) outcome.succeeded += 1
      const wrong = fault(request, status, text) ?? reusedId(request, { status, text }, ids)
      if (wrong) outcome.faults.push({ sent, ...request, status, text, wrong })
      clock.advance(100)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  agent.destroy()
}

function signed({ method, path, body }: { method: string; path: string; body?: object }, token: string): RandomRequest {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return { method, path, headers, ...(body && { body: JSON.stringify(body) }) }
}

/**
 * Sends the path as it is, where `fetch` would normalize it. Characters that a request line cannot have are escaped.
 */
function send(baseUrl: string, { method, path, headers, body }: RandomRequest, agent: Agent) {
  const { hostname, port, pathname } = new URL(baseUrl)
  const target = `${pathname}${path}`.replaceAll(/[^\x21-\x7e]/g, (char) => encodeURIComponent(char))
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  return new Promise<Answer>((resolve, reject) => {
    const begin = () => {
      const outgoing = request({ hostname, port, method, path: target, headers: { ...headers, ...length }, agent })
      outgoing.on('response', (answer) => {
        textOf(answer).then((text) => resolve({ status: answer.statusCode ?? 0, text }), reject)
      })
      // A connection that waits for its next request may be closed just when that is sent.
      outgoing.on('error', (error) => (outgoing.reusedSocket ? begin() : reject(error)))
      outgoing.end(body)
    }
    begin()
  })
}

/** Counts a broken connection as a server error. */
const noAnswer = (error: Error): Answer => ({ status: 599, text: String(error) })

/** Tables in which a POST to such a path creates a record. */
const createdIn: readonly [path: RegExp, table: string][] = [
  [/^\/volumes(\/\d+\/clone)?\/?$/, 'volumes'],
  [/^\/networking\/firewalls\/?$/, 'firewalls'],
  [/^\/networking\/firewalls\/\d+\/devices\/?$/, 'firewall_devices'],
  [/^\/profile\/sshkeys\/?$/, 'sshkeys'],
  [/^\/profile\/tokens\/?$/, 'tokens'],
]

/** Returns a fault if the new record has an id that is or was in use; `ids` are all ids so far. */
function reusedId({ method, path }: RandomRequest, { status, text }: Answer, ids: Set<string>): string | undefined {
  const [, table] = createdIn.find(([pattern]) => pattern.test(path.split('?')[0] ?? '')) ?? []
  if (method !== 'POST' || status >= 400 || table === undefined) return undefined
  const id = `${table} ${JSON.parse(text).id}`
  return ids.size === ids.add(id).size ? `${id} is used again` : undefined
}

function fault({ method, path }: RandomRequest, status: number, text: string): unknown {
  if (status >= 500) return `a ${status}`
  try {
    // Normalizes as a server does: `..` leads up, also as `%2e%2e`.
    const normalized = URL.canParse(`http://x${path}`) ? new URL(`http://x${path}`).pathname : path
    return mismatch(method, normalized, { status, body: text === '' ? undefined : JSON.parse(text) })
  } catch (error) {
    return `no JSON: ${error}`
  }
}
