/**
 * Faults that the built program must survive (reliability.md), as data: what happens to a request or its answer, and
 * the expected exit codes.
 */
import { gzipSync } from 'node:zlib'
import type { Operation } from '../../src/catalogue/operation'
import { bytes, bytesAndEnd, drip, head, reply, reset, type Script, silence } from './fault-server'
import { withOldRules, withPrefixLists } from './old-rules'
import { completeRecord } from './records'

/** An intact answer of the service. */
export interface WholeAnswer {
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** Expected exit codes of operations that may be sent again, and of those that may not. */
export interface Exits {
  again: number
  once: number
  /** If the answer has nothing that is needed. */
  nothing?: number
  /** If the answer may be empty. */
  none?: number
}

export interface Fault {
  exits: Exits
  /** Answers instead of the service, which does not receive the request. */
  instead?: Script
  /** Changes the answer of the service. */
  spoil?: (answer: WholeAnswer) => Script
  /** Value of --timeout, if the fault lasts that long. */
  timeout?: string
}

export function expectedExit(
  { exits, spoil }: Fault,
  { method, path, idempotency, returns }: Pick<Operation, 'method' | 'path' | 'idempotency' | 'returns'>,
): number {
  if (returns.type === 'nullable' && exits.none !== undefined) return exits.none
  const needsNothing = Object.keys(Object(returns).entries ?? { any: 1 }).length === 0
  if (needsNothing && exits.nothing !== undefined) return exits.nothing
  // A lookup shows whether the change was done.
  const isCut = spoil !== undefined && exits.once === 11
  // No request reads a phone number.
  const isReadable = method !== 'POST' && path !== '/profile/phone-number'
  if (isCut && idempotency === 'idempotent') return isReadable ? 0 : 11
  if (idempotency === 'safe') return exits.again
  // It was done, and a lookup finds that.
  return idempotency === 'check first' && isCut ? 0 : exits.once
}

const always = (exit: number): Exits => ({ again: exit, once: exit })

/** Exit codes for a lost answer: a read fails, and the outcome of a change is unknown. */
const lost: Exits = { again: 8, once: 11 }
/** Exit codes for a success that cannot be read: the service carried out the request. */
const invalid: Exits = { again: 1, once: 11 }
const notTheApi: Exits = { again: 8, once: 11 }
const tooLarge: Exits = { again: 12, once: 11 }
const fine = always(0)
/** Exit codes for an answer in another frame. An empty answer is no longer a 204, and proves nothing. */
const framed: Exits = { ...fine, none: 8 }

const json = { 'content-type': 'application/json' }
const chunked = { ...json, 'transfer-encoding': 'chunked' }
const MiB = 2 ** 20

const lostAnswers: Record<string, Fault> = {
  silence: { exits: lost, instead: silence, timeout: '1s' },
  'a byte at a time': { exits: lost, instead: drip(100), timeout: '1s' },
  'a reset before the headers': { exits: lost, instead: reset() },
  'an end before the headers': { exits: lost, instead: bytesAndEnd('') },
  'a reset in the middle': { exits: lost, instead: reset(`${head(200, { ...json, 'content-length': '20' })}{"id":`) },
  'a body that is too short': { exits: lost, instead: bytesAndEnd(`${head(200, { 'content-length': '20' })}{"id":1}`) },
  'a cut chunk': { exits: lost, instead: bytesAndEnd(`${head(200, chunked)}10\r\n{"id":1}`) },
  'no HTTP': { exits: notTheApi, instead: bytesAndEnd('SSH-2.0-OpenSSH_9.2\r\n') },
  'huge headers': {
    exits: notTheApi,
    instead: bytes(`HTTP/1.1 200 OK\r\n${`x-filler: ${'a'.repeat(50)}\r\n`.repeat(1000)}`),
  },
  'a body of 1 GiB': { exits: tooLarge, instead: endless(1024 * MiB) },
  'a Content-Length of 1 GiB': {
    exits: tooLarge,
    instead: bytes(head(200, { 'content-length': String(1024 * MiB) })),
  },
}

/** Sends chunks of 1 MiB, as long as somebody reads. */
function endless(length: number): Script {
  return (socket) => {
    const chunk = `${MiB.toString(16)}\r\n${' '.repeat(MiB)}\r\n`
    let left = length / MiB
    const send = () => {
      while (left > 0 && !socket.destroyed) {
        left -= 1
        if (!socket.write(chunk)) return
      }
    }
    socket.write(head(200, chunked))
    socket.on('drain', send)
    send()
  }
}

/** Sends a successful answer with another body. If the service's is empty, changes `{}` instead. */
const withBody =
  (change: (text: string) => string | Buffer, headers: Record<string, string> = {}) =>
  ({ body }: WholeAnswer): Script =>
    reply(200, change(body.toString() || '{}'), headers)

const gzipHeaders = { 'content-encoding': 'gzip' }
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

/** Inserts a member at the beginning of the object, or of the first one in a list. */
const insert = (member: string) => (text: string) =>
  text.replace(/\{(\}?)/, (_, end: string) => `{${member}${end || ','}`)

const brokenAnswers: Record<string, Fault> = {
  'cut JSON': { exits: invalid, spoil: withBody((text) => text.slice(0, -1)) },
  HTML: { exits: notTheApi, spoil: withBody(() => '<html>Sign in</html>', { 'content-type': 'text/html' }) },
  'an empty body': { exits: notTheApi, spoil: withBody(() => '') },
  'a 204': { exits: { ...notTheApi, nothing: 0, none: 0 }, spoil: () => reply(204, '') },
  null: { exits: invalid, spoil: withBody(() => 'null') },
  'a text': { exits: invalid, spoil: withBody(() => '"ok"') },
  'a number': { exits: invalid, spoil: withBody(() => '12') },
  'errors with a status of success': { exits: invalid, spoil: withBody(() => '{"errors":[{"reason":"No"}]}') },
  'invalid UTF-8': { exits: invalid, spoil: withBody(() => Buffer.from('{"id":1,"label":"\xff"}', 'latin1')) },
  'a cut gzip': { exits: invalid, spoil: withBody((text) => gzipSync(text).subarray(0, -5), gzipHeaders) },
  'no gzip': { exits: invalid, spoil: withBody((text) => text, gzipHeaders) },
  'a gzip bomb': { exits: tooLarge, spoil: withBody(() => bomb(), gzipHeaders) },
  'another encoding': { exits: invalid, spoil: withBody((text) => text, { 'content-encoding': 'br' }) },
  'deep JSON': { exits: tooLarge, spoil: withBody((text) => `{"id":1,"data":${deep},"was":${text}}`) },
}

let packedBomb: Buffer | undefined

/** Returns 1 GiB of blanks, compressed to 1 MB. */
function bomb(): Buffer {
  packedBomb ??= Buffer.concat(Array(64).fill(gzipSync(Buffer.alloc(16 * MiB, ' '))))
  return packedBomb
}

const warning = '"warnings":[{"title":"Old"}]'

/** Removes fields that recorded answers lack (gaps.md, Missing fields in answers). */
function withoutFields(text: string): string {
  const missing = ['filesystem_path', 'hardware_type', 'io_ready', 'url', 'updated']
  return JSON.stringify(JSON.parse(text), (key, value: unknown) => (missing.includes(key) ? undefined : value))
}

const inRules = (change: (body: unknown) => unknown) => (text: string) => JSON.stringify(change(JSON.parse(text)))

const oddAnswers: Record<string, Fault> = {
  'another content type': { exits: fine, spoil: withBody((text) => text, { 'content-type': 'text/plain' }) },
  'a byte order mark': { exits: fine, spoil: withBody((text) => `\ufeff${text}`) },
  gzip: { exits: fine, spoil: withBody((text) => gzipSync(text), gzipHeaders) },
  chunks: {
    exits: framed,
    spoil: ({ body }) => bytes(`${head(200, chunked)}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`),
  },
  'an end instead of a length': {
    exits: framed,
    spoil: ({ body }) => bytesAndEnd(`${head(200, { ...json, connection: 'close' })}${body}`),
  },
  'hints before the answer': {
    exits: framed,
    spoil: ({ body }) =>
      bytes(`HTTP/1.1 103 Early Hints\r\n\r\n${head(200, { 'content-length': String(body.length) })}${body}`),
  },
  'unknown fields, twice': { exits: fine, spoil: withBody(insert('"extra":null,"extra":[]')) },
  'fields missing that nothing depends on': { exits: fine, spoil: withBody(withoutFields) },
  'rules with null for what has no value': {
    exits: fine,
    spoil: withBody(inRules((body) => withOldRules(body, 'null'))),
  },
  'rules with empty texts and lists': { exits: fine, spoil: withBody(inRules((body) => withOldRules(body, 'empty'))) },
  'rules with prefix lists': { exits: fine, spoil: withBody(inRules(withPrefixLists)) },
  'integers past 2^53': { exits: fine, spoil: withBody(insert('"extra":9007199254740993')) },
  'a warning, 299': { exits: framed, spoil: ({ body }) => reply(299, insert(warning)(body.toString())) },
  'a warning, 202': { exits: framed, spoil: ({ body }) => reply(202, insert(warning)(body.toString())) },
}

const refused = (status: number, body: unknown, exit: number, headers: Record<string, string> = {}): Fault => ({
  exits: always(exit),
  instead: reply(status, body, headers),
})
const errors = (...reasons: { field?: string | null; reason: string }[]) => ({ errors: reasons })
const notFound = errors({ field: null, reason: 'Not found' })
const invalidToken = errors({ field: null, reason: 'Invalid Token' })
const unauthorized = errors({ field: null, reason: 'Your OAuth token is not authorized to use this endpoint.' })
const tooMany = (after?: string) =>
  refused(429, errors({ reason: 'Too many requests' }), 7, after === undefined ? {} : { 'retry-after': after })
/** A client that follows it ends at a closed port, with another exit code. */
const redirect = (location: string) => refused(302, '', 8, { location })

const statuses: Record<string, Fault> = {
  'a redirect to another host': redirect('http://other.invalid/v4/volumes'),
  'a redirect to another port': redirect('http://127.0.0.1:1/v4/volumes'),
  'a redirect to another scheme': redirect('https://127.0.0.1:1/v4/volumes'),
  'a redirect with userinfo': redirect('http://user:geheim@127.0.0.1:1/v4/volumes'),
  'a redirect to another path': refused(307, '', 8, { location: '/elsewhere' }),
  'a 400 with nested fields': refused(400, errors({ field: 'rules.inbound[0].ports', reason: 'Must be 1-65535' }), 6),
  'a 400 with many errors': refused(400, errors(...Array(50).fill({ field: 'size', reason: 'Must be 10-10240' })), 6),
  'a 400 without field': refused(400, errors({ reason: 'No' }, { field: null, reason: 'No' }), 6),
  'a 400 whose errors are a text': refused(400, { errors: 'No' }, 8),
  'an empty 400': refused(400, '', 8),
  'an unknown token': refused(401, invalidToken, 3, { 'x-oauth-scopes': 'unknown' }),
  'a token without the scope': refused(401, unauthorized, 4, { 'x-oauth-scopes': 'images:read_only' }),
  'a 403': refused(403, errors({ reason: 'Unauthorized' }), 4),
  'a 404': refused(404, notFound, 5),
  'a 404 in HTML': refused(404, '<html>Not found</html>', 8, { 'content-type': 'text/html' }),
  'an empty 404': refused(404, '', 8),
  'a 404 in other JSON': refused(404, { error: 'Not Found', message: 'no Route matched' }, 8),
  'a 401 in HTML': refused(401, '<html>Sign in</html>', 8, { 'content-type': 'text/html' }),
  'a 403 in HTML': refused(403, '<html>Forbidden</html>', 8, { 'content-type': 'text/html' }),
  'a 400 because an instance is busy': refused(400, errors({ reason: 'Compute busy.' }), 6),
  'a 405': refused(405, errors({ reason: 'Method not allowed' }), 6),
  'a 408': { exits: lost, instead: reply(408, '') },
  'a 425': { exits: lost, instead: reply(425, '') },
  'a bare 429': tooMany(),
  'a 429 for a second': tooMany('1'),
  'a 429 until a date': tooMany('Wed, 21 Oct 2099 07:28:00 GMT'),
  'a 429 until a past date': tooMany('Wed, 21 Oct 2015 07:28:00 GMT'),
  'a 429 for a negative time': tooMany('-5'),
  'a 429 for a day': tooMany('86400'),
  'a 429 for garbage': tooMany('soon'),
  'a 500': { exits: lost, instead: reply(500, errors({ reason: 'Oops' })) },
  'a 502 in HTML': { exits: lost, instead: reply(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' }) },
  'a 503': { exits: lost, instead: reply(503, '') },
  'a 522 of a gateway': { exits: lost, instead: reply(522, '') },
  'a 503 for maintenance': refused(503, '', 8, { 'x-maintenance-mode': 'planned' }),
  'a 504': { exits: lost, instead: reply(504, '') },
}

/** All faults by name, roughly as in reliability.md. */
export const faults: Record<string, Fault> = { ...lostAnswers, ...brokenAnswers, ...oddAnswers, ...statuses }

/** Sends a list of four pages of 25 items, some of which `change` spoils. */
const pages =
  (change: (page: Page, number: number) => unknown): Script =>
  (socket, request) => {
    const number = Number(new URL(request.path, 'http://host').searchParams.get('page'))
    const data = Array.from({ length: 25 }, (_, index) => numbered(number * 25 + index, request.path))
    reply(200, change({ data, page: number, pages: 4, results: 100 }, number))(socket, request)
  }

const time = '2026-01-02T03:04:05'

/** Returns a record with the fields of every kind of list. */
const numbered = (number: number, path: string) => ({
  ...completeRecord({
    id: number,
    label: `x${number}`,
    address: `198.51.100.${number}`,
    range: `2001:db8:${number}::`,
    prefix: 64,
  }),
  ...(path.includes('/regions') && { id: `region-${number}` }),
  ...{ plan: `plan-${number}`, available: true, country: 'us', capabilities: [], resolvers: { ipv4: '', ipv6: '' } },
  ...{
    scopes: '*',
    website: '',
    thumbnail_url: null,
    expiry: time,
    token: '0123456789abcdef',
    ssh_key: 'ssh-ed25519 AAAA',
  },
  ...{
    user_agent: '',
    last_remote_addr: '',
    last_authenticated: time,
    datetime: time,
    ip: '',
    username: '',
    restricted: false,
  },
  entity: { id: number, label: null, type: 'compute', url: '' },
  computes: [],
  ...(path.includes('/logins') && { status: 'successful' }),
})

interface Page {
  data: { id: number | string }[]
  page: number
  pages: number
  results: number
}

const failingPage: Script = (socket, request) =>
  (/[?&]page=3\b/.test(request.path) ? reset() : pages((page) => page))(socket, request)

/** Faults of lists, with --page-size 25. */
export const pageFaults: Record<string, Fault> = {
  'pages that repeat': {
    exits: invalid,
    instead: pages((page) => ({ ...page, data: page.data.slice(0, 1).map(() => numbered(1, '')) })),
  },
  'an empty list as page 0': { exits: fine, instead: reply(200, { data: [], page: 0, pages: 0, results: 0 }) },
  'an empty list as page 0 of 1': { exits: fine, instead: reply(200, { data: [], page: 0, pages: 1, results: 0 }) },
  'items on page 0': { exits: invalid, instead: pages((page) => ({ ...page, page: 0 })) },
  'no items on page 0 of several': { exits: invalid, instead: pages((page) => ({ ...page, page: 0, data: [] })) },
  'pages that are numbered wrongly': { exits: invalid, instead: pages((page) => ({ ...page, page: 1 })) },
  'an empty page in the middle': {
    exits: invalid,
    instead: pages((page, number) => (number === 3 ? { ...page, data: [] } : page)),
  },
  'fewer items than announced': { exits: invalid, instead: pages((page) => ({ ...page, results: 1000 })) },
  'a page that fails in the middle': { exits: lost, instead: failingPage },
  'pages that shrink': {
    exits: fine,
    instead: pages((page, number) => (number < 3 ? page : { ...page, data: [], pages: 2, results: 50 })),
  },
}
