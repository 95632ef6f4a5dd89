/** https://api.example.net, for a process that uses a proxy: a sandbox behind TLS. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createProxy, request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const file = (name: string) => join(import.meta.dirname, 'tls', name)

/** Returns the environment in which that name leads to the service at `baseUrl`, until the test ends. */
export async function httpsService(baseUrl: string): Promise<Record<string, string>> {
  const service = createServer({ cert: readFileSync(file('api.pem')), key: readFileSync(file('api.key.pem')) })
  service.on('request', ({ url, method, headers }, response) => {
    const { host } = new URL(baseUrl)
    request(new URL(url ?? '', baseUrl), { method, headers: { ...headers, host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    }).end()
  })
  const proxy = createProxy().on('connect', (_, socket) => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    service.emit('connection', socket)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  const { port } = proxy.address() as AddressInfo
  return { HTTPS_PROXY: `http://127.0.0.1:${port}`, NODE_EXTRA_CA_CERTS: file('api.pem') }
}
