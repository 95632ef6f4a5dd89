/** skyctl as a library: its exports, and the programs of docs/library.md. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
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

describe('nightly clones', () => {
  const dated = (label: string, day: number) => `${label}-2026-11-${String(day).padStart(2, '0')}`

  test('are made once a day, and the last seven stay', async ({ node, world }) => {
    world.transitionMs = 0
    const { id } = world.volume({ label: 'pgdata', tags: ['nightly'] })
    for (let day = 1; day <= 9; day += 1) world.volume({ label: dated('pgdata', day), tags: ['nightly'] })
    world.volume({ label: dated('pgdata-2', 1) })
    const before = new Set(world.volumes.all().map(({ label }) => label))
    expect(await node(program('clones.mjs'))).toMatchObject({ exit: 0, stdout: 'pgdata: 7 clones\n', stderr: '' })
    const today = new Date().toISOString().slice(0, 10)
    const expected = [...before].filter((label) => ![1, 2, 3].map((day) => dated('pgdata', day)).includes(label))
    const labels = () => world.volumes.all().map(({ label }) => label)
    expect(labels().toSorted()).toEqual([...expected, `pgdata-${today}`].toSorted())
    expect(world.volumes.get(id)).toBeDefined()
    const after = labels()
    expect((await node(program('clones.mjs'))).stdout).toBe('pgdata: 7 clones\n')
    expect(labels()).toEqual(after)
  })

  test('of other volumes are made if one fails, whose old clones stay', async ({ node, world }) => {
    world.transitionMs = 0
    // With a date, the label of its clone is too long.
    const long = 'a-label-of-27-characters-xx'
    world.volume({ label: long, tags: ['nightly'] })
    world.volume({ label: 'short', tags: ['nightly'] })
    const { exit, stdout, stderr } = await node(program('clones.mjs'))
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: 'short: 1 clones\n' })
    expect(stderr).toContain(`${long}: Problem: `)
  })
})

describe('the program that closes what is open', () => {
  const open = { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] }
  const ssh = { action: 'ACCEPT' as const, protocol: 'TCP' as const, ports: '22', addresses: open, label: 'ssh' }
  const web = { ...ssh, ports: '443', label: 'web' }
  const rules = {
    inbound: [web, ssh],
    inbound_policy: 'DROP' as const,
    outbound: [],
    outbound_policy: 'ACCEPT' as const,
  }

  const busy = 4004

  test('limits SSH to the network, and keeps the other rules and firewalls', async ({ node, world }) => {
    // Its instance is busy for as long as the sandbox runs.
    world.network.firewalls.delete(busy)
    const { id } = world.network.firewall({ label: 'edge', rules })
    const before = world.network.firewalls.all().filter((one) => one.id !== id)
    expect(await node(program('close.mjs'), '198.51.100.0/24')).toMatchObject({
      exit: 0,
      stdout: 'edge: closed\n',
      stderr: '',
    })
    const { inbound = [] } = world.network.firewalls.get(id)?.rules ?? {}
    expect(inbound).toEqual([
      expect.objectContaining({ label: 'web', addresses: open }),
      expect.objectContaining({ label: 'ssh', addresses: { ipv4: ['198.51.100.0/24'] } }),
    ])
    expect(world.network.firewalls.all().filter((one) => one.id !== id)).toEqual(before)
    expect((await node(program('close.mjs'), '198.51.100.0/24')).stdout).toBe('')
  })

  test('restores all firewalls if one is refused', async ({ node, world }) => {
    world.network.firewalls.delete(busy)
    world.network.firewall({ label: 'edge', rules })
    // More rules than the service accepts.
    const many = Array.from({ length: 26 }, (_, at) => ({ ...ssh, ports: `${1000 + at}` }))
    world.network.firewall({ label: 'full', rules: { ...rules, inbound: [...many, ssh] } })
    const before = world.network.firewalls.all().map((one) => one.rules.inbound)
    const { exit, stdout, stderr } = await node(program('close.mjs'), '198.51.100.0/24')
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: 'edge: closed\n' })
    expect(stderr).toMatch(/^restored 1 firewalls: Problem: /)
    expect(world.network.firewalls.all().map((one) => one.rules.inbound)).toEqual(before)
  })
})

describe('the metrics', () => {
  test('have a sample of each volume and address, in the format of Prometheus', async ({ node, world }) => {
    world.volume({ label: 'a"b\\c', size: 30 })
    const { exit, stdout } = await node(program('metrics.mjs'))
    expect(exit).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    // https://prometheus.io/docs/instrumenting/exposition_formats
    const label = String.raw`[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"`
    const sample = new RegExp(`^[a-z_]+\\{${label}(?:,${label})*\\} \\d+$`)
    expect(lines.filter((line) => !line.startsWith('# TYPE ') && !sample.test(line))).toEqual([])
    const volumes = lines.filter((line) => line.startsWith('skyctl_volume_size_gib{'))
    expect(volumes.length).toBe(world.volumes.all().length)
    expect(volumes).toContainEqual(expect.stringMatching(/label="a\\"b\\\\c",region="\S+",attached="false"\} 30$/))
    expect(stdout).toContain('skyctl_address_assigned{address="192.0.2.11",region="us-east"} 1\n')
  })
})

describe('the bot', () => {
  test('answers with the rules that decide, and that nothing protects a service', async ({ project, startProgram }) => {
    writeFileSync(join(project, 'program.mjs'), program('who.mjs'))
    const bot = startProgram([process.execPath, '--preserve-symlinks', 'program.mjs', '0'], { cwd: project, stdin: '' })
    const [, port] = /port: (\d+) \}/.exec(await bot.until('}\n')) ?? []
    const ask = async (body: string) =>
      (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers: { connection: 'close' } })).text()
    expect(await ask('db-1 5432\n')).toBe(
      'The first rule that fits decides:\nACCEPT from 192.0.2.11/32, 192.0.2.12/32\nDROP everything else (database)',
    )
    expect(await ask('1004 22')).toBe('No firewall protects 1004.')
    bot.kill('SIGTERM')
    expect(await bot.end).toMatchObject({ exit: 0, stderr: '' })
  })
})

describe('the test with a sandbox', () => {
  test('passes, and leaves no file', async ({ project, startProgram, home }) => {
    writeFileSync(join(project, 'account.test.mjs'), program('account.test.mjs'))
    const line = [process.execPath, '--preserve-symlinks', '--test', 'account.test.mjs']
    const { exit, stdout } = await startProgram(line, { cwd: project, stdin: '', env: { TMPDIR: home } }).end
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringMatching(/pass 1\n/) })
    expect(readdirSync(home).filter((name) => name.startsWith('account-'))).toEqual([])
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
