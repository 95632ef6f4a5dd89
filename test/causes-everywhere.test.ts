/**
 * Every command that asks the service ends with the same cause and exit code for the same answer (interface.md, Errors).
 * Each gets two of the answers; `RUNS=1` tries all of them.
 */
import { env as surroundings } from 'node:process'
import { describe, expect } from 'vitest'
import { type ErrorCode, exitCodes } from '../src/errors'
import { faultServer, reply, type Script } from './support/fault-server'
import { commands, samples } from './support/samples'
import { type Fixtures, type Options, test } from './support/skyctl'

const json = (status: number, reason: string, headers = {}) =>
  reply(status, { errors: [{ field: null, reason }] }, headers)

/** What the address answers to everything. */
const answers: readonly [ErrorCode, Script][] = [
  ['not_signed_in', json(401, 'Invalid Token', { 'x-oauth-scopes': 'unknown' })],
  ['not_allowed', json(403, 'Unauthorized')],
  ['not_allowed', json(401, 'Your OAuth token is not authorized to use this endpoint.', { 'x-oauth-scopes': 'a:b' })],
  ['rate_limited', json(429, 'Too many requests')],
  ['unavailable', json(503, 'Later', { 'x-maintenance-mode': '1' })],
  ['not_the_api', reply(404, '<html>Not found</html>', { 'content-type': 'text/html' })],
  ['not_the_api', reply(302, '', { location: 'https://example.net/' })],
]

/** A failed check is the result of doctor. */
const others = new Set(['doctor'])

const asking = commands.filter(({ path, command }) => command.operations && samples[path] && !others.has(path))

test('no command that asks the service is left out', () => {
  expect(commands.flatMap(({ path, command }) => (command.operations && !samples[path] ? [path] : []))).toEqual([])
})

const errorIn = (stderr: string) => JSON.parse(stderr.trimEnd().split('\n').at(-1) || '{}').error

/** Its requests are not those of the catalogue. */
const paths = [...asking.map(({ path }) => path), 'api']

/** Runs the sample of a command once it is arranged and `before` was called, for people and with JSON. */
async function run(path: string, fixtures: Fixtures, before: () => Promise<{ env?: Options['env'] }>) {
  await samples[path]?.arrange?.(fixtures)
  const { env = {} } = await before()
  const { line = '', stdin = '' } = samples[path] ?? {}
  const words = `${path} ${line} --yes --retries 0`
  const [people, json] = [
    await fixtures.skyctl(words, { stdin, env }),
    await fixtures.skyctl(`${words} --json`, { stdin, env }),
  ]
  const error = errorIn(json.stderr)
  expect(people.stderr).toContain(error?.message.replace(/\.$/, ''))
  return { exits: [people.exit, json.exit], code: error?.code, error }
}

const answersInTurn = answers.map(([code, script], at) => {
  const isTried = (index: number) => surroundings.RUNS !== undefined || (index + at) % answers.length < 2
  return [code, script, paths.filter((_, index) => isTried(index))] as const
})

describe.for(answersInTurn)('%s ends', ([code, script, tried]) => {
  test.for(tried)(
    '"%s" with its exit code, for people and as JSON',
    async (path, { skyctl, sandbox, world, env, home, clock }) => {
      const ended = await run(path, { skyctl, sandbox, world, env, home, clock }, () => faultServer(script))
      expect(ended).toMatchObject({ exits: [exitCodes[code], exitCodes[code]], code })
    },
  )
})

describe('unavailable ends, where nothing listens,', () => {
  // The requests of the last two depend on what they sign in to or undo.
  test.for([...paths, 'auth login', 'history undo'])(
    '"%s" with its exit code, for people and as JSON',
    async (path, { skyctl, sandbox, world, env, home, clock }) => {
      const { exits, code, error } = await run(path, { skyctl, sandbox, world, env, home, clock }, async () => {
        await sandbox.close()
        return {}
      })
      expect({ exits, code, status: error.status }).toEqual({ exits: [8, 8], code: 'unavailable', status: null })
      expect(error.message).toContain(new URL(sandbox.baseUrl).host)
    },
  )
})

describe('context_not_found ends', () => {
  test.for(asking.map(({ path }) => path))('"%s" with its exit code', async (path, { skyctl, world }) => {
    const { line = '', stdin = '' } = samples[path] ?? {}
    const { exit, stderr } = await skyctl(`${path} ${line} --context prdo --yes --json`, { stdin })
    expect({ exit, code: errorIn(stderr)?.code }).toEqual({ exit: 5, code: 'context_not_found' })
    expect(world.requests()).toEqual([])
  })
})
