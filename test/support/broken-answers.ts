/** Answers that are cut, empty or from another server, and the reactions that a command may have. */
import type { Operation } from '../../src/catalogue/operation'
import { isAt, type Line, printsPartialResults, type Spoiled } from './answer-defects'
import type { Recorded, Replay } from './replay'
import type { Result } from './run'

const html = '<html><body>404 Not Found</body></html>'

const foreign404s: Readonly<Record<string, { body: string; type?: string }>> = {
  'a 404 with an HTML page': { body: html, type: 'text/html' },
  'an empty 404': { body: '' },
  'a 404 with JSON of another API': { body: '{"message":"no Route matched with those values"}' },
  'a 404 with errors in another form': { body: '{"errors":["Not found"]}' },
}

/** Yields replacements for a recorded answer of success. */
export function* brokenAnswers({ status, body }: Recorded, index: number): Generator<Spoiled> {
  const at = { index, path: [], formats: ['', '--json'] as const }
  if (status !== 200 && status !== 204) return
  const cuts = {
    'cut in the middle': body.slice(0, body.length / 2),
    'cut before its end': body.slice(0, -1),
    empty: '',
  }
  for (const [name, cut] of Object.entries(status === 200 ? cuts : {})) {
    yield { ...at, kind: 'cut', body: cut, value: { name, raw: cut } }
    yield {
      ...at,
      kind: 'cut',
      short: true,
      body: cut,
      value: { name: `${name}, with a longer Content-Length`, raw: cut },
    }
  }
  for (const [name, other] of Object.entries(foreign404s))
    yield { ...at, kind: 'foreign', status: 404, ...other, value: { name, raw: other.body } }
}

/** Lists the defects of a run that received such an answer. */
export function brokenDefects(
  line: Line,
  { exit }: Result,
  { answer, spoiled, replay }: { answer: Recorded; spoiled: Spoiled; replay: Replay },
): string[] {
  const writes = !answer.request.startsWith('GET ')
  const operation = operationOf(line, answer.request)
  // `api` sends nothing but the request that was typed. Commands that print results beside failures have a code for
  // both.
  const unread = line.path === 'api' ? [0, 1, 8, 11] : [0, 11]
  const ends = printsPartialResults.test(line.path) ? [...unread, 9, 13] : unread
  const lost = spoiled.short && operation?.idempotency === 'idempotent' ? [...ends, 8] : ends
  const isOnce = (operation?.idempotency ?? 'never') === 'never'
  const recordedCount = replay.recorded.filter(({ request: asked }) => asked === answer.request).length
  const rules: Record<string, boolean> = {
    'an unreadable success is reported neither as done nor as unknown':
      writes && spoiled.kind === 'cut' && !lost.includes(exit),
    'created twice': writes && isOnce && replay.times(answer.request) > recordedCount,
    'a 404 of another server counts as success': writes && spoiled.kind === 'foreign' && exit === 0,
    'a 404 of another server counts as deleted': spoiled.kind === 'foreign' && exit === 5,
    'success without the data': exit === 0 && operation !== undefined && operation === mainRead(line),
  }
  return Object.keys(rules).filter((name) => rules[name])
}

/**
 * Returns the main operation of a command that only reads. audit, doctor and overview report what they could not read.
 */
function mainRead({ path, command: { operations = [] } }: Line): Operation | undefined {
  const reads = operations.every(({ method }) => method === 'GET')
  return reads && !/^(audit|doctor|completion|overview)\b/.test(path) ? operations[0] : undefined
}

function operationOf({ command }: Line, request: string): Operation | undefined {
  const [method, path = ''] = request.replace('/v4', '').split(' ')
  return command.operations?.find((one) => one.method === method && isAt(path, one.path))
}
