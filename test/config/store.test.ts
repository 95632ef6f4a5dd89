/** The contexts file: private, repaired if it is damaged, and never incomplete. */
import { execFileSync, spawnSync } from 'node:child_process'
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import type { Options } from 'conf'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { changeConfig } from '../../src/config/change-config'
import type { Config, StoredContext } from '../../src/config/contexts'
import { readConfig } from '../../src/config/read-config'
import { holdLock } from '../../src/files/lock'
import { bundleScript } from '../support/bundle'
import { temporaryFolder } from '../support/temporary-folder'

/** Folders in which the library has written drafts. */
const drafts: { folder: string; mode: number }[] = []
let isDiskFull = false

vi.mock('conf', async (original) => {
  const { default: Conf } = await original<typeof import('conf')>()
  class Watched extends Conf<Record<string, unknown>> {
    constructor(options: Options<Record<string, unknown>>) {
      const folder = String(options.cwd)
      drafts.push({ folder, mode: statSync(folder).mode & 0o777 })
      super(options)
    }

    override get store() {
      return super.store
    }

    override set store(value) {
      super.store = value
      if (isDiskFull) writeFileSync(this.path, '{"contexts":{}}')
    }
  }
  return { default: Watched }
})
vi.hoisted(() => vi.resetModules())
afterAll(() => {
  vi.doUnmock('conf')
  vi.resetModules()
})

const prod: StoredContext = { base_url: 'https://api.example.net/v4', token: 'secret-1' }
const both = ['contexts.json', 'contexts.json.bak']

let folder: string
let config: string
let file: string
let warnings: string[]
beforeEach(() => {
  drafts.length = 0
  isDiskFull = false
  folder = temporaryFolder()
  config = join(folder, 'skyctl')
  file = join(config, 'contexts.json')
  warnings = []
})

const paths = () => ({ config, file, state: join(folder, 'state'), cache: join(folder, 'cache') })
const warn = (message: string) => void warnings.push(message)
const change = (action: (config: Config) => void) => changeConfig(paths(), action, { warn })
const store = (contexts: Record<string, StoredContext>, current?: string) =>
  change((config) => {
    for (const [name, context] of Object.entries(contexts)) config.contexts.set(name, context)
    if (current) config.current = current
  })
const read = () => readConfig(paths(), { warn })
const names = async () => [...(await read()).contexts.keys()]
const present = () => readdirSync(config).sort()
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const renamedFile = () => join(config, present().find((name) => name.startsWith('contexts.json.corrupt-')) ?? 'none')

/** Bundles a script that calls `changeConfig`, for a process in which the file system fails or that is killed. */
const bundledScript = (lines: string) =>
  bundleScript(
    folder,
    `const fs = require('node:fs')
     import { changeConfig } from './config/change-config'
     const [config] = process.argv.slice(2)
     const paths = { config, file: config + '/contexts.json', state: '', cache: '' }
     ${lines}`,
  )

describe('The contexts file', () => {
  test('is not created by reading', async () => {
    expect(await read()).toEqual({ contexts: new Map() })
    expect(readdirSync(folder)).toEqual([])
  })

  test('has the stored contexts as plain JSON, and so does its backup', async () => {
    const context = { ...prod, user: 'ada', defaults: { region: 'us-east', output: 'json' } }
    await store({ other: prod })
    const stored = await store({ prod: context }, 'prod')
    const contexts = { other: prod, prod: context }
    expect(stored).toEqual({ current: 'prod', contexts: new Map(Object.entries(contexts)) })
    expect(await read()).toEqual(stored)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ current: 'prod', contexts })
    expect(readFileSync(`${file}.bak`, 'utf8')).toBe(readFileSync(file, 'utf8'))
  })

  test('may have contexts of any name', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'acme.com', '__internal__', 'a b', '名', '0', '\u{1f600}']
    await store({ prod })
    for (const name of names) await change(({ contexts }) => void contexts.set(name, { ...prod, user: name }))
    expect([...(await read()).contexts].map(([name, { user }]) => [name, user]).sort()).toEqual(
      [['prod', undefined], ...names.map((name) => [name, name])].sort(),
    )
    await change(({ contexts }) => void contexts.delete('__proto__'))
    expect((await read()).contexts.has('__proto__')).toBe(false)
    expect({}).not.toHaveProperty('base_url')
  })

  test('cannot have a context named "sandbox", which is built in', async () => {
    await expect(store({ sandbox: prod })).rejects.toMatchObject({ code: 'usage' })
    expect(existsSync(file)).toBe(false)
    await store({ prod }, 'sandbox')
    expect((await read()).current).toBe('sandbox')
  })

  test('keeps the additional fields of a later version', async () => {
    await store({ prod: { ...prod, defaults: { region: 'us-east' } } }, 'prod')
    const text = readFileSync(file, 'utf8')
      .replace('{', '{ "version": 2, "hooks": { "before": ["a"] }, "__proto__": "x",')
      .replace('"region"', '"page_size": 100, "region"')
      .replace('"token"', '"future": { "a": [1] }, "token"')
    writeFileSync(file, text)
    const before = JSON.parse(text)
    await store({ other: prod }, 'other')
    const after = JSON.parse(readFileSync(file, 'utf8'))
    expect(after).toEqual({ ...before, current: 'other', contexts: { ...before.contexts, other: prod } })
    expect(Object.keys(after)).toEqual(['version', 'hooks', '__proto__', 'current', 'contexts'])
    expect(after.contexts.prod).toMatchObject({
      future: { a: [1] },
      defaults: { region: 'us-east', page_size: 100 },
    })
    expect(warnings).toEqual([])
  })

  test('is not damaged by a byte order mark', async () => {
    const before = await store({ prod }, 'prod')
    for (const path of [file, `${file}.bak`]) writeFileSync(path, `\ufeff${readFileSync(path, 'utf8')}`)
    expect(await read()).toEqual(before)
    await store({ other: prod })
    expect(await names()).toEqual(['prod', 'other'])
    expect([warnings, present()]).toEqual([[], both])
  })

  test('in a folder with foreign files leaves the mode of that folder unchanged', async () => {
    mkdirSync(config)
    writeFileSync(join(config, 'my-contexts.json'), '')
    chmodSync(config, 0o755)
    await read()
    await store({ prod })
    await read()
    expect([modeOf(config), modeOf(file), warnings]).toEqual(['755', '600', []])
  })

  test('is not changed if its lock is a pipe: the change is rejected at once', async () => {
    await store({ prod })
    execFileSync('mkfifo', [`${file}.lock`])
    await expect(store({ other: prod })).rejects.toMatchObject({
      code: 'local',
      message: `${file}.lock is not your lock file: it is not a regular file`,
    })
    expect(await names()).toEqual(['prod'])
  })

  test.each([0, 0o077])('and its folder, backup and draft are private under umask %i (decimal)', async (mask) => {
    const before = process.umask(mask)
    onTestFinished(() => void process.umask(before))
    await store({ prod })
    expect([config, file, `${file}.bak`].map(modeOf)).toEqual(['700', '600', '600'])
    expect(drafts).toEqual([{ folder: expect.stringContaining(file), mode: 0o700 }])
    expect([present(), warnings]).toEqual([both, []])
  })

  test('becomes private with a warning if others can read it', async () => {
    await store({ prod })
    chmodSync(config, 0o755)
    chmodSync(file, 0o644)
    expect((await read()).contexts.get('prod')).toEqual(prod)
    expect([modeOf(config), modeOf(file)]).toEqual(['700', '600'])
    expect(warnings).toEqual([
      `${config} was open to other users: its mode is now 0700`,
      `${file} was open to other users: its mode is now 0600`,
    ])
  })

  test('is never read or written through a symbolic link', async () => {
    await store({ prod })
    const elsewhere = join(folder, 'elsewhere')
    writeFileSync(elsewhere, readFileSync(file), { mode: 0o600 })
    rmSync(file)
    symlinkSync(elsewhere, file)
    await expect(read()).rejects.toMatchObject({ code: 'local' })
    await expect(store({ other: prod })).rejects.toThrow(`${file} is not private: it is a symbolic link`)
    expect(readFileSync(elsewhere, 'utf8')).not.toContain('other')
  })

  test('is read without a lock or a change to its folder', async () => {
    await store({ prod })
    const longAgo = new Date(2020, 0, 1)
    utimesSync(config, longAgo, longAgo)
    expect(await names()).toEqual(['prod'])
    expect(statSync(config).mtime).toEqual(longAgo)
  })

  test('and its backup have no removed token', async () => {
    await store({ prod: { ...prod, token: 'canary-token' } })
    await change(({ contexts }) => void contexts.delete('prod'))
    expect(present()).toEqual(both)
    for (const name of both) expect(readFileSync(join(config, name), 'utf8')).not.toContain('canary-token')
  })

  test('is unchanged if the change throws, and the next change need not wait', async () => {
    await store({ prod })
    const before = readFileSync(file, 'utf8')
    const failure = new Error('changed my mind')
    const failingChange = change(({ contexts }) => {
      contexts.clear()
      throw failure
    })
    await expect(failingChange).rejects.toBe(failure)
    expect([readFileSync(file, 'utf8'), present()]).toEqual([before, both])
    await store({ other: prod })
    expect([await names(), warnings]).toEqual([['prod', 'other'], []])
  })

  test('is unchanged if the library writes an incomplete draft', async () => {
    const before = await store({ prod })
    isDiskFull = true
    const message = `cannot write ${file}: its draft is incomplete`
    await expect(store({ other: prod })).rejects.toMatchObject({ code: 'local', message })
    expect([await read(), present()]).toEqual([before, both])
  })

  test('is unchanged if the file system writes a part only and reports success', async () => {
    const before = await store({ prod }, 'prod')
    const script = await bundledScript(
      `const add = ({ contexts }) => {
         for (let index = 0; index < 200; index += 1) contexts.set('c' + index, { base_url: 'https://api.example.net/v4' })
       }
       changeConfig(paths, add, { warn: console.log }).catch(({ code, message }) => console.log(code, message))`,
    )
    // The limit is 8 blocks of 512 bytes per file; node ignores the signal, so the write ends early.
    const output = execFileSync('sh', ['-c', 'ulimit -f 8; exec "$@"', 'sh', process.execPath, script, config])
    expect(output.toString()).toMatch(/^local cannot write .*contexts\.json: .+\n$/)
    expect([await read(), present()]).toEqual([before, both])
  })

  test('keeps concurrent changes', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `c${index}`)
    await Promise.all(names.map((name) => store({ [name]: prod })))
    expect([...(await read()).contexts.keys()].sort()).toEqual(names.sort())
  })
})

describe('After a process was killed', () => {
  test.each([1, 2, 3])('other files have a token only while the contexts file has it: rename %i', async (rename) => {
    await store({ prod: { ...prod, token: 'canary-token' } })
    const script = await bundledScript(
      `const { renameSync } = fs
       let renames = 0
       fs.renameSync = (...paths) => {
         renameSync(...paths)
         renames += 1
         if (renames === ${rename}) process.kill(process.pid, 'SIGKILL')
       }
       changeConfig(paths, ({ contexts }) => void contexts.clear(), { warn: console.log })`,
    )
    expect(spawnSync(process.execPath, [script, config]).signal).toBe('SIGKILL')
    const isStored = (await read()).contexts.has('prod')
    for (const name of present()) {
      const hasToken = readFileSync(join(config, name), 'utf8').includes('canary-token')
      expect([name, hasToken]).toEqual([name, isStored && !name.endsWith('.lock')])
    }
  })

  test.for<[string, () => unknown]>([
    ['reading', read],
    ['change', () => store({ other: prod })],
  ])('its temporary files are removed by the next %s, and no foreign ones', async ([, next]) => {
    await store({ prod })
    const temporaryFiles = ['contexts.json', 'contexts.json.bak', 'contexts.json.lock'].map(
      (name) => `${name}.0123456789abcdef.tmp`,
    )
    for (const name of temporaryFiles) writeFileSync(join(config, name), 'secret')
    mkdirSync(join(config, 'contexts.json.fedcba9876543210.tmp'))
    writeFileSync(join(config, 'contexts.json.fedcba9876543210.tmp', 'contexts.json'), 'secret')
    const foreignFiles = ['contexts.json.orig', 'notes.0123456789abcdef.tmp']
    for (const name of foreignFiles) writeFileSync(join(config, name), '')
    await next()
    expect(present()).toEqual([...both, ...foreignFiles])
  })

  test('the draft of another running process stays', async () => {
    await store({ prod })
    const lock = await holdLock(`${file}.lock`)
    const draft = join(config, 'contexts.json.0123456789abcdef.tmp')
    writeFileSync(draft, '')
    await read()
    expect(existsSync(draft)).toBe(true)
    lock.release()
  })
})

describe('A damaged contexts file', () => {
  test.for(['', '{"current":"prod","contexts":{"prod":{"base_u', '{"contexts":{"prod":{"token":"x"}}}'])(
    'is renamed, its backup is used, and no lock remains: %j',
    async (damage) => {
      const before = await store({ prod }, 'prod')
      writeFileSync(file, damage)
      expect(await read()).toEqual(before)
      expect([readFileSync(renamedFile(), 'utf8'), modeOf(renamedFile())]).toEqual([damage, '600'])
      expect(present()).toHaveLength(3)
      expect(warnings).toEqual([
        `${file} is damaged: its backup is used`,
        `the damaged file is kept as ${renamedFile()}`,
      ])
      expect(await read()).toEqual(before)
      expect(warnings).toHaveLength(2)
    },
  )

  test('is repaired before a change', async () => {
    await store({ prod })
    writeFileSync(file, '{')
    await store({ other: prod })
    expect([await names(), readFileSync(renamedFile(), 'utf8')]).toEqual([['prod', 'other'], '{'])
    expect(warnings).toHaveLength(2)
  })

  test.for([
    ['damaged as well', (path: string) => writeFileSync(path, 'x')],
    ['missing', (path: string) => rmSync(path)],
  ] as const)('counts as empty with a warning if its backup is %s', async ([, spoil]) => {
    await store({ prod })
    writeFileSync(file, '{')
    spoil(`${file}.bak`)
    expect(await read()).toEqual({ contexts: new Map() })
    expect(warnings[0]).toBe(`${file} is damaged: it has no backup, so no context is known`)
  })

  test('is not repaired while another process holds the lock, and its backup is used', async () => {
    const before = await store({ prod })
    writeFileSync(file, '{')
    const lock = await holdLock(`${file}.lock`)
    expect(await read()).toEqual(before)
    expect([readFileSync(file, 'utf8'), existsSync(renamedFile())]).toEqual(['{', false])
    expect(warnings).toEqual([`${file} is damaged: its backup is used`])
    lock.release()
    expect(await read()).toEqual(before)
    expect(readFileSync(file, 'utf8')).not.toBe('{')
  })

  test('is not repaired if it cannot be locked, and its backup is used', async () => {
    const before = await store({ prod })
    writeFileSync(file, '{')
    symlinkSync('elsewhere', `${file}.lock`)
    expect(await read()).toEqual(before)
    expect([readFileSync(file, 'utf8'), existsSync(renamedFile())]).toEqual(['{', false])
    expect(warnings).toEqual([`${file} is damaged: its backup is used`])
  })

  test('is read again if another process has repaired it meanwhile', async () => {
    await store({ prod })
    const backup = readFileSync(file, 'utf8')
    writeFileSync(file, 'x')
    const { openSync } = fs
    const concurrentRepair = vi.spyOn(fs, 'openSync').mockImplementation((path, ...rest) => {
      if (path === `${file}.lock`) writeFileSync(file, backup.replace('prod', 'later'))
      return openSync(path, ...rest)
    })
    syncBuiltinESMExports()
    const stored = await names()
    concurrentRepair.mockRestore()
    syncBuiltinESMExports()
    expect(stored).toEqual(['later'])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ contexts: { later: {} } })
    expect([present(), warnings]).toEqual([both, []])
  })
})
