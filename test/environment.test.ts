/** Environment variables: their flags, invalid values, and warnings. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { topics } from '../src/commands/help/topics'
import { variables } from '../src/rules/environment'
import { faultServer, reply, silence } from './support/fault-server'
import { test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)

/** Starts a service that always fails; `requests` returns the number of requests. */
async function failingService(...answer: Parameters<typeof reply>) {
  const server = await faultServer(reply(...answer))
  return { env: { SKYCTL_BASE_URL: `http://${server.host}/v4` }, requests: () => server.received.length }
}

describe('a variable is the default of its flag', () => {
  test('SKYCTL_TIMEOUT', async ({ skyctl }) => {
    const server = await faultServer(silence)
    const env = { SKYCTL_BASE_URL: `http://${server.host}/v4` }
    expect((await skyctl('volumes list', { env: { ...env, SKYCTL_TIMEOUT: '200ms' } })).exit).toBe(8)
    expect((await skyctl('volumes list --timeout 200ms', { env: { ...env, SKYCTL_TIMEOUT: '1h' } })).exit).toBe(8)
  })

  test('SKYCTL_RETRIES', async ({ skyctl }) => {
    const { env, requests } = await failingService(503, {})
    await skyctl('volumes list', { env: { ...env, SKYCTL_RETRIES: '0' } })
    expect(requests()).toBe(1)
    await skyctl('volumes list --retries 1', { env: { ...env, SKYCTL_RETRIES: '0' } })
    expect(requests()).toBe(3)
  })

  test('SKYCTL_MAX_WAIT', async ({ skyctl }) => {
    const { env, requests } = await failingService(429, {}, { 'Retry-After': '5' })
    await skyctl('volumes list --retries 1', { env: { ...env, SKYCTL_MAX_WAIT: '4s' } })
    expect(requests()).toBe(1)
    await skyctl('volumes list --retries 1 --max-wait 6s', { env: { ...env, SKYCTL_MAX_WAIT: '4s' } })
    expect(requests()).toBe(3)
  })

  test('SKYCTL_WAIT_TIMEOUT', async ({ skyctl }) => {
    const env = { SKYCTL_WAIT_TIMEOUT: '3s' }
    const wait = 'volumes wait 3001 --for deleted'
    expect(await skyctl(wait, { env })).toMatchObject({ exit: 10, stderr: expect.stringContaining('after 3s') })
    expect((await skyctl(`${wait} --wait-timeout 7s`, { env })).stderr).toContain('after 7s')
  })

  test('SKYCTL_COLOR, which overrides NO_COLOR', async ({ skyctl }) => {
    const colored = async (flags: string, env: Record<string, string>) =>
      (await skyctl(`volumes list ${flags}`, { env, columns: 80 })).stdout.includes('\x1b[')
    expect(await colored('', { SKYCTL_COLOR: 'always', NO_COLOR: '1' })).toBe(true)
    expect(await colored('', { SKYCTL_COLOR: 'never' })).toBe(false)
    expect(await colored('--color never', { SKYCTL_COLOR: 'always' })).toBe(false)
  })

  test.for(['1', 'true', 'Yes', 'on'])('SKYCTL_YES=%s confirms every question', async (word, { skyctl, world }) => {
    const { id } = world.volume()
    expect((await skyctl(`volumes delete ${id}`, { env: { SKYCTL_YES: word } })).exit).toBe(0)
  })

  test.for(['0', 'false', 'NO', 'off', ''])('SKYCTL_YES=%s confirms none', async (word, { skyctl, world }) => {
    expect((await skyctl('volumes delete 3001', { env: { SKYCTL_YES: word } })).exit).toBe(2)
    expect(world.requests('DELETE')).toEqual([])
  })
})

describe('a variable is validated like its flag', () => {
  test.for([
    ['SKYCTL_TIMEOUT', 'soon', '--timeout', '"soon" is not a time. Write it as 90s, 5m or 1h30m'],
    ['SKYCTL_TIMEOUT', '30', '--timeout', '"30" has no unit. Write 30s, 30m, 30h or 30d'],
    ['SKYCTL_MAX_WAIT', '60', '--max-wait', '"60" has no unit. Write 60s, 60m, 60h or 60d'],
    ['SKYCTL_WAIT_TIMEOUT', '5', '--wait-timeout', '"5" has no unit. Write 5s, 5m, 5h or 5d'],
    ['SKYCTL_MAX_WAIT', '-1', '--max-wait', '"-1" is not a time. Write it as 90s, 5m or 1h30m'],
    ['SKYCTL_WAIT_TIMEOUT', '5 minutes', '--wait-timeout', '"5 minutes" is not a time. Write 5m'],
    ['SKYCTL_RETRIES', '21', '--retries', '"21" is not a whole number of 0 to 20'],
    ['SKYCTL_COLOR', 'red', '--color', '"red" is not one of auto, always, never'],
  ] as const)('%s=%s is rejected with the message of %s, and nothing is sent', async (row, { skyctl, world }) => {
    const [variable, value, flag, reason] = row
    const line = 'volumes wait 3001 --for active'
    const rejected = (name: string) => ({ exit: 2, stdout: '', stderr: `skyctl: ${name}: ${reason}\n` })
    expect(await skyctl(line, { env: { [variable]: value } })).toEqual(rejected(variable))
    expect(await skyctl([...line.split(' '), `${flag}=${value}`])).toEqual(rejected(flag))
    expect(world.requests()).toEqual([])
    expect((await skyctl(line, { env: { [variable]: '' } })).exit).toBe(0)
  })

  test('SKYCTL_YES must be a boolean', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('volumes delete 3001 --json', { env: { SKYCTL_YES: 'maybe' } })
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(json(stderr).error.message).toBe('SKYCTL_YES: "maybe" is neither true nor false')
  })
})

describe('SKYCTL_TOKEN_FILE', () => {
  const from = (file: string) => ({ SKYCTL_TOKEN: undefined, SKYCTL_TOKEN_FILE: file })

  test('has a token, without byte order mark and trailing line breaks', async ({ skyctl, home, sandbox }) => {
    const file = join(home, 'token')
    writeFileSync(file, `\ufeff${sandbox.ownerToken}\r\n\n`)
    expect((await skyctl('volumes list', { env: from(file) })).exit).toBe(0)
    const { token_source } = json((await skyctl('auth status --json', { env: from(file) })).stdout)
    expect(token_source).toBe('environment')
  })

  test('can be a link that others can read, as Kubernetes mounts secrets', async ({ skyctl, home, sandbox }) => {
    mkdirSync(join(home, '..data'))
    writeFileSync(join(home, '..data', 'token'), `${sandbox.ownerToken}\n`, { mode: 0o644 })
    symlinkSync('..data/token', join(home, 'token'))
    expect(await skyctl('volumes list', { env: from(join(home, 'token')) })).toMatchObject({ exit: 0, stderr: '' })
    expect(statSync(join(home, 'token')).mode & 0o777).toBe(0o644)
  })

  test.for([
    { what: 'that does not exist', make: () => {}, exit: 12, message: 'no such file or directory' },
    {
      what: 'that is a folder',
      make: (path: string) => void mkdirSync(path),
      exit: 12,
      message: 'it is not a regular file',
    },
    { what: 'that is empty', make: (path: string) => writeFileSync(path, '\n'), exit: 3, message: 'is empty' },
    {
      what: 'with invalid text',
      make: (path: string) => writeFileSync(path, 'hunter 2'),
      exit: 2,
      message: 'a character',
    },
    {
      what: 'that is too large',
      make: (path: string) => writeFileSync(path, 'a'.repeat(99_999)),
      exit: 12,
      message: 'too large',
    },
  ])(
    '$what fails with $exit, naming the file without its text',
    async ({ make, exit, message }, { skyctl, home, world }) => {
      const file = join(home, 'secret')
      make(file)
      const result = await skyctl('volumes list', { env: from(file) })
      expect(result).toMatchObject({ exit, stdout: '', stderr: expect.stringContaining(message) })
      expect(result.stderr).toContain(file)
      expect(result.stderr).not.toMatch(/hunter|aaaa/)
      expect(world.requests()).toEqual([])
    },
  )

  test('and SKYCTL_TOKEN together are rejected', async ({ skyctl, home, world, sandbox }) => {
    const file = join(home, 'token')
    writeFileSync(file, sandbox.ownerToken)
    const { exit, stderr } = await skyctl('volumes list', { env: { SKYCTL_TOKEN_FILE: file } })
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toBe('skyctl: SKYCTL_TOKEN and SKYCTL_TOKEN_FILE are both set. Unset one of them\n')
    expect((await skyctl('regions list', { env: { SKYCTL_TOKEN_FILE: file } })).exit).toBe(0)
  })

  test('overrides the current context but not --context, with a warning', async ({ skyctl, home, sandbox }) => {
    await skyctl(`auth login --context prod --base-url ${sandbox.baseUrl} --with-token`, { stdin: sandbox.ownerToken })
    const env = from(join(home, 'none'))
    expect(await skyctl('volumes list', { env })).toMatchObject({
      exit: 12,
      stderr: expect.stringContaining('SKYCTL_TOKEN_FILE overrides context "prod"'),
    })
    expect(await skyctl('volumes list --context prod', { env })).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('SKYCTL_TOKEN_FILE is not used: --context prod uses its own'),
    })
  })

  test('is named if its token is rejected', async ({ skyctl, home }) => {
    writeFileSync(join(home, 'token'), `facade00${'1'.repeat(56)}`)
    const { exit, stderr } = await skyctl('volumes list', { env: from(join(home, 'token')) })
    expect({ exit, stderr }).toEqual({
      exit: 3,
      stderr: expect.stringContaining('Put a valid token in the file of SKYCTL_TOKEN_FILE'),
    })
  })
})

describe('an unknown variable that begins with SKYCTL_', () => {
  test('causes one warning with a similar name, also for scripts and with --quiet', async ({ skyctl }) => {
    const env = { SKYCTL_RETRYS: '3' }
    const message = 'SKYCTL_RETRYS is not a skyctl variable. Did you mean "SKYCTL_RETRIES"?'
    expect((await skyctl('volumes list --quiet', { env })).stderr).toBe(`skyctl: warning: ${message}\n`)
    const { stdout, stderr } = await skyctl('volumes list --json', { env })
    expect(json(stderr)).toEqual({ warning: { message } })
    expect(json(stdout)).toEqual(expect.any(Array))
  })

  test('causes no warning in completion', async ({ skyctl }) => {
    for (const line of ['completion bash', 'completion values volumes']) {
      expect(await skyctl(line, { env: { SKYCTL_TOKN: 'x' } })).toMatchObject({ exit: 0, stderr: '' })
    }
  })

  test('can come from a Kubernetes service called skyctl', async ({ skyctl }) => {
    const env = { SKYCTL_SERVICE_HOST: '10.0.0.1', SKYCTL_PORT: 'tcp://10.0.0.1:80', SKYCTL_PORT_80_TCP_PROTO: 'tcp' }
    expect((await skyctl('volumes list', { env })).stderr).toBe('')
  })

  test('is not in the help, which lists all variables of the sources', async ({ skyctl }) => {
    const names = variables.map(({ name }) => name)
    expect([...(topics.environment ?? '').matchAll(/^ {2}(SKYCTL_\w+)/gm)].map(([, name]) => name)).toEqual(names)
    const { CODE_CACHE, ...env } = { CODE_CACHE: undefined, SKYCTL_CODE_CACHE: '0', SKYCTL_OUTPUT: 'json' }
    expect((await skyctl('volumes list', { env })).stderr).toBe('')
  })
})

test.for([
  'volumes list --debug-file -',
  'tokens create --label ci --output-file -',
  'volumes delete 3001 3002 --yes --journal -',
])('"-" is not an output file: %s', async (line, { skyctl, world }) => {
  const { exit, stdout, stderr } = await skyctl(line)
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
  expect(stderr).toMatch(/^skyctl: --(debug-file|output-file|journal): "-" is not a file/)
  expect(world.requests()).toEqual([])
})

describe('SKYCTL_TOKEN is hidden from', () => {
  test('an editor', async ({ skyctl, home }) => {
    const dump = join(home, 'seen')
    await skyctl('profile preferences edit', { env: { EDITOR: `env > ${dump} #`, SKYCTL_TIMEOUT: '1m' } })
    expect(readFileSync(dump, 'utf8')).toContain('SKYCTL_TIMEOUT=1m')
    expect(readFileSync(dump, 'utf8')).not.toContain('SKYCTL_TOKEN')
  })

  test('a token command', async ({ skyctl, home, sandbox }) => {
    const dump = join(home, 'seen')
    await skyctl(`auth login --context prod --base-url ${sandbox.baseUrl} --with-token`, { stdin: sandbox.ownerToken })
    const command = `env > ${dump}; echo ${sandbox.ownerToken}`
    await skyctl(['context', 'update', 'prod', '--token-command', command])
    expect((await skyctl('volumes list --context prod')).exit).toBe(0)
    expect(readFileSync(dump, 'utf8')).toContain('SKYCTL_BASE_URL=')
    expect(readFileSync(dump, 'utf8')).not.toContain('SKYCTL_TOKEN')
  })
})

test('no connection outlives its command', async ({ skyctl }) => {
  const sockets: Socket[] = []
  const keep = (message: unknown) => void sockets.push((message as { socket: Socket }).socket)
  subscribe('net.client.socket', keep)
  await skyctl('volumes list')
  unsubscribe('net.client.socket', keep)
  expect(sockets.map(({ destroyed }) => destroyed)).toContain(true)
  expect(sockets.map(({ destroyed }) => destroyed)).not.toContain(false)
})

test('NODE_TLS_REJECT_UNAUTHORIZED=0 is rejected for every host but this machine', async ({ skyctl, world }) => {
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const remote = { ...env, SKYCTL_BASE_URL: 'https://api.example.net/v4' }
  for (const line of [
    'volumes list',
    'regions list',
    'auth login --with-token --base-url https://api.example.net/v4',
  ]) {
    const { exit, stdout, stderr } = await skyctl(line, { env: remote, stdin: 'token' })
    expect({ line, exit, stdout }).toEqual({ line, exit: 2, stdout: '' })
    expect(stderr).toContain('NODE_EXTRA_CA_CERTS')
  }
  expect(world.requests()).toEqual([])
  expect((await skyctl('volumes list', { env })).exit).toBe(0)
})

describe('a stored context "sandbox"', () => {
  test('is overridden by the account of the environment, but not if --context names it', async ({ skyctl, world }) => {
    await skyctl('context use sandbox', { env: { SKYCTL_BASE_URL: '', SKYCTL_TOKEN: '' } })
    const create = 'volumes create --region us-east --label'
    const override = 'SKYCTL_BASE_URL and SKYCTL_TOKEN override context "sandbox"; unset them to use that'
    expect(await skyctl(`${create} remote`)).toMatchObject({ exit: 0, stderr: expect.stringContaining(override) })
    const labels = () => world.volumes.all().map(({ label }) => label)
    expect(labels()).toContain('remote')
    expect(await skyctl(`${create} embedded --context sandbox`)).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('are not used: the context "sandbox" is built in'),
    })
    expect(labels()).not.toContain('embedded')
    expect((await skyctl('context use sandbox')).stderr).toContain(override)
  })
})
