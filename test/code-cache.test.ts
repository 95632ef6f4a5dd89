/** The cache of V8's compiled code. It is code, so only files of the user may be read. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { codeCache } from '../src/platform/code-cache'
import { test as base } from './support/process'

const dist = join(import.meta.dirname, '../dist')

interface Fixtures {
  /** The cache folder of skyctl. */
  cache: string
  /** Returns the output of a run, which must succeed. */
  help(env?: Record<string, string>): Promise<string>
  /** Runs once; returns the folder that it filled. */
  firstRun(): Promise<string>
  /** Copies the cache of a first run, which saves a tenth of a second. */
  fillCache(): Promise<string>
}

/** Cache folder after a first run. */
let firstCache = ''
beforeAll(() => {
  firstCache = join(mkdtempSync(join(tmpdir(), 'skyctl-code-cache-')), 'skyctl')
})
afterAll(() => rmSync(dirname(firstCache), { recursive: true }))

/** Copies a cache with its modes, without which it is not trusted: `cpSync` of Node 22 and later does not keep them. */
function copyCache(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
  for (const name of ['.', ...readdirSync(from, { recursive: true, encoding: 'utf8' })])
    chmodSync(join(to, name), lstatSync(join(from, name)).mode)
}

function buildIn(cache: string): string {
  const [build = ''] = readdirSync(join(cache, 'code'))
  return join(cache, 'code', build)
}

const test = base.extend<Fixtures>({
  cache: ({ home }, use) => use(join(home, 'cache/skyctl')),
  help: async ({ shell, home }, use) =>
    use(async (env = {}) => {
      const { exit, stdout } = await shell('skyctl --help', { env: { XDG_CACHE_HOME: join(home, 'cache'), ...env } })
      expect(exit).toBe(0)
      return stdout
    }),
  firstRun: async ({ cache, help }, use) =>
    use(async () => {
      await help()
      return buildIn(cache)
    }),
  fillCache: async ({ cache, firstRun }, use) =>
    use(async () => {
      if (existsSync(firstCache)) copyCache(firstCache, cache)
      else copyCache(join(await firstRun(), '../..'), firstCache)
      return buildIn(cache)
    }),
})

/**
 * Returns code that V8 accepts as the compiled main.js, since it only compares lengths: a program that prints one word.
 * It is compiled in a process of its own, because this one has other flags of V8.
 */
function forgeCode(): Buffer {
  const { length } = readFileSync(join(dist, 'main.js'), 'latin1')
  const body = "exports.main = () => { require('node:fs').writeSync(1, 'forged') }".padEnd(length)
  // A function that was called is compiled, and part of the cache.
  const compile = `
    const script = new (require('node:vm').Script)(require('node:fs').readFileSync(0, 'latin1'))
    const exports = {}
    script.runInThisContext()(exports, () => ({ writeSync() {} }))
    exports.main()
    process.stdout.write(script.createCachedData())`
  const input = `(function (exports, require, module) {${body}\n})`
  const data = execFileSync(process.execPath, ['-e', compile], { input, maxBuffer: 2 ** 26 })
  return Buffer.concat([data, data])
}

const compareSeenFirst = (one: string, other: string) => Number(other.endsWith('.seen')) - Number(one.endsWith('.seen'))

function flipBit(bytes: Buffer): Buffer {
  const middle = bytes.length >> 2
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
  return bytes
}

describe.skipIf(process.platform === 'win32')('the code cache', () => {
  test('is filled by the first run, in private files', async ({ firstRun, home }) => {
    const folder = await firstRun()
    const [seenFile = '', ...files] = readdirSync(folder).sort(compareSeenFirst)
    expect({ seen: seenFile, files }).toEqual({ seen: expect.stringMatching(/^\w+\.seen$/), files: ['main.js'] })
    const modes = [join(home, 'cache/skyctl'), folder, join(folder, 'main.js'), join(folder, seenFile)].map(
      (path) => lstatSync(path).mode & 0o777,
    )
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o600])
  })

  test('is read by later runs, and not written again', async ({ fillCache, help }) => {
    const folder = await fillCache()
    const file = join(folder, 'main.js')
    const { ino } = lstatSync(file)
    expect(await help()).toMatch(/^Usage: skyctl/)
    expect(lstatSync(file).ino).toBe(ino)
    writeFileSync(file, forgeCode())
    expect(await help()).toBe('forged')
  })

  test('is renewed once when a file is first used together with others', async ({ fillCache, help, shell, home }) => {
    const folder = await fillCache()
    const inode = () => lstatSync(join(folder, 'main.js')).ino
    const list = async () => {
      const { exit } = await shell('skyctl volumes list --json', { env: { XDG_CACHE_HOME: join(home, 'cache') } })
      return { exit, inode: inode() }
    }
    const afterHelp = { exit: 0, inode: inode() }
    const afterList = await list()
    expect(afterList).not.toEqual(afterHelp)
    await help()
    expect({ exit: 0, inode: inode() }).toEqual(afterList)
    expect(await list()).toEqual(afterList)
  })

  test('has the functions that each kind of run has called', async ({ fillCache, shell, home }) => {
    const folder = await fillCache()
    const size = () => lstatSync(join(folder, 'main.js')).size
    const sizes = [size()]
    for (const line of ['skyctl volumes list --json', 'skyctl volumes create --help']) {
      await shell(line, { env: { XDG_CACHE_HOME: join(home, 'cache') } })
      sizes.push(size())
    }
    expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b))
  })

  test('is renewed when a kind of run first succeeds', async ({ shell, home, cache }) => {
    const list = async (more: Record<string, string> = {}) => {
      const { exit } = await shell('skyctl volumes list --json', {
        env: { XDG_CACHE_HOME: join(home, 'cache'), ...more },
      })
      const [build = ''] = readdirSync(join(cache, 'code'))
      return { exit, size: lstatSync(join(cache, 'code', build, 'request.js')).size }
    }
    const failed = await list({ SKYCTL_TOKEN: 'nobody' })
    const listed = await list()
    expect([failed.exit, listed.exit]).toEqual([3, 0])
    expect(listed.size).toBeGreaterThan(failed.size)
  })

  test('stores nothing of a run so long that V8 drops compiled code', async ({ help, cache, home }) => {
    const busy = join(home, 'busy.cjs')
    const cpuTime = 'const { user, system } = process.cpuUsage(); return user + system'
    const burn = `const taken = () => { ${cpuTime} }; process.on('exit', () => { const before = taken(); while (taken() < 21 * before); })`
    writeFileSync(busy, burn)
    await help({ NODE_OPTIONS: `--require=${JSON.stringify(busy)}` })
    expect(() => lstatSync(cache)).toThrow('ENOENT')
  })

  test.for([
    ['after a connection', 'volumes list', 'table.js'],
    ['after firewalls were read, which keeps the heap small', 'export', 'yaml.js'],
  ] as const)('covers files that are loaded %s', async ([, line, file], { shell, home, cache }) => {
    const run = async () => {
      const result = await shell(`skyctl ${line}`, { env: { XDG_CACHE_HOME: join(home, 'cache') } })
      const [build = ''] = readdirSync(join(cache, 'code'))
      const folder = join(cache, 'code', build)
      const files = readdirSync(folder).map((name) => ({ name, ino: lstatSync(join(folder, name)).ino }))
      return { exit: result.exit, files }
    }
    const first = await run()
    expect(first.files.map(({ name }) => name)).toContain(file)
    expect(await run()).toEqual(first)
  })

  test.for<[string, (file: string, folder: string) => void]>([
    ['a file that others may write', (file) => chmodSync(file, 0o666)],
    ['a file that others may read', (file) => chmodSync(file, 0o644)],
    [
      'a symbolic link',
      (file, folder) => {
        renameSync(file, join(folder, 'aside'))
        symlinkSync('aside', file)
      },
    ],
    [
      'a folder',
      (file) => {
        renameSync(file, `${file}.aside`)
        mkdirSync(file, { mode: 0o700 })
      },
    ],
    [
      'a pipe, without waiting',
      (file) => {
        unlinkSync(file)
        execFileSync('mkfifo', ['-m', '600', file])
      },
    ],
    ['a file of another user', (file) => chownSync(file, 12_345, 12_345)],
  ])('is not read from %s', async ([what, change], { fillCache, help, skip }) => {
    if (what.endsWith('user') && process.geteuid?.() !== 0) skip('only root can give a file away')
    const folder = await fillCache()
    const file = join(folder, 'main.js')
    writeFileSync(file, forgeCode())
    change(file, folder)
    expect(await help()).toMatch(/^Usage: skyctl/)
  })

  test('is neither read from nor written to a folder that others may write to', async ({ fillCache, help }) => {
    const folder = await fillCache()
    const bytes = forgeCode()
    writeFileSync(join(folder, 'main.js'), bytes)
    chmodSync(folder, 0o777)
    expect(await help()).toMatch(/^Usage: skyctl/)
    expect(readFileSync(join(folder, 'main.js'))).toEqual(bytes)
  })

  test.for([
    ['only the user may read it', 0o700, 'kept'],
    ['others may read it', 0o755, 'source'],
    ['others may write to it', 0o722, 'source'],
  ] as const)('depends on the mode of its folder: %s', ([, mode, word], { home, onTestFinished }) => {
    vi.stubGlobal('BUILD', 'build')
    onTestFinished(() => void vi.unstubAllGlobals())
    const text = (word: string) => `exports.word = '${word}'`.padEnd(30)
    const folder = join(home, `cache/skyctl/code/build-${process.version}-${process.arch}`)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(home, 'one.js'), text('source'))
    const data = new Script(`(function (exports, require, module) {${text('kept')}\n})`).createCachedData()
    writeFileSync(join(folder, 'one.js'), Buffer.concat([data, data]), { mode: 0o600 })
    chmodSync(folder, mode)
    const host = Object.assign(Object.create(process), { env: { XDG_CACHE_HOME: join(home, 'cache') } })
    expect(codeCache(host, () => undefined, home).load('./one.js')).toEqual({ word })
  })

  test.for<[string, (file: string) => void]>([
    ['cut', (file) => truncateSync(file, 1000)],
    ['empty', (file) => truncateSync(file)],
    ['damaged in one bit', (file) => writeFileSync(file, flipBit(readFileSync(file)))],
    ['of another version of V8', (file) => writeFileSync(file, Buffer.alloc(100_000, 7))],
  ])('is written again if it is %s', async ([, damage], { fillCache, help }) => {
    const file = join(await fillCache(), 'main.js')
    const { ino } = lstatSync(file)
    damage(file)
    expect(await help()).toMatch(/^Usage: skyctl/)
    expect(lstatSync(file).ino).not.toBe(ino)
  })

  test('removes other builds after 30 days, and only files that skyctl names', async ({ cache, firstRun }) => {
    const builds = ['0123456789abcdef-v20.0.0-x64', '1123456789abcdef-v20.0.0-x64', '2123456789abcdef-v20.0.0-x64']
    const [fresh = '', old = '', withForeignFiles = ''] = builds.map((name) => join(cache, 'code', name))
    for (const folder of [fresh, old, withForeignFiles, join(cache, 'code/photos')]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(join(folder, 'main.js'), '')
      if (folder === old) writeFileSync(join(folder, '1a2b3c.seen'), '')
    }
    writeFileSync(join(old, 'main.js.0123456789abcdef.tmp'), '')
    const foreignFiles = ['a.seen.txt', 'letter.txt', 'main.js.of.my.own', 'my main.js']
    for (const name of foreignFiles) writeFileSync(join(withForeignFiles, name), 'kept')
    const monthAgo = (minutes: number) => new Date(Date.now() - (30 * 24 * 60 + minutes) * 60_000)
    for (const folder of [old, withForeignFiles, join(cache, 'code/photos')])
      utimesSync(folder, monthAgo(5), monthAgo(5))
    utimesSync(fresh, monthAgo(-5), monthAgo(-5))
    await firstRun()
    const remaining = readdirSync(join(cache, 'code')).filter((name) => /^[012]123|photos/.test(name))
    expect(remaining).toEqual([basename(fresh), basename(withForeignFiles), 'photos'])
    expect(readdirSync(withForeignFiles)).toEqual(foreignFiles)
    expect(readdirSync(join(cache, 'code/photos'))).toEqual(['main.js'])
  })

  /** Lists every path below a folder. */
  const tree = (folder: string) => readdirSync(folder, { recursive: true }).sort()

  test.for<[string, string]>([
    ['skyctl', 'cache/skyctl'],
    ['skyctl/code', 'cache/skyctl/code'],
  ])('follows no link in place of %s, and leaves its target unchanged', async ([, place], { home, help }) => {
    const target = join(home, 'stranger')
    mkdirSync(join(target, 'letters/2026'), { recursive: true })
    mkdirSync(join(target, '0123456789abcdef-v20.0.0-x64'))
    writeFileSync(join(target, 'letters/2026/a.js'), 'kept')
    const before = tree(target)
    mkdirSync(join(home, place, '..'), { recursive: true, mode: 0o700 })
    symlinkSync(target, join(home, place))
    expect(await help()).toMatch(/^Usage: skyctl/)
    expect(tree(target)).toEqual(before)
  })

  test.for<[string, string]>([
    ['the cache folder', 'cache'],
    ['skyctl', 'cache/skyctl'],
    ['skyctl/code', 'cache/skyctl/code'],
    ['a folder above', '.'],
  ])('is disabled if others may write to %s', async ([, folderPath], { fillCache, help, home }) => {
    const folder = await fillCache()
    writeFileSync(join(folder, 'main.js'), forgeCode())
    chmodSync(join(home, folderPath), 0o777)
    expect(await help()).toMatch(/^Usage: skyctl/)
  })

  test('is not created in a shared folder such as /tmp', async ({ home, help }) => {
    const shared = join(home, 'cache')
    mkdirSync(shared)
    chmodSync(shared, 0o1777)
    expect(await help()).toMatch(/^Usage: skyctl/)
    expect(readdirSync(shared)).toEqual([])
  })

  test("follows the user's link to another disk", async ({ home, help }) => {
    mkdirSync(join(home, 'disk'), { mode: 0o700 })
    symlinkSync(join(home, 'disk'), join(home, 'cache'))
    await help()
    const [build = ''] = readdirSync(join(home, 'disk/skyctl/code'))
    expect(readdirSync(join(home, 'disk/skyctl/code', build))).toContain('main.js')
  })

  test('is disabled by SKYCTL_CODE_CACHE=0', async ({ cache, help }) => {
    expect(await help({ SKYCTL_CODE_CACHE: '0' })).toMatch(/^Usage: skyctl/)
    expect(() => lstatSync(cache)).toThrow('ENOENT')
  })

  test('leaves no part of a file on a full disk', async ({ shell, home, cache }) => {
    // The limit is 40 blocks of 512 bytes per file, instead of a small disk; node ignores the signal.
    const line = 'ulimit -f 40; skyctl --help'
    const { exit, stdout } = await shell(line, { env: { XDG_CACHE_HOME: join(home, 'cache') } })
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringMatching(/^Usage: skyctl/) })
    expect(readdirSync(buildIn(cache)).filter((name) => !name.endsWith('.seen'))).toEqual([])
  })

  test('is optional: the command works without a place for it', async ({ help }) => {
    expect(await help({ XDG_CACHE_HOME: '/dev/null' })).toMatch(/^Usage: skyctl/)
  })
})
