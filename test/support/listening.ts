/** Starts a server of a test on a free port of this machine. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Listening {
  origin: string
  /** Stops it, with all of its connections. */
  close(): Promise<void>
}

export async function listening(server: Server): Promise<Listening> {
  // As for the sandbox: a test that gets no time for seconds would lose its next request.
  server.keepAliveTimeout = 0
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
