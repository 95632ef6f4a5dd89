/**
 * A fake service for the bench, in a process of its own: `node bench/server.mjs '{"rows":4000,"latency":50}'`.
 * Prints its port and ends when its stdin does, so that nothing is left running.
 *
 * Without `tls`, `latency` is how long an answer takes to come (ms). With `tls` (`key` and `cert`, PEM), it is the
 * round trip of the network: every byte is held back for half of it in each direction, so a handshake costs too.
 */
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, createServer as createForwarder } from 'node:net'

const { rows, latency = 0, tls } = JSON.parse(process.argv[2])

const volumes = Array.from({ length: rows }, (_, index) => ({
  id: 1000 + index,
  label: `volume-${index}`,
  status: 'active',
  size: 20 + (index % 50),
  region: 'us-east',
  compute_id: null,
  compute_label: null,
  filesystem_path: `/dev/disk/by-id/scsi-0Cloud_Volume_volume-${index}`,
  hardware_type: 'nvme',
  tags: ['bench'],
  created: '2025-01-01T00:00:00',
  updated: '2025-01-01T00:00:00',
}))

const rendered = new Map()

function render(page, size) {
  const key = `${page}/${size}`
  if (!rendered.has(key)) {
    const data = volumes.slice((page - 1) * size, page * size)
    const pages = Math.max(1, Math.ceil(rows / size))
    rendered.set(key, JSON.stringify({ data, page, pages, results: rows }))
  }
  return rendered.get(key)
}

function answer(request, response) {
  const { searchParams } = new URL(request.url, 'http://localhost')
  const body = render(Number(searchParams.get('page') ?? 1), Number(searchParams.get('page_size') ?? 100))
  const send = () => response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  if (tls || latency === 0) send()
  else setTimeout(send, latency)
}

function listen(server, ready) {
  server.listen(0, '127.0.0.1', () => ready(server.address().port))
}

/** Passes bytes on after half a round trip, in order. */
function holdBack(from, to) {
  from.on('data', (bytes) => setTimeout(() => to.write(bytes), latency / 2))
  from.on('close', () => setTimeout(() => to.destroy(), latency / 2))
  from.on('error', () => {})
}

const tell = (port) => console.log(port)

if (tls) {
  listen(createTlsServer(tls, answer), (port) => {
    const forwarder = createForwarder({ noDelay: true }, (near) => {
      const far = connect({ port, host: '127.0.0.1', noDelay: true })
      holdBack(near, far)
      holdBack(far, near)
    })
    listen(forwarder, tell)
  })
} else {
  listen(createServer(answer), tell)
}

process.stdin.resume().on('end', () => process.exit())
