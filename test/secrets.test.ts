/**
 * A canary token (reliability.md, Secrets): every command runs with a token from each source, and its output and files
 * are searched. Secrets appear only where they were requested.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { canary, filesBelow, places, plantCanary, type Run } from './support/canary'
import { twoOf } from './support/fast-check'
import { faultServer, reply } from './support/fault-server'
import { answers, commands, samples, tfaCode, tfaSecret } from './support/samples'
import { test as base, type Fixtures, type Result } from './support/skyctl'

type Source = 'environment' | 'context' | 'token_command'

interface CanaryFixtures {
  /** Runs a command's sample with the canary as its token. */
  runWithCanary(path: string, source: Source, flags: string): Promise<Run>
}

const test = base.extend<CanaryFixtures>({
  runWithCanary: async ({ skyctl, sandbox, world, home, env, clock }, use) => {
    plantCanary(world)
    await use(async (path, source, flags) => {
      const sample = samples[path]
      plant(world)
      await sample?.arrange?.({ skyctl, sandbox, world, env, home, clock })
      const stdin = sample?.stdin?.replace('TOKEN', canary)
      const signedIn = await signIn(source, { skyctl, sandbox, home })
      const result = await skyctl(`${path} ${sample?.line} ${flags}`, { env: signedIn, stdin })
      return { ...result, files: filesBelow(home) }
    })
  },
})

/** Digits of the account's phone number that every notation has. */
const number = '301234567'
const numberPlaces = /^(api|profile view|profile update)$/

/** Sets answers to the security questions, a verified number and a pending two-factor setup. */
function plant({ users, profile }: Fixtures['world']): void {
  for (const user of users.all()) users.put({ ...user, verified_phone_number: `+49${number}` })
  profile.security_answers.put({ id: 1, answers })
  profile.tfa_secrets.put({ id: 1, user: 1, secret: tfaSecret, expiry: '2026-02-01T00:00:00' })
}

/** Returns secrets that the service got or stores, and whether stdout shows them on request. */
function secretsOf(path: string, { stdout }: Result): { secret: string; shown: boolean }[] {
  const answersShown = path === 'profile security-questions list' && !stdout.startsWith('ID ')
  return [
    ...answers.map(({ response }) => ({ secret: response, shown: answersShown })),
    { secret: number, shown: numberPlaces.test(path) },
    { secret: tfaSecret, shown: false },
    ...(path === 'profile phone verify' ? [{ secret: '123456', shown: false }] : []),
    ...(path === 'profile tfa confirm' ? [{ secret: tfaCode, shown: false }] : []),
  ]
}

/** Returns the environment in which the token comes from its source. */
async function signIn(source: Source, { skyctl, sandbox, home }: Pick<Fixtures, 'skyctl' | 'sandbox' | 'home'>) {
  if (source === 'environment') return { SKYCTL_TOKEN: canary }
  await skyctl(`auth login --context canary --with-token --base-url ${sandbox.baseUrl}`, { stdin: canary })
  if (source === 'token_command') {
    const file = join(home, 'secret')
    writeFileSync(file, canary)
    await skyctl(['context', 'update', 'canary', '--token-command', `cat '${file}'`])
  }
  return { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined, SKYCTL_CONTEXT: 'canary' }
}

/** Returns the files that may have the token: the contexts file, if it was stored there. */
function placesOfToken(path: string, source: Source): string[] {
  const contexts = ['config/contexts.json', 'config/contexts.json.bak']
  return source === 'environment' && path !== 'auth login' ? [] : contexts
}

/** Returns the places that may have a requested secret: the context "sandbox" stores its state in a file. */
function placesOfAnswer(path: string): string[] {
  return path === 'sandbox world' ? ['stdout', 'state/sandbox.json'] : ['stdout']
}

const variants = [
  { source: 'environment', flags: '--debug' },
  { source: 'context', flags: '-v' },
  { source: 'token_command', flags: '--json --debug' },
  { source: 'environment', flags: '-o yaml --debug -v' },
  { source: 'context', flags: '--debug-file FILE' },
] as const

const withSample = commands.filter(({ path }) => samples[path])
/** Tries two variants with each command, so that each variant meets all kinds of commands; RUNS=1 tries all. */
const numbered = <T extends object>(all: readonly T[]) => all.map((one, turn) => ({ ...one, turn }))

describe.for(numbered(withSample))('$path', ({ path, turn }) => {
  test.for(twoOf(variants, turn))(
    'shows secrets only on request: $source $flags',
    async ({ source, flags }, { runWithCanary, home }) => {
      const run = await runWithCanary(path, source, flags.replace('FILE', join(home, 'debug.log')))
      expect(run.exit).not.toBe(1)
      expect(run.files.some((file) => file.path === 'debug.log')).toBe(flags.includes('FILE'))
      expect(placesOfToken(path, source)).toEqual(expect.arrayContaining(places(canary, run)))
      for (const secret of secretsIn(run)) expect(places(secret, run)).toEqual(placesOfAnswer(path))
      for (const { secret, shown } of secretsOf(path, run)) {
        expect({ secret, places: places(secret, run) }).toEqual({ secret, places: shown ? ['stdout'] : [] })
      }
    },
  )
})

const dry = withSample.filter(({ command }) => command.flags.some(({ name }) => name === 'dry-run'))

const dryVariants = [
  { source: 'environment', flags: '' },
  { source: 'context', flags: '--json --debug' },
  { source: 'environment', flags: '-o yaml --no-validate -v' },
  { source: 'environment', flags: '-o tsv --query body' },
] as const

describe.for(numbered(dry))('$path --dry-run', ({ path, turn }) => {
  test.for(twoOf(dryVariants, turn))(
    'prints a placeholder for a secret: $flags',
    async ({ source, flags }, { runWithCanary }) => {
      const run = await runWithCanary(path, source, `--dry-run ${flags}`)
      expect(placesOfToken(path, source)).toEqual(expect.arrayContaining(places(canary, run)))
      for (const { secret } of secretsOf(path, run)) {
        if (secret !== number) expect({ secret, places: places(secret, run) }).toEqual({ secret, places: [] })
      }
      if (/ (answer|verify|confirm)$/.test(path)) {
        expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining('[redacted]') })
      }
    },
  )
})

describe.for([
  '{"security_questions": [{"question_id": 1, "response": "QUIET"',
  'security_questions: [{response: QUIET',
])('answers in an invalid file: %s', (text) => {
  test.for(['', '--dry-run', '--dry-run --json --debug', '--no-validate'])(
    'are not printed: %s',
    async (flags, { skyctl }) => {
      const { exit, stdout, stderr } = await skyctl(`profile security-questions answer --body - ${flags}`, {
        stdin: text,
      })
      expect(exit).toBe(2)
      expect(stdout + stderr).not.toContain('QUIET')
    },
  )
})

test('skyctl api --dry-run does not print a secret in a body', async ({ skyctl }) => {
  const stdin = JSON.stringify({ nested: [{ response: pasted, otp_code: 462046, label: 'kept' }], key: privateKey })
  const { exit, stdout } = await skyctl('api POST /profile --body - --dry-run', { stdin })
  expect(exit).toBe(0)
  expect(JSON.parse(stdout).body).toEqual({
    nested: [{ response: '[redacted]', otp_code: '[redacted]', label: 'kept' }],
    key: '[redacted]',
  })
})

/** Returns secrets that the service returns only once, printed on request. */
function secretsIn({ stdout }: Result): string[] {
  const fields = stdout.matchAll(/(?:"|^)(?:token|secret|scratch)(?:": ?"|: | {2,})([^\s"]{8,})/gm)
  return [...fields].map(([, secret]) => secret ?? '')
}

const debugging = ['', '-v', '--debug', '--json --debug']

describe('a token that the service rejects', () => {
  test.for(debugging)('is not printed: %s', async (flags, { skyctl, home }) => {
    const unknown = canary.replace('facade00', 'facade01')
    const env = { SKYCTL_TOKEN: unknown }
    const result = await skyctl(`volumes list ${flags}`, { env })
    expect(result.exit).toBe(3)
    expect(places(unknown, { ...result, files: filesBelow(home) })).toEqual([])
  })
})

/** A secret with characters that URLs and base64 encode. */
const pasted = 'pasted+secret/with=odd&characters?0123456789'
const secretKeys = ['token', 'secret', 'scratch', 'otp_code', 'tfa_code', 'response', 'ssh_key', 'phone_number']

describe('a secret in a body', () => {
  const inBase64 = ['', 'x', 'xy'].map((before) => Buffer.from(`${before}${pasted}:`))
  const forms = [
    pasted,
    encodeURIComponent(pasted),
    ...inBase64.flatMap((bytes) => [bytes.toString('base64'), bytes.toString('base64url')]),
  ]
  const errors = forms.map((form) => ({ field: null, reason: `no ${form}!` }))

  test.for(secretKeys.flatMap((key) => debugging.map((flags) => [key, flags] as const)))(
    'under %s is not printed, even if the answer quotes it: %s',
    async ([key, flags], { skyctl, home }) => {
      const server = await faultServer(reply(400, { errors }))
      const env = { SKYCTL_BASE_URL: `http://${server.host}/v4` }
      const stdin = JSON.stringify({ nested: [{ [key]: pasted }] })
      const result = await skyctl(`api POST /profile --body - ${flags}`, { env, stdin })
      expect(result.exit).toBe(6)
      expect(server.received.map(({ body }) => JSON.parse(body))).toEqual([{ nested: [{ [key]: pasted }] }])
      expect(places(pasted, { ...result, files: filesBelow(home) })).toEqual([])
    },
  )
})

const privateKey = `-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\n-----END OPENSSH PRIVATE KEY-----\n`

describe('a private key in a wrong place', () => {
  test.for(
    [
      'auth login --with-token --context fresh',
      'profile sshkeys add --label work --ssh-key -',
      'profile sshkeys add --label work --file KEY',
      'profile update --authorized-keys-file KEY',
    ].flatMap((line) => debugging.map((flags) => `${line} ${flags}`)),
  )('is not sent, stored or printed: %s', async (line, { skyctl, world, home }) => {
    writeFileSync(join(home, 'secret'), privateKey)
    const result = await skyctl(line.replace('KEY', join(home, 'secret')), { stdin: privateKey })
    expect(result).toMatchObject({ exit: 2, stdout: '' })
    expect(result.stderr).toMatch(/private SSH key/)
    expect(places('b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ', { ...result, files: filesBelow(home) })).toEqual([])
    expect(world.requests()).toEqual([])
  })
})
