/** Paths and ports that exist on no machine: a fixed name might exist some day. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A path that does not exist, in a folder that does. */
export const missingPath = join(tmpdir(), `skyctl-nowhere-${randomUUID()}`)

/** A home that does not exist yet: skyctl may create it. */
export const missingHome = `${missingPath}-home`

/**
 * Returns a port of this machine on which nobody listens as long as this process runs: the local port of an open
 * connection.
 */
async function reservedPort(): Promise<number> {
  const server = createServer((accepted) => accepted.unref()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  const connection = connect(address.port, '127.0.0.1')
  await once(connection, 'connect')
  server.unref()
  connection.unref()
  if (connection.localPort === undefined) throw new Error('the connection has no port')
  return connection.localPort
}

/** A base URL at which nobody answers. */
export const unreachableUrl = `http://127.0.0.1:${await reservedPort()}`
