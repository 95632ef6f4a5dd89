/**
 * Every request that changes something × every way to lose it or its answer, by every command that sends it: what the
 * command does then, in the forms for people and for scripts, and with a clock that is off (reliability.md, Which
 * requests may be sent again).
 */
import type { ServerResponse } from 'node:http'
import { catalogue } from '../../src/catalogue'
import type { Operation } from '../../src/catalogue/operation'
import { cut, type Loss, lossyProxy } from './lossy'
import { lostFaults } from './lost-verdict'
import { openPlace } from './place'
import type { Result } from './run'
import { commands, type Sample, samples } from './samples'

const answer =
  (status: number, body = '', headers: Record<string, string> = {}): Loss['reply'] =>
  (outgoing: ServerResponse) =>
    void outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)

const page = '<html><body>Bad gateway</body></html>'

/** A body that ends before its length, with the connection. */
const shortBody =
  (body: string): Loss['reply'] =>
  (outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    outgoing.flushHeaders()
    outgoing.write(body, () => outgoing.socket?.destroy())
  }

/**
 * `passing` may be over at the next attempt; `undecided` tells nothing of what was done, nor when it is over; `broken` is
 * no answer; `foreign` is a 404 of somebody in front of the API; `refused` and `limited` say that nothing was done, the
 * latter only until a pause is over.
 */
export type Kind = 'passing' | 'undecided' | 'broken' | 'foreign' | 'refused' | 'limited'

export interface How {
  kind: Kind
  reply: Loss['reply']
  /** Never after the work. */
  before?: true
}

export const hows: Readonly<Record<string, How>> = {
  'the connection is cut': { kind: 'passing', reply: cut },
  'the body is cut': { kind: 'passing', reply: shortBody('{"id":') },
  'none of the body': { kind: 'passing', reply: shortBody('') },
  'status 502 with a page': { kind: 'passing', reply: answer(502, page, { 'content-type': 'text/html' }) },
  'status 503': { kind: 'passing', reply: answer(503) },
  'status 504': { kind: 'passing', reply: answer(504, '{"errors":[{"reason":"Timed out"}]}') },
  'status 500': { kind: 'undecided', reply: answer(500, '{"errors":[{"reason":"Internal error"}]}') },
  'status 408': { kind: 'undecided', reply: answer(408) },
  'status 425': { kind: 'undecided', reply: answer(425) },
  'status 524': { kind: 'undecided', reply: answer(524, page, { 'content-type': 'text/html' }) },
  'JSON that is cut': { kind: 'broken', reply: answer(200, '{"id": 7, "label"') },
  'a cut list': { kind: 'broken', reply: answer(200, '{"data":[{"id":7},') },
  'an empty body': { kind: 'broken', reply: answer(200) },
  'a page with status 200': { kind: 'broken', reply: answer(200, page, { 'content-type': 'text/html' }) },
  'a page with status 404': {
    kind: 'foreign',
    reply: answer(404, page, { 'content-type': 'text/html' }),
    before: true,
  },
  'an empty 404': { kind: 'foreign', reply: answer(404), before: true },
  "a 404 in another's JSON": { kind: 'foreign', reply: answer(404, '{"message":"no Route"}'), before: true },
  maintenance: { kind: 'refused', reply: answer(503, '', { 'x-maintenance-mode': 'all' }), before: true },
  'status 429': { kind: 'limited', reply: answer(429, '', { 'retry-after': '1' }), before: true },
}

/** A command, typed so that it sends a request that is lost. */
export interface Cell {
  line: string
  sample: Sample
  operation: Operation
  /** As it is asked for. */
  path: string
  how: string
  done: boolean
}

const operations: readonly Operation[] = Object.values(catalogue).flatMap((group) => Object.values(group))

const typed = [
  ...commands.flatMap(({ path, command }) => {
    const sample = samples[path]
    const changes = command.operations?.some(({ method }) => method !== 'GET') && !path.endsWith(' edit')
    return sample && changes ? [{ line: `${path} ${sample.line} --yes`, sample }] : []
  }),
  { line: 'api POST /volumes --body - --yes', sample: { line: '', stdin: '{"label":"raw","region":"us-east"}' } },
]

/** Of the commands that begin so. Each is run once to see what it sends. */
export async function* cells(words = ''): AsyncGenerator<Cell> {
  for (const { line, sample } of typed.filter((one) => one.line.startsWith(words))) {
    const { sent } = await runIn({ line, sample })
    for (const { method, path } of sent) {
      const operation = operations.find((one) => one.method === method && isAt(path, one.path))
      if (!operation) throw new Error(`no operation is ${method} ${path}`)
      for (const [how, { before }] of Object.entries(hows)) {
        for (const done of before ? [false] : [false, true]) yield { line, sample, operation, path, how, done }
      }
    }
  }
}

const isAt = (path: string, template: string) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)

/** The clock of the computer less that of the service, in milliseconds. */
const skews = [0, -600_000, 600_000]

/** What is wrong in a cell; nothing should be. */
export async function playCell(cell: Cell): Promise<string[]> {
  const loss = hows[cell.how]
  if (!loss) throw new Error(`no loss is called "${cell.how}"`)
  const clean = cleanRuns.get(cell.line) ?? (await runClean(cell))
  const json: Ran[] = []
  for (const skew of skews) json.push(await runIn({ ...cell, flags: '--json', loss, skew }))
  const text = await runIn({ ...cell, loss })
  const faults = lostFaults(cell, { kind: loss.kind, clean, json, text })
  return faults.map((fault) => `${cell.line}, ${nameOf(cell)}: ${fault}\n    ${text.exit} ${text.stderr}`)
}

/** Without a loss, of each line. */
const cleanRuns = new Map<string, { json: Ran; text: Ran }>()

async function runClean({ line, sample }: Play) {
  const runs = { json: await runIn({ line, sample, flags: '--json' }), text: await runIn({ line, sample }) }
  cleanRuns.set(line, runs)
  return runs
}

export const nameOf = ({ operation, path, how, done }: Cell) =>
  `${operation.method} ${path} ${done ? 'is done' : 'does not arrive'}, and ${how} comes`

/** How a run ended, and what the service saw of it. */
export interface Ran extends Result {
  /** The requests that change something and reached the service. */
  sent: readonly { method: string; path: string }[]
  /** Whether the loss was met. */
  met: boolean
  /** The commands that the problem names, run afterwards. */
  next: readonly (Result & { line: string })[]
}

interface Play extends Pick<Cell, 'line' | 'sample'>, Partial<Pick<Cell, 'operation' | 'path' | 'done'>> {
  flags?: string
  loss?: How
  skew?: number
}

/** On a sandbox of its own. */
async function runIn(play: Play): Promise<Ran> {
  const { line, sample, flags = '', loss, skew = 0 } = play
  const place = await openPlace()
  const { clock, sandbox, env, skyctl } = place
  const proxy = await lossyProxy(sandbox.baseUrl)
  try {
    env.SKYCTL_BASE_URL = proxy.baseUrl
    const skewed = { ...clock, now: () => clock.now() + skew }
    await sample.arrange?.(place)
    const { operation, path, done = false } = play
    if (loss && operation && path) proxy.lose(operation.method, path, { done, reply: loss.reply })
    const before = sandbox.world.requests().length
    const stdin = (sample.stdin ?? '').replace('TOKEN', sandbox.ownerToken)
    const ended = await skyctl(`${line} ${flags}`, { clock: skewed, stdin })
    const sent = sandbox.world
      .requests()
      .slice(before)
      .filter(({ method }) => method !== 'GET')
    const next = []
    for (const named of namedIn(ended.stderr)) next.push({ line: named, ...(await skyctl(`${named} --yes`)) })
    return { ...ended, sent: sent.map(({ method, path }) => ({ method, path })), met: proxy.pending() === 0, next }
  } finally {
    await proxy.close()
    await place.close()
  }
}

/** The command lines of a hint; one with a word to be replaced is none. */
function namedIn(stderr: string): string[] {
  const last = stderr.trimEnd().split('\n').at(-1) ?? ''
  const hint = last.startsWith('{') ? (JSON.parse(last).error?.hint ?? '') : ''
  return [...hint.matchAll(/(?<=: |with |see )skyctl ([^;]+?)(?=$|; |, or | and )/g)]
    .map(([, line = '']) => line)
    .filter((line) => !/\b[A-Z]{2,}\b/.test(line))
}
