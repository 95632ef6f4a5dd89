/** skyctl as a library: its exports, and the programs of docs/library.md. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { AccountMethod } from '../src/account/method'
import { isMethod, methods } from '../src/account/methods'
import { catalogue } from '../src/catalogue'
import type { Operation } from '../src/catalogue/operation'
import { libraryTypes } from '../src/generate/library-types'
import { blocks } from './support/page-examples'
import { test as base, type ProcessResult } from './support/process'

const root = join(import.meta.dirname, '..')

/** The programs of the page by their file names. */
const programs = new Map(
  blocks('js').flatMap(({ page, text }) => {
    const name = /^\/\/ (\S+\.mjs)/.exec(text)?.[1]
    return page === 'docs/library.md' && name ? [[name, text] as const] : []
  }),
)

interface Fixtures {
  /** A folder in which the package is installed. */
  project: string
  /** Runs a module in this folder. */
  node(text: string, ...argv: string[]): Promise<ProcessResult>
}

const test = base.extend<Fixtures>({
  project: async ({ home }, use) => {
    const folder = join(home, 'project')
    mkdirSync(join(folder, 'node_modules'), { recursive: true })
    symlinkSync(root, join(folder, 'node_modules/skyctl'))
    await use(folder)
  },
  node: async ({ project, startProgram }, use) =>
    use((text, ...argv) => {
      writeFileSync(join(project, 'program.mjs'), text)
      const program = [process.execPath, '--preserve-symlinks', 'program.mjs', ...argv]
      return startProgram(program, { cwd: project, stdin: '' }).end
    }),
})

const program = (name: string) => {
  const text = programs.get(name)
  if (text === undefined) throw new Error(`docs/library.md has no ${name}`)
  return text
}

/** Wraps statements in a module that opens an account of the sandbox. */
const withAccount = (statements: string) => `
  import { openAccount, Problem } from 'skyctl'
  const account = openAccount()
  try { ${statements} } finally { await account.close() }`

describe('the nightly report', () => {
  test('names unattached volumes, disabled firewalls and tokens that expire in 30 days', async ({ node, world }) => {
    world.network.firewall({ label: 'off', status: 'disabled' })
    const expiry = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)
    world.tokens.add({ label: 'ends', user: 1, scopes: '*', token: 'x'.repeat(64), expiry })
    const { exit, stdout, stderr } = await node(program('report.mjs'))
    const unattached = world.volumes.all().filter(({ compute_id }) => compute_id === null)
    expect({ exit, stderr, lines: stdout.split('\n') }).toEqual({
      exit: 0,
      stderr: '',
      lines: expect.arrayContaining([
        ...unattached.map(({ id, label, size }) => `volume ${label} (${id}): ${size} GiB, attached to nothing`),
        'firewall off: disabled',
        `token ends: expires ${expiry}`,
      ]),
    })
    expect(stdout).not.toContain('volume data-1 ')
  })
})

describe('provisioning', () => {
  test('creates each volume once, however often it runs', async ({ node, world }) => {
    world.transitionMs = 0
    const before = world.volumes.size
    const first = await node(program('provision.mjs'), '1001')
    expect(first).toMatchObject({ exit: 0, stderr: '' })
    expect(first.stdout).toMatch(/^data-1001: done, \/dev\S+\nlog-1001: done, \/dev\S+\n$/)
    const second = await node(program('provision.mjs'), '1001')
    expect({ stdout: second.stdout.replaceAll('exists', 'done'), created: world.volumes.size - before }).toEqual({
      stdout: first.stdout,
      created: 2,
    })
  })

  test('fails with the exit code and the message of the command line', async ({ node, skyctl }) => {
    const commandLine = await skyctl('volumes create --label data-4711 --size 100 --compute-id 4711')
    const { exit, stdout, stderr } = await node(program('provision.mjs'), '4711')
    expect({ exit, stdout }).toEqual({ exit: commandLine.exit, stdout: '' })
    expect(stderr).toContain('Invalid Compute ID 4711')
    expect(exit).toBeGreaterThan(1)
  })
})

describe('the rollout of a rule', () => {
  const full = Array.from({ length: 25 }, (_, at) => ({
    action: 'ACCEPT' as const,
    protocol: 'TCP' as const,
    ports: String(1000 + at),
    addresses: { ipv4: ['192.0.2.0/24'] },
  }))

  test('adds the rule once to each tagged firewall, and keeps the other rules', async ({ node, world }) => {
    const { id } = world.network.firewall({ label: 'web', tags: ['production'] })
    const other = world.network.firewall({ label: 'other' })
    const tagged = world.network.firewalls.all().filter(({ tags }) => tags.includes('production'))
    const before = world.network.firewalls.get(id)?.rules.inbound ?? []
    const { exit, stdout } = await node(program('rollout.mjs'))
    expect({ exit, lines: stdout.trim().split('\n') }).toEqual({
      exit: 0,
      lines: tagged.map(({ label }) => `${label}: done`),
    })
    const after = world.network.firewalls.get(id)?.rules.inbound ?? []
    expect(after.slice(0, -1)).toEqual(before)
    expect(after.at(-1)).toMatchObject({ ports: '9100', addresses: { ipv4: ['198.51.100.9/32'] } })
    expect(world.network.firewalls.get(other.id)?.rules).toEqual(other.rules)
    expect((await node(program('rollout.mjs'))).stdout).not.toContain('done')
  })

  test('restores all firewalls if one has the maximum of rules', async ({ node, world }) => {
    const first = world.network.firewall({ label: 'first', tags: ['production'] })
    const { rules } = first
    world.network.firewall({ label: 'full', tags: ['production'], rules: { ...rules, inbound: full } })
    const rulesOf = () => world.network.firewalls.all().map(({ rules: { inbound } }) => inbound)
    const before = rulesOf()
    const { exit, stderr } = await node(program('rollout.mjs'))
    expect({ exit, stderr }).toMatchObject({ exit: 1, stderr: expect.stringMatching(/^restored [1-9]/) })
    expect(rulesOf()).toEqual(before)
  })
})

describe('an account', () => {
  test('sends nothing until a method is called', async ({ node, world }) => {
    expect(await node(withAccount(''))).toMatchObject({ exit: 0, stdout: '', stderr: '' })
    expect(world.requests()).toEqual([])
  })

  test('reads a number as an id and a text as a label, even of digits', async ({ node, world }) => {
    const { id } = world.volume({ label: '3001' })
    const result = await node(
      withAccount(`for (const name of [3001, '3001', 'data-1']) console.log((await account.volumes.view(name)).id)`),
    )
    expect(result.stdout).toBe(`3001\n${id}\n3001\n`)
  })

  test('throws Problems with the code, the hint and the errors of the command line', async ({ node }) => {
    const { stdout } = await node(
      withAccount(`
        const tried = [
          () => account.volumes.view('data-11'), () => account.volumes.view(),
          () => account.volumes.create({ label: '', region: 'us-east' }), () => account.volumes.create('data'),
          () => account.volumes.resize('data-1', { size: 10 }), () => account.request({ method: 'GET', path: '/x' }),
          () => account.request({ method: 'get', path: '/profile' }), () => openAccount({ timeoutMs: 'soon' }).user(),
        ]
        for (const one of tried)
          try { await one() } catch (error) { console.log(error instanceof Problem, error.code, error.exitCode) }`),
    )
    expect(stdout.trim().split('\n')).toEqual([
      'true not_found 5',
      'true usage 2',
      'true usage 2',
      'true usage 2',
      'true conflict 6',
      'true not_found 5',
      'true usage 2',
      'true usage 2',
    ])
  })

  test('repeats creations and deletions safely with ifAbsent and ifPresent, and waits', async ({ node, world }) => {
    world.transitionMs = 0
    const { stdout } = await node(
      withAccount(`
        const body = { label: 'twice', region: 'us-east' }
        for (const _ of [1, 2]) {
          const { outcome, record } = await account.volumes.create(body, { ifAbsent: true, wait: true })
          console.log(outcome, record.status)
        }
        for (const _ of [1, 2]) console.log((await account.volumes.delete('twice', { ifPresent: true })).outcome)`),
    )
    expect(stdout).toBe('done active\nexists active\ndone\nabsent\n')
    expect(world.requests('POST').length + world.requests('DELETE').length).toBe(2)
  })

  test('deletes protected objects only with force', async ({ node, world }) => {
    const { id } = world.volume({ label: 'kept', tags: ['protected'] })
    const line = "account.volumes.delete('kept', options).then(({ outcome }) => outcome, ({ code }) => code)"
    const { stdout } = await node(
      withAccount(`for (const options of [{}, { force: true }]) console.log(await ${line})`),
    )
    expect(stdout).toBe('protected\ndone\n')
    expect(world.volumes.get(id)).toBeUndefined()
  })

  test('filters lists even if a service does not, and lists the children of a parent', async ({ node, world }) => {
    const { id } = world.network.firewall({ label: 'front' })
    world.network.device(id, 'compute', 1003)
    const { stdout } = await node(
      withAccount(`
        for await (const { id } of account.volumes.list({ filter: { tags: 'backup' } })) console.log(id)
        for await (const { country } of account.regions.list({ filter: { id: 'us-east' } })) console.log(country)
        for await (const { entity } of account.firewalls.devices.list('front')) console.log(entity.id)`),
    )
    expect(stdout).toBe('3004\nus\n1003\n')
  })

  test('is that of a context, of baseUrl and token, or of the sandbox, never a mixture', async ({ node, sandbox }) => {
    const { baseUrl, ownerToken } = sandbox
    const { stdout } = await node(`
      import { openAccount } from 'skyctl'
      const env = { HOME: process.env.HOME, SKYCTL_STATE_DIR: process.env.SKYCTL_STATE_DIR }
      const of = ${JSON.stringify({ baseUrl, token: ownerToken })}
      for (const options of [of, { context: 'sandbox' }, {}, { token: of.token }, { ...of, context: 'sandbox' }])
        try {
          const account = openAccount({ ...options, env })
          console.log(await account.user().then(({ username }) => username).finally(() => account.close()))
        } catch ({ code }) {
          console.log(code)
        }`)
    expect(stdout).toBe('owner\nowner\nnot_signed_in\nusage\nusage\n')
  })

  test('ends its waits and requests if its signal is aborted', async ({ node, world }) => {
    world.transitionMs = 600_000
    const { exit, stdout } = await node(`
      import { openAccount } from 'skyctl'
      const stop = new AbortController()
      const account = openAccount({ signal: stop.signal })
      const creation = account.volumes.create({ label: 'long', region: 'us-east' }, { wait: true })
      for (;;) if ((await account.request({ method: 'GET', path: '/volumes' })).body.data.some(({ label }) => label === 'long')) break
      stop.abort(new Error('enough'))
      await creation.catch((error) => console.log(error.message))
      await account.close()`)
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining('enough') })
  })
})

describe('the package', () => {
  test('exports the same two names to import and require, and no other path', async ({ node, project }) => {
    const { stdout } = await node(`
      import { createRequire } from 'node:module'
      import * as library from 'skyctl'
      const required = createRequire(import.meta.url)('skyctl')
      console.log(Object.keys(library).sort().join(), library.Problem === required.Problem)`)
    expect(stdout).toBe('Problem,openAccount true\n')
    const required = createRequire(join(project, 'index.js'))
    for (const path of ['skyctl/dist/main.js', 'skyctl/package.json'])
      expect(() => required.resolve(path)).toThrow(expect.objectContaining({ code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' }))
  })

  test('has types that accept the programs of the page and reject wrong ones', ({ project }) => {
    for (const [name, text] of programs) writeFileSync(join(project, name), text)
    const options = ['--allowJs', '--checkJs', '--noEmit', '--strict', '--skipLibCheck', 'false']
    const target = ['--target', 'es2023', '--module', 'nodenext', '--lib', 'es2023']
    const types = ['--typeRoots', join(root, 'node_modules/@types'), '--types', 'node', '--noImplicitAny', 'false']
    const tsc = (...files: string[]) => {
      const words = [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...target, ...types, ...files]
      try {
        return execFileSync(process.execPath, words, { cwd: project, encoding: 'utf8' })
      } catch (error) {
        return String(Reflect.get(Object(error), 'stdout'))
      }
    }
    expect(tsc(...programs.keys())).toBe('')
    const wrong = [
      "account.volumes.resize('data', { size: 'large' })",
      'account.volumes.create({ size: 20 })',
      'account.volumes.view(true)',
      "account.ips.view('192.0.2.1').then(({ adress }) => adress.length)",
      "account.volumes.delete('data', { ifAbsent: true })",
      "account.volumes.list({ filter: { regoin: 'us-east' } })",
      'openAccount({ Context: 1 })',
    ]
    const text = `import { openAccount } from 'skyctl'\nconst account = openAccount()\n${wrong.join('\n')}\n`
    writeFileSync(join(project, 'wrong.mjs'), text)
    const lines = [...tsc('wrong.mjs').matchAll(/^wrong\.mjs\((\d+),/gm)].map(([, line]) => Number(line))
    expect([...new Set(lines)]).toEqual([3, 4, 5, 6, 7, 8, 9])
  })
})

/** Operations without a method: interactive ones, those for `request`, and duplicates. */
const methodless = new Set([
  ...['profile/phone', 'profile/security-questions', 'profile/tfa', 'profile/devices', 'profile/apps'],
  ...['POST /profile/tokens', 'POST /networking/ips/share', 'GET /profile/logins/{loginId}'],
  ...['GET /regions/{regionId}/availability', 'POST /networking/ipv4/assign', 'POST /networking/ipv4/share'],
])

test('every operation of the specification has a method or a reason to have none', () => {
  const own = (group: object): AccountMethod[] =>
    Object.values(group).flatMap((one) => (isMethod(one) ? [one] : own(one)))
  const of = ({ method, path }: Operation) => `${method} ${path}`
  const called = new Set(own(methods).map(({ operation }) => of(operation)))
  const missing = Object.values(catalogue)
    .flatMap((operations) => Object.values(operations).map(of))
    .filter((one) => !called.has(one))
  const hasReason = (one: string) =>
    [...methodless].some((part) => one === part || one.split(' /')[1]?.startsWith(part))
  expect(missing.filter((one) => !hasReason(one))).toEqual([])
  expect([...methodless].filter((part) => !missing.some((one) => one === part || one.includes(part)))).toEqual([])
  const types = libraryTypes()
  for (const name of ['resize', 'assign', 'rdns', 'sshkeys', 'availability']) expect(types).toContain(`${name}`)
})
