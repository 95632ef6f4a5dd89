/** What is nowhere, on whatever machine: a test that takes a name for one that nobody has finds it taken some day. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A path at which nothing stands, in a folder that does. */
export const nowhere = join(tmpdir(), `skyctl-nowhere-${randomUUID()}`)

/** A port of this machine on which nobody listens, as the system gave it to us a moment ago. */
export async function unusedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return address.port
}

/** Where nobody answers. */
export const deadEnd = `http://127.0.0.1:${await unusedPort()}`
