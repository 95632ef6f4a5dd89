/**
 * Every changing request × every way to lose it or its answer, by every command that sends it: checks the outcome of
 * the command for people, for scripts, and with a wrong clock (reliability.md, Which requests may be sent again).
 */
import type { ServerResponse } from 'node:http'
import { catalogue } from '../../src/catalogue'
import type { Operation } from '../../src/catalogue/operation'
import { cut, type Loss, lossyProxy } from './lossy-proxy'
import { lostFaults } from './lost-answer-faults'
import type { Result } from './run'
import { commands, type Sample, samples } from './samples'
import { openEnvironment } from './test-environment'

const answer =
  (status: number, body = '', headers: Record<string, string> = {}): Loss['reply'] =>
  (outgoing: ServerResponse) =>
    void outgoing.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)

const page = '<html><body>Bad gateway</body></html>'

/** Sends a body that ends before its length, with the connection. */
const shortBody =
  (body: string): Loss['reply'] =>
  (outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    outgoing.flushHeaders()
    outgoing.write(body, () => outgoing.socket?.destroy())
  }

/**
 * `passing` may be over at the next attempt. `undecided` shows neither whether the request was done nor when it is
 * over. `broken` is no valid answer. `foreign` is a 404 of another server. `refused` and `limited` mean that nothing
 * was done; `limited` ends after a pause.
 */
export type Kind = 'passing' | 'undecided' | 'broken' | 'foreign' | 'refused' | 'limited'

export interface CellLoss {
  kind: Kind
  reply: Loss['reply']
  /** Whether it only replaces the answer to a request that was not done. */
  before?: true
}

export const losses: Readonly<Record<string, CellLoss>> = {
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
  'a 404 with JSON of another API': { kind: 'foreign', reply: answer(404, '{"message":"no Route"}'), before: true },
  maintenance: { kind: 'refused', reply: answer(503, '', { 'x-maintenance-mode': 'all' }), before: true },
  'status 429': { kind: 'limited', reply: answer(429, '', { 'retry-after': '1' }), before: true },
}

/** A command line that sends a request, and how the request or its answer is lost. */
export interface Cell {
  line: string
  sample: Sample
  operation: Operation
  /** Path of the request. */
  path: string
  how: string
  done: boolean
}

const operations: readonly Operation[] = Object.values(catalogue).flatMap((group) => Object.values(group))

const commandLines = [
  ...commands.flatMap(({ path, command }) => {
    const sample = samples[path]
    const changes = command.operations?.some(({ method }) => method !== 'GET') && !path.endsWith(' edit')
    return sample && changes ? [{ line: `${path} ${sample.line} --yes`, sample }] : []
  }),
  { line: 'api POST /volumes --body - --yes', sample: { line: '', stdin: '{"label":"raw","region":"us-east"}' } },
]

/** Yields the cells of the commands that begin with these words. Each is run once to record its requests. */
export async function* cells(words = ''): AsyncGenerator<Cell> {
  for (const { line, sample } of commandLines.filter((one) => one.line.startsWith(words))) {
    const { sent } = await runIn({ line, sample })
    for (const { method, path } of sent) {
      const operation = operations.find((one) => one.method === method && isAt(path, one.path))
      if (!operation) throw new Error(`no operation is ${method} ${path}`)
      for (const [how, { before }] of Object.entries(losses)) {
        for (const done of before ? [false] : [false, true]) yield { line, sample, operation, path, how, done }
      }
    }
  }
}

const isAt = (path: string, template: string) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)

/** Differences between the local clock and the service's, in milliseconds. */
const skews = [0, -600_000, 600_000]

/** Lists the faults of a cell. There should be none. */
export async function playCell(cell: Cell): Promise<string[]> {
  const loss = losses[cell.how]
  if (!loss) throw new Error(`no loss is called "${cell.how}"`)
  const clean = cleanRuns.get(cell.line) ?? (await runClean(cell))
  const json: CellRun[] = []
  for (const skew of skews) json.push(await runIn({ ...cell, flags: '--json', loss, skew }))
  const text = await runIn({ ...cell, loss })
  const faults = lostFaults(cell, { kind: loss.kind, clean, json, text })
  return faults.map((fault) => `${cell.line}, ${nameOf(cell)}: ${fault}\n    ${text.exit} ${text.stderr}`)
}

/** Runs without a loss, by line. */
const cleanRuns = new Map<string, { json: CellRun; text: CellRun }>()

async function runClean({ line, sample }: Play) {
  const runs = { json: await runIn({ line, sample, flags: '--json' }), text: await runIn({ line, sample }) }
  cleanRuns.set(line, runs)
  return runs
}

export const nameOf = ({ operation, path, how, done }: Cell) =>
  `${operation.method} ${path} ${done ? 'is done' : 'does not arrive'}, and ${how} comes`

/** Result of a run, with the requests that the service received. */
export interface CellRun extends Result {
  /** Changing requests that reached the service. */
  sent: readonly { method: string; path: string }[]
  /** Whether the loss took place. */
  met: boolean
  /** Commands that the error message names, run afterwards. */
  next: readonly (Result & { line: string })[]
}

interface Play extends Pick<Cell, 'line' | 'sample'>, Partial<Pick<Cell, 'operation' | 'path' | 'done'>> {
  flags?: string
  loss?: CellLoss
  skew?: number
}

/** Plays a cell on a sandbox of its own. */
async function runIn(play: Play): Promise<CellRun> {
  const { line, sample, flags = '', loss, skew = 0 } = play
  const place = await openEnvironment()
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
    const result = await skyctl(`${line} ${flags}`, { clock: skewed, stdin })
    const sent = sandbox.world
      .requests()
      .slice(before)
      .filter(({ method }) => method !== 'GET')
    const next = []
    for (const hintLine of hintLines(result.stderr))
      next.push({ line: hintLine, ...(await skyctl(`${hintLine} --yes`)) })
    return { ...result, sent: sent.map(({ method, path }) => ({ method, path })), met: proxy.pending() === 0, next }
  } finally {
    await proxy.close()
    await place.close()
  }
}

/** Returns the command lines of a hint, without those that have a placeholder. */
function hintLines(stderr: string): string[] {
  const last = stderr.trimEnd().split('\n').at(-1) ?? ''
  const hint = last.startsWith('{') ? (JSON.parse(last).error?.hint ?? '') : ''
  return [...hint.matchAll(/(?<=: |with |see )skyctl ([^;]+?)(?=$|; |, or | and )/g)]
    .map(([, line = '']) => line)
    .filter((line) => !/\b[A-Z]{2,}\b/.test(line))
}
