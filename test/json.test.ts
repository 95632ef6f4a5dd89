/**
 * Streams of --json: stdout is one JSON document on success and empty on failure. Each line of stderr is a JSON object, and
 * the failure is the last one. This is so for every command, with any other flags.
 */
import { env as surroundings } from 'node:process'
import { describe, expect } from 'vitest'
import { faultServer, reply } from './support/fault-server'
import { commands, samples, testedElsewhere } from './support/samples'
import { test } from './support/skyctl'

const kinds = ['warning', 'note', 'debug', 'error']

/** Parses the objects of stderr with their kinds; throws on any other line. */
function messagesIn(stderr: string): { kind: string; value: unknown }[] {
  const lines = stderr === '' ? [] : stderr.replace(/\n$/, '').split('\n')
  return lines.map((line) => {
    const entries = Object.entries<{ message: unknown }>(JSON.parse(line))
    const [[kind, value] = ['', { message: undefined }]] = entries
    if (entries.length !== 1 || !kinds.includes(kind) || typeof value.message !== 'string') throw new Error(line)
    return { kind, value }
  })
}

/** Returns the error as `tail -1 | jq .error` would; it must be the only one, and the last line. */
function errorIn(stderr: string): unknown {
  const messages = messagesIn(stderr)
  expect(messages.filter(({ kind }) => kind === 'error')).toHaveLength(1)
  expect(messages.at(-1)?.kind).toBe('error')
  return messages.at(-1)?.value
}

/** Commands without a document of their own, tested below. */
const reasons: Record<string, string> = {
  'sandbox start': 'runs until it is stopped; the document comes as soon as it answers',
  'profile phone setup': 'asks at every step',
  'profile tfa setup': 'asks at every step',
}

test('each command without a document has a reason', () => {
  expect([...testedElsewhere].sort()).toEqual(Object.keys(reasons).sort())
})

describe.for(['profile phone setup', 'profile tfa setup', 'auth login', 'tokens create'])('%s', (path) => {
  test('reports in JSON that it cannot ask without a terminal', async ({ skyctl }) => {
    const { exit, stdout, stderr } = await skyctl(`${path} --json`, { env: { SKYCTL_BASE_URL: undefined } })
    expect({ exit: [2, 3].includes(exit), stdout }).toEqual({ exit: true, stdout: '' })
    expect(errorIn(stderr)).toMatchObject({ exit_code: exit })
  })
})

/** Flags with the kinds of messages that they allow. */
const plain = ['--json', ['warning']] as const
const verbose = ['--json -v --debug', ['warning', 'note', 'debug']] as const
/** Tries one of them with each command, and both with RUNS=1. */
const formsOf = (index: number) => (surroundings.RUNS ? [plain, verbose] : [index % 3 === 0 ? verbose : plain])

describe.for(commands.map((one, index) => ({ ...one, forms: formsOf(index) })))('$path', ({ path, command, forms }) => {
  const sample = samples[path]

  test.for(forms)(
    'prints one document on success: %s',
    async ([flags, allowed], { skyctl, sandbox, world, env, home, clock }) => {
      expect(sample, `a sample for ${path}`).toBeDefined()
      await sample?.arrange?.({ skyctl, sandbox, world, env, home, clock })
      const stdin = sample?.stdin?.replace('TOKEN', sandbox.ownerToken)
      const { exit, stdout, stderr } = await skyctl(`${path} ${sample?.line} ${flags}`, { stdin })
      expect({ exit, stderr: exit === 0 ? '' : stderr }).toEqual({ exit: 0, stderr: '' })
      expect(() => JSON.parse(stdout)).not.toThrow()
      const kindsPrinted = messagesIn(stderr).map(({ kind }) => kind)
      expect(allowed).toEqual(expect.arrayContaining([...new Set(kindsPrinted)]))
    },
  )

  test('prints an unknown flag as JSON on stderr, and nothing on stdout', async ({ skyctl }) => {
    const { exit, stdout, stderr } = await skyctl(`${path} --no-such-flag --json`)
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage', exit_code: 2, message: expect.any(String) } })
  })

  test('has the failure last if the token is rejected, with all messages on', async ({ skyctl, sandbox }) => {
    const line = `${path} ${sample?.line} --json --yes --debug`
    const { exit, stdout, stderr } = await skyctl(line, { env: { SKYCTL_TOKEN: 'unknown' }, stdin: sandbox.ownerToken })
    // A failed check prints its document, too.
    if (exit === 0 || exit === 13) expect(() => JSON.parse(stdout)).not.toThrow()
    if (exit === 0) return
    if (exit === 13) return expect(errorIn(stderr)).toMatchObject({ exit_code: exit })
    expect(stdout).toBe('')
    expect(errorIn(stderr)).toMatchObject({ exit_code: exit })
  })

  test('has a summary, and every flag and argument a description', () => {
    const texts = [command.summary, ...command.flags.map((flag) => flag.description)]
    texts.push(...(command.arguments ?? []).map(({ description }) => description))
    expect(texts.filter((text) => text === '' || text.endsWith('.'))).toEqual([])
  })
})

describe('a failure is JSON', () => {
  /** Each line is wrong, and requests JSON at some place. */
  test.for([
    'volumes list --json -o xml',
    '--json volumes list -o xml',
    'volumes list -o xml --json',
    'volumes list --json -o table',
    'volumes list -o table --json',
    'volumes list -o json -o xml',
    'volumes list -ojson --output=xml',
    'volumes list -qo json --bogus',
    '-o json volumes list --bogus',
    'volumes lst --json',
    'vlumes --output=json',
    'volumes view --json',
    'volumes --json',
    '--json',
    'help --json find zebra',
    'help nothing --json',
    'volumes list --sort bogus --output json',
    'volumes create --json --label',
    'completion tcsh --json',
    'volumes list --limit --json',
  ])('for %s', async (line, { skyctl }) => {
    const { exit, stdout, stderr } = await skyctl(line)
    expect({ exit: [2, 5].includes(exit), stdout }).toEqual({ exit: true, stdout: '' })
    expect(errorIn(stderr)).toMatchObject({ exit_code: exit })
  })

  test.for(['volumes list -o xml', 'volumes list --bogus', 'vlumes', 'volumes', 'volumes view 1 --output'])(
    'if SKYCTL_OUTPUT is json: %s',
    async (line, { skyctl }) => {
      const { exit, stderr } = await skyctl(line, { env: { SKYCTL_OUTPUT: 'json' } })
      expect(errorIn(stderr)).toMatchObject({ exit_code: exit })
    },
  )

  test.for([
    ['volumes list --bogus -o table', 'json'],
    ['volumes list --bogus -o yaml', 'json'],
    ['volumes list --bogus -o xml', 'yaml'],
    ['volumes view 1 2 --bogus -- --json', ''],
    ['volumes list --bogus --no-headers', ''],
  ] as const)('unless the command line requests another format: %s', async ([line, output], { skyctl }) => {
    const { exit, stderr } = await skyctl(line, { env: { SKYCTL_OUTPUT: output || undefined } })
    expect(exit).toBe(2)
    expect(stderr).toMatch(/^skyctl: [^{]*\n$/)
  })
})

describe('stderr', () => {
  test('has notes and debug messages as objects, and the failure after them', async ({ skyctl }) => {
    const { env } = await faultServer(reply(503, { errors: [{ reason: 'Later' }] }))
    const { exit, stderr } = await skyctl('volumes list --json -v --debug', { env })
    expect(exit).toBe(8)
    const messages = messagesIn(stderr)
    expect(messages.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['note', 'debug', 'error']))
    expect(messages.filter(({ kind }) => kind === 'note')).toEqual(
      [2, 3].map((attempt) => ({
        kind: 'note',
        value: { message: expect.stringContaining(`: status 503; attempt ${attempt} of 3 in`) },
      })),
    )
    expect(errorIn(stderr)).toMatchObject({ code: 'unavailable' })
    // Stacks are for defects of skyctl.
    expect(stderr).not.toContain('\\n    at ')
  })

  test.for(['json', 'ndjson'])('has warnings before the failure: -o %s', async (format, { skyctl, home }) => {
    const both = { SKYCTL_CONTEXT: 'sandbox', SKYCTL_STATE_DIR: home }
    const { exit, stderr } = await skyctl(`volumes view nothing -o ${format}`, { env: both })
    expect(exit).toBe(5)
    expect(messagesIn(stderr).map(({ kind }) => kind)).toEqual(['warning', 'error'])
  })

  test('is text without --json, notes and traces, too', async ({ skyctl }) => {
    const { env } = await faultServer(reply(503, { errors: [{ reason: 'Later' }] }))
    const { stderr } = await skyctl('volumes list -v --retries 1', { env })
    expect(stderr).toMatch(/^GET \/volumes\S*: status 503; attempt 2 of 2 in .*\nskyctl: the service failed with 503/)
  })
})
