/** What V8 has compiled is kept between runs: it is code, so what is read must be the user's own. */
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
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'
import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { codeCache } from '../src/code-cache'
import { usualHeap } from '../src/data/memory-limits'
import { test as base } from './support/process'

const dist = join(import.meta.dirname, '../dist')

interface Fixtures {
  /** The cache folder of skyctl. */
  cache: string
  /** The output of a run, which must go well. */
  help(env?: Record<string, string>): Promise<string>
  /** Runs once, and resolves to the folder that it filled. */
  firstRun(): Promise<string>
  /** Copies what a first run has filled; a run takes a tenth of a second. */
  filled(): Promise<string>
}

/** The cache folder of skyctl as a first run leaves it. */
let model = ''
beforeAll(() => {
  model = join(mkdtempSync(join(tmpdir(), 'skyctl-code-cache-')), 'skyctl')
})
afterAll(() => rmSync(dirname(model), { recursive: true }))

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
  filled: async ({ cache, firstRun }, use) =>
    use(async () => {
      if (existsSync(model)) cpSync(model, cache, { recursive: true })
      else cpSync(join(await firstRun(), '../..'), model, { recursive: true })
      return buildIn(cache)
    }),
})

/** What V8 takes for the compiled main.js, since it compares lengths only: a program that prints one word. */
function forged(): Buffer {
  const { length } = readFileSync(join(dist, 'main.js'), 'latin1')
  const body = "exports.main = () => { require('node:fs').writeSync(1, 'forged') }".padEnd(length)
  const script = new Script(`(function (exports, require, module) {${body}\n})`)
  const exports: { main?(): void } = {}
  script.runInThisContext()(exports, () => ({ writeSync() {} }))
  // What was called is compiled, and stands in the cache.
  exports.main?.()
  // Runs in this process may have changed them.
  for (const flag of usualHeap) setFlagsFromString(flag)
  const data = script.createCachedData()
  return Buffer.concat([data, data])
}

const marksFirst = (one: string, other: string) => Number(other.endsWith('.seen')) - Number(one.endsWith('.seen'))

function flipped(bytes: Buffer): Buffer {
  const middle = bytes.length >> 2
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
  return bytes
}

describe.skipIf(process.platform === 'win32')('the code cache', () => {
  test('is filled by the first run, in files of the user alone', async ({ firstRun, home }) => {
    const folder = await firstRun()
    const [seen = '', ...files] = readdirSync(folder).sort(marksFirst)
    expect({ seen, files }).toEqual({ seen: expect.stringMatching(/^\w+\.seen$/), files: ['main.js'] })
    const modes = [join(home, 'cache/skyctl'), folder, join(folder, 'main.js'), join(folder, seen)].map(
      (path) => lstatSync(path).mode & 0o777,
    )
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o600])
  })

  test('is read by later runs, and written no more', async ({ filled, help }) => {
    const folder = await filled()
    const file = join(folder, 'main.js')
    const { ino } = lstatSync(file)
    expect(await help()).toMatch(/^Usage: skyctl/)
    expect(lstatSync(file).ino).toBe(ino)
    writeFileSync(file, forged())
    expect(await help()).toBe('forged')
  })

  test('is renewed when other files are loaded with one of it, once', async ({ filled, help, shell, home }) => {
    const folder = await filled()
    const kept = () => lstatSync(join(folder, 'main.js')).ino
    const list = async () => {
      const { exit } = await shell('skyctl volumes list --json', { env: { XDG_CACHE_HOME: join(home, 'cache') } })
      return { exit, kept: kept() }
    }
    const ofHelp = { exit: 0, kept: kept() }
    const ofBoth = await list()
    expect(ofBoth).not.toEqual(ofHelp)
    await help()
    expect({ exit: 0, kept: kept() }).toEqual(ofBoth)
    expect(await list()).toEqual(ofBoth)
  })

  test('holds what each kind of run has called', async ({ filled, shell, home }) => {
    const folder = await filled()
    const size = () => lstatSync(join(folder, 'main.js')).size
    const sizes = [size()]
    for (const line of ['skyctl volumes list --json', 'skyctl volumes create --help']) {
      await shell(line, { env: { XDG_CACHE_HOME: join(home, 'cache') } })
      sizes.push(size())
    }
    expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b))
  })

  test('is renewed when a run of a kind that failed until then goes well', async ({ shell, home, cache }) => {
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

  test('keeps nothing of a run so long that V8 forgets what it has compiled', async ({ help, cache, home }) => {
    const busy = join(home, 'busy.cjs')
    const taken = 'const { user, system } = process.cpuUsage(); return user + system'
    const burn = `const taken = () => { ${taken} }; process.on('exit', () => { const before = taken(); while (taken() < 21 * before); })`
    writeFileSync(busy, burn)
    await help({ NODE_OPTIONS: `--require=${JSON.stringify(busy)}` })
    expect(() => lstatSync(cache)).toThrow('ENOENT')
  })

  test('is good for what is loaded after a connection too', async ({ shell, home, cache }) => {
    const list = async () => {
      const ended = await shell('skyctl volumes list', { env: { XDG_CACHE_HOME: join(home, 'cache') } })
      const [build = ''] = readdirSync(join(cache, 'code'))
      const folder = join(cache, 'code', build)
      const files = readdirSync(folder).map((name) => ({ name, ino: lstatSync(join(folder, name)).ino }))
      return { exit: ended.exit, files }
    }
    const first = await list()
    expect(first.files.map(({ name }) => name)).toContain('table.js')
    expect(await list()).toEqual(first)
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
      'what is no file',
      (file) => {
        renameSync(file, `${file}.aside`)
        mkdirSync(file, { mode: 0o700 })
      },
    ],
    [
      'a pipe, and not waited for',
      (file) => {
        unlinkSync(file)
        execFileSync('mkfifo', ['-m', '600', file])
      },
    ],
    ['a file of another user', (file) => chownSync(file, 12_345, 12_345)],
  ])('is not read from %s', async ([what, change], { filled, help, skip }) => {
    if (what.endsWith('user') && process.geteuid?.() !== 0) skip('only root can give a file away')
    const folder = await filled()
    const file = join(folder, 'main.js')
    writeFileSync(file, forged())
    change(file, folder)
    expect(await help()).toMatch(/^Usage: skyctl/)
  })

  test('is not read from a folder that others may write to, nor written there', async ({ filled, help }) => {
    const folder = await filled()
    const bytes = forged()
    writeFileSync(join(folder, 'main.js'), bytes)
    chmodSync(folder, 0o777)
    expect(await help()).toMatch(/^Usage: skyctl/)
    expect(readFileSync(join(folder, 'main.js'))).toEqual(bytes)
  })

  test.for([
    ['the user alone may read it', 0o700, 'kept'],
    ['others may read it', 0o755, 'source'],
    ['others may write to it', 0o722, 'source'],
  ] as const)('is read from its folder or not, where %s', ([, mode, word], { home, onTestFinished }) => {
    vi.stubGlobal('BUILD', 'build')
    onTestFinished(() => void vi.unstubAllGlobals())
    const text = (said: string) => `exports.word = '${said}'`.padEnd(30)
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
    ['damaged in one bit', (file) => writeFileSync(file, flipped(readFileSync(file)))],
    ['of another version of V8', (file) => writeFileSync(file, Buffer.alloc(100_000, 7))],
  ])('that is %s is made anew', async ([, damage], { filled, help }) => {
    const file = join(await filled(), 'main.js')
    const { ino } = lstatSync(file)
    damage(file)
    expect(await help()).toMatch(/^Usage: skyctl/)
    expect(lstatSync(file).ino).not.toBe(ino)
  })

  test('of another build is removed when it is over 30 days old, and by names of ours alone', async ({
    cache,
    firstRun,
  }) => {
    const builds = ['0123456789abcdef-v20.0.0-x64', '1123456789abcdef-v20.0.0-x64', '2123456789abcdef-v20.0.0-x64']
    const [fresh = '', old = '', holding = ''] = builds.map((name) => join(cache, 'code', name))
    for (const folder of [fresh, old, holding, join(cache, 'code/photos')]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(join(folder, 'main.js'), '')
      if (folder === old) writeFileSync(join(folder, '1a2b3c.seen'), '')
    }
    writeFileSync(join(old, 'main.js.0123456789abcdef.tmp'), '')
    const kept = ['a.seen.txt', 'letter.txt', 'main.js.of.my.own', 'my main.js']
    for (const name of kept) writeFileSync(join(holding, name), 'kept')
    const monthAgo = (minutes: number) => new Date(Date.now() - (30 * 24 * 60 + minutes) * 60_000)
    for (const folder of [old, holding, join(cache, 'code/photos')]) utimesSync(folder, monthAgo(5), monthAgo(5))
    utimesSync(fresh, monthAgo(-5), monthAgo(-5))
    await firstRun()
    const left = readdirSync(join(cache, 'code')).filter((name) => /^[012]123|photos/.test(name))
    expect(left).toEqual([basename(fresh), basename(holding), 'photos'])
    expect(readdirSync(holding)).toEqual(kept)
    expect(readdirSync(join(cache, 'code/photos'))).toEqual(['main.js'])
  })

  /** Every file below a folder, by its path. */
  const tree = (folder: string) => readdirSync(folder, { recursive: true }).sort()

  test.for<[string, string]>([
    ['skyctl', 'cache/skyctl'],
    ['skyctl/code', 'cache/skyctl/code'],
  ])('follows no link in place of %s, and leaves what it points to as it is', async ([, place], { home, help }) => {
    const stranger = join(home, 'stranger')
    mkdirSync(join(stranger, 'letters/2026'), { recursive: true })
    mkdirSync(join(stranger, '0123456789abcdef-v20.0.0-x64'))
    writeFileSync(join(stranger, 'letters/2026/a.js'), 'kept')
    const before = tree(stranger)
    mkdirSync(join(home, place, '..'), { recursive: true, mode: 0o700 })
    symlinkSync(stranger, join(home, place))
    expect(await help()).toMatch(/^Usage: skyctl/)
    expect(tree(stranger)).toEqual(before)
  })

  test.for<[string, string]>([
    ['the cache folder', 'cache'],
    ['skyctl', 'cache/skyctl'],
    ['skyctl/code', 'cache/skyctl/code'],
    ['a folder above', '.'],
  ])('is off where others may write to %s', async ([, shared], { filled, help, home }) => {
    const folder = await filled()
    writeFileSync(join(folder, 'main.js'), forged())
    chmodSync(join(home, shared), 0o777)
    expect(await help()).toMatch(/^Usage: skyctl/)
  })

  test('is not made in a folder that all share, like /tmp', async ({ home, help }) => {
    const shared = join(home, 'cache')
    mkdirSync(shared)
    chmodSync(shared, 0o1777)
    expect(await help()).toMatch(/^Usage: skyctl/)
    expect(readdirSync(shared)).toEqual([])
  })

  test('is kept below a link of the user to another disk', async ({ home, help }) => {
    mkdirSync(join(home, 'disk'), { mode: 0o700 })
    symlinkSync(join(home, 'disk'), join(home, 'cache'))
    await help()
    const [build = ''] = readdirSync(join(home, 'disk/skyctl/code'))
    expect(readdirSync(join(home, 'disk/skyctl/code', build))).toContain('main.js')
  })

  test('is off with SKYCTL_CODE_CACHE=0', async ({ cache, help }) => {
    expect(await help({ SKYCTL_CODE_CACHE: '0' })).toMatch(/^Usage: skyctl/)
    expect(() => lstatSync(cache)).toThrow('ENOENT')
  })

  test('is done without where there is no place for it', async ({ help }) => {
    expect(await help({ XDG_CACHE_HOME: '/dev/null' })).toMatch(/^Usage: skyctl/)
  })
})
