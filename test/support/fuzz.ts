/** Sends random requests to a sandbox, and tells what must not be: a 5xx, an answer that is not as described, a fall. */
import { manualClock } from './clock'
import { mismatch } from './described'
import { randomRequests } from './random-requests'
import { openTestSandbox } from './sandbox'

export interface Outcome {
  /** How many answers had each status. */
  statuses: Record<number, number>
  /** At most ten. */
  faults: unknown[]
}

export async function fuzz(seed: number, count: number): Promise<Outcome> {
  const clock = manualClock()
  const sandbox = await openTestSandbox({ clock })
  const statuses: Record<number, number> = {}
  const faults: unknown[] = []
  const { tokens: known, users } = sandbox.world
  const standing = [known.all(), users.all()] as const
  const tokens = [...Array(24).fill(sandbox.ownerToken), ...known.all().map(({ token }) => token)]
  const next = randomRequests(seed, tokens)
  for (let sent = 0; sent < count && faults.length < 10; sent += 1) {
    const { method, path, headers, body } = next()
    // Requests that a client cannot even build are no fault of the server.
    const url = URL.canParse(sandbox.baseUrl + path) ? sandbox.baseUrl + path : `${sandbox.baseUrl}/`
    const carriesBody = body !== undefined && method !== 'GET'
    const response = await fetch(url, { method, headers, ...(carriesBody && { body }) })
    const text = await response.text()
    statuses[response.status] = (statuses[response.status] ?? 0) + 1
    const parsed = text === '' ? undefined : JSON.parse(text)
    const wrong =
      response.status >= 500 ||
      mismatch(method, new URL(url).pathname.slice(3), { status: response.status, body: parsed })
    if (wrong) faults.push({ sent, method, path, body, status: response.status, text, wrong })
    clock.advance(100)
    // Nobody stays locked out, and there is always something to change.
    if (sent % 20 === 0) {
      for (const token of standing[0]) known.put(token)
      for (const user of standing[1]) users.put(user)
    }
    if (sent % 500 === 499) for (let index = 0; index < 5; index += 1) sandbox.world.volume()
  }
  await sandbox.close()
  return { statuses, faults }
}
