/**
 * With --json, stdout is one JSON document on success and empty on failure, and stderr holds one JSON object a line, the
 * failure last: for every command, whatever else was asked for.
 */
import { env as surroundings } from 'node:process'
import { describe, expect } from 'vitest'
import { faultServer, reply } from './support/fault-server'
import { commands, elsewhere, samples } from './support/samples'
import { test } from './support/skyctl'

const kinds = ['warning', 'note', 'debug', 'error']

/** The objects of stderr by their kinds, in order; throws for a line that is none. */
function told(stderr: string): { kind: string; value: unknown }[] {
  const lines = stderr === '' ? [] : stderr.replace(/\n$/, '').split('\n')
  return lines.map((line) => {
    const entries = Object.entries<{ message: unknown }>(JSON.parse(line))
    const [[kind, value] = ['', { message: undefined }]] = entries
    if (entries.length !== 1 || !kinds.includes(kind) || typeof value.message !== 'string') throw new Error(line)
    return { kind, value }
  })
}

/** What `tail -1 | jq .error` shows; nothing may stand below it, and none above. */
function errorIn(stderr: string): unknown {
  const all = told(stderr)
  expect(all.filter(({ kind }) => kind === 'error')).toHaveLength(1)
  expect(all.at(-1)?.kind).toBe('error')
  return all.at(-1)?.value
}

/** These print no document by themselves, and are looked at below. */
const reasons: Record<string, string> = {
  'sandbox start': 'runs until it is stopped; the document comes as soon as it answers',
  'profile phone setup': 'asks at every step',
  'profile tfa setup': 'asks at every step',
}

test('a command that prints no document has its reason', () => {
  expect([...elsewhere].sort()).toEqual(Object.keys(reasons).sort())
})

describe.for(['profile phone setup', 'profile tfa setup', 'auth login', 'tokens create'])('%s', (path) => {
  test('refuses in JSON to ask where there is no terminal', async ({ skyctl }) => {
    const { exit, stdout, stderr } = await skyctl(`${path} --json`, { env: { SKYCTL_BASE_URL: undefined } })
    expect({ exit: [2, 3].includes(exit), stdout }).toEqual({ exit: true, stdout: '' })
    expect(errorIn(stderr)).toMatchObject({ exit_code: exit })
  })
})

/** What may be said besides. */
const plain = ['--json', ['warning']] as const
const verbose = ['--json -v --debug', ['warning', 'note', 'debug']] as const
/** `RUNS=1` tries both with every command. */
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
      const said = told(stderr).map(({ kind }) => kind)
      expect(allowed).toEqual(expect.arrayContaining([...new Set(said)]))
    },
  )

  test('prints nothing on stdout and JSON on stderr for a flag that does not exist', async ({ skyctl }) => {
    const { exit, stdout, stderr } = await skyctl(`${path} --no-such-flag --json`)
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage', exit_code: 2, message: expect.any(String) } })
  })

  test('has the failure last where the token is not known, whatever is told', async ({ skyctl, sandbox }) => {
    const line = `${path} ${sample?.line} --json --yes --debug`
    const { exit, stdout, stderr } = await skyctl(line, { env: { SKYCTL_TOKEN: 'unknown' }, stdin: sandbox.ownerToken })
    // What does not hold is told by the document too.
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

describe('a failure is told in JSON', () => {
  /** Each is wrong, and asks for JSON somewhere. */
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
    'where the environment asks for it: %s',
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
  ] as const)('not where the line asks for another format: %s', async ([line, output], { skyctl }) => {
    const { exit, stderr } = await skyctl(line, { env: { SKYCTL_OUTPUT: output || undefined } })
    expect(exit).toBe(2)
    expect(stderr).toMatch(/^skyctl: [^{]*\n$/)
  })
})

describe('stderr', () => {
  test('has what -v and --debug tell as objects, and the failure below them', async ({ skyctl }) => {
    const { env } = await faultServer(reply(503, { errors: [{ reason: 'Later' }] }))
    const { exit, stderr } = await skyctl('volumes list --json -v --debug', { env })
    expect(exit).toBe(8)
    const all = told(stderr)
    expect(all.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['note', 'debug', 'error']))
    expect(all.filter(({ kind }) => kind === 'note')).toEqual(
      [2, 3].map((attempt) => ({
        kind: 'note',
        value: { message: expect.stringContaining(`: status 503; attempt ${attempt} of 3 in`) },
      })),
    )
    expect(errorIn(stderr)).toMatchObject({ code: 'unavailable' })
    const trace = all.at(-2)
    expect(trace).toEqual({ kind: 'debug', value: { message: expect.stringContaining('\n    at ') } })
  })

  test.for(['json', 'ndjson'])('has warnings before the failure: -o %s', async (format, { skyctl, home }) => {
    const both = { SKYCTL_CONTEXT: 'sandbox', SKYCTL_STATE_DIR: home }
    const { exit, stderr } = await skyctl(`volumes view nothing -o ${format}`, { env: both })
    expect(exit).toBe(5)
    expect(told(stderr).map(({ kind }) => kind)).toEqual(['warning', 'error'])
  })

  test('is as it was for people: a note and a trace are text', async ({ skyctl }) => {
    const { env } = await faultServer(reply(503, { errors: [{ reason: 'Later' }] }))
    const { stderr } = await skyctl('volumes list -v --retries 1', { env })
    expect(stderr).toMatch(/^GET \/volumes\S*: status 503; attempt 2 of 2 in .*\nskyctl: the service failed with 503/)
  })
})
