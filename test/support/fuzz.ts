/**
 * Sends random requests to a sandbox over its socket, 16 at once, and tells what must not be: a 5xx, an answer that is
 * not as described, a world that breaks a rule of api.md, or that is another one after it was read from its file again.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { heldFile } from '../../src/sandbox/file-storage'
import { seed as builtIn } from '../../src/sandbox/world'
import { manualClock } from './clock'
import { mismatch } from './described'
import { broken } from './invariants'
import { randomFrom } from './random'
import { type RandomRequest, randomRequests } from './random-requests'
import { openTestSandbox, type TestSandbox } from './sandbox'
import { firstNewToken, locksOut, soundRequests } from './sound-requests'

export interface Outcome {
  /** How many answers had each status. */
  statuses: Record<number, number>
  /** How many of them tell of a success. */
  succeeded: number
  /** How many requests were under way at the same time, at most. */
  atOnce: number
  /** At most ten. */
  faults: unknown[]
}

export const connections = 16
/** How often the sandbox is closed, and opened again on its file. */
const legs = 5
/** What is as it should be, and what is but for the rules of the service; the others are off in any way. */
const shares = { sound: 0.65, bold: 0.2 }

export async function fuzz(series: number, count: number): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'skyctl-fuzz-'))
  const clock = manualClock()
  const outcome: Outcome = { statuses: {}, succeeded: 0, atOnce: 0, faults: [] }
  const ids = new Set<string>()
  let left: string | undefined
  try {
    for (let leg = 0; leg < legs && outcome.faults.length < 10; leg += 1) {
      const sandbox = await openTestSandbox({ clock, seed, storage: heldFile(join(folder, 'world')) })
      const found = stateOf(sandbox)
      if (left !== undefined && left !== found) outcome.faults.push({ leg, wrong: 'the file holds another world' })
      for (const [table, id] of sandbox.world.tables.contents()) ids.add(`${table} ${id}`)
      await sendAll(sandbox, { seed: series * legs + leg, count: Math.ceil(count / legs), clock, outcome, ids })
      for (const wrong of broken(sandbox.world)) outcome.faults.push({ leg, wrong })
      left = stateOf(sandbox)
      await sandbox.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return outcome
}

/** The built-in world, whose tokens stay: those that are made have ids of their own. */
function seed(world: Parameters<typeof builtIn>[0]): void {
  builtIn(world)
  world.tokens.load(firstNewToken - 1, null)
}

/** All records. */
const stateOf = ({ world }: TestSandbox) => JSON.stringify([...world.tables.contents()])

interface Answered {
  status: number
  text: string
}

interface Sending {
  /** Each that something has or had, with its table. */
  ids: Set<string>
  seed: number
  count: number
  clock: ReturnType<typeof manualClock>
  outcome: Outcome
}

async function sendAll(sandbox: TestSandbox, { seed, count, clock, outcome, ids }: Sending): Promise<void> {
  const random = randomFrom(seed)
  const tokens = [...Array(24).fill(sandbox.ownerToken), ...sandbox.world.tokens.all().map(({ token }) => token)]
  const nextWild = randomRequests(seed, tokens)
  const { sound, bold } = soundRequests(sandbox, random)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let sent = 0
  let open = 0
  function next(): RandomRequest {
    for (;;) {
      const drawn = random()
      if (drawn < shares.sound + shares.bold) {
        const made = drawn < shares.sound ? sound() : bold()
        if (made) return signed(made, sandbox.ownerToken)
        continue
      }
      const made = nextWild()
      if (!locksOut(made)) return made
    }
  }
  async function work(): Promise<void> {
    while (sent < count && outcome.faults.length < 10) {
      sent += 1
      const asked = next()
      open += 1
      outcome.atOnce = Math.max(outcome.atOnce, open)
      const { status, text } = await send(sandbox.baseUrl, asked, agent).catch(noAnswer)
      open -= 1
      outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1
      if (status < 400) outcome.succeeded += 1
      const wrong = fault(asked, status, text) ?? givenAgain(asked, { status, text }, ids)
      if (wrong) outcome.faults.push({ sent, ...asked, status, text, wrong })
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

/** The path goes out as it is, which `fetch` would tidy; what no request line can hold is escaped. */
function send(baseUrl: string, { method, path, headers, body }: RandomRequest, agent: Agent) {
  const { hostname, port, pathname } = new URL(baseUrl)
  const target = `${pathname}${path}`.replaceAll(/[^\x21-\x7e]/g, (char) => encodeURIComponent(char))
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  return new Promise<Answered>((resolve, reject) => {
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

/** A connection that breaks is no answer. */
const noAnswer = (error: Error): Answered => ({ status: 599, text: String(error) })

/** The table in which a POST to such a path makes a record. */
const madeIn: readonly [path: RegExp, table: string][] = [
  [/^\/volumes(\/\d+\/clone)?\/?$/, 'volumes'],
  [/^\/networking\/firewalls\/?$/, 'firewalls'],
  [/^\/networking\/firewalls\/\d+\/devices\/?$/, 'firewall_devices'],
  [/^\/profile\/sshkeys\/?$/, 'sshkeys'],
  [/^\/profile\/tokens\/?$/, 'tokens'],
]

/** Says where an id was given that something else has, or had; `ids` are all that were given so far. */
function givenAgain({ method, path }: RandomRequest, { status, text }: Answered, ids: Set<string>): string | undefined {
  const [, table] = madeIn.find(([pattern]) => pattern.test(path.split('?')[0] ?? '')) ?? []
  if (method !== 'POST' || status >= 400 || table === undefined) return undefined
  const id = `${table} ${JSON.parse(text).id}`
  return ids.size === ids.add(id).size ? `${id} is given again` : undefined
}

function fault({ method, path }: RandomRequest, status: number, text: string): unknown {
  if (status >= 500) return `a ${status}`
  try {
    // As a server reads it: `..` leads up, also as `%2e%2e`.
    const read = URL.canParse(`http://x${path}`) ? new URL(`http://x${path}`).pathname : path
    return mismatch(method, read, { status, body: text === '' ? undefined : JSON.parse(text) })
  } catch (error) {
    return `no JSON: ${error}`
  }
}
