import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { actingOn } from '../src/config/acting-account'
import { parseBaseUrl, shownBaseUrl } from '../src/config/base-url'
import type { Config, StoredContext } from '../src/config/contexts'
import { type CredentialInput, chooseContext, chooseCredential, tokenOf } from '../src/config/credential'
import type { Paths } from '../src/config/paths'
import { changeConfig, readConfig } from '../src/config/store'
import { parseToken, runTokenCommand } from '../src/config/token'
import { Problem } from '../src/errors'
import { holdLock } from '../src/files/lock'
import { bundleScript } from './support/bundle'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skyctl-config-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function problemOf(action: () => unknown): Problem {
  try {
    action()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('no problem was thrown')
}

describe('the contexts file', () => {
  let paths: Paths
  const warnings: string[] = []
  const options = { warn: (message: string) => void warnings.push(message) }
  const prod: StoredContext = { base_url: 'https://api.example.net/v4', token: 'secret-1' }

  beforeEach(() => {
    warnings.length = 0
    const config = join(folder, 'skyctl')
    paths = { config, file: join(config, 'contexts.json'), state: join(folder, 'state'), cache: join(folder, 'cache') }
  })

  const store = (contexts: Record<string, StoredContext>, current?: string) =>
    changeConfig(
      paths,
      (config) => {
        for (const [name, context] of Object.entries(contexts)) config.contexts.set(name, context)
        if (current) config.current = current
      },
      options,
    )
  const read = () => readConfig(paths, options)
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  const asideName = () => readdirSync(paths.config).find((name) => name.startsWith('contexts.json.corrupt-'))

  test('is empty where nothing was stored, and reading creates nothing', () => {
    expect(read()).toEqual({ contexts: new Map() })
    expect(readdirSync(folder)).toEqual([])
  })

  test('keeps what was stored, as plain JSON', async () => {
    const context = { ...prod, user: 'ada', defaults: { region: 'us-east', output: 'json' } }
    const stored = await store({ prod: context }, 'prod')
    expect(stored).toEqual({ current: 'prod', contexts: new Map([['prod', context]]) })
    expect(read()).toEqual(stored)
    expect(JSON.parse(readFileSync(paths.file, 'utf8'))).toEqual({ current: 'prod', contexts: { prod: context } })
  })

  test('takes any name', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'acme.com', '__internal__', 'a b', '名', '0', '\u{1f600}']
    await store({ prod })
    for (const name of names) {
      await changeConfig(paths, ({ contexts }) => void contexts.set(name, { ...prod, user: name }), options)
    }
    expect([...read().contexts].map(([name, { user }]) => [name, user]).sort()).toEqual(
      [['prod', undefined], ...names.map((name) => [name, name])].sort(),
    )
    await changeConfig(paths, ({ contexts }) => void contexts.delete('__proto__'), options)
    expect(read().contexts.has('__proto__')).toBe(false)
    expect({}).not.toHaveProperty('base_url')
  })

  test('takes no context of the name "sandbox": that one is built in', async () => {
    await expect(store({ sandbox: prod })).rejects.toMatchObject({
      code: 'usage',
      message: 'the context "sandbox" is built in: choose another name',
    })
    expect(existsSync(paths.file)).toBe(false)
    await store({ prod }, 'sandbox')
    expect(read().current).toBe('sandbox')
  })

  test('keeps keys of a context that this version does not know', async () => {
    await store({ prod })
    const text = readFileSync(paths.file, 'utf8').replace('"token"', '"future": { "a": [1] }, "token"')
    writeFileSync(paths.file, text)
    await store({ other: prod })
    expect(read().contexts.get('prod')).toEqual({ ...prod, future: { a: [1] } })
  })

  test('keeps whatever else a later version has put into it', async () => {
    await store({ prod: { ...prod, defaults: { region: 'us-east' } } }, 'prod')
    const text = readFileSync(paths.file, 'utf8')
      .replace('{', '{ "version": 2, "hooks": { "before": ["a"] }, "__proto__": "x",')
      .replace('"region"', '"page_size": 100, "region"')
    writeFileSync(paths.file, text)
    const before = JSON.parse(text)
    await store({ other: prod }, 'other')
    const after = JSON.parse(readFileSync(paths.file, 'utf8'))
    expect(after).toEqual({ ...before, current: 'other', contexts: { ...before.contexts, other: prod } })
    expect(Object.keys(after)).toEqual(['version', 'hooks', '__proto__', 'current', 'contexts'])
    expect(after.contexts.prod.defaults).toEqual({ region: 'us-east', page_size: 100 })
    expect(warnings).toEqual([])
  })

  test('is not damaged by a byte order mark', async () => {
    const before = await store({ prod }, 'prod')
    for (const file of [paths.file, `${paths.file}.bak`]) writeFileSync(file, `\ufeff${readFileSync(file, 'utf8')}`)
    expect(read()).toEqual(before)
    await store({ other: prod })
    expect([...read().contexts.keys()]).toEqual(['prod', 'other'])
    expect([warnings, asideName()]).toEqual([[], undefined])
  })

  test('in a folder of others things leaves the mode of that as it is', async () => {
    mkdirSync(paths.config)
    writeFileSync(join(paths.config, 'my-contexts.json'), '')
    chmodSync(paths.config, 0o755)
    read()
    await store({ prod })
    read()
    expect([modeOf(paths.config), modeOf(paths.file), warnings]).toEqual(['755', '600', []])
  })

  test('is not changed, and nobody waits, where its lock is a pipe', async () => {
    await store({ prod })
    execFileSync('mkfifo', [`${paths.file}.lock`])
    await expect(store({ other: prod })).rejects.toMatchObject({
      code: 'local',
      message: `${paths.file}.lock is not your lock file: it is not a regular file`,
    })
    expect([...read().contexts.keys()]).toEqual(['prod'])
  })

  test.each(['000', '077'])('is private under umask %s, and so are its folder and its backup', async (mask) => {
    const script = await bundleScript(
      folder,
      `import { changeConfig } from './config/store'
       const [config] = process.argv.slice(2)
       const paths = { config, file: config + '/contexts.json', state: '', cache: '' }
       changeConfig(paths, ({ contexts }) => void contexts.set('a', { base_url: 'https://a/v4' }), { warn: console.log })`,
    )
    const command = ['-c', `umask ${mask}; exec "$@"`, 'sh', process.execPath, script, paths.config]
    expect(execFileSync('sh', command).toString()).toBe('')
    expect([paths.config, paths.file, `${paths.file}.bak`].map(modeOf)).toEqual(['700', '600', '600'])
    expect(readdirSync(paths.config).sort()).toEqual(['contexts.json', 'contexts.json.bak'])
  })

  test('that others can read is made private, and said', async () => {
    await store({ prod })
    chmodSync(paths.config, 0o755)
    chmodSync(paths.file, 0o644)
    expect(read().contexts.get('prod')).toEqual(prod)
    expect([modeOf(paths.config), modeOf(paths.file)]).toEqual(['700', '600'])
    expect(warnings).toEqual([
      `${paths.config} was open to other users: its mode is now 0700`,
      `${paths.file} was open to other users: its mode is now 0600`,
    ])
  })

  test('is never read or written through a symbolic link', async () => {
    await store({ prod })
    const elsewhere = join(folder, 'elsewhere')
    writeFileSync(elsewhere, readFileSync(paths.file), { mode: 0o600 })
    rmSync(paths.file)
    symlinkSync(elsewhere, paths.file)
    expect(problemOf(read)).toMatchObject({ code: 'local' })
    await expect(store({ other: prod })).rejects.toThrow(`${paths.file} is not private: it is a symbolic link`)
    expect(readFileSync(elsewhere, 'utf8')).not.toContain('other')
  })

  const damages = {
    'an empty file': '',
    'half a file': '{"current":"prod","contexts":{"prod":{"base_u',
    'no object': '[]',
    'contexts that are a list': '{"contexts":[]}',
    'a context without a base URL': '{"contexts":{"prod":{"token":"x"}}}',
    'a token that is a number': '{"contexts":{"prod":{"base_url":"https://a/v4","token":5}}}',
  }
  test.each(Object.entries(damages))(
    'that is damaged (%s) is kept aside, and its backup is used',
    async (_, damage) => {
      const before = await store({ prod }, 'prod')
      writeFileSync(paths.file, damage)
      expect(read()).toEqual(before)
      const aside = asideName() ?? ''
      expect(readFileSync(join(paths.config, aside), 'utf8')).toBe(damage)
      expect(modeOf(join(paths.config, aside))).toBe('600')
      expect(warnings).toEqual([
        `${paths.file} is damaged: its backup is used`,
        `the damaged file is kept as ${join(paths.config, aside)}`,
      ])
      expect(read()).toEqual(before)
      expect(warnings).toHaveLength(2)
    },
  )

  test('that is damaged is repaired before it is changed', async () => {
    await store({ prod })
    writeFileSync(paths.file, '{')
    const after = await store({ other: prod })
    expect([...after.contexts.keys()]).toEqual(['prod', 'other'])
    expect(asideName()).toBeDefined()
  })

  test('that is damaged and has no backup starts anew, and says so', async () => {
    await store({ prod })
    rmSync(`${paths.file}.bak`)
    writeFileSync(paths.file, '{')
    expect(read()).toEqual({ contexts: new Map() })
    expect(warnings[0]).toBe(`${paths.file} is damaged: it has no backup, so no context is known`)
  })

  test('that is damaged while another process writes is read from its backup and left to that process', async () => {
    const before = await store({ prod })
    writeFileSync(paths.file, '{')
    const lock = await holdLock(`${paths.file}.lock`)
    expect(read()).toEqual(before)
    expect(asideName()).toBeUndefined()
    lock.release()
  })

  test('that is damaged where nothing can be locked is read from its backup and left as it is', async () => {
    const before = await store({ prod })
    writeFileSync(paths.file, '{')
    symlinkSync('elsewhere', `${paths.file}.lock`)
    expect(read()).toEqual(before)
    expect([asideName(), readFileSync(paths.file, 'utf8')]).toEqual([undefined, '{'])
    expect(warnings).toEqual([`${paths.file} is damaged: its backup is used`])
  })

  test('leaves no token behind that was removed', async () => {
    await store({ prod: { ...prod, token: 'canary-token' } })
    await changeConfig(paths, ({ contexts }) => void contexts.delete('prod'), options)
    expect(readdirSync(paths.config).sort()).toEqual(['contexts.json', 'contexts.json.bak'])
    for (const name of readdirSync(paths.config)) {
      expect(readFileSync(join(paths.config, name), 'utf8')).not.toContain('canary-token')
    }
  })

  test('is as it was where the file system takes only a part of what is written, and reports success', async () => {
    const before = await store({ prod }, 'prod')
    const script = await bundleScript(
      folder,
      `import { changeConfig } from './config/store'
       const [config] = process.argv.slice(2)
       const paths = { config, file: config + '/contexts.json', state: '', cache: '' }
       const add = ({ contexts }) => {
         for (let index = 0; index < 200; index += 1) contexts.set('c' + index, { base_url: 'https://api.example.net/v4' })
       }
       changeConfig(paths, add, { warn: console.log }).catch(({ code, message }) => console.log(code, message))`,
    )
    // A file may have 8 blocks of 512 bytes there; node is told by an error and not by a signal.
    const said = execFileSync('sh', ['-c', 'ulimit -f 8; exec "$@"', 'sh', process.execPath, script, paths.config])
    expect(said.toString()).toMatch(/^local cannot write .*contexts\.json: .+\n$/)
    expect(read()).toEqual(before)
    expect(readdirSync(paths.config).sort()).toEqual(['contexts.json', 'contexts.json.bak'])
  })

  test.each([1, 2, 3])(
    'keeps no removed token elsewhere, when the removal is killed after rename %i',
    async (rename) => {
      await store({ prod: { ...prod, token: 'canary-token' } })
      const script = await bundleScript(
        folder,
        `const fs = require('node:fs')
       import { changeConfig } from './config/store'
       const [config] = process.argv.slice(2)
       const { renameSync } = fs
       let renames = 0
       fs.renameSync = (...paths) => {
         renameSync(...paths)
         renames += 1
         if (renames === ${rename}) process.kill(process.pid, 'SIGKILL')
       }
       const paths = { config, file: config + '/contexts.json', state: '', cache: '' }
       changeConfig(paths, ({ contexts }) => void contexts.clear(), { warn: console.log })`,
      )
      expect(spawnSync(process.execPath, [script, paths.config]).signal).toBe('SIGKILL')
      const known = read().contexts.has('prod')
      for (const name of readdirSync(paths.config)) {
        expect([name, readFileSync(join(paths.config, name), 'utf8').includes('canary-token')]).toEqual([
          name,
          known && !name.endsWith('.lock'),
        ])
      }
    },
  )

  test('loses what a killed write left beside it with the next reading, and nothing of others', async () => {
    await store({ prod })
    const left = [
      'contexts.json.0123456789abcdef.tmp',
      'contexts.json.bak.0123456789abcdef.tmp',
      'contexts.json.lock.0123456789abcdef.tmp',
    ]
    for (const name of left) writeFileSync(join(paths.config, name), 'secret')
    mkdirSync(join(paths.config, 'contexts.json.fedcba9876543210.tmp'))
    writeFileSync(join(paths.config, 'contexts.json.fedcba9876543210.tmp', 'contexts.json'), 'secret')
    const theirs = ['contexts.json.orig', 'notes.0123456789abcdef.tmp']
    for (const name of theirs) writeFileSync(join(paths.config, name), '')
    read()
    expect(readdirSync(paths.config).sort()).toEqual(['contexts.json', 'contexts.json.bak', ...theirs])
  })

  test('keeps a draft that a living process writes', async () => {
    await store({ prod })
    const lock = await holdLock(`${paths.file}.lock`)
    const draft = join(paths.config, 'contexts.json.0123456789abcdef.tmp')
    writeFileSync(draft, '')
    read()
    expect(existsSync(draft)).toBe(true)
    lock.release()
  })

  test('is as it was when the change throws', async () => {
    await store({ prod })
    const before = readFileSync(paths.file, 'utf8')
    const failure = new Error('changed my mind')
    const change = (config: Config) => {
      config.contexts.clear()
      throw failure
    }
    await expect(changeConfig(paths, change, options)).rejects.toBe(failure)
    expect(readFileSync(paths.file, 'utf8')).toBe(before)
    expect(readdirSync(paths.config).sort()).toEqual(['contexts.json', 'contexts.json.bak'])
  })

  test('keeps changes that are made at once', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `c${index}`)
    await Promise.all(names.map((name) => store({ [name]: prod })))
    expect([...read().contexts.keys()].sort()).toEqual(names.sort())
  })
})

describe('a base URL', () => {
  test.each([
    ['https://api.example.net/v4', 'https://api.example.net/v4'],
    ['https://api.example.net/v4/', 'https://api.example.net/v4'],
    ['HTTPS://API.example.net:443/v4//', 'https://api.example.net/v4'],
    ['https://api.example.net:8443', 'https://api.example.net:8443'],
    ['https://[2001:db8::1]/v4', 'https://[2001:db8::1]/v4'],
    ['http://localhost:8080/v4', 'http://localhost:8080/v4'],
    ['http://127.0.0.1:1/v4', 'http://127.0.0.1:1/v4'],
    ['http://127.9.9.9/v4', 'http://127.9.9.9/v4'],
    ['http://[::1]:1/v4', 'http://[::1]:1/v4'],
  ])('%s is %s', (text, url) => {
    expect(parseBaseUrl(text)).toBe(url)
  })

  test.each([
    '',
    'api.example.net/v4',
    '/v4',
    'https://',
    'https:api.example.net',
    'ftp://api.example.net/v4',
    'file:///etc/passwd',
    'https://api.example.net/v4\n',
    ' https://api.example.net/v4',
    'https://api.exa\tmple.net/v4',
    'https:\\\\api.example.net',
  ])('%j is no absolute https URL', (text) => {
    expect(problemOf(() => parseBaseUrl(text))).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('must be an absolute URL'),
    })
  })

  test.each([
    'http://api.example.net/v4',
    'http://127.0.0.1.example.net/v4',
    'http://localhost.example.net',
    'http://0.0.0.0/v4',
    'http://[::2]/v4',
    'http://128.0.0.1/v4',
  ])('%s needs https', (text) => {
    expect(problemOf(() => parseBaseUrl(text))).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('https://'),
    })
  })

  test.each([
    'https://ada:hunter2@api.example.net/v4',
    'https://hunter2@api.example.net/v4',
    'https://@api.example.net/v4',
    'https://api.example.net/v4?token=hunter2',
    'https://api.example.net/v4?',
    'https://api.example.net/v4#hunter2',
  ])('%s is refused, and its message quotes no secret', (text) => {
    const { code, message } = problemOf(() => parseBaseUrl(text))
    expect(code).toBe('usage')
    expect(message).not.toContain('hunter2')
  })
})

describe('a base URL with a password that was written into the file', () => {
  test.each([
    ['https://ada:hunter2@api.example.net/v4', '[redacted]@api.example.net/v4'],
    ['https://ada:hun/ter2@hunter2@api.example.net/v4', '[redacted]@api.example.net/v4'],
    ['ada:hunter2@api.example.net', '[redacted]@api.example.net'],
    ['https://api.example.net/v4', 'https://api.example.net/v4'],
  ])('%s is shown as %s', (text, shown) => {
    expect(shownBaseUrl(text)).toBe(shown)
  })
})

describe('a token', () => {
  test.each(['a', 'A-z.0_9~+/==', 'f'.repeat(64), 'x'.repeat(4096)])('is %s', (text) => {
    expect(parseToken(text)).toBe(text)
  })

  test('loses one newline at its end', () => {
    expect(parseToken('abc\n')).toBe('abc')
    expect(parseToken('abc\r\n')).toBe('abc')
    expect(problemOf(() => parseToken('abc\n\n')).code).toBe('usage')
  })

  test.each([
    '',
    '\n',
    ' hunter2',
    'hunter2 ',
    'hunter2=x',
    'hünter2',
    'hunter2\nX: y',
    'hunter2\0',
    'hunter2'.repeat(600),
  ])('is not %j, and the message does not quote it', (text) => {
    const { code, message } = problemOf(() => parseToken(text))
    expect(code).toBe('usage')
    expect(message).toMatch(/token/)
    expect(message).not.toMatch(/h.nter2/)
  })

  test.each([
    '-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n-----END OPENSSH PRIVATE KEY-----\n',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIE',
    '-----BEGIN PRIVATE KEY-----',
    'PuTTY-User-Key-File-3: ssh-ed25519',
  ])('is no private SSH key: %j', (text) => {
    expect(problemOf(() => parseToken(text)).message).toMatch(/private SSH key/)
  })
})

describe('a token command', () => {
  const env = { PATH: process.env.PATH, WHO: 'ada' }

  test('gives the first line that it prints', async () => {
    expect(await runTokenCommand('echo token-of-$WHO; echo more', env)).toBe('token-of-ada')
  })

  test('that fails says how, and nothing of what it printed', async () => {
    const problem = await runTokenCommand('echo hunter2; echo hunter3 >&2; exit 7', env).catch((error) => error)
    expect(problem).toMatchObject({ code: 'not_signed_in', message: 'the token command failed with exit code 7' })
    expect(JSON.stringify([problem.message, problem.details])).not.toMatch(/hunter/)
    expect(String(problem.cause)).not.toMatch(/hunter/)
  })

  test.each([
    ['true', 'the token command printed no token'],
    ['echo; echo token', 'the token command printed no token'],
    ['no-such-command-here', 'the token command failed with exit code 127'],
    ['echo not a token', 'the token holds a character that no token has (letters, digits and -._~+/= only)'],
    ['yes | head -c 1000000', 'the token command failed'],
  ])('%j is a problem', async (command, message) => {
    await expect(runTokenCommand(command, env)).rejects.toMatchObject({ message })
  })

  test('that hangs is ended', async () => {
    await expect(runTokenCommand('sleep 60; echo late', env, { limitMs: 20 })).rejects.toThrow(
      'did not end within 0.02 s',
    )
  })

  test('reads nothing from our stdin', async () => {
    expect(await runTokenCommand('cat; echo done', env)).toBe('done')
  })
})

describe('the credential', () => {
  const api = 'https://api.example.net/v4'
  const other = 'https://api.example.org/v4'
  const contexts = new Map<string, StoredContext>([
    ['prod', { base_url: api, token: 'prod-token' }],
    ['vault', { base_url: api, token_command: 'echo vault-token' }],
    ['bare', { base_url: api }],
    ['__proto__', { base_url: other, token: 'proto-token' }],
  ])
  const choice = (given: {
    flags?: CredentialInput['flags']
    env?: Record<string, string>
    current?: string
    config?: CredentialInput['config']
  }): CredentialInput => ({
    flags: given.flags ?? {},
    env: given.env ?? {},
    config: given.config ?? { contexts, ...(given.current !== undefined && { current: given.current }) },
  })
  const choose = (given: Parameters<typeof choice>[0]) => {
    const credential = chooseCredential(choice(given))
    if (credential.sandbox) return { sandbox: true, from: credential.context.from }
    const { context, baseUrl, baseUrlFrom, secret } = credential
    return { context: context?.name, baseUrl, baseUrlFrom, secret: secret instanceof Problem ? secret.message : secret }
  }
  const unreadable = new Problem('local', 'the disk is gone')

  test('is that of the context in use', () => {
    expect(choose({ current: 'prod' })).toEqual({
      context: 'prod',
      baseUrl: api,
      baseUrlFrom: 'context',
      secret: { from: 'context', token: 'prod-token' },
    })
  })

  test('takes the flag before the environment, and that before the current context', () => {
    const env = { SKYCTL_CONTEXT: 'vault', SKYCTL_BASE_URL: 'https://env.example.net/v4', SKYCTL_TOKEN: 'env-token' }
    expect(choose({ current: 'prod', env, flags: { baseUrl: 'https://env.example.net/v5' } })).toEqual({
      context: 'vault',
      baseUrl: 'https://env.example.net/v5',
      baseUrlFrom: 'flag',
      secret: { from: 'environment', token: 'env-token' },
    })
    expect(choose({ current: 'prod', env })).toMatchObject({
      context: 'vault',
      baseUrl: 'https://env.example.net/v4',
      baseUrlFrom: 'environment',
    })
  })

  test('of a context named by flag is its own, whatever stands in the environment', () => {
    for (const env of [
      { SKYCTL_TOKEN: 'env-token' },
      { SKYCTL_TOKEN: 'env-token', SKYCTL_BASE_URL: other, SKYCTL_CONTEXT: '__proto__' },
    ]) {
      expect(choose({ current: '__proto__', env, flags: { context: 'prod' } })).toEqual({
        context: 'prod',
        baseUrl: api,
        baseUrlFrom: 'context',
        secret: { from: 'context', token: 'prod-token' },
      })
      expect(choose({ env, flags: { context: 'bare' } })).toMatchObject({
        baseUrl: api,
        secret: 'context "bare" is signed out',
      })
    }
  })

  test('never sends a token of the environment past SKYCTL_BASE_URL', () => {
    const env = { SKYCTL_TOKEN: 'env-token', SKYCTL_BASE_URL: other }
    expect(choose({ env, flags: { baseUrl: api } }).secret).toBe(
      'not signed in to https://api.example.net: SKYCTL_TOKEN is for SKYCTL_BASE_URL',
    )
    expect(choose({ env, current: 'prod', flags: { baseUrl: api } })).toMatchObject({ secret: { token: 'prod-token' } })
    expect(choose({ env: { SKYCTL_TOKEN: 'env-token' }, flags: { baseUrl: api } })).toMatchObject({
      secret: { token: 'env-token' },
    })
  })

  test.for<[string, Parameters<typeof choice>[0], string | undefined]>([
    ['a token and an address and no context', { env: { SKYCTL_TOKEN: 't', SKYCTL_BASE_URL: other } }, undefined],
    [
      'the values of the context itself',
      { current: 'prod', env: { SKYCTL_TOKEN: 'prod-token\n', SKYCTL_BASE_URL: api } },
      undefined,
    ],
    ['the token of the context alone', { current: 'prod', env: { SKYCTL_TOKEN: 'prod-token' } }, undefined],
    ['a flag', { flags: { context: 'prod' }, current: 'vault' }, undefined],
    [
      'another token',
      { current: 'prod', env: { SKYCTL_TOKEN: 't' } },
      'using SKYCTL_TOKEN instead of the token of context "prod"',
    ],
    [
      'a token for a context without one',
      { env: { SKYCTL_TOKEN: 't', SKYCTL_CONTEXT: 'bare' } },
      'using SKYCTL_TOKEN instead of the token of context "bare"',
    ],
    [
      'another address',
      { current: 'prod', env: { SKYCTL_BASE_URL: 'https://api.example.net/v5' } },
      'SKYCTL_BASE_URL overrides context "prod"; unset it to use that',
    ],
    [
      'both',
      { env: { SKYCTL_CONTEXT: 'prod', SKYCTL_TOKEN: 't', SKYCTL_BASE_URL: other } },
      'SKYCTL_BASE_URL and SKYCTL_TOKEN override context "prod"; unset them to use that',
    ],
    [
      'both beside a context named by flag',
      { flags: { context: 'prod' }, env: { SKYCTL_TOKEN: 't', SKYCTL_BASE_URL: other } },
      'SKYCTL_BASE_URL and SKYCTL_TOKEN are not used: --context prod uses its own address and token',
    ],
    [
      'a token beside another address',
      { flags: { baseUrl: api }, current: 'prod', env: { SKYCTL_TOKEN: 't', SKYCTL_BASE_URL: other } },
      'SKYCTL_TOKEN is not used: it is for SKYCTL_BASE_URL',
    ],
    [
      'a token beside the sandbox',
      { flags: { context: 'sandbox' }, env: { SKYCTL_TOKEN: 't' } },
      'SKYCTL_TOKEN is not used: the context "sandbox" is built in',
    ],
  ])('is said to be overridden, or to override, where that is so: %s', ([, given, said]) => {
    expect(actingOn(choice(given)).override).toBe(said)
  })

  test('has a name where it could be taken for another', () => {
    const name = (given: Parameters<typeof choice>[0]) => actingOn(choice(given)).name
    const alone = { current: 'prod', contexts: new Map([['prod', { base_url: api, token: 'prod-token' }]]) }
    const env = { SKYCTL_TOKEN: 't', SKYCTL_BASE_URL: other }
    expect(name({ current: 'prod' })).toBe('prod')
    expect(name({ config: alone })).toBeUndefined()
    expect(name({ config: alone, env })).toBe('SKYCTL_TOKEN at api.example.org')
    expect(name({ config: { contexts: new Map() }, env })).toBeUndefined()
    expect(name({ config: { contexts: new Map() }, flags: { context: 'sandbox' } })).toBe('sandbox')
  })

  test('with SKYCTL_TOKEN alone goes to the base URL of the context', () => {
    expect(choose({ current: 'prod', env: { SKYCTL_TOKEN: 'env-token' } })).toMatchObject({
      baseUrl: api,
      secret: { from: 'environment', token: 'env-token' },
    })
  })

  test('treats an empty variable as none', () => {
    const env = { SKYCTL_CONTEXT: '', SKYCTL_BASE_URL: '', SKYCTL_TOKEN: '' }
    expect(choose({ current: 'prod', env })).toEqual(choose({ current: 'prod' }))
  })

  test('is never that of another account where a flag is empty, as from a variable that is not set', () => {
    const env = { SKYCTL_CONTEXT: 'vault', SKYCTL_BASE_URL: other, SKYCTL_TOKEN: 't' }
    expect(() => choose({ current: 'prod', env, flags: { context: '' } })).toThrow('context "" not found')
    expect(() => choose({ current: 'prod', env, flags: { baseUrl: '' } })).toThrow('--base-url')
  })

  test.each(['https://evil.example.net/v4', 'https://api.example.net:8443/v4', 'http://localhost/v4'])(
    'never sends a stored token to another origin: %s',
    (url) => {
      for (const name of ['prod', 'vault']) {
        for (const given of [{ flags: { baseUrl: url } }, { env: { SKYCTL_BASE_URL: url } }]) {
          expect(choose({ current: name, ...given }).secret).toBe(
            `not signed in to ${new URL(url).origin}: the token of context "${name}" is for https://api.example.net`,
          )
        }
      }
    },
  )

  test('sends a stored token to another path of its origin', () => {
    expect(choose({ current: 'prod', flags: { baseUrl: 'https://API.example.net:443/v4beta' } })).toMatchObject({
      baseUrl: 'https://api.example.net/v4beta',
      secret: { token: 'prod-token' },
    })
  })

  test('is the sandbox where it is named, whatever stands in the environment', () => {
    const env = { SKYCTL_BASE_URL: 'nonsense', SKYCTL_TOKEN: 'real-token' }
    expect(choose({ flags: { context: 'sandbox' }, env })).toEqual({ sandbox: true, from: 'flag' })
    expect(choose({ env: { ...env, SKYCTL_CONTEXT: 'sandbox' } })).toEqual({ sandbox: true, from: 'environment' })
    expect(choose({ current: 'sandbox', env })).toEqual({ sandbox: true, from: 'context' })
  })

  test('is the sandbox without anything on disk', () => {
    expect(choose({ flags: { context: 'sandbox' }, config: unreadable })).toMatchObject({ sandbox: true })
  })

  test('is a contradiction with --base-url and the sandbox', () => {
    const given = choice({ flags: { context: 'sandbox', baseUrl: api } })
    expect(problemOf(() => chooseCredential(given))).toMatchObject({ code: 'usage' })
  })

  test('where there is none says how to sign in and how to try the sandbox', () => {
    expect(problemOf(() => choose({}))).toMatchObject({
      code: 'not_signed_in',
      message: 'not signed in',
      details: {
        hint: 'Sign in with skyctl auth login, or try the sandbox: skyctl --context sandbox volumes list',
      },
    })
  })

  test('needs a place to send SKYCTL_TOKEN to', () => {
    expect(problemOf(() => choose({ env: { SKYCTL_TOKEN: 'env-token' } }))).toMatchObject({
      code: 'not_signed_in',
      message: 'SKYCTL_TOKEN is set, but no base URL',
    })
  })

  test('needs no token for open endpoints', () => {
    expect(choose({ flags: { baseUrl: api } })).toMatchObject({
      baseUrl: api,
      secret: '--base-url is set, but no token',
    })
    expect(choose({ env: { SKYCTL_BASE_URL: api } })).toMatchObject({
      baseUrl: api,
      secret: 'SKYCTL_BASE_URL is set, but no token',
    })
    expect(choose({ current: 'bare' })).toMatchObject({ baseUrl: api, secret: 'context "bare" is signed out' })
  })

  test('needs nothing on disk where the environment says all', () => {
    const env = { SKYCTL_BASE_URL: api, SKYCTL_TOKEN: 'env-token' }
    expect(choose({ env, config: unreadable })).toMatchObject({ baseUrl: api, secret: { token: 'env-token' } })
    expect(choose({ env, current: 'gone' })).toMatchObject({ baseUrl: api, secret: { token: 'env-token' } })
    expect(choose({ flags: { baseUrl: api }, config: unreadable }).secret).toBe('the disk is gone')
    expect(problemOf(() => choose({ config: unreadable })).message).toBe('the disk is gone')
  })

  test('of an unknown context names near ones', () => {
    expect(problemOf(() => choose({ flags: { context: 'prd' } }))).toMatchObject({
      code: 'context_not_found',
      message: 'context "prd" not found',
      details: { hint: 'Did you mean "prod"?' },
    })
    expect(problemOf(() => choose({ env: { SKYCTL_CONTEXT: 'toString' } })).code).toBe('context_not_found')
    expect(problemOf(() => choose({ flags: { context: 'sandbx' } })).details.hint).toBe('Did you mean "sandbox"?')
  })

  test('names the context whose base URL is not acceptable', () => {
    const config = { current: 'old', contexts: new Map([['old', { base_url: 'http://api.example.net/v4' }]]) }
    expect(problemOf(() => choose({ config })).message).toMatch(/^the base URL of context "old" must begin with https/)
  })

  test('gives its token, from wherever it is', async () => {
    const token = async (given: Parameters<typeof choice>[0]) => {
      const credential = chooseCredential(choice(given))
      if (credential.sandbox) throw new Error('unexpected')
      return tokenOf(credential, { PATH: process.env.PATH })
    }
    expect(await token({ current: 'prod' })).toBe('prod-token')
    expect(await token({ current: 'vault' })).toBe('vault-token')
    expect(await token({ current: '__proto__' })).toBe('proto-token')
    expect(await token({ current: 'prod', env: { SKYCTL_TOKEN: 'env-token\n' } })).toBe('env-token')
    await expect(token({ current: 'bare' })).rejects.toMatchObject({ code: 'not_signed_in' })
    await expect(token({ current: 'prod', env: { SKYCTL_TOKEN: 'not a token' } })).rejects.toMatchObject({
      code: 'usage',
    })
  })

  test('knows the context in use with its defaults', () => {
    expect(chooseContext(choice({ current: 'bare' }))).toEqual({
      name: 'bare',
      from: 'context',
      record: { base_url: api },
    })
    expect(chooseContext(choice({ flags: { context: 'sandbox' } }))).toMatchObject({ name: 'sandbox', from: 'flag' })
    expect(chooseContext(choice({}))).toBeUndefined()
  })
})
