/** A SOCKS5 proxy (RFC 1928, 1929) that connects everybody to one port, or misbehaves. */
import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

interface Behavior {
  /** Port that all connections lead to. */
  port?: number
  /** Required user and password. */
  login?: { user: string; password: string }
  /** Reply code to a connection. */
  reply?: number
  /** Bytes to answer the greeting with, instead of SOCKS5; an empty text hangs up. */
  greeting?: string
  /** Never answers. */
  silent?: true
}

export interface SocksProxy {
  /** `127.0.0.1:PORT`. */
  host: string
  /** Requested destinations: `TYPE HOST:PORT`. */
  requests: string[]
  connections(): number
}

const types: Readonly<Record<number, string>> = { 1: 'IPv4', 3: 'name', 4: 'IPv6' }

/** Listens until the test ends. */
export async function socksProxy({ port = 9, login, reply = 0, greeting, silent }: Behavior = {}): Promise<SocksProxy> {
  const open = new Set<Socket>()
  const requests: string[] = []
  let connections = 0
  const server = createServer(async (client) => {
    connections += 1
    open.add(client.on('error', () => {}))
    const methods = await read(client)
    if (silent) return
    if (greeting !== undefined) return void client.end(greeting)
    const method = login ? 2 : 0
    if (!methods.subarray(2).includes(method)) return void client.end(Buffer.from([5, 0xff]))
    client.write(Buffer.from([5, method]))
    if (login) {
      const { user, password } = login
      const expected = Buffer.from(`\x01${sized(user)}${sized(password)}`, 'latin1')
      const isRight = (await read(client)).equals(expected)
      client.write(Buffer.from([1, isRight ? 0 : 1]))
      if (!isRight) return void client.end()
    }
    requests.push(destinationOf(await read(client)))
    client.write(Buffer.from([5, reply, 0, 1, 0, 0, 0, 0, 0, 0]))
    if (reply !== 0) return void client.end()
    const service = dial(port, '127.0.0.1').on('error', () => client.destroy())
    open.add(service)
    client.pipe(service).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const address = server.address()
  const listens = typeof address === 'object' ? address?.port : ''
  return { host: `127.0.0.1:${listens}`, requests, connections: () => connections }
}

async function read(socket: Socket): Promise<Buffer> {
  const [bytes] = await once(socket, 'data')
  return bytes
}

const sized = (text: string) => String.fromCharCode(text.length) + text

/** Reads a CONNECT (RFC 1928, 4). */
function destinationOf(request: Buffer): string {
  const type = request[3] ?? 0
  const address = type === 3 ? request.subarray(5, -2).toString('latin1') : request.subarray(4, -2).toString('hex')
  return `${types[type]} ${address}:${request.readUInt16BE(request.length - 2)}`
}
