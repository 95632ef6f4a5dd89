/**
 * A fake service for the bench, in a process of its own: `node bench/server.mjs '{"rows":4000,"latency":50}'`. Prints
 * its port, and ends with its stdin, so that it never stays running.
 *
 * Without `tls`, `latency` is the delay of an answer (ms). With `tls` (`key` and `cert`, PEM), it is the round trip of
 * the network: every byte is delayed by half of it in each direction, so a handshake takes time, too.
 */
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect, createServer as createForwarder } from 'node:net'

const { rows, latency = 0, tls, rowBytes = 0 } = JSON.parse(process.argv[2])

const firstId = 1000

const volume = (index) => ({
  id: firstId + index,
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
})

/** Returns a volume of about `rowBytes` bytes of JSON. Times and tags differ, as in a real account. */
function largeVolume(index) {
  const times = { created: timeAt(index * 7919), updated: timeAt(index * 104_729) }
  const volumeAt = { ...volume(index), ...times, compute_id: 5000 + ((index * 31) % 9973), tags: [] }
  for (let length = JSON.stringify(volumeAt).length, at = index; length < rowBytes; at += 1) {
    const tag = `${['team', 'stage', 'cost-center', 'owner'][at % 4]}-${(at * 2_654_435_761) % 1009}`
    volumeAt.tags.push(tag)
    length += tag.length + 3
  }
  return volumeAt
}

const timeAt = (seconds) => new Date(1.7e12 + (seconds % 5e7) * 1000).toISOString().slice(0, 19)

const volumeAt = rowBytes === 0 ? volume : largeVolume
/** Limit for cached pages: a large list would take gigabytes. */
const most = 2000
const rendered = new Map()

function render(page, size, shape) {
  const key = `${page}/${size}/${shape.name}`
  if (rendered.has(key)) return rendered.get(key)
  const first = (page - 1) * size
  const data = Array.from({ length: Math.max(0, Math.min(size, rows - first)) }, (_, at) => volumeAt(first + at))
  const pages = Math.max(1, Math.ceil(rows / size))
  const text = JSON.stringify(shape(data, { page, pages, size }))
  if (rendered.size < most) rendered.set(key, text)
  return text
}

const ours = (data, { page, pages }) => ({ data, page, pages, results: rows })

/** The format of hcloud. */
const hetzner = (data, { page, pages, size }) => ({
  volumes: data.map(({ id, label, size, region, filesystem_path, created }) => ({
    id,
    name: label,
    size,
    server: null,
    location: { id: 1, name: region, description: region, country: 'DE', city: region, network_zone: region },
    linux_device: filesystem_path,
    protection: { delete: false },
    labels: {},
    status: 'available',
    created: `${created}+00:00`,
    format: null,
  })),
  meta: {
    pagination: {
      page,
      per_page: size,
      previous_page: page > 1 ? page - 1 : null,
      next_page: page < pages ? page + 1 : null,
      last_page: pages,
      total_entries: rows,
    },
  },
})

/** Answers the only filter that is sent here: by the ids of some volumes. */
function filterById({ '+or': conditions }) {
  const data = conditions.map(({ id }) => volumeAt(id - firstId))
  return JSON.stringify({ data, page: 1, pages: 1, results: data.length })
}

function bodyFor({ method, url, headers }) {
  if (method === 'DELETE') return '{}'
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const [, id] = /\/volumes\/(\d+)$/.exec(pathname) ?? []
  if (id) return JSON.stringify(volumeAt(Number(id) - firstId))
  if (headers['x-filter']) return filterById(JSON.parse(headers['x-filter']))
  const isPeer = pathname.startsWith('/hcloud')
  const size = searchParams.get(isPeer ? 'per_page' : 'page_size') ?? 100
  return render(Number(searchParams.get('page') ?? 1), Number(size), isPeer ? hetzner : ours)
}

function answer(request, response) {
  const body = bodyFor(request)
  const send = () => response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  if (tls || latency === 0) send()
  else setTimeout(send, latency)
}

function listen(server, ready) {
  server.listen(0, '127.0.0.1', () => ready(server.address().port))
}

/** Forwards bytes after half a round trip, in order. */
function holdBack(from, to) {
  from.on('data', (bytes) => setTimeout(() => to.write(bytes), latency / 2))
  from.on('close', () => setTimeout(() => to.destroy(), latency / 2))
  from.on('error', () => {})
}

const printPort = (port) => console.log(port)

if (tls) {
  listen(createTlsServer(tls, answer), (port) => {
    const forwarder = createForwarder({ noDelay: true }, (near) => {
      const far = connect({ port, host: '127.0.0.1', noDelay: true })
      holdBack(near, far)
      holdBack(far, near)
    })
    listen(forwarder, printPort)
  })
} else {
  listen(createServer(answer), printPort)
}

process.stdin.resume().on('end', () => process.exit())
