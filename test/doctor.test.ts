/** What is wrong here, and how to mend it: every failure is a finding, and nothing that is told is secret. */
import { X509Certificate } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type Certificate, certificateFile, faultServer, reply, type Script, silence } from './support/fault-server'
import { httpsService } from './support/https-service'
import { deadEnd } from './support/nowhere'
import { test as processTest } from './support/process'
import { preloading } from './support/program'
import { wholeProfile } from './support/records'
import { test as base, type Options, type Result } from './support/skyctl'

interface Check {
  name: string
  status: string
  message: string
  mend: string | null
}

const checksOf = ({ stdout }: { stdout: string }): Check[] => JSON.parse(stdout).checks
const named = (result: { stdout: string }, name: string) => checksOf(result).find((check) => check.name === name)
const statusesOf = (result: { stdout: string }) =>
  Object.fromEntries(checksOf(result).map(({ name, status }) => [name, status]))

interface Diagnosed {
  doctor(options?: Options): Promise<Result>
}

const test = base.extend<Diagnosed>({
  doctor: async ({ skyctl, home }, use) =>
    use((options = {}) => skyctl('doctor --json', { ...options, env: { HOME: home, ...options.env } })),
})

const signedOut = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
const fresh = (data: object[] = []) => ({ data, page: 1, pages: 1, results: data.length })

/** Knows the token, and tells its time. */
const service =
  (date: string): Script =>
  (socket, heard) => {
    const body = heard.path.includes('/tokens') ? fresh() : wholeProfile
    reply(200, body, { date, 'x-oauth-scopes': '*' })(socket, heard)
  }

describe('where all is well', () => {
  test('each thing is told, nothing fails, and three requests are enough', async ({ doctor, world, home }) => {
    writeFileSync(join(home, '.bashrc'), 'source <(skyctl completion bash)\n')
    const result = await doctor({ env: { SHELL: '/bin/bash' } })
    expect({ exit: result.exit, stderr: result.stderr, statuses: statusesOf(result) }).toEqual({
      exit: 0,
      stderr: '',
      statuses: Object.fromEntries(
        ['node', 'config', 'state', 'cache', 'contexts', 'address', 'name', 'proxy', 'connection', 'certificate']
          .concat('service', 'clock', 'token', 'completion')
          .map((name) => [name, 'ok']),
      ),
    })
    expect(world.requests().map(({ path }) => path.split('?')[0])).toEqual(['/profile', '/profile/tokens'])
  })

  test('the sandbox is told as such, and nothing of the network', async ({ doctor }) => {
    const result = await doctor({ env: { ...signedOut, SKYCTL_CONTEXT: 'sandbox' } })
    expect(result.exit).toBe(0)
    expect(named(result, 'address')?.message).toBe('the embedded sandbox: no network and no account')
    expect(Object.keys(statusesOf(result))).not.toContain('connection')
    expect(named(result, 'token')).toMatchObject({ status: 'ok', message: 'scopes *; it never expires' })
  })

  test('a person reads a line for each, also on 40 columns', async ({ skyctl, home }) => {
    const env = { HOME: home, NO_COLOR: '1' }
    const wide = await skyctl('doctor', { env, columns: 80 })
    expect(wide.stdout).toMatch(/^ok {7}node {9}skyctl \S+, Node \S+, \w+ \w+\n/)
    expect(wide.stdout.trimEnd().split('\n').at(-1)).toBe('No problems')
    const narrow = await skyctl('doctor', { env, columns: 40 })
    expect(narrow.stdout.split('\n').filter((line) => line.length > 40 && line.includes(' ok '))).toEqual([])
  })

  test('rows have the columns, and --quiet prints nothing', async ({ skyctl, home }) => {
    const env = { HOME: home }
    expect((await skyctl('doctor -o csv', { env })).stdout).toMatch(/^name,status,message,mend\nnode,ok,/)
    expect(await skyctl('doctor -q', { env })).toEqual({ exit: 0, stdout: '', stderr: '' })
  })
})

describe('the token', () => {
  test('that the service does not know is a failure, with how to mend it', async ({ doctor }) => {
    const result = await doctor({ env: { SKYCTL_TOKEN: 'unknown' } })
    expect(result.exit).toBe(13)
    expect(JSON.parse(result.stderr).error).toMatchObject({ code: 'mismatch', message: '1 check failed: token' })
    expect(named(result, 'token')).toEqual({
      name: 'token',
      status: 'failure',
      message: 'token rejected: it is wrong, revoked or expired',
      mend: 'Set SKYCTL_TOKEN to a valid token',
    })
    expect(named(result, 'clock')?.status).toBe('ok')
  })

  test('that is none is a failure, and the service is asked what needs none', async ({ doctor, sandbox, world }) => {
    const result = await doctor({ env: { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: sandbox.baseUrl } })
    expect({ exit: result.exit, statuses: statusesOf(result) }).toMatchObject({
      exit: 13,
      statuses: { service: 'ok', clock: 'ok', token: 'failure' },
    })
    expect(world.requests().map(({ path }) => path.split('?')[0])).toEqual(['/regions'])
  })

  test('of a command that fails is a failure', async ({ skyctl, doctor, sandbox }) => {
    await skyctl(`auth login --context prod --with-token --base-url ${sandbox.baseUrl}`, { stdin: sandbox.ownerToken })
    await skyctl("context update prod --token-command 'exit 7'")
    const result = await doctor({ env: signedOut })
    expect({ exit: result.exit, told: named(result, 'token')?.message }).toEqual({
      exit: 13,
      told: 'the token command failed with exit code 7',
    })
  })
})

describe('the way to the service', () => {
  test('on which nobody answers is a failure in time', async ({ skyctl, home }) => {
    const { host } = await faultServer(silence)
    const env = { HOME: home, SKYCTL_BASE_URL: `http://${host}/v4` }
    const result = await skyctl('doctor --json --timeout 1s', { env })
    expect({ exit: result.exit, statuses: statusesOf(result) }).toMatchObject({
      exit: 13,
      statuses: { connection: 'ok', service: 'failure', token: 'skipped' },
    })
  })

  test('where TLS is expected and plain HTTP spoken is a failure', async ({ doctor, sandbox }) => {
    const result = await doctor({ env: { SKYCTL_BASE_URL: sandbox.baseUrl.replace('http:', 'https:') } })
    expect({ exit: result.exit, told: named(result, 'connection') }).toMatchObject({
      exit: 13,
      told: { status: 'failure', message: expect.stringContaining('does not speak TLS as expected') },
    })
  })

  test.for([
    [deadEnd.replace('//', '//u:hunter2@'), 'failure', /the proxy 127\.0\.0\.1:\d+ refuses/],
    ['http://u:hunter2@', 'failure', /HTTPS_PROXY is not the URL of a proxy/],
  ] as const)('by the proxy %s is told without its password', async ([proxy, status, message], { doctor }) => {
    const result = await doctor({ env: { SKYCTL_BASE_URL: 'https://api.example.net/v4', HTTPS_PROXY: proxy } })
    const told = checksOf(result).find((check) => check.status === status)
    expect({ exit: result.exit, told: told?.message }).toEqual({ exit: 13, told: expect.stringMatching(message) })
    expect(result.stdout + result.stderr).not.toContain('hunter2')
  })
})

describe('the certificate', () => {
  const look = async (certificate: Certificate, trusted: Certificate | undefined, start: Start, home: string) => {
    const { port } = await faultServer(service(new Date().toUTCString()), certificate)
    const env = {
      HOME: home,
      SKYCTL_BASE_URL: `https://127.0.0.1:${port}/v4`,
      ...(trusted && { NODE_EXTRA_CA_CERTS: certificateFile(trusted) }),
    }
    const { exit, stdout } = await start('doctor --json', { env, stdin: '' }).end
    return { exit, told: named({ stdout }, 'certificate'), token: named({ stdout }, 'token')?.status }
  }
  type Start = (line: string, options: object) => { end: Promise<{ exit: number | null; stdout: string }> }

  processTest('that is trusted is told with its dates', async ({ start, home }) => {
    const { validFrom, validTo } = new X509Certificate(readFileSync(certificateFile('good')))
    const day = (text: string) => new Date(text).toISOString().slice(0, 10)
    const { exit, told, token } = await look('good', 'good', start, home)
    expect({ exit, told: told?.message, token }).toEqual({
      exit: 0,
      told: expect.stringContaining(`valid from ${day(validFrom)} to ${day(validTo)}, by `),
      token: 'ok',
    })
  })

  processTest.for([
    [13, 'warning', 'ends in 13 days: valid from ', 'Ask the operator of the service to renew it'],
    [14, 'ok', 'valid from ', null],
  ] as const)('that ends in %i days is %s', async ([days, status, start, mend], { start: run, home }) => {
    const end = Date.parse(new X509Certificate(readFileSync(certificateFile('good'))).validTo)
    const [then, clock] = [end - days * 86_400_000 - 1_000, join(home, 'clock.cjs')]
    writeFileSync(clock, `const ahead = ${then} - Date.now(), { now } = Date; Date.now = () => now() + ahead`)
    const { port } = await faultServer(service(new Date(then).toUTCString()), 'good')
    const env = { ...preloading(clock), NODE_EXTRA_CA_CERTS: certificateFile('good') }
    const { exit, stdout } = await run('doctor --json', {
      env: { HOME: home, SKYCTL_BASE_URL: `https://127.0.0.1:${port}/v4`, ...env },
      stdin: '',
    }).end
    expect({ exit, told: named({ stdout }, 'certificate') }).toEqual({
      exit: 0,
      told: { name: 'certificate', status, message: expect.stringMatching(new RegExp(`^${start}`)), mend },
    })
  })

  processTest('is that of the service where a proxy leads to it', async ({ start, home, sandbox }) => {
    const proxied = { ...(await httpsService(sandbox.baseUrl)), SKYCTL_BASE_URL: 'https://api.example.net/v4' }
    const { stdout } = await start('doctor --json', { env: { HOME: home, ...proxied }, stdin: '' }).end
    // The clock of the sandbox is that of tests.
    expect(statusesOf({ stdout })).toMatchObject({
      ...{ name: 'ok', proxy: 'ok', connection: 'ok', certificate: 'ok' },
      token: 'ok',
      clock: 'failure',
    })
    expect(named({ stdout }, 'name')?.message).toBe('the proxy resolves it')
  })

  processTest.for([
    ['expired', 'expired', 'has expired'],
    ['wrong-name', 'wrong-name', 'is for another name'],
    ['good', undefined, 'is self-signed'],
  ] as const)(
    '%s, trusted as %s, is a failure, and no token is sent',
    async ([certificate, trusted, reason], { start, home }) => {
      const { exit, told, token } = await look(certificate, trusted, start, home)
      expect({ exit, told, token }).toMatchObject({
        exit: 13,
        told: { status: 'failure', message: expect.stringContaining(reason) },
        token: 'skipped',
      })
    },
  )
})

processTest('an interrupt is one, wherever it comes', async ({ start, home }) => {
  const { host, until } = await faultServer(silence)
  const { kill, end } = start('doctor', { env: { HOME: home, SKYCTL_BASE_URL: `http://${host}/v4` } })
  await until(1)
  kill('SIGINT')
  expect(await end).toMatchObject({ exit: 130, stdout: '' })
})

describe('folders', () => {
  test('that others may look into are a warning, with what mends it', async ({ doctor, home, env }) => {
    const folder = join(home, 'state')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'sandbox.ndjson'), '')
    chmodSync(folder, 0o755)
    const result = await doctor()
    expect({ exit: result.exit, told: named(result, 'state'), folder: env.SKYCTL_STATE_DIR }).toEqual({
      exit: 0,
      folder,
      told: {
        name: 'state',
        status: 'warning',
        message: '~/state and 1 more: other users have access to it',
        mend: 'chmod -R go= ~/state',
      },
    })
    chmodSync(folder, 0o700)
    expect(named(await doctor(), 'state')?.status).toBe('ok')
  })

  describe('of a home that is unknown', () => {
    const nowhere = { SKYCTL_CONFIG_DIR: undefined, SKYCTL_STATE_DIR: undefined, XDG_CACHE_HOME: undefined }

    test.for(['', 'relative'])(
      'are no failure where a token is in the environment: HOME=%s',
      async (HOME, { skyctl }) => {
        const { homedir } = { homedir: () => HOME }
        const result = await skyctl('doctor --json', { env: { HOME, ...nowhere }, homedir })
        expect({ exit: result.exit, statuses: statusesOf(result) }).toMatchObject({
          exit: 0,
          statuses: { config: 'warning', state: 'warning', cache: 'warning', contexts: 'skipped', token: 'ok' },
        })
        expect(await skyctl('volumes list -q', { env: { HOME, ...nowhere }, homedir })).toMatchObject({ exit: 0 })
      },
    )

    test.for<[string, Record<string, string | undefined>, Record<string, string>]>([
      ['without a token', { SKYCTL_TOKEN: undefined }, { token: 'failure' }],
      ['where a context is to be in use', { SKYCTL_CONTEXT: 'prod' }, { address: 'failure' }],
      ['where a folder is given that makes no sense', { SKYCTL_STATE_DIR: 'state' }, { state: 'failure' }],
    ])('leave what needs them a failure: %s', async ([, variables, statuses], { skyctl }) => {
      const result = await skyctl('doctor --json', { env: { HOME: '', ...nowhere, ...variables } })
      expect({ exit: result.exit, statuses: statusesOf(result) }).toMatchObject({ exit: 13, statuses })
    })
  })
})

describe('contexts', () => {
  const write = (home: string, text: string) => {
    mkdirSync(join(home, 'config'), { mode: 0o700 })
    writeFileSync(join(home, 'config/contexts.json'), text, { mode: 0o600 })
  }

  test('of a broken file are a finding', async ({ doctor, home }) => {
    write(home, '{"contexts": ')
    const result = await doctor({ env: signedOut })
    expect({ exit: result.exit, told: named(result, 'address')?.status }).toEqual({ exit: 13, told: 'failure' })
  })

  test('that are not there are one failure, which names the variable', async ({ doctor }) => {
    const result = await doctor({ env: { SKYCTL_CONTEXT: 'sandbx' } })
    expect({ exit: result.exit, checks: checksOf(result) }).toMatchObject({
      exit: 13,
      checks: expect.arrayContaining([
        {
          ...{ name: 'contexts', status: 'failure' },
          ...{ message: 'context "sandbx" (from SKYCTL_CONTEXT) not found', mend: 'Did you mean "sandbox"?' },
        },
        { name: 'address', status: 'skipped', message: 'the context is unknown', mend: null },
      ]),
    })
  })

  test('with an address that makes no sense are told, without a password in it', async ({ doctor, home }) => {
    write(home, JSON.stringify({ contexts: { old: { base_url: 'https://u:hunter2@api.example.net/v4' } } }))
    const result = await doctor()
    expect(checksOf(result)).toContainEqual({
      name: 'contexts',
      status: 'warning',
      message: 'the base URL of context "old" must have no user name, password, "?" or "#"',
      mend: 'skyctl auth login --context old --base-url URL',
    })
    expect(result.stdout + result.stderr).not.toContain('hunter2')
  })

  test('variables that mean nothing are told', async ({ doctor }) => {
    const result = await doctor({ env: { SKYCTL_TOKN: 'hunter2' } })
    expect(named(result, 'environment')?.message).toContain('SKYCTL_TOKN is not a skyctl variable')
    expect(result.stdout).not.toContain('hunter2')
  })
})

describe('completion', () => {
  test.for([
    ['bash', '.local/share/bash-completion/completions/skyctl'],
    ['zsh', '.zfunc/_skyctl'],
    ['fish', '.config/fish/completions/skyctl.fish'],
  ] as const)(
    'of %s is looked for, and compared with that of this version',
    async ([shell, path], { skyctl, doctor, home }) => {
      const env = { SHELL: `/usr/bin/${shell}` }
      expect(named(await doctor({ env }), 'completion')).toMatchObject({ status: 'warning', mend: expect.any(String) })
      const file = join(home, path)
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, (await skyctl(`completion ${shell}`)).stdout)
      expect(named(await doctor({ env }), 'completion')).toMatchObject({
        status: 'ok',
        message: `${shell}: ~/${path}, of this version`,
      })
      writeFileSync(file, 'older')
      expect(named(await doctor({ env }), 'completion')).toMatchObject({
        status: 'warning',
        mend: `skyctl completion ${shell} > ~/${path}`,
      })
    },
  )
})

test('nothing that is told is a secret, or names the user', async ({ doctor, skyctl, sandbox, home, world }) => {
  await skyctl(`auth login --context prod --with-token --base-url ${sandbox.baseUrl}`, { stdin: sandbox.ownerToken })
  const { stdout } = await doctor({ env: signedOut })
  for (const secret of [
    sandbox.ownerToken,
    sandbox.ownerToken.slice(0, 16),
    home,
    world.users.get(1)?.username ?? '',
    'example.net',
  ])
    expect(stdout).not.toContain(secret)
})
