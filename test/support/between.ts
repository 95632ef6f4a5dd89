/** A proxy before a service that lets a test act before a request goes on, and before its answer goes back. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Passing {
  method: string
  /** Below the base URL. */
  path: string
  body: string
}

export interface Between {
  before?(passing: Passing): void | Promise<void>
  after?(passing: Passing): void | Promise<void>
}

export async function between(target: string, { before, after }: Between) {
  const base = new URL(target)
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url = '' } = incoming
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const passing = { method, path: url.slice(base.pathname.length), body: body.toString() }
    await before?.(passing)
    const { host: _host, ...headers } = incoming.headers
    const onward = request({ host: base.hostname, port: base.port, method, path: url, headers }, async (answer) => {
      await after?.(passing)
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    onward.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}${base.pathname}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
