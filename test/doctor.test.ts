/** `skyctl doctor`: each problem is a check with its fix, and no output has a secret. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type Certificate, certificateFile, faultServer, reply, type Script, silence } from './support/fault-server'
import { httpsService } from './support/https-service'
import { unreachableUrl } from './support/nonexistent'
import { test as processTest } from './support/process'
import { openProxy } from './support/proxy'
import { completeProfile } from './support/records'
import { test as base, type Options, type Result } from './support/skyctl'

interface Check {
  name: string
  status: string
  message: string
  fix: string | null
}

const checksOf = ({ stdout }: { stdout: string }): Check[] => JSON.parse(stdout).checks
const checkNamed = (result: { stdout: string }, name: string) => checksOf(result).find((check) => check.name === name)
const statusesOf = (result: { stdout: string }) =>
  Object.fromEntries(checksOf(result).map(({ name, status }) => [name, status]))

interface DoctorFixtures {
  doctor(options?: Options): Promise<Result>
}

const test = base.extend<DoctorFixtures>({
  doctor: async ({ skyctl, home }, use) =>
    use((options = {}) => skyctl('doctor --json', { ...options, env: { HOME: home, ...options.env } })),
})

const noCredentials = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
const pageOf = (data: object[] = []) => ({ data, page: 1, pages: 1, results: data.length })

/** Accepts any token, and answers with this date. */
const service =
  (date: string): Script =>
  (socket, heard) => {
    const body = heard.path.includes('/tokens') ? pageOf() : completeProfile
    reply(200, body, { date, 'x-oauth-scopes': '*' })(socket, heard)
  }

describe('without a problem', () => {
  test('each check is ok, and one request is enough', async ({ doctor, world, home }) => {
    writeFileSync(join(home, '.bashrc'), 'source <(skyctl completion bash)\n')
    const result = await doctor({ env: { SHELL: '/bin/bash' } })
    expect({ exit: result.exit, stderr: result.stderr, statuses: statusesOf(result) }).toEqual({
      exit: 0,
      stderr: '',
      statuses: Object.fromEntries(
        ['node', 'config', 'state', 'cache', 'address', 'service', 'clock', 'token', 'completion'].map((name) => [
          name,
          'ok',
        ]),
      ),
    })
    expect(world.requests().map(({ path }) => path.split('?')[0])).toEqual(['/profile'])
  })

  test('the sandbox is named, and asked like a service', async ({ doctor }) => {
    const result = await doctor({ env: { ...noCredentials, SKYCTL_CONTEXT: 'sandbox' } })
    expect(result.exit).toBe(0)
    expect(checkNamed(result, 'address')?.message).toBe('the embedded sandbox: no network and no account')
    expect(checkNamed(result, 'token')).toMatchObject({ status: 'ok', message: 'scopes *' })
  })

  test('each check has a line, even with 40 columns', async ({ skyctl, home }) => {
    const env = { HOME: home, NO_COLOR: '1' }
    const wide = await skyctl('doctor', { env, columns: 80 })
    expect(wide.stdout).toMatch(/^ok {7}node {8}skyctl \S+, Node \S+, \w+ \w+\n/)
    expect(wide.stdout.trimEnd().split('\n').at(-1)).toBe('No problems')
    const narrow = await skyctl('doctor', { env, columns: 40 })
    expect(narrow.stdout.split('\n').filter((line) => line.length > 40 && line.includes(' ok '))).toEqual([])
  })

  test('CSV rows have all columns, and --quiet prints nothing', async ({ skyctl, home }) => {
    const env = { HOME: home }
    expect((await skyctl('doctor -o csv', { env })).stdout).toMatch(/^name,status,message,fix\nnode,ok,/)
    expect(await skyctl('doctor -q', { env })).toEqual({ exit: 0, stdout: '', stderr: '' })
  })
})

describe('the token', () => {
  test('that is rejected is a failure with its fix', async ({ doctor }) => {
    const result = await doctor({ env: { SKYCTL_TOKEN: 'unknown' } })
    expect(result.exit).toBe(13)
    expect(JSON.parse(result.stderr).error).toMatchObject({ code: 'mismatch', message: '1 check failed: token' })
    expect(checkNamed(result, 'token')).toEqual({
      name: 'token',
      status: 'failure',
      message: 'token rejected: it is wrong, revoked or expired',
      fix: 'Set SKYCTL_TOKEN to a valid token',
    })
    expect(checkNamed(result, 'clock')?.status).toBe('ok')
  })

  test('that is missing is a failure, and the API is requested without one', async ({ doctor, sandbox, world }) => {
    const result = await doctor({ env: { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: sandbox.baseUrl } })
    expect({ exit: result.exit, statuses: statusesOf(result) }).toMatchObject({
      exit: 13,
      statuses: { service: 'ok', clock: 'ok', token: 'failure' },
    })
    expect(world.requests().map(({ path }) => path.split('?')[0])).toEqual(['/regions'])
  })

  test('of a failing token command is a failure', async ({ skyctl, doctor, sandbox }) => {
    await skyctl(`auth login --context prod --with-token --base-url ${sandbox.baseUrl}`, { stdin: sandbox.ownerToken })
    await skyctl("context update prod --token-command 'exit 7'")
    const result = await doctor({ env: noCredentials })
    expect({ exit: result.exit, check: checkNamed(result, 'token')?.message }).toEqual({
      exit: 13,
      check: 'the token command failed with exit code 7',
    })
  })
})

describe('the connection', () => {
  test('to an API that does not answer fails in time', async ({ skyctl, home }) => {
    const { host } = await faultServer(silence)
    const env = { HOME: home, SKYCTL_BASE_URL: `http://${host}/v4` }
    const result = await skyctl('doctor --json --timeout 1s', { env })
    expect({ exit: result.exit, statuses: statusesOf(result) }).toMatchObject({
      exit: 13,
      statuses: { address: 'ok', service: 'failure', token: 'skipped' },
    })
  })

  test('with TLS to a plain HTTP port is a failure', async ({ doctor, sandbox }) => {
    const result = await doctor({ env: { SKYCTL_BASE_URL: sandbox.baseUrl.replace('http:', 'https:') } })
    expect({ exit: result.exit, check: checkNamed(result, 'service') }).toMatchObject({
      exit: 13,
      check: { status: 'failure', message: expect.stringContaining('does not speak TLS as expected') },
    })
  })

  test.for([
    [unreachableUrl.replace('//', '//u:hunter2@'), 'failure', /the proxy 127\.0\.0\.1:\d+ refuses/],
    ['http://u:hunter2@', 'failure', /HTTPS_PROXY is not the URL of a proxy/],
  ] as const)('through the proxy %s is reported without its password', async ([proxy, status, message], { doctor }) => {
    const result = await doctor({ env: { SKYCTL_BASE_URL: 'https://api.example.net/v4', HTTPS_PROXY: proxy } })
    const check = checksOf(result).find((check) => check.status === status)
    expect({ exit: result.exit, check: check?.message }).toEqual({ exit: 13, check: expect.stringMatching(message) })
    expect(result.stdout + result.stderr).not.toContain('hunter2')
  })
})

describe('the certificate', () => {
  const runDoctor = async (certificate: Certificate, trusted: Certificate | undefined, start: Start, home: string) => {
    const { port } = await faultServer(service(new Date().toUTCString()), certificate)
    const env = {
      HOME: home,
      SKYCTL_BASE_URL: `https://127.0.0.1:${port}/v4`,
      ...(trusted && { NODE_EXTRA_CA_CERTS: certificateFile(trusted) }),
    }
    const { exit, stdout } = await start('doctor --json', { env, stdin: '' }).end
    return { exit, check: checkNamed({ stdout }, 'service'), token: checkNamed({ stdout }, 'token')?.status }
  }
  type Start = (line: string, options: object) => { end: Promise<{ exit: number | null; stdout: string }> }

  processTest('that is trusted is accepted, also through a proxy', async ({ start, home, sandbox }) => {
    expect(await runDoctor('good', 'good', start, home)).toMatchObject({
      ...{ exit: 0, token: 'ok' },
      check: { status: 'ok', message: 'it accepts the token' },
    })
    const proxied = { ...(await httpsService(sandbox.baseUrl)), SKYCTL_BASE_URL: 'https://api.example.net/v4' }
    const { stdout } = await start('doctor --json', { env: { HOME: home, ...proxied }, stdin: '' }).end
    // The sandbox has the test clock.
    expect(statusesOf({ stdout })).toMatchObject({ ...{ address: 'ok', service: 'ok', token: 'ok' }, clock: 'failure' })
    expect(checkNamed({ stdout }, 'address')?.message).toMatch(/, through http:\/\/127\.0\.0\.1:\d+ from HTTPS_PROXY$/)
  })

  processTest.for([
    ['expired', 'expired', 'has expired'],
    ['wrong-name', 'wrong-name', 'is for another name'],
    ['good', undefined, 'is self-signed'],
  ] as const)(
    '%s, trusted as %s, is a failure, and no token is sent',
    async ([certificate, trusted, reason], { start, home }) => {
      const { exit, check, token } = await runDoctor(certificate, trusted, start, home)
      expect({ exit, check, token }).toMatchObject({
        exit: 13,
        check: { status: 'failure', message: expect.stringContaining(reason) },
        token: 'skipped',
      })
    },
  )
})

processTest('an interrupt ends doctor with exit code 130', async ({ start, home }) => {
  const { host, until } = await faultServer(silence)
  const { kill, end } = start('doctor', { env: { HOME: home, SKYCTL_BASE_URL: `http://${host}/v4` } })
  await until(1)
  kill('SIGINT')
  expect(await end).toMatchObject({ exit: 130, stdout: '' })
})

describe('folders', () => {
  test('that others may read are a warning, with the command that fixes it', async ({ doctor, home, env }) => {
    const folder = join(home, 'state')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'sandbox.json'), '')
    chmodSync(folder, 0o755)
    const result = await doctor()
    expect({ exit: result.exit, check: checkNamed(result, 'state'), folder: env.SKYCTL_STATE_DIR }).toEqual({
      exit: 0,
      folder,
      check: {
        name: 'state',
        status: 'warning',
        message: '~/state: other users have access to it',
        fix: 'chmod -R go= ~/state',
      },
    })
    chmodSync(folder, 0o700)
    expect(checkNamed(await doctor(), 'state')?.status).toBe('ok')
  })

  test('with a blank in their path have a command that a shell can run', async ({ doctor, home }) => {
    const folder = join(home, 'my state')
    mkdirSync(folder)
    writeFileSync(join(folder, 'sandbox.json'), '')
    chmodSync(folder, 0o755)
    const { fix } = checkNamed(await doctor({ env: { SKYCTL_STATE_DIR: folder } }), 'state') ?? {}
    expect(fix).toBe("chmod -R go= ~/'my state'")
  })

  describe('of an unknown home', () => {
    const nowhere = { SKYCTL_CONFIG_DIR: undefined, SKYCTL_STATE_DIR: undefined, XDG_CACHE_HOME: undefined }

    test.for(['', 'relative'])('are a warning if a token is in the environment: HOME=%s', async (HOME, { skyctl }) => {
      const { homedir } = { homedir: () => HOME }
      const result = await skyctl('doctor --json', { env: { HOME, ...nowhere }, homedir })
      expect({ exit: result.exit, statuses: statusesOf(result) }).toMatchObject({
        exit: 0,
        statuses: { config: 'warning', state: 'warning', cache: 'warning', token: 'ok' },
      })
      expect(await skyctl('volumes list -q', { env: { HOME, ...nowhere }, homedir })).toMatchObject({ exit: 0 })
    })

    test.for<[string, Record<string, string | undefined>, Record<string, string>]>([
      ['without a token', { SKYCTL_TOKEN: undefined }, { token: 'failure' }],
      ['with a context', { SKYCTL_CONTEXT: 'prod' }, { address: 'failure' }],
      ['with an invalid folder', { SKYCTL_STATE_DIR: 'state' }, { state: 'failure' }],
    ])('are a failure for commands that need them: %s', async ([, variables, statuses], { skyctl }) => {
      const result = await skyctl('doctor --json', { env: { HOME: '', ...nowhere, ...variables } })
      expect({ exit: result.exit, statuses: statusesOf(result) }).toMatchObject({ exit: 13, statuses })
    })
  })
})

test.for([3000, 1600, 1400])(
  'an answer after %i ms is a warning from 1.5 s on',
  async (delay, { doctor, clock, sandbox }) => {
    const proxy = await openProxy(sandbox.baseUrl, { after: () => clock.advance(delay) })
    const slow = {
      status: 'warning',
      message: `it accepts the token, but slowly: after ${(delay / 1000).toFixed(1)} s`,
    }
    const check = checkNamed(await doctor({ env: { SKYCTL_BASE_URL: proxy.baseUrl } }), 'service')
    await proxy.close()
    expect(check).toMatchObject(delay < 1500 ? { status: 'ok' } : slow)
  },
)

describe('contexts', () => {
  const write = (home: string, text: string) => {
    mkdirSync(join(home, 'config'), { mode: 0o700 })
    writeFileSync(join(home, 'config/contexts.json'), text, { mode: 0o600 })
  }

  test('in a broken file are a failure', async ({ doctor, home }) => {
    write(home, '{"contexts": ')
    const result = await doctor({ env: noCredentials })
    expect({ exit: result.exit, check: checkNamed(result, 'address')?.status }).toEqual({ exit: 13, check: 'failure' })
  })

  test('that do not exist are a failure, which names the variable', async ({ doctor }) => {
    const result = await doctor({ env: { SKYCTL_CONTEXT: 'sandbx' } })
    expect({ exit: result.exit, checks: checksOf(result) }).toMatchObject({
      exit: 13,
      checks: expect.arrayContaining([
        {
          ...{ name: 'address', status: 'failure' },
          ...{ message: 'context "sandbx" (from SKYCTL_CONTEXT) not found', fix: 'Did you mean "sandbox"?' },
        },
      ]),
    })
  })

  test('with an invalid base URL are a failure without its password', async ({ doctor, home }) => {
    write(home, JSON.stringify({ contexts: { old: { base_url: 'https://u:hunter2@api.example.net/v4' } } }))
    const result = await doctor({ env: { ...noCredentials, SKYCTL_CONTEXT: 'old' } })
    expect(checkNamed(result, 'address')).toMatchObject({
      status: 'failure',
      message: 'the base URL of context "old" must have no user name, password, "?" or "#"',
    })
    expect(result.stdout + result.stderr).not.toContain('hunter2')
  })
})

describe('completion', () => {
  test.for([
    ['bash', '.local/share/bash-completion/completions/skyctl'],
    ['zsh', '.zfunc/_skyctl'],
    ['fish', '.config/fish/completions/skyctl.fish'],
  ] as const)(
    'for %s is searched; a script of any version that asks skyctl is ok',
    async ([shell, path], { skyctl, doctor, home }) => {
      const env = { SHELL: `/usr/bin/${shell}` }
      expect(checkNamed(await doctor({ env }), 'completion')).toMatchObject({
        status: 'warning',
        fix: expect.any(String),
      })
      const file = join(home, path)
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, (await skyctl(`completion ${shell}`)).stdout)
      expect(checkNamed(await doctor({ env }), 'completion')).toMatchObject({
        status: 'ok',
        message: `${shell}: ~/${path}`,
      })
      writeFileSync(file, 'older')
      expect(checkNamed(await doctor({ env }), 'completion')).toMatchObject({
        status: 'warning',
        fix: `skyctl completion ${shell} > ~/${path}`,
      })
    },
  )
})

test.for(['', 'Prod-'])(
  'doctor prints no user name, even if a context has it in its name: %sowner',
  async (prefix, { doctor, skyctl, sandbox, home, world }) => {
    const user = world.users.get(1)?.username ?? ''
    const name = `${prefix}${user}`
    await skyctl(`auth login --context ${name} --with-token --base-url ${sandbox.baseUrl}`, {
      stdin: sandbox.ownerToken,
    })
    const file = join(home, 'config/contexts.json')
    const config = JSON.parse(readFileSync(file, 'utf8'))
    config.contexts[name].base_url = 'ftp://example.com'
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
    const { stdout } = await doctor({ env: noCredentials })
    expect(stdout).toContain('the base URL of context \\"USER\\"')
    expect(stdout).not.toContain(user)
  },
)

test('doctor prints no secret, and neither user nor home', async ({ doctor, skyctl, sandbox, home, world }) => {
  await skyctl(`auth login --context prod --with-token --base-url ${sandbox.baseUrl}`, { stdin: sandbox.ownerToken })
  const { stdout } = await doctor({ env: noCredentials })
  for (const secret of [
    sandbox.ownerToken,
    sandbox.ownerToken.slice(0, 16),
    home,
    world.users.get(1)?.username ?? '',
    'example.net',
  ])
    expect(stdout).not.toContain(secret)
})
