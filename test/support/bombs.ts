/** Answers and bodies that are small in transit and large in memory. */
import { gzipSync } from 'node:zlib'
import { head, type Script } from './fault-server'

const MiB = 2 ** 20

/** Sends JSON in gzip, at the fastest level: a quarter of the default's time. */
const gzipped =
  (text: string): Script =>
  (socket) => {
    const body = gzipSync(text, { level: 1 })
    const headers = {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'content-length': String(body.length),
    }
    socket.write(head(200, headers))
    socket.write(body)
  }

const volume = (id: number) => ({
  id,
  label: `volume-${id}`,
  status: 'active',
  size: 20,
  region: 'us-east',
  compute_id: null,
  compute_label: null,
  filesystem_path: `/dev/disk/by-id/scsi-0_Volume_volume-${id}`,
  hardware_type: 'nvme',
  tags: ['a', 'b'],
  created: '2026-01-02T03:04:05',
  updated: '2026-01-02T03:04:05',
})

/** A volume of 500 bytes. */
const largeVolume = (id: number) => ({
  ...volume(id),
  size: 20 + ((id * 7919) % 1009),
  tags: Array.from({ length: 12 }, (_, at) => `team-${((id + at) * 2_654_435_761) % 1009}`),
})

interface Pages {
  perPage?: number
  extra?: string
  recordOf?: (id: number) => object
}

/** Sends a list. The first record of every page has an extra field with this JSON. */
const pages =
  (count: number, { perPage = 1, extra = 'null', recordOf = volume }: Pages): Script =>
  (socket, request) => {
    const page = Number(new URL(request.path, 'http://host').searchParams.get('page'))
    const first = (page - 1) * perPage + 1
    const data = Array.from({ length: perPage }, (_, index) => recordOf(first + index))
    const text = JSON.stringify({ data, page, pages: count, results: count * perPage })
    gzipped(text.replace('{"data":[{', `{"data":[{"extra":${extra},`))(socket, request)
  }

const manyOf = (item: string, bytes: number) => `[${`${item},`.repeat(bytes / (item.length + 1))}0]`
const manyKeys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"key-${index}":${index}`)}}`

export interface Bomb {
  /** The command line. */
  line: string
  stdin?: () => string
  script?: () => Script
  exit: number
  /** Maximum memory in MiB, if not that of all. */
  most?: number
}

/** Volumes of 4,000 bytes, 2 MB per page. */
const wideList = (flags: string, count: number, most: number) => ({
  line: `volumes list ${flags}`,
  script: () =>
    pages(count, { perPage: 500, recordOf: (id) => ({ ...largeVolume(id), note: `${id} `.repeat(3500 / 6) }) }),
  exit: 0,
  most,
})

/** Volumes of 500 bytes, 250 KB per page; 100,000 of them are 50 MB. */
export const longList = (flags: string, count = 200, most = 450) => ({
  line: `volumes list ${flags}`,
  script: () => pages(count, { perPage: 500, recordOf: largeVolume }),
  exit: 0,
  most,
})

/** Bombs with their expected exit code. Those marked `large` take seconds: only bench/memory.mjs runs them. */
export const bombs: Record<string, Bomb & { large?: true }> = {
  'empty objects, 31 MiB in 200 KB': {
    line: 'volumes list --json',
    script: () => pages(1, { extra: manyOf('{}', 31 * MiB) }),
    exit: 12,
  },
  'objects of ever new keys': { line: 'volumes list', script: () => pages(1, { extra: manyKeys(400_000) }), exit: 12 },
  'a long integer among 4 MiB of text': {
    line: 'volumes list --json',
    script: () => pages(1, { extra: `["${'x'.repeat(4 * MiB)}",12345678901234567890]` }),
    exit: 0,
  },
  'levels without end': {
    line: 'volumes list --json',
    script: () => pages(1, { extra: '['.repeat(8 * MiB) }),
    exit: 12,
  },
  'ninety pages of 140,000 values, as JSON': {
    line: 'volumes list --json',
    script: () => pages(90, { extra: manyOf('{}', 0.4 * MiB) }),
    exit: 0,
    // The 120 MiB of its output are in memory, because nothing may be printed if a page fails.
    most: 350,
    large: true,
  },
  'ninety pages of 140,000 values, a line each': {
    line: 'volumes list -q',
    script: () => pages(90, { extra: manyOf('{}', 0.4 * MiB) }),
    exit: 0,
    large: true,
  },
  'a hundred thousand volumes as a table': {
    line: 'volumes list',
    script: () => pages(200, { perPage: 500 }),
    exit: 0,
    large: true,
  },
  'a hundred thousand volumes as JSON': {
    line: 'volumes list --json',
    script: () => pages(200, { perPage: 500 }),
    exit: 0,
    large: true,
  },
  '50 MB of volumes as JSON': wideList('--json', 25, 200),
  '50 MB of volumes, sorted': wideList('--sort -size,label -o ndjson', 25, 250),
  // On a busy machine, memory is freed at different times.
  '160 MB of volumes as JSON': { ...wideList('--json', 80, 450), large: true },
  '160 MB of volumes, sorted': { ...wideList('--sort -size,label -o ndjson', 80, 400), large: true },
  'a long list of large volumes as JSON': { ...longList('--json'), large: true },
  'a long list of large volumes, sorted': { ...longList('--sort -size,label -o ndjson'), large: true },
  'a long list of large volumes, sorted, as JSON': { ...longList('--sort size --json'), large: true },
  'a long list of large volumes as a table': { ...longList('-o table'), large: true },
  'a long list of large volumes as CSV': { ...longList('-o csv', 200, 100), large: true },
  'a long list of large volumes as CSV with all fields': { ...longList('-o csv --columns all'), large: true },
  'a long list of large volumes as NDJSON': { ...longList('-o ndjson', 200, 100), large: true },
  'a long list of large volumes as YAML': { ...longList('-o yaml'), large: true },
  'the number of large volumes': { ...longList("--query 'length(@)' --json"), large: true },
  'the order of large volumes by a query': { ...longList("--query 'sort_by(@,&size)[].id' --json"), large: true },
  'aliases of aliases in a body': {
    line: 'volumes create --label a --region us-east --body -',
    stdin: () =>
      [
        'a: &a [x,x,x,x,x,x,x,x,x]',
        ...[...'bcdefghi'].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`)}]`),
      ].join('\n'),
    exit: 12,
  },
  'an alias of itself in a body': {
    line: 'volumes create --label a --region us-east --body -',
    stdin: () => 'tags: &a [*a]',
    exit: 12,
  },
  '4 MiB of brackets in a body': {
    line: 'volumes create --label a --region us-east --body -',
    stdin: () => '['.repeat(4 * MiB),
    exit: 12,
  },
  '200 KiB of brackets in a body': {
    line: 'volumes create --label a --region us-east --body -',
    stdin: () => '['.repeat(MiB / 5),
    exit: 12,
  },
  'a million objects in a body': {
    line: 'volumes create --region us-east --body -',
    stdin: () => '{}\n'.repeat(MiB),
    exit: 12,
  },
  '4 MiB of YAML in a body': {
    line: 'volumes create --label a --region us-east --body -',
    stdin: () => '- a\n'.repeat(MiB),
    exit: 12,
  },
}
