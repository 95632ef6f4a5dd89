/**
 * A server that misbehaves on purpose: it reads requests from raw sockets, and answers each one with the next of its
 * scripts. The last script answers all requests that follow.
 */
import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { onTestFinished } from 'vitest'

export interface RawRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}

/** Answers one request on its socket, or does not answer. */
export type Script = (socket: Socket, request: RawRequest) => void

export interface FaultServer {
  /** `127.0.0.1:PORT`. */
  host: string
  port: number
  /** Environment that makes skyctl use this server. */
  env: { SKYCTL_BASE_URL: string }
  /** Received requests in the order of their arrival. */
  received: RawRequest[]
  /** Number of accepted connections. */
  connections(): number
  /** Resolves when the server has received `count` requests. */
  until(count: number): Promise<void>
}

export type Certificate = 'good' | 'expired' | 'wrong-name'

/** Listens until the test ends. A concurrent test passes `onTestFinished` of its context as `atEnd`. */
export async function faultServer(
  scripts: Script | Script[],
  certificate?: Certificate,
  atEnd: typeof onTestFinished = onTestFinished,
): Promise<FaultServer> {
  const { close, ...server } = await openFaultServer(scripts, certificate)
  atEnd(close)
  return server
}

/** Uses TLS if a certificate of test/support/tls is named. */
export async function openFaultServer(
  scripts: Script | Script[],
  certificate?: Certificate,
): Promise<FaultServer & { close(): void }> {
  const queue = [scripts].flat()
  const received: RawRequest[] = []
  const sockets = new Set<Socket>()
  const waiting = new Set<() => void>()
  const accept = (socket: Socket) => {
    sockets.add(socket)
    // Clients that give up reset their connections.
    socket.on('error', () => {})
    readRequests(socket, (request) => {
      received.push(request)
      for (const wake of waiting) wake()
      const script = queue.length > 1 ? queue.shift() : queue[0]
      script?.(socket, request)
    })
  }
  // Without it, the body waits 40 ms for the acknowledgement of the headers.
  const options = { noDelay: true }
  const server = certificate
    ? createTlsServer({ ...options, ...certificatePair(certificate) }, accept)
    : createServer(options, accept)
  const { port } = await listen(server)
  return {
    host: `127.0.0.1:${port}`,
    port,
    env: { SKYCTL_BASE_URL: `http://127.0.0.1:${port}/v4` },
    received,
    connections: () => sockets.size,
    until: (count) =>
      new Promise((resolve) => {
        const check = () => received.length >= count && resolve()
        waiting.add(check)
        check()
      }),
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

export function certificateFile(certificate: Certificate): string {
  return join(import.meta.dirname, 'tls', `${certificate}.pem`)
}

export function certificatePair(certificate: Certificate): { cert: Buffer; key: Buffer } {
  const key = join(import.meta.dirname, 'tls', `${certificate}.key.pem`)
  return { cert: readFileSync(certificateFile(certificate)), key: readFileSync(key) }
}

async function listen(server: Server): Promise<{ port: number }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server.address() as { port: number }
}

function readRequests(socket: Socket, take: (request: RawRequest) => void): void {
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      const [start = '', ...lines] = text.slice(0, end).split('\r\n')
      const headers = Object.fromEntries(lines.map(splitOnce))
      const length = Number(headers['content-length'] ?? 0)
      if (text.length < end + 4 + length) return
      const [method = '', path = ''] = start.split(' ')
      const body = Buffer.from(text.slice(end + 4, end + 4 + length), 'latin1').toString()
      text = text.slice(end + 4 + length)
      take({ method, path, headers, body })
    }
  })
}

function splitOnce(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

/** Sends a whole answer. An object is sent as JSON, text and bytes as they are. */
export function reply(status: number, body: unknown, headers: Record<string, string> = {}): Script {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const length = status === 204 ? {} : { 'content-length': String(bytes.length) }
  return (socket) => {
    socket.write(head(status, { 'content-type': 'application/json', ...length, ...headers }))
    socket.write(bytes)
  }
}

export function head(status: number, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`
}

/** Sends these bytes, and leaves the connection open. */
export const bytes =
  (text: string | Buffer): Script =>
  (socket) => {
    socket.write(text)
  }

/** Sends these bytes, and closes the connection. */
export const bytesAndEnd =
  (text: string | Buffer): Script =>
  (socket) => {
    socket.end(text)
  }

/** Reads the request, and does not answer. */
export const silence: Script = () => {}

/** Resets the connection (RST), after these bytes if there are any. */
export const reset =
  (text = ''): Script =>
  (socket) => {
    if (text === '') socket.resetAndDestroy()
    // The bytes must have gone out before the reset overtakes them.
    else socket.write(text, () => setImmediate(() => socket.resetAndDestroy()))
  }

/** Sends a body one byte at a time, as long as the client reads. */
export const drip =
  (milliseconds: number): Script =>
  (socket) => {
    socket.write(head(200, { 'content-length': '1000000' }))
    const timer = setInterval(() => socket.write(' '), milliseconds)
    socket.on('close', () => clearInterval(timer))
  }
