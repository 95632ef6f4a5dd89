/** Variables of the environment (interface.md, Configuration): what they stand for, and which are refused or named. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { topics } from '../src/commands/help/topics'
import { variables } from '../src/rules/environment'
import { faultServer, reply, silence } from './support/fault-server'
import { test } from './support/skyctl'

const json = (text: string) => JSON.parse(text)

/** A service that fails in one way; `asked` tells how often it was asked. */
async function failing(...answer: Parameters<typeof reply>) {
  const server = await faultServer(reply(...answer))
  return { env: { SKYCTL_BASE_URL: `http://${server.host}/v4` }, asked: () => server.heard.length }
}

describe('a variable stands for its flag, which wins over it', () => {
  test('SKYCTL_TIMEOUT', async ({ skyctl }) => {
    const server = await faultServer(silence)
    const env = { SKYCTL_BASE_URL: `http://${server.host}/v4` }
    expect((await skyctl('volumes list', { env: { ...env, SKYCTL_TIMEOUT: '200ms' } })).exit).toBe(8)
    expect((await skyctl('volumes list --timeout 200ms', { env: { ...env, SKYCTL_TIMEOUT: '1h' } })).exit).toBe(8)
  })

  test('SKYCTL_RETRIES', async ({ skyctl }) => {
    const { env, asked } = await failing(503, {})
    await skyctl('volumes list', { env: { ...env, SKYCTL_RETRIES: '0' } })
    expect(asked()).toBe(1)
    await skyctl('volumes list --retries 1', { env: { ...env, SKYCTL_RETRIES: '0' } })
    expect(asked()).toBe(3)
  })

  test('SKYCTL_MAX_WAIT', async ({ skyctl }) => {
    const { env, asked } = await failing(429, {}, { 'Retry-After': '5' })
    await skyctl('volumes list --retries 1', { env: { ...env, SKYCTL_MAX_WAIT: '4s' } })
    expect(asked()).toBe(1)
    await skyctl('volumes list --retries 1 --max-wait 6s', { env: { ...env, SKYCTL_MAX_WAIT: '4s' } })
    expect(asked()).toBe(3)
  })

  test('SKYCTL_WAIT_TIMEOUT', async ({ skyctl }) => {
    const env = { SKYCTL_WAIT_TIMEOUT: '3s' }
    const wait = 'volumes wait 3001 --for deleted'
    expect(await skyctl(wait, { env })).toMatchObject({ exit: 10, stderr: expect.stringContaining('after 3s') })
    expect((await skyctl(`${wait} --wait-timeout 7s`, { env })).stderr).toContain('after 7s')
  })

  test('SKYCTL_COLOR, which also wins over NO_COLOR', async ({ skyctl }) => {
    const colored = async (flags: string, env: Record<string, string>) =>
      (await skyctl(`volumes list ${flags}`, { env, columns: 80 })).stdout.includes('\x1b[')
    expect(await colored('', { SKYCTL_COLOR: 'always', NO_COLOR: '1' })).toBe(true)
    expect(await colored('', { SKYCTL_COLOR: 'never' })).toBe(false)
    expect(await colored('--color never', { SKYCTL_COLOR: 'always' })).toBe(false)
  })

  test.for(['1', 'true', 'Yes', 'on'])(
    'SKYCTL_YES=%s answers every question with yes',
    async (word, { skyctl, world }) => {
      const { id } = world.volume()
      expect((await skyctl(`volumes delete ${id}`, { env: { SKYCTL_YES: word } })).exit).toBe(0)
    },
  )

  test.for(['0', 'false', 'NO', 'off', ''])('SKYCTL_YES=%s answers none', async (word, { skyctl, world }) => {
    expect((await skyctl('volumes delete 3001', { env: { SKYCTL_YES: word } })).exit).toBe(2)
    expect(world.requests('DELETE')).toEqual([])
  })
})

describe('a variable takes what its flag takes', () => {
  test.for([
    ['SKYCTL_TIMEOUT', 'soon', '--timeout', '"soon" is not a time. Write it as 90s, 5m or 1h30m'],
    ['SKYCTL_TIMEOUT', '30', '--timeout', '"30" has no unit. Write 30s, 30m, 30h or 30d'],
    ['SKYCTL_MAX_WAIT', '60', '--max-wait', '"60" has no unit. Write 60s, 60m, 60h or 60d'],
    ['SKYCTL_WAIT_TIMEOUT', '5', '--wait-timeout', '"5" has no unit. Write 5s, 5m, 5h or 5d'],
    ['SKYCTL_MAX_WAIT', '-1', '--max-wait', '"-1" is not a time. Write it as 90s, 5m or 1h30m'],
    ['SKYCTL_WAIT_TIMEOUT', '5 minutes', '--wait-timeout', '"5 minutes" is not a time. Write it as 90s, 5m or 1h30m'],
    ['SKYCTL_RETRIES', '21', '--retries', '"21" is not a whole number of 0 to 20'],
    ['SKYCTL_COLOR', 'red', '--color', '"red" is not one of auto, always, never'],
  ] as const)('%s=%s is refused in the words of %s, and nothing is sent', async (row, { skyctl, world }) => {
    const [variable, value, flag, reason] = row
    const line = 'volumes wait 3001 --for active'
    const refused = (name: string) => ({ exit: 2, stdout: '', stderr: `skyctl: ${name}: ${reason}\n` })
    expect(await skyctl(line, { env: { [variable]: value } })).toEqual(refused(variable))
    expect(await skyctl([...line.split(' '), `${flag}=${value}`])).toEqual(refused(flag))
    expect(world.requests()).toEqual([])
    expect((await skyctl(line, { env: { [variable]: '' } })).exit).toBe(0)
  })

  test('SKYCTL_YES takes booleans only', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('volumes delete 3001 --json', { env: { SKYCTL_YES: 'maybe' } })
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(json(stderr).error.message).toBe('SKYCTL_YES: "maybe" is neither true nor false')
  })
})

describe('SKYCTL_TOKEN_FILE', () => {
  const from = (file: string) => ({ SKYCTL_TOKEN: undefined, SKYCTL_TOKEN_FILE: file })

  test('signs in, whatever byte order mark begins it and line breaks end it', async ({ skyctl, home, sandbox }) => {
    const file = join(home, 'token')
    writeFileSync(file, `\ufeff${sandbox.ownerToken}\r\n\n`)
    expect((await skyctl('volumes list', { env: from(file) })).exit).toBe(0)
    const { token_source } = json((await skyctl('auth status --json', { env: from(file) })).stdout)
    expect(token_source).toBe('environment')
  })

  test('may be a link that others can read, as Kubernetes mounts secrets', async ({ skyctl, home, sandbox }) => {
    mkdirSync(join(home, '..data'))
    writeFileSync(join(home, '..data', 'token'), `${sandbox.ownerToken}\n`, { mode: 0o644 })
    symlinkSync('..data/token', join(home, 'token'))
    expect(await skyctl('volumes list', { env: from(join(home, 'token')) })).toMatchObject({ exit: 0, stderr: '' })
    expect(statSync(join(home, 'token')).mode & 0o777).toBe(0o644)
  })

  test.for([
    { what: 'that is not there', make: () => {}, exit: 12, said: 'no such file or directory' },
    {
      what: 'that is a folder',
      make: (path: string) => void mkdirSync(path),
      exit: 12,
      said: 'it is not a regular file',
    },
    { what: 'that is empty', make: (path: string) => writeFileSync(path, '\n'), exit: 3, said: 'is empty' },
    {
      what: 'that holds something else',
      make: (path: string) => writeFileSync(path, 'hunter 2'),
      exit: 2,
      said: 'a character',
    },
    {
      what: 'without an end',
      make: (path: string) => writeFileSync(path, 'a'.repeat(99_999)),
      exit: 12,
      said: 'too large',
    },
  ])(
    '$what ends with $exit, and names the file but nothing in it',
    async ({ make, exit, said }, { skyctl, home, world }) => {
      const file = join(home, 'secret')
      make(file)
      const result = await skyctl('volumes list', { env: from(file) })
      expect(result).toMatchObject({ exit, stdout: '', stderr: expect.stringContaining(said) })
      expect(result.stderr).toContain(file)
      expect(result.stderr).not.toMatch(/hunter|aaaa/)
      expect(world.requests()).toEqual([])
    },
  )

  test('and SKYCTL_TOKEN contradict each other: neither is guessed', async ({ skyctl, home, world, sandbox }) => {
    const file = join(home, 'token')
    writeFileSync(file, sandbox.ownerToken)
    const { exit, stderr } = await skyctl('volumes list', { env: { SKYCTL_TOKEN_FILE: file } })
    expect({ exit, sent: world.requests() }).toEqual({ exit: 2, sent: [] })
    expect(stderr).toBe('skyctl: SKYCTL_TOKEN and SKYCTL_TOKEN_FILE are both set. Unset one of them\n')
    expect((await skyctl('regions list', { env: { SKYCTL_TOKEN_FILE: file } })).exit).toBe(0)
  })

  test('wins over the context in use, and gives way to one named by flag: both is said', async ({
    skyctl,
    home,
    sandbox,
  }) => {
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

  test('whose token the service does not know is named', async ({ skyctl, home }) => {
    writeFileSync(join(home, 'token'), `facade00${'1'.repeat(56)}`)
    const { exit, stderr } = await skyctl('volumes list', { env: from(join(home, 'token')) })
    expect({ exit, stderr }).toEqual({
      exit: 3,
      stderr: expect.stringContaining('Put a valid token in the file of SKYCTL_TOKEN_FILE'),
    })
  })
})

describe('a variable that begins with SKYCTL_ and is none of ours', () => {
  test('is named in one line with its near name, also to scripts and with --quiet', async ({ skyctl }) => {
    const env = { SKYCTL_RETRYS: '3' }
    const said = 'SKYCTL_RETRYS is not a skyctl variable. Did you mean "SKYCTL_RETRIES"?'
    expect((await skyctl('volumes list --quiet', { env })).stderr).toBe(`skyctl: warning: ${said}\n`)
    const { stdout, stderr } = await skyctl('volumes list --json', { env })
    expect(json(stderr)).toEqual({ warning: { message: said } })
    expect(json(stdout)).toEqual(expect.any(Array))
  })

  test('is not named to a shell that completes', async ({ skyctl }) => {
    for (const line of ['completion bash', 'completion values volumes']) {
      expect(await skyctl(line, { env: { SKYCTL_TOKN: 'x' } })).toMatchObject({ exit: 0, stderr: '' })
    }
  })

  test('may be what Kubernetes tells of a service called skyctl', async ({ skyctl }) => {
    const env = { SKYCTL_SERVICE_HOST: '10.0.0.1', SKYCTL_PORT: 'tcp://10.0.0.1:80', SKYCTL_PORT_80_TCP_PROTO: 'tcp' }
    expect((await skyctl('volumes list', { env })).stderr).toBe('')
  })

  test('is not one of those that help names, which are all that the sources read', async ({ skyctl }) => {
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
])('a file to write is not called "-", which is stdin elsewhere: %s', async (line, { skyctl, world }) => {
  const { exit, stdout, stderr } = await skyctl(line)
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' })
  expect(stderr).toMatch(/^skyctl: --(debug-file|output-file|journal): "-" is not a file/)
  expect(world.requests()).toEqual([])
})

describe('--debug-file', () => {
  const lines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n')
  const stamp = '2026-01-15T12:00:00\\.\\d{3}Z'

  test('holds what --debug shows, each line with its time, run, request and attempt', async ({ skyctl, home }) => {
    const file = join(home, 'debug.log')
    const { stderr } = await skyctl(`volumes view 3001 --debug --debug-file ${file}`)
    const [begin = '', ...rest] = lines(file)
    expect(begin).toMatch(new RegExp(`^${stamp} [0-9a-f]{8} skyctl \\d+\\.\\d+\\.\\d+ begins$`))
    const run = begin.split(' ')[1]
    expect(rest.map((line) => line.replace(new RegExp(`^${stamp} ${run}\\.1\\.1 `), ''))).toEqual(
      stderr.trimEnd().split('\n'),
    )
    expect(stderr).toContain('> authorization: [redacted]')
  })

  test('needs no --debug, which stays silent then', async ({ skyctl, home }) => {
    const file = join(home, 'debug.log')
    expect(await skyctl('volumes list', { env: { SKYCTL_DEBUG_FILE: file } })).toMatchObject({ exit: 0, stderr: '' })
    expect(lines(file).join('\n')).toMatch(/ < 200 in \d+ ms/)
  })

  test('tells attempts apart, with how long each took and what the service calls it', async ({ skyctl, home }) => {
    const file = join(home, 'debug.log')
    const page = { data: [], page: 1, pages: 1, results: 0 }
    const server = await faultServer([
      reply(503, {}, { 'X-Request-Id': 'first-1' }),
      (socket) => socket.destroy(),
      reply(200, page, { 'Request-Id': 'last-3' }),
    ])
    const env = { SKYCTL_BASE_URL: `http://${server.host}/v4` }
    expect((await skyctl(`volumes list --debug-file ${file}`, { env })).exit).toBe(0)
    const told = lines(file).map((line) => line.replace(/^\S+ [0-9a-f]{8}/, ''))
    expect(told).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\.1\.1 < 503 in \d+ ms, request id first-1$/),
        expect.stringMatching(/^ GET \/volumes\?\S+: status 503; attempt 2 of 3 in 0\.3s$/),
        expect.stringMatching(/^\.1\.2 < .+ after \d+ ms$/),
        expect.stringMatching(/^\.1\.3 < 200 in \d+ ms, request id last-3$/),
      ]),
    )
  })

  test('is added to, and only its owner can read it, whatever the umask and its mode were', async ({
    skyctl,
    home,
  }) => {
    const file = join(home, 'debug.log')
    writeFileSync(file, 'before\n')
    chmodSync(file, 0o644)
    const before = process.umask(0)
    try {
      const { stderr } = await skyctl(`volumes list --debug-file ${file}`)
      expect(stderr).toBe(`skyctl: warning: ${file} was open to other users: its mode is now 0600\n`)
      await skyctl(`regions list --debug-file ${file}`)
      await skyctl(`regions list --debug-file ${file}.new`)
    } finally {
      process.umask(before)
    }
    expect(lines(file)[0]).toBe('before')
    expect(lines(file).filter((line) => line.endsWith('begins'))).toHaveLength(2)
    expect([file, `${file}.new`].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600])
  })

  test.for([
    { what: 'in a folder that is not there', path: 'none/debug.log', make: () => {} },
    { what: 'that is a folder', path: 'folder', make: (path: string) => void mkdirSync(path) },
    { what: 'that is a link', path: 'link', make: (path: string) => symlinkSync('elsewhere', path) },
  ])('$what ends with 12 before anything is sent', async ({ path, make }, { skyctl, home, world }) => {
    const file = join(mkdtempSync(join(home, 'place-')), path)
    make(file)
    const { exit, stdout, stderr } = await skyctl(`volumes delete 3001 --yes --json --debug-file ${file}`)
    expect({ exit, stdout, sent: world.requests() }).toEqual({ exit: 12, stdout: '', sent: [] })
    expect(json(stderr).error.message).toContain(`cannot write ${file}`)
  })

  test('on a full disk ends with 12 before anything is sent', async ({ skyctl, world }) => {
    const { exit, stderr } = await skyctl('volumes delete 3001 --yes --debug-file /dev/full')
    expect({ exit, sent: world.requests() }).toEqual({ exit: 12, sent: [] })
    expect(stderr).toContain('cannot write /dev/full')
  })
})

describe('what skyctl starts does not see SKYCTL_TOKEN', () => {
  test('an editor', async ({ skyctl, home }) => {
    const seen = join(home, 'seen')
    await skyctl('profile preferences edit', { env: { EDITOR: `env > ${seen} #`, SKYCTL_TIMEOUT: '1m' } })
    expect(readFileSync(seen, 'utf8')).toContain('SKYCTL_TIMEOUT=1m')
    expect(readFileSync(seen, 'utf8')).not.toContain('SKYCTL_TOKEN')
  })

  test('a token command', async ({ skyctl, home, sandbox }) => {
    const seen = join(home, 'seen')
    await skyctl(`auth login --context prod --base-url ${sandbox.baseUrl} --with-token`, { stdin: sandbox.ownerToken })
    const command = `env > ${seen}; echo ${sandbox.ownerToken}`
    await skyctl(['context', 'update', 'prod', '--token-command', command])
    expect((await skyctl('volumes list --context prod')).exit).toBe(0)
    expect(readFileSync(seen, 'utf8')).toContain('SKYCTL_BASE_URL=')
    expect(readFileSync(seen, 'utf8')).not.toContain('SKYCTL_TOKEN')
  })
})

test('no connection outlives the command that made it', async ({ skyctl }) => {
  const sockets: Socket[] = []
  const keep = (message: unknown) => void sockets.push((message as { socket: Socket }).socket)
  subscribe('net.client.socket', keep)
  await skyctl('volumes list')
  unsubscribe('net.client.socket', keep)
  expect(sockets.map(({ destroyed }) => destroyed)).toContain(true)
  expect(sockets.map(({ destroyed }) => destroyed)).not.toContain(false)
})

test('NODE_TLS_REJECT_UNAUTHORIZED=0 is refused for every service but one on this machine', async ({
  skyctl,
  world,
}) => {
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const there = { ...env, SKYCTL_BASE_URL: 'https://api.example.net/v4' }
  for (const line of [
    'volumes list',
    'regions list',
    'auth login --with-token --base-url https://api.example.net/v4',
  ]) {
    const { exit, stdout, stderr } = await skyctl(line, { env: there, stdin: 'token' })
    expect({ line, exit, stdout }).toEqual({ line, exit: 2, stdout: '' })
    expect(stderr).toContain('NODE_EXTRA_CA_CERTS')
  }
  expect(world.requests()).toEqual([])
  expect((await skyctl('volumes list', { env })).exit).toBe(0)
})
