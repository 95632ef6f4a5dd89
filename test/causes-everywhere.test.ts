/**
 * Every command has the same error code and exit code for the same answer. Each is tried with two of the answers;
 * `RUNS=1` tries all of them.
 */
import { env as surroundings } from 'node:process'
import { describe, expect } from 'vitest'
import { type ErrorCode, exitCodes } from '../src/errors'
import { faultServer, reply, type Script } from './support/fault-server'
import { commands, samples } from './support/samples'
import { type Fixtures, type Options, test } from './support/skyctl'

const json = (status: number, reason: string, headers = {}) =>
  reply(status, { errors: [{ field: null, reason }] }, headers)

/** Answers to every request, with the error code. */
const answers: readonly [ErrorCode, Script][] = [
  ['not_signed_in', json(401, 'Invalid Token', { 'x-oauth-scopes': 'unknown' })],
  ['not_allowed', json(403, 'Unauthorized')],
  ['not_allowed', json(401, 'Your OAuth token is not authorized to use this endpoint.', { 'x-oauth-scopes': 'a:b' })],
  ['rate_limited', json(429, 'Too many requests')],
  ['unavailable', json(503, 'Later', { 'x-maintenance-mode': '1' })],
  ['not_the_api', reply(404, '<html>Not found</html>', { 'content-type': 'text/html' })],
  ['not_the_api', reply(302, '', { location: 'https://example.net/' })],
]

/** doctor reports a failed check in its result. */
const exempt = new Set(['doctor'])

const requestingCommands = commands.filter(
  ({ path, command }) => command.operations && samples[path] && !exempt.has(path),
)

test('every command that sends requests has a sample', () => {
  expect(commands.flatMap(({ path, command }) => (command.operations && !samples[path] ? [path] : []))).toEqual([])
})

const errorIn = (stderr: string) => JSON.parse(stderr.trimEnd().split('\n').at(-1) || '{}').error

/** `api` is not in the catalogue. */
const paths = [...requestingCommands.map(({ path }) => path), 'api']

/** Runs the sample of a command, with text and JSON output, after its set-up and `before`. */
async function run(path: string, fixtures: Fixtures, before: () => Promise<{ env?: Options['env'] }>) {
  await samples[path]?.arrange?.(fixtures)
  const { env = {} } = await before()
  const { line = '', stdin = '' } = samples[path] ?? {}
  const words = `${path} ${line} --yes --retries 0`
  const [text, json] = [
    await fixtures.skyctl(words, { stdin, env }),
    await fixtures.skyctl(`${words} --json`, { stdin, env }),
  ]
  const error = errorIn(json.stderr)
  expect(text.stderr).toContain(error?.message.replace(/\.$/, ''))
  return { exits: [text.exit, json.exit], code: error?.code, error }
}

const answerSamples = answers.map(([code, script], at) => {
  const isTried = (index: number) => surroundings.RUNS !== undefined || (index + at) % answers.length < 2
  return [code, script, paths.filter((_, index) => isTried(index))] as const
})

describe.for(answerSamples)('%s is the error of', ([code, script, triedPaths]) => {
  test.for(triedPaths)(
    '"%s", with its exit code, as text and JSON',
    async (path, { skyctl, sandbox, world, env, home, clock }) => {
      const result = await run(path, { skyctl, sandbox, world, env, home, clock }, () => faultServer(script))
      expect(result).toMatchObject({ exits: [exitCodes[code], exitCodes[code]], code })
    },
  )
})

describe('unavailable is the error, if nothing listens, of', () => {
  // The requests of the last two depend on what they sign in to or undo.
  test.for([...paths, 'auth login', 'history undo'])(
    '"%s", with its exit code, as text and JSON',
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

describe('context_not_found is the error of', () => {
  test.for(requestingCommands.map(({ path }) => path))('"%s", with its exit code', async (path, { skyctl, world }) => {
    const { line = '', stdin = '' } = samples[path] ?? {}
    const { exit, stderr } = await skyctl(`${path} ${line} --context prdo --yes --json`, { stdin })
    expect({ exit, code: errorIn(stderr)?.code }).toEqual({ exit: 5, code: 'context_not_found' })
    expect(world.requests()).toEqual([])
  })
})
