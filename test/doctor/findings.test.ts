/** Messages and statuses of doctor's checks, and the limits between statuses: users fix problems by these sentences. */
import fs, {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { describe, expect, onTestFinished } from 'vitest'
import { manualClock } from '../support/clock'
import { faultServer, reply, type Script, silence } from '../support/fault-server'
import { unreachableUrl } from '../support/nonexistent'
import { completeProfile } from '../support/records'
import { test as base, type Options, type Fixtures as Shared, testClock } from '../support/skyctl'

interface Check {
  name: string
  status: string
  message: string
  fix: string | null
}

/** Replaces a function of Node's file system, also for modules that imported it. */
function replaceMkdtemp(mkdtempSync: typeof fs.mkdtempSync): void {
  Object.assign(fs, { mkdtempSync })
  syncBuiltinESMExports()
}

interface Fixtures {
  /** Runs `doctor --json`, with the home folder of the test. */
  doctor(options?: Options & { flags?: string }): Promise<{ exit: number; checks: Check[]; counts: object }>
  /** Returns status, message and fix of one check. */
  checkOf(name: string, options?: Options & { flags?: string }): Promise<string[] | undefined>
  /** Writes a private file below the home folder, with its parent folders. */
  writePrivate(path: string, text?: string): string
}

const test = base.extend<Fixtures & Pick<Shared, 'env'>>({
  // The home folder of a first run.
  env: async ({ env, home }, use) => {
    rmSync(join(home, 'state'), { recursive: true })
    await use(env)
  },
  doctor: async ({ skyctl, home }, use) =>
    use(async ({ flags = '', ...options } = {}) => {
      const env = { HOME: home, ...options.env }
      const { exit, stdout } = await skyctl(`${flags} doctor --json`, { ...options, env })
      return { exit, ...JSON.parse(stdout) }
    }),
  checkOf: async ({ doctor }, use) =>
    use(async (name, options) => {
      const match = (await doctor(options)).checks.find((check) => check.name === name)
      return match && [match.status, match.message, ...(match.fix === null ? [] : [match.fix])]
    }),
  writePrivate: async ({ home }, use) =>
    use((path, text = '') => {
      mkdirSync(dirname(join(home, path)), { recursive: true, mode: 0o700 })
      writeFileSync(join(home, path), text, { mode: 0o600 })
      return join(home, path)
    }),
})

const signedOut = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: undefined }
const start = manualClock().now()
const inTime = { date: new Date(start).toUTCString() }

/** Creates a service that accepts the token and sends these headers with each answer. */
const service =
  (headers: Record<string, string>): Script =>
  (socket, request) =>
    reply(200, completeProfile, headers)(socket, request)

describe('The clock', () => {
  const fix = 'Set the clock with NTP, for example: timedatectl set-ntp true'
  const wrong = (span: string) => `this machine is ${span} the service: one-time codes and ages are wrong`

  test.for([
    [0, 'ok', 'same time as the service'],
    [-1000, 'ok', 'same time as the service'],
    [2000, 'ok', 'within 2 s of the service'],
    [2001, 'ok', 'within 3 s of the service'],
    [-30_000, 'ok', 'within 30 s of the service'],
    [31_000, 'warning', wrong('31 s ahead of'), fix],
    [-119_000, 'warning', wrong('119 s behind'), fix],
    [120_000, 'warning', wrong('2 minutes ahead of'), fix],
    [-300_000, 'warning', wrong('5 minutes behind'), fix],
    [301_000, 'failure', wrong('5 minutes ahead of'), fix],
    [-3_600_000, 'failure', wrong('60 minutes behind'), fix],
  ] as const)('%i ms ahead of the service has the status %s: %s', async ([ahead, ...expected], { checkOf }) => {
    const { host } = await faultServer(service(inTime))
    const clock = testClock(manualClock(start + ahead))
    expect(await checkOf('clock', { clock, env: { SKYCTL_BASE_URL: `http://${host}/v4` } })).toEqual(expected)
  })

  test('is not blamed for the time that an answer takes', async ({ checkOf }) => {
    const manual = manualClock(start)
    const { host } = await faultServer((socket, request) => {
      manual.advance(4000)
      service(inTime)(socket, request)
    })
    const env = { SKYCTL_BASE_URL: `http://${host}/v4` }
    expect(await checkOf('clock', { clock: testClock(manual), env })).toEqual([
      'ok',
      'same time as the service, as far as its slow answer shows',
    ])
  })

  test('is skipped if the service does not send its time', async ({ checkOf }) => {
    const { host } = await faultServer(service({}))
    const env = { SKYCTL_BASE_URL: `http://${host}/v4` }
    expect(await checkOf('clock', { env })).toEqual(['skipped', 'the service does not send its time'])
  })
})

describe('The token', () => {
  test.for([
    [undefined, 'unknown scopes'],
    ['', 'scopes none'],
    ['ips:read_only,account:read_write', 'scopes ips:read_only account:read_write'],
  ] as const)('is reported with its scopes: %j', async ([scopes, message], { checkOf }) => {
    const { host } = await faultServer(
      service({ ...inTime, ...(scopes !== undefined && { 'x-oauth-scopes': scopes }) }),
    )
    expect(await checkOf('token', { env: { SKYCTL_BASE_URL: `http://${host}/v4` } })).toEqual(['ok', message])
  })
})

describe('The service', () => {
  test('is ok if it accepts the token, and if it rejects it', async ({ checkOf }) => {
    expect(await checkOf('service')).toEqual(['ok', 'it accepts the token'])
    expect(await checkOf('service', { env: { SKYCTL_TOKEN: 'unknown' } })).toEqual(['ok', 'it answers'])
  })

  test('that fails causes a skipped token check, but not a skipped clock check', async ({ doctor }) => {
    const { host } = await faultServer(reply(500, { errors: [{ reason: 'broken' }] }, inTime))
    const { exit, checks } = await doctor({ env: { SKYCTL_BASE_URL: `http://${host}/v4` } })
    expect({ exit, results: checks.slice(-4, -1) }).toEqual({
      exit: 13,
      results: [
        { name: 'service', status: 'failure', message: expect.stringContaining('broken'), fix: expect.anything() },
        { name: 'clock', status: 'ok', message: 'same time as the service', fix: null },
        { name: 'token', status: 'skipped', message: 'the service did not confirm it', fix: null },
      ],
    })
  })

  test.for([
    ['with a token', {}],
    ['without one', { SKYCTL_TOKEN: undefined }],
  ] as const)('that does not answer in time is a failure: %s', async ([, env], { checkOf }) => {
    const { host } = await faultServer(silence)
    const options = { flags: '--timeout 1s', env: { ...env, SKYCTL_BASE_URL: `http://${host}/v4` } }
    expect(await checkOf('service', options)).toMatchObject([
      'failure',
      expect.stringContaining('did not answer completely within 1 s'),
      expect.any(String),
    ])
    expect(await checkOf('clock', options)).toEqual(['skipped', 'the service did not answer'])
  })

  test('that is slow is a warning with its time, and does not hide a wrong token', async ({ doctor }) => {
    const manual = manualClock(start)
    const { host } = await faultServer((...exchange) => {
      setTimeout(() => {
        manual.advance(5500)
        reply(401, { errors: [{ reason: 'Invalid Token' }] }, inTime)(...exchange)
      }, 5500)
    })
    const env = { SKYCTL_BASE_URL: `http://${host}/v4` }
    const { exit, checks } = await doctor({ clock: testClock(manual), env })
    expect({ exit, results: checks.slice(-4, -1) }).toMatchObject({
      exit: 13,
      results: [
        { name: 'service', status: 'warning', message: 'it answers, but slowly: after 5.5 s' },
        { name: 'clock', status: 'ok' },
        { name: 'token', status: 'failure', message: expect.stringContaining('token rejected') },
      ],
    })
  })

  test('is asked once', async ({ doctor }) => {
    const { host, received } = await faultServer(reply(503, { errors: [{ reason: 'broken' }] }, inTime))
    const { exit } = await doctor({ env: { SKYCTL_BASE_URL: `http://${host}/v4` } })
    expect({ exit, requests: received.length }).toEqual({ exit: 13, requests: 1 })
  })

  test('that fails is a failure without a token, too', async ({ checkOf }) => {
    const { host } = await faultServer(reply(500, { errors: [{ reason: 'broken' }] }, inTime))
    const env = { SKYCTL_TOKEN: undefined, SKYCTL_BASE_URL: `http://${host}/v4` }
    expect(await checkOf('service', { env })).toEqual([
      'failure',
      'the service failed with 500: broken',
      'Try again later',
    ])
  })
})

describe('The connection to the service', () => {
  const proxied = { SKYCTL_BASE_URL: 'https://api.example.net/v4' }

  test.for<[string, Record<string, string>, Record<string, RegExp>]>([
    [
      'an invalid proxy',
      { ...proxied, HTTPS_PROXY: 'ftp://proxy' },
      { address: /^failure: HTTPS_PROXY is not the URL/ },
    ],
    [
      'a proxy that rejects connections',
      { ...proxied, HTTPS_PROXY: unreachableUrl },
      {
        address:
          /^ok: https:\/\/api\.example\.net\/v4, from the environment, through http:\/\/[\d.:]+ from HTTPS_PROXY$/,
        service: /^failure: .*the proxy 127\.0\.0\.1:\d+ refuses/,
        token: /^skipped: the service did not confirm it$/,
      },
    ],
    [
      'a proxy for everything',
      { ...proxied, ALL_PROXY: `socks5h://me:geheim@${new URL(unreachableUrl).host}` },
      { address: /, through socks5h:\/\/[\d.:]+ from ALL_PROXY$/, service: /^failure: / },
    ],
    [
      'an unknown host name',
      { SKYCTL_BASE_URL: 'https://nowhere.invalid/v4' },
      { service: /^failure: .*nowhere\.invalid cannot be resolved/ },
    ],
    [
      'disabled certificate checks',
      { SKYCTL_BASE_URL: 'https://192.0.2.1/v4', NODE_TLS_REJECT_UNAUTHORIZED: '0' },
      { token: /^failure: NODE_TLS_REJECT_UNAUTHORIZED=0 would send the token/ },
    ],
  ])('fails with the reason that commands print: %s', async ([, env, expected], { doctor }) => {
    const { exit, checks } = await doctor({ env })
    const results = Object.fromEntries(checks.map(({ name, status, message }) => [name, `${status}: ${message}`]))
    const patterns = Object.entries(expected).map(([name, pattern]) => [name, expect.stringMatching(pattern)])
    expect({ exit, results }).toEqual({ exit: 13, results: expect.objectContaining(Object.fromEntries(patterns)) })
    expect(JSON.stringify(checks)).not.toContain('geheim')
  })
})

describe('Contexts', () => {
  test.for([
    ['', 'context'],
    ['--base-url', 'flag'],
  ] as const)(
    'and flags are reported as the source of the address: "%s": %s',
    async ([flag, from], { checkOf, skyctl, sandbox }) => {
      const stdin = sandbox.ownerToken
      const { baseUrl } = sandbox
      await skyctl(`auth login --context prod --with-token --base-url ${baseUrl}`, { stdin, env: signedOut })
      const flags = flag && `${flag} ${baseUrl}`
      expect(await checkOf('address', { flags, env: signedOut })).toEqual(['ok', `${baseUrl}, from the ${from}`])
    },
  )
})

describe('Node', () => {
  test.for([
    ['18.20.4', false],
    ['20.9.3', false],
    ['20.18.9', false],
    ['20.19', true],
    ['20.19.0', true],
    ['20.20.1', true],
    ['22.1.0', true],
  ] as const)('%s is supported: %s', async ([version, isSupported], { checkOf }) => {
    const original = Object.getOwnPropertyDescriptor(process.versions, 'node')
    Object.defineProperty(process.versions, 'node', { ...original, value: version })
    onTestFinished(() => void Object.defineProperty(process.versions, 'node', { ...original }))
    const text = expect.stringMatching(new RegExp(`^skyctl \\S+, Node ${version}, `))
    const expected = isSupported ? ['ok', text] : ['failure', text, 'Install Node 20.19 or newer']
    expect(await checkOf('node')).toEqual(expected)
  })
})

describe('A folder', () => {
  const otherUser = 12_345

  test('that does not exist yet is ok, with or without its parents', async ({ checkOf, home }) => {
    expect(await checkOf('state')).toEqual(['ok', '~/state does not exist yet'])
    const env = { SKYCTL_STATE_DIR: join(home, 'a/b/c') }
    expect(await checkOf('state', { env })).toEqual(['ok', '~/a/b/c does not exist yet'])
  })

  test('that is private is ok, independent of the modes inside', async ({ checkOf, writePrivate, home }) => {
    chmodSync(writePrivate('state/history/one.ndjson'), 0o644)
    chmodSync(join(home, 'state'), 0o700)
    expect(await checkOf('state')).toEqual(['ok', '~/state is private'])
  })

  test('that others can access is a warning', async ({ checkOf, writePrivate, home }) => {
    writePrivate('state/a')
    chmodSync(join(home, 'state'), 0o701)
    expect(await checkOf('state')).toEqual([
      'warning',
      '~/state: other users have access to it',
      'chmod -R go= ~/state',
    ])
  })

  test.runIf(process.getuid?.() === 0)('of another user is a failure', async ({ checkOf, writePrivate, home }) => {
    writePrivate('state/history/one.ndjson')
    chownSync(join(home, 'state'), otherUser, otherUser)
    expect(await checkOf('state')).toEqual([
      'failure',
      `~/state: it belongs to another user (${otherUser})`,
      'Replace it with your own',
    ])
  })

  test.for(['file', 'link'])('that is a %s is a failure', async (kind, { checkOf, writePrivate, home }) => {
    const file = writePrivate(kind === 'file' ? 'state' : 'elsewhere/a')
    if (kind === 'link') symlinkSync(dirname(file), join(home, 'state'))
    expect(await checkOf('state')).toEqual([
      'failure',
      '~/state is not a folder, or is a link to one',
      'Replace it with a folder',
    ])
  })

  test('with a name too long for the system is a failure, and other checks still run', async ({ doctor, home }) => {
    const { exit, checks } = await doctor({ env: { SKYCTL_STATE_DIR: join(home, 'x'.repeat(300)) } })
    const folders = checks.filter(({ name }) => ['config', 'state', 'cache'].includes(name))
    expect({ exit, results: folders.map(({ status, message }) => `${status}: ${message}`) }).toEqual({
      exit: 13,
      results: [
        'ok: ~/config does not exist yet',
        'failure: the state folder cannot be read: ENAMETOOLONG',
        'ok: ~/cache/skyctl does not exist yet',
      ],
    })
  })

  test('on a read-only file system is a warning with the variable for another folder', async ({
    checkOf,
    writePrivate,
  }) => {
    writePrivate('state/history/one.ndjson')
    const { mkdtempSync } = fs
    onTestFinished(() => replaceMkdtemp(mkdtempSync))
    const readOnly = () => {
      throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' })
    }
    replaceMkdtemp(readOnly as unknown as typeof mkdtempSync)
    for (const [kind, message, variable] of [
      ['config', '~/config cannot be created', 'SKYCTL_CONFIG_DIR'],
      ['state', '~/state cannot be written', 'SKYCTL_STATE_DIR'],
      ['cache', '~/cache/skyctl cannot be created', 'XDG_CACHE_HOME'],
    ] as const)
      expect(await checkOf(kind)).toEqual([
        'warning',
        `${message}: skyctl stores nothing there`,
        `Set ${variable} to a writable folder`,
      ])
  })

  // The permissions of /proc allow root to write, but the file system does not.
  test.skipIf(!existsSync('/proc/self'))('that the file system cannot create is a warning', async ({ checkOf }) => {
    const env = { SKYCTL_STATE_DIR: '/proc/nope' }
    expect(await checkOf('state', { env })).toEqual([
      'warning',
      '/proc/nope cannot be created: skyctl stores nothing there',
      'Set SKYCTL_STATE_DIR to a writable folder',
    ])
  })

  test('is checked without a trace', async ({ checkOf, writePrivate, home }) => {
    writePrivate('state/history/one.ndjson')
    await checkOf('config')
    expect(readdirSync(join(home, 'state'))).toEqual(['history'])
    expect(readdirSync(home).filter((name) => /^config|^\.skyctl/.test(name))).toEqual([])
  })

  test('below a file is a warning, and other checks still run', async ({ checkOf, writePrivate }) => {
    const env = { SKYCTL_STATE_DIR: join(writePrivate('file'), 'state') }
    expect(await checkOf('state', { env })).toEqual([
      'warning',
      '~/file/state cannot be entered: skyctl stores nothing there',
      'Set SKYCTL_STATE_DIR to a writable folder',
    ])
    expect(await checkOf('cache', { env })).toEqual(['ok', '~/cache/skyctl does not exist yet'])
  })
})

describe('Completion', () => {
  const loaded: [string, string][] = [
    ...['.bashrc', '.bash_profile', '.bash_completion', '.profile'].map((file): [string, string] => ['bash', file]),
    ...['.zshrc', '.zprofile', '.zshenv'].map((file): [string, string] => ['zsh', file]),
    ['fish', '.config/fish/config.fish'],
    ...['profile.ps1', 'Microsoft.PowerShell_profile.ps1'].map((file): [string, string] => [
      'powershell',
      `.config/powershell/${file}`,
    ]),
  ]
  const shellOf = (name: string) => ({ SHELL: `/usr/bin/${name === 'powershell' ? 'pwsh' : name}` })

  test.for(loaded)('is ok if the startup file loads it: %s, %s', async ([shell, file], { checkOf, writePrivate }) => {
    const env = shellOf(shell)
    writePrivate(file, `# mine\nxskyctl completion ${shell}\n# skyctl completion ${shell}\n`)
    expect((await checkOf('completion', { env }))?.slice(0, 2)).toEqual([
      'warning',
      `no completion for ${shell} in the usual places`,
    ])
    writePrivate(file, `# mine\n\tsource <(skyctl completion ${shell}) # at last\n`)
    expect(await checkOf('completion', { env })).toEqual(['ok', `${shell}: loaded by ~/${file}`])
  })

  test.for<[string, string, Record<string, string>]>([
    ['bash', '.local/share/bash-completion/completions/skyctl', {}],
    ['bash', 'data/bash-completion/completions/skyctl', { XDG_DATA_HOME: 'data' }],
    ['fish', '.config/fish/completions/skyctl.fish', {}],
    ['fish', 'settings/fish/completions/skyctl.fish', { XDG_CONFIG_HOME: 'settings' }],
    ...['functions', '.zfunc', '.zsh/completions', '.zsh/functions', '.oh-my-zsh/completions']
      .concat('.oh-my-zsh/custom/completions')
      .map((folder): [string, string, Record<string, string>] => ['zsh', `${folder}/_skyctl`, {}]),
  ])(
    'of a version that does not ask skyctl is a warning: %s, %s',
    async ([shell, file, variables], { checkOf, writePrivate, home }) => {
      const folders = Object.fromEntries(Object.entries(variables).map(([name, folder]) => [name, join(home, folder)]))
      const env = { ...shellOf(shell), ...folders }
      writePrivate(file, 'older')
      expect(await checkOf('completion', { env })).toEqual([
        'warning',
        `${shell}: ~/${file} is of an older version`,
        `skyctl completion ${shell} > ~/${file}`,
      ])
    },
  )

  test.for([
    ['bash', "echo 'source <(skyctl completion bash)' >> ~/.bashrc"],
    ['zsh', "echo 'source <(skyctl completion zsh)' >> ~/.zshrc"],
    ['fish', 'mkdir -p ~/.config/fish/completions && skyctl completion fish > ~/.config/fish/completions/skyctl.fish'],
    ['powershell', 'Add "skyctl completion powershell | Out-String | Invoke-Expression" to your profile'],
  ] as const)('is a warning with the command to install it: %s', async ([shell, fix], { checkOf }) => {
    const expected = ['warning', `no completion for ${shell} in the usual places`, fix]
    expect(await checkOf('completion', { env: shellOf(shell) })).toEqual(expected)
  })

  test.for<Record<string, string | undefined>>([
    {},
    { SHELL: '/bin/tcsh' },
    { SHELL: '/bin/toString' },
    { SHELL: '/bin/bash', HOME: undefined },
    { SHELL: '/bin/bash', HOME: '/' },
  ])('is skipped if the shell or the home folder is unknown: %o', async (env, { checkOf }) => {
    expect(await checkOf('completion', { env })).toEqual(['skipped', 'the shell is unknown, as in CI jobs'])
  })

  test.for(['/', '\\'])(
    'is found in a home folder with %s at its end, or of USERPROFILE',
    async (end, { checkOf, writePrivate, home }) => {
      writePrivate('.bashrc', 'source <(skyctl completion bash)')
      for (const name of ['HOME', 'USERPROFILE']) {
        const env = { SHELL: '/bin/bash', HOME: undefined, [name]: `${home}${end}` }
        expect(await checkOf('completion', { env })).toEqual(['ok', 'bash: loaded by ~/.bashrc'])
      }
    },
  )
})

describe('All checks', () => {
  const failing = { SHELL: '/bin/bash', SKYCTL_TOKEN: 'unknown' }

  test('are counted by status, and each failed one is named once', async ({ doctor, skyctl, home, writePrivate }) => {
    const all = await doctor({ env: failing })
    expect(all).toMatchObject({ exit: 13, format_version: 1, counts: { ok: 7, warning: 1, failure: 1, skipped: 0 } })
    writePrivate('config', '')
    writePrivate('state', '')
    const { stderr } = await skyctl('doctor', { env: { HOME: home, ...failing } })
    expect(stderr).toMatch(/^skyctl: 3 checks failed: config, state, token\n/)
  })

  test('with failures or warnings are listed with --quiet, one per line', async ({ skyctl, home }) => {
    const env = { HOME: home, ...failing }
    expect(await skyctl('doctor -q', { env })).toMatchObject({ exit: 13, stdout: 'token\ncompletion\n' })
  })

  test('are counted below the table, and commands are continued', async ({ skyctl, home, writePrivate }) => {
    const env = { HOME: home, ...failing, NO_COLOR: '1' }
    const one = (await skyctl('doctor', { env, columns: 60 })).stdout.trimEnd().split('\n')
    expect(one.at(-1)).toBe('1 failure, 1 warning')
    const at = one.indexOf("         -> echo 'source <(skyctl completion bash)' \\")
    expect(one[at + 1]?.trim()).toBe('>> ~/.bashrc')
    expect(one.filter((line) => line.length > 60)).toEqual([])
    chmodSync(dirname(writePrivate('state/a')), 0o755)
    writePrivate('cache', '')
    const more = (await skyctl('doctor', { env, columns: 60 })).stdout.trimEnd().split('\n')
    expect(more.at(-1)).toBe('1 failure, 3 warnings')
  })

  test('have a colour by status', async ({ skyctl, home }) => {
    const env = { HOME: home, ...failing, FORCE_COLOR: '1' }
    const { stdout } = await skyctl('doctor', { env, columns: 80 })
    expect(stdout).toContain('\u001b[32mok\u001b[39m       node')
    expect(stdout).toContain('\u001b[33mwarning\u001b[39m  completion')
    expect(stdout).toContain('\u001b[31mfailure\u001b[39m  token')
  })
})
