/** What is nowhere, on whatever machine: a test that takes a name for one that nobody has finds it taken some day. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A path at which nothing stands, in a folder that does. */
export const nowhere = join(tmpdir(), `skyctl-nowhere-${randomUUID()}`)

/** The home of a user who has none yet: skyctl may make it. */
export const noHome = `${nowhere}-home`

/**
 * A port of this machine on which nobody listens, and nobody will while this process runs: it is the own port of an open
 * connection.
 */
async function heldPort(): Promise<number> {
  const server = createServer((accepted) => accepted.unref()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  const held = connect(address.port, '127.0.0.1')
  await once(held, 'connect')
  server.unref()
  held.unref()
  if (held.localPort === undefined) throw new Error('the connection has no port')
  return held.localPort
}

/** Where nobody answers. */
export const deadEnd = `http://127.0.0.1:${await heldPort()}`
