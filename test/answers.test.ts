/**
 * Commands survive any answer: every field of every answer that they read is replaced by invalid values. A sample;
 * `node bench/answers.mjs` tries all of them.
 */
import { describe, expect, test } from 'vitest'
import { attackAbsent } from './support/absent-fields'
import { attack, requestingCommands } from './support/answers'
import { cases } from './support/required-fields'

/** Fraction of the answers that is tried: a prime, so that every value and format occurs. */
const stride = 10_007
/** Returns the first answer to try; every command has more answers than that. */
const firstOf = (index: number) => (index * 89) % 1601

test.for(requestingCommands.map((line, index) => ({ line, path: line.path, phase: firstOf(index) })))(
  '$path has no defect with invalid answers',
  async ({ line, phase }) => {
    const { runs, defects } = await attack(line, { stride, phase })
    expect(runs).toBeGreaterThan(0)
    expect(defects.slice(0, 5), `${defects.length} defects`).toEqual([])
  },
)

describe('a former defect stays fixed in every format', () => {
  test.for([
    ['tokens rotate', 'POST /v4/profile/tokens', 'id', 'beyond 2^53'],
    ['tokens rotate', 'GET /v4/profile/tokens', 'data.0.id', 'beyond 2^53'],
    ['auth status', 'GET /v4/profile/tokens', 'data.0.expiry', 'a text'],
    ['firewalls delete', 'DELETE /v4/networking/firewalls', 'warnings', 'a text'],
    ['volumes attach', 'POST /v4/volumes/9001/attach', 'compute_id', 'null'],
    ['ips allocate', 'POST /v4/networking/ips', 'compute_id', 'missing'],
    ['ips allocate', 'POST /v4/networking/ips', 'address', 'missing'],
    ['firewalls update', 'PUT /v4/networking/firewalls', 'rules.inbound.0.protocol', 'huge'],
  ] as const)('%s: %s, %s is %s', async ([path, request, place, name]) => {
    const line = requestingCommands.find((one) => one.path === path)
    if (!line) throw new Error(`there is no command ${path}`)
    const { runs, defects } = await attack(line, {
      only: (answer, { path, value }) =>
        answer.request.startsWith(request) && path.join('.') === place && value.name === name,
    })
    expect(runs).toBeGreaterThan(0)
    expect(defects).toEqual([])
  })
})

/** Commands that find another object or state at the path of their request. */
const changes = [
  'volumes delete',
  'volumes update',
  'volumes detach',
  'tokens revoke',
  'volumes create',
  'ips allocate',
]

test.for(changes.map((path) => ({ path })))(
  '$path takes neither a cut answer nor a foreign 404 for success, deletion or a reason to retry',
  async ({ path }) => {
    const line = requestingCommands.find((one) => one.path === path)
    if (!line) throw new Error(`there is no command ${path}`)
    const { runs, defects } = await attack(line, {
      only: ({ request: asked }, { kind }) => kind !== undefined && !asked.startsWith('GET '),
    })
    expect(runs).toBeGreaterThan(10)
    expect(defects).toEqual([])
  },
)

/** One command of each kind, with a part of its fields; `node bench/answers.mjs --absent` tries all of them. */
const commandsToTry: readonly (readonly [line: string, stride: number])[] = [
  ['plan others', 41],
  ['apply volumes', 131],
  ['export', 149],
  ['audit', 181],
  ['overview', 97],
  ['firewalls open --dry-run', 11],
  ['firewalls rules add', 37],
  ['firewalls test', 11],
  ['firewalls close --expired', 37],
  ['history undo rdns', 13],
  ['volumes attach', 17],
  ['volumes list', 13],
  ['ips rdns', 11],
]

test.for(commandsToTry)(
  '%s ignores a missing field, prints null, or names the field and sends no change',
  async ([line, stride]) => {
    const one = cases.find(({ path, name = '' }) => `${path} ${name}`.trim() === line)
    if (!one) throw new Error(`there is no line ${line}`)
    const { runs, defects } = await attackAbsent(one, { stride })
    expect(runs).toBeGreaterThan(4)
    expect(defects).toEqual([])
  },
)
