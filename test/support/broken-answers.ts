/** Whole answers that are cut, empty or of somebody in front of the API, and what a command may make of them. */
import type { Operation } from '../../src/catalogue/operation'
import { isAt, type Line, type Spoiled, tellsBoth } from './answer-defects'
import type { Recorded, Replay } from './replay'
import type { Result } from './run'

const html = '<html><body>404 Not Found</body></html>'

const foreign404s: Readonly<Record<string, { body: string; type?: string }>> = {
  'a 404 with a page': { body: html, type: 'text/html' },
  'a 404 with nothing': { body: '' },
  "a 404 in another's JSON": { body: '{"message":"no Route matched with those values"}' },
  'a 404 with errors of another form': { body: '{"errors":["Not found"]}' },
}

/** What may come in place of a recorded answer of success. */
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
      value: { name: `${name}, and says that it is longer`, raw: cut },
    }
  }
  for (const [name, other] of Object.entries(foreign404s))
    yield { ...at, kind: 'foreign', status: 404, ...other, value: { name, raw: other.body } }
}

/** What is wrong with a run that met such an answer; empty where nothing is. */
export function brokenDefects(
  line: Line,
  { exit }: Result,
  { answer, spoiled, replay }: { answer: Recorded; spoiled: Spoiled; replay: Replay },
): string[] {
  const writes = !answer.asked.startsWith('GET ')
  const operation = operationOf(line, answer.asked)
  // What is typed as a request is sent, and nothing besides; what tells of each change has a code for that.
  const unread = line.path === 'api' ? [0, 1, 8, 11] : [0, 11]
  const ends = tellsBoth.test(line.path) ? [...unread, 9, 13] : unread
  const lost = spoiled.short && operation?.idempotency === 'idempotent' ? [...ends, 8] : ends
  const isOnce = (operation?.idempotency ?? 'never') === 'never'
  const known = replay.recorded.filter(({ asked }) => asked === answer.asked).length
  const rules: Record<string, boolean> = {
    'a success that cannot be read is neither done nor unknown':
      writes && spoiled.kind === 'cut' && !lost.includes(exit),
    'made twice': writes && isOnce && replay.times(answer.asked) > known,
    'a 404 of somebody else is taken for success': writes && spoiled.kind === 'foreign' && exit === 0,
    'a 404 of somebody else is taken for gone': spoiled.kind === 'foreign' && exit === 5,
    'success without what was read': exit === 0 && operation !== undefined && operation === readAlone(line),
  }
  return Object.keys(rules).filter((name) => rules[name])
}

/** What a command reads above all, where it only reads; audit, doctor and overview report what they could not read. */
function readAlone({ path, command: { operations = [] } }: Line): Operation | undefined {
  const reads = operations.every(({ method }) => method === 'GET')
  return reads && !/^(audit|doctor|completion|overview)\b/.test(path) ? operations[0] : undefined
}

function operationOf({ command }: Line, asked: string): Operation | undefined {
  const [method, path = ''] = asked.replace('/v4', '').split(' ')
  return command.operations?.find((one) => one.method === method && isAt(path, one.path))
}
