/**
 * Every command that asks the service ends with the same cause and exit code for the same answer (interface.md, Errors).
 * Each gets two of the answers; `RUNS=1` tries all of them.
 */
import { env as surroundings } from 'node:process'
import { describe, expect } from 'vitest'
import { type ErrorCode, exitCodes } from '../src/errors'
import { faultServer, reply, type Script } from './support/fault-server'
import { commands, samples } from './support/samples'
import { test } from './support/skyctl'

const json = (status: number, reason: string, headers = {}) =>
  reply(status, { errors: [{ field: null, reason }] }, headers)

/** What the address answers to everything. */
const answers: readonly [ErrorCode, Script][] = [
  ['not_signed_in', json(401, 'Invalid Token', { 'x-oauth-scopes': 'unknown' })],
  ['not_allowed', json(403, 'Unauthorized')],
  ['rate_limited', json(429, 'Too many requests')],
  ['unavailable', json(503, 'Later', { 'x-maintenance-mode': '1' })],
  ['not_the_api', reply(302, '', { location: 'https://example.net/' })],
]

/** A failed check is the result of doctor. */
const others = new Set(['doctor'])

const asking = commands.filter(({ path, command }) => command.operations && samples[path] && !others.has(path))

test('no command that asks the service is left out', () => {
  expect(commands.flatMap(({ path, command }) => (command.operations && !samples[path] ? [path] : []))).toEqual([])
})

const lastLine = (stderr: string) => stderr.trimEnd().split('\n').at(-1) ?? ''
const codeIn = (stderr: string) => JSON.parse(lastLine(stderr) || '{}').error?.code

const answersInTurn = answers.map(([code, script], at) => {
  const isTried = (index: number) => surroundings.RUNS !== undefined || (index + at) % answers.length < 2
  return [code, script, asking.map(({ path }) => path).filter((_, index) => isTried(index))] as const
})

describe.for(answersInTurn)('%s ends', ([code, script, paths]) => {
  test.for(paths)('"%s" with its exit code', async (path, { skyctl, sandbox, world, env, home, clock }) => {
    await samples[path]?.arrange?.({ skyctl, sandbox, world, env, home, clock })
    const { host } = await faultServer(script)
    const { line = '', stdin = '' } = samples[path] ?? {}
    const { exit, stderr } = await skyctl(`${path} ${line} --yes --json --retries 0`, {
      stdin,
      env: { SKYCTL_BASE_URL: `http://${host}/v4` },
    })
    expect({ exit, code: codeIn(stderr) }).toEqual({ exit: exitCodes[code], code })
  })
})

/** Their requests are not those of the catalogue, or depend on what they undo. */
const alsoAsking = ['api', 'auth login', 'history undo']

describe('unavailable ends, where nothing listens,', () => {
  test.for([...asking.map(({ path }) => path), ...alsoAsking])(
    '"%s" with its exit code, for people and as JSON',
    async (path, { skyctl, sandbox, world, env, home, clock }) => {
      await samples[path]?.arrange?.({ skyctl, sandbox, world, env, home, clock })
      await sandbox.close()
      const { line = '', stdin = '' } = samples[path] ?? {}
      const run = (format: string) => skyctl(`${path} ${line} --yes --retries 0${format}`, { stdin })
      const [people, json] = [await run(''), await run(' --json')]
      expect({ exit: json.exit, code: codeIn(json.stderr) }).toEqual({ exit: 8, code: 'unavailable' })
      const { message, status } = JSON.parse(lastLine(json.stderr)).error
      expect({ exit: people.exit, status }).toEqual({ exit: 8, status: null })
      expect(people.stderr).toContain(message)
      expect(message).toContain(new URL(sandbox.baseUrl).host)
    },
  )
})

describe('context_not_found ends', () => {
  test.for(asking.map(({ path }) => path))('"%s" with its exit code', async (path, { skyctl, world }) => {
    const { line = '', stdin = '' } = samples[path] ?? {}
    const { exit, stderr } = await skyctl(`${path} ${line} --context prdo --yes --json`, { stdin })
    expect({ exit, code: codeIn(stderr) }).toEqual({ exit: 5, code: 'context_not_found' })
    expect(world.requests()).toEqual([])
  })
})
