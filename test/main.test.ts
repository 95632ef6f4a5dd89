/** A run before and after its command: help, failures (interface.md, Errors), and --debug. */
import { describe, expect } from 'vitest'
import { Problem, ProgramEnded } from '../src/errors'
import type { Io } from '../src/platform/io'
import type { Clock } from '../src/rules/times'
import { faultServer, reply } from './support/fault-server'
import { test } from './support/skyctl'

const at = /\n {4}at \S/

describe('help', () => {
  test.for([50, 80, 120])('fits a terminal of %i columns, and uses its width', async (columns, { skyctl }) => {
    const { stdout } = await skyctl('volumes create --help --all', { columns })
    const longest = Math.max(...stdout.split('\n').map(({ length }) => length))
    expect(longest).toBeLessThanOrEqual(columns)
    expect(longest).toBeGreaterThan(columns - 15)
  })

  test.for([
    { flags: '', columns: 80, json: false },
    { flags: '', columns: undefined, json: true },
    { flags: '--json', columns: 80, json: true },
  ])('is JSON on request, on a terminal only with a flag: %o', async ({ json, ...row }, { skyctl }) => {
    const { flags, columns } = row
    const { exit, stdout } = await skyctl(`volumes --help ${flags}`, {
      env: { SKYCTL_OUTPUT: 'json' },
      ...(columns && { columns }),
    })
    expect({ exit, json: stdout.startsWith('{') }).toEqual({ exit: 0, json })
  })
})

function brokenClock(thrown: unknown, before = () => {}): Clock {
  const read = (): number => {
    before()
    throw thrown
  }
  return { now: read, monotonic: read, sleep: async () => {} }
}

describe('an internal error', () => {
  const hint = 'Run it again with --debug, and report the output'

  test.for([new Error('the clock stands'), 'the clock stands'])(
    'is printed as one line: %o',
    async (thrown, { skyctl }) => {
      expect(await skyctl('volumes list', { clock: brokenClock(thrown) })).toEqual({
        exit: 1,
        stdout: '',
        stderr: `skyctl: internal error: the clock stands. ${hint}\n`,
      })
    },
  )

  test('is JSON with --json', async ({ skyctl }) => {
    const { exit, stdout, stderr } = await skyctl('volumes list --json', {
      clock: brokenClock(new Error('the clock stands')),
    })
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' })
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'defect',
      message: 'internal error: the clock stands',
      exit_code: 1,
      hint,
    })
  })
})

test.for([
  ['a problem', new Problem('not_found', 'no volume'), { exit: 5, stderr: 'skyctl: no volume\n' }],
  ['the exit code of a program', new ProgramEnded(4), { exit: 4, stderr: '' }],
  ['the signal, before any other error', new Error('cut off'), { exit: 130, stderr: 'skyctl: interrupted\n' }],
] as const)('a run ended by a signal reports %s', async ([, thrown, expected], { skyctl }) => {
  let interrupt = () => {}
  const onSignal: Io['onSignal'] = (handler) => {
    interrupt = () => handler('SIGINT')
    return () => {}
  }
  const clock = brokenClock(thrown, () => interrupt())
  expect(await skyctl('volumes list', { onSignal, clock })).toEqual({ stdout: '', ...expected })
})

describe('the origin of a failure', () => {
  const line = 'volumes view 99'
  const failure = 'skyctl: volume 99 not found'

  test('is hidden', async ({ skyctl }) => {
    expect(await skyctl(line)).toEqual({ exit: 5, stdout: '', stderr: `${failure}\n` })
  })

  test('is hidden with --debug, as another cause than skyctl has nothing to do with its source', async ({ skyctl }) => {
    const { exit, stderr } = await skyctl(`${line} --debug`)
    expect({ exit, stderr }).toEqual({ exit: 5, stderr: expect.not.stringMatching(at) })
  })

  test('of a defect is a stack trace below the message with --debug', async ({ skyctl }) => {
    const { env } = await faultServer(reply(200, { id: 'no number' }))
    const { exit, stderr } = await skyctl(`${line} --debug`, { env })
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: expect.stringMatching(at) })
  })

  test('is a JSON object before the failure with --json --debug', async ({ skyctl }) => {
    const { env } = await faultServer(reply(200, { id: 'no number' }))
    const messagesOf = async (flags: string) =>
      (await skyctl(`${line} ${flags}`, { env })).stderr
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text))
    expect(await messagesOf('--json')).toEqual([{ error: expect.objectContaining({ code: 'defect' }) }])
    const [last, before] = (await messagesOf('--json --debug')).reverse()
    expect(last).toHaveProperty('error.code', 'defect')
    expect(before).toEqual({ debug: { message: expect.stringMatching(at) } })
  })
})

test('a failure in JSON has a line for each field on a terminal, where a person reads it', async ({ skyctl }) => {
  const { stderr } = await skyctl('volumes view dta-1 --json', { interactive: true })
  const lines = stderr.split('\n').map((text) => text.trim())
  expect(lines).toContain('"hint": "Did you mean \\"data-1\\"?"')
})

test.for([
  [503, 'the service failed with 503: Come back later. Try again later'],
  [400, 'Come back later'],
] as const)(
  'a sentence of the service (%i) ends with a full stop only before another sentence',
  async ([status, message], { skyctl }) => {
    const { env } = await faultServer(reply(status, { errors: [{ reason: 'Come back later.' }] }))
    expect((await skyctl('volumes list --retries 0', { env })).stderr).toBe(`skyctl: ${message}\n`)
  },
)

test('a full stop within a sentence of the service remains', async ({ skyctl }) => {
  const { env } = await faultServer(reply(400, { errors: [{ reason: 'Must be 1.2 or later.' }] }))
  expect((await skyctl('volumes list', { env })).stderr).toBe('skyctl: Must be 1.2 or later\n')
})

test('failures of several targets have a line each, and a last line with their number', async ({ skyctl }) => {
  expect(await skyctl('volumes delete 3002 9 dta-1 --yes --quiet')).toEqual({
    exit: 9,
    stdout: expect.any(String),
    stderr: expect.stringMatching(
      /^skyctl: volume 9 not found\nskyctl: volume "dta-1" not found\. Did you mean "data-1"\?\n0 of 3 deleted, 1 not tried\n$/,
    ),
  })
})

test.for([
  ['volumes list --no-such-flag', {}, false],
  ['volumes list --no-such-flag --json', {}, true],
  ['volumes list --no-such-flag', { SKYCTL_OUTPUT: 'json' }, true],
] as const)('a usage error has the requested format: %s, %o', async ([line, env, json], { skyctl }) => {
  const { exit, stderr } = await skyctl(line, { env })
  expect({ exit, json: stderr.startsWith('{') }).toEqual({ exit: 2, json })
  expect(stderr).toContain('unknown flag')
})

test.for([
  ['EPIPE', 0, /^$/],
  ['ENOSPC', 12, /^skyctl: cannot write the output: .*\n$/],
] as const)('an output error %s ends the run with exit code %i', async ([code, exit, message], { skyctl }) => {
  for (const line of ['volumes list', 'volumes --help']) {
    const result = await skyctl(line, { fails: { stdout: { code, from: 0 } } })
    expect(result).toEqual({ exit, stdout: '', stderr: expect.stringMatching(message) })
  }
})
