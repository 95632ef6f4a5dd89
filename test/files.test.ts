import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { checkPrivateFolder, openPrivateFolder } from '../src/files/folder'
import { holdLock, tryLock, withLock } from '../src/files/lock'
import { readPrivately } from '../src/files/private'
import { sweepFolder, sweepTemporaries, temporaryFor } from '../src/files/temporary'
import { writePrivately } from '../src/files/write'
import { whileWatched } from './files/watched'
import { bundleScript } from './support/bundle'

const isRoot = process.geteuid?.() === 0
const NOBODY = 65534

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skyctl-files-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function modeOf(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8)
}

describe('a lock', () => {
  let path: string
  beforeEach(() => {
    path = join(folder, 'x.lock')
  })

  test('is held by one at a time, and the refusal names the holder', async () => {
    const lock = await holdLock(path)
    await expect(holdLock(path)).rejects.toMatchObject({
      code: 'local',
      message: `${path} is held by process ${process.pid} on ${hostname()}`,
    })
    lock.release()
    lock.release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('is waited for', async () => {
    const order: string[] = []
    const first = withLock(path, async () => {
      order.push('first begins')
      await new Promise((resolve) => setImmediate(resolve))
      order.push('first ends')
    })
    await Promise.all([first, withLock(path, () => void order.push('second'))])
    expect(order).toEqual(['first begins', 'first ends', 'second'])
  })

  test('goes to a waiter, although its holder asks for it again and again', async () => {
    let served = false
    const askAgain = async () => {
      while (!served) await withLock(path, () => new Promise((resolve) => setImmediate(resolve)))
    }
    const asking = askAgain()
    await withLock(path, () => {
      served = true
    })
    await asking
  })

  test('is given back when its holder throws', async () => {
    const failure = new Error('no')
    await expect(withLock(path, () => Promise.reject(failure))).rejects.toBe(failure)
    expect(existsSync(path)).toBe(false)
  })

  test('is no longer waited for when the signal says so', async () => {
    const lock = await holdLock(path)
    const reason = new Error('interrupted')
    const abort = new AbortController()
    const waiting = withLock(path, () => undefined, { signal: abort.signal })
    abort.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    lock.release()
  })

  describe('that others hold one after another', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
    afterEach(() => void vi.useRealTimers())
    const hold = (mark: string) =>
      writeFileSync(path, JSON.stringify({ pid: 1, host: 'elsewhere.example.net', mark: mark.repeat(16) }))
    /** The waiter has seen who holds it: it knocked. */
    const seen = () => vi.waitFor(() => expect(readFileSync(path, 'utf8')).toMatch(/\n$/), 5_000)

    test('is waited for as long as it changes hands', async () => {
      hold('a')
      const waiting = withLock(path, () => 'done')
      for (const next of ['b', 'c', 'd', undefined]) {
        await seen()
        vi.advanceTimersByTime(9_000)
        if (next) hold(next)
        else rmSync(path)
      }
      expect(await waiting).toBe('done')
    })

    test('is given up where one of them keeps it', async () => {
      hold('a')
      const waiting = withLock(path, () => 'done').catch((error: unknown) => error)
      await seen()
      hold('b')
      await seen()
      vi.advanceTimersByTime(10_001)
      expect(await waiting).toMatchObject({
        code: 'local',
        message: `${path} is held by process 1 on elsewhere.example.net`,
      })
    })
  })

  test('is readable for its owner only', async () => {
    const lock = await holdLock(path)
    expect(modeOf(path)).toBe('600')
    lock.release()
  })

  test('of a process before us that had our process id is taken over', () => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, host: hostname(), mark: '0123456789abcdef' }))
    const lock = tryLock(path)
    expect(lock).toBeDefined()
    lock?.release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('that another took meanwhile is not given back by us', () => {
    const lock = tryLock(path)
    const others = JSON.stringify({ pid: 1, host: 'elsewhere.example.net', mark: 'fedcba9876543210' })
    writeFileSync(path, others)
    lock?.release()
    expect(readFileSync(path, 'utf8')).toBe(others)
  })

  test('in a folder that does not exist is a problem with its path', () => {
    expect(() => tryLock(join(folder, 'none', 'x.lock'))).toThrow(/^cannot lock .*none.x\.lock: no such file/)
  })
})

describe('a lock between processes', () => {
  let scripts: string
  let script: string
  beforeAll(async () => {
    scripts = mkdtempSync(join(tmpdir(), 'skyctl-lock-'))
    script = await bundleScript(
      scripts,
      `import { readFileSync, writeFileSync } from 'node:fs'
       import { holdLock, withLock } from './files/lock'
       const [lock, counter, task] = process.argv.slice(2)
       const count = () => writeFileSync(counter, String(Number(readFileSync(counter, 'utf8')) + 1))
       if (task === 'die') holdLock(lock, { waitMs: 30_000 }).then(() => { count(); process.kill(process.pid, 'SIGKILL') })
       else (async () => { for (let i = 0; i < 25; i += 1) await withLock(lock, count, { waitMs: 30_000 }) })()`,
    )
  })
  afterAll(() => rmSync(scripts, { recursive: true }))

  const start = (task: string): ChildProcess =>
    spawn(process.execPath, [script, join(folder, 'x.lock'), join(folder, 'counter'), task], { stdio: 'inherit' })

  test('lets no update get lost, while holders are killed', async () => {
    writeFileSync(join(folder, 'counter'), '0')
    const tasks = ['work', 'die', 'work', 'die', 'work', 'die', 'work', 'die']
    const ends = await Promise.all(tasks.map((task) => once(start(task), 'exit')))
    expect(ends.map(([code, signal]) => signal ?? code)).toEqual(tasks.map((task) => (task === 'die' ? 'SIGKILL' : 0)))
    expect(readFileSync(join(folder, 'counter'), 'utf8')).toBe('104')
  })

  test('passes on after its holder was killed', async () => {
    writeFileSync(join(folder, 'counter'), '0')
    await once(start('die'), 'exit')
    expect(existsSync(join(folder, 'x.lock'))).toBe(true)
    const lock = tryLock(join(folder, 'x.lock'))
    expect(lock).toBeDefined()
    lock?.release()
    expect(readdirSync(folder)).toEqual(['counter'])
  })

  test('of a dead holder is removed by one process at a time', async () => {
    writeFileSync(join(folder, 'counter'), '0')
    await once(start('die'), 'exit')
    const path = join(folder, 'x.lock')
    const dead = readFileSync(path, 'utf8')
    const claim = await holdLock(temporaryFor(path, JSON.parse(dead).mark))
    expect(tryLock(path)).toBeUndefined()
    expect(readFileSync(path, 'utf8')).toBe(dead)
    claim.release()
    expect(tryLock(path)).toBeDefined()
  })

  test('passes on although who wanted to take it over was killed as well', async () => {
    writeFileSync(join(folder, 'counter'), '0')
    await once(start('die'), 'exit')
    const dead = readFileSync(join(folder, 'x.lock'), 'utf8')
    const claim = temporaryFor(join(folder, 'x.lock'), JSON.parse(dead).mark)
    writeFileSync(claim, dead.replace(JSON.parse(dead).mark, 'aaaaaaaaaaaaaaaa'))
    expect(tryLock(join(folder, 'x.lock'))).toBeDefined()
    expect(existsSync(claim)).toBe(false)
  })

  test('passes on some seconds after who wanted to take it over was killed before writing its name', async () => {
    writeFileSync(join(folder, 'counter'), '0')
    await once(start('die'), 'exit')
    const path = join(folder, 'x.lock')
    const claim = temporaryFor(path, JSON.parse(readFileSync(path, 'utf8')).mark)
    writeFileSync(claim, '')
    expect(tryLock(path)).toBeUndefined()
    const aMinuteAgo = Date.now() / 1000 - 60
    utimesSync(claim, aMinuteAgo, aMinuteAgo)
    const lock = tryLock(path)
    expect(lock).toBeDefined()
    lock?.release()
    expect(readdirSync(folder)).toEqual(['counter'])
  })
})

describe('what killed processes left', () => {
  const left = '.0123456789abcdef.tmp'
  const leave = (name: string, hours: number) => {
    const path = join(folder, name)
    const then = Date.now() / 1000 - hours * 3600
    writeFileSync(path, 'secret')
    utimesSync(path, then, then)
  }

  test('beside a file goes when that is written, once it is old; what others write stays', () => {
    const others = ['y', 'xx'].map((name) => `${name}${left}`)
    const alike = ['x.tmp', 'x.0123456789abcde.tmp', `x${left}.bak`, 'x.0123456789ABCDEF.tmp']
    for (const name of [`x${left}`, ...others, ...alike]) leave(name, 2)
    leave('x.fedcba9876543210.tmp', 0)
    writePrivately(join(folder, 'x'), '')
    expect(readdirSync(folder).sort()).toEqual(['x', 'x.fedcba9876543210.tmp', ...others, ...alike].sort())
  })

  test.runIf(isRoot)('is not removed where it is of another user', () => {
    leave(`x${left}`, 2)
    chownSync(join(folder, `x${left}`), NOBODY, NOBODY)
    sweepTemporaries(join(folder, 'x'))
    sweepFolder(folder)
    expect(readdirSync(folder)).toEqual([`x${left}`])
  })
})

describe('a private write', () => {
  test('replaces the content', () => {
    const path = join(folder, 'x.json')
    writePrivately(path, 'one')
    writePrivately(path, new TextEncoder().encode('two'))
    expect(readFileSync(path, 'utf8')).toBe('two')
    expect(readdirSync(folder)).toEqual(['x.json'])
  })

  test.each([0, 0o022, 0o077, 0o277])('makes a file of mode 0600 in a folder of mode 0700 under umask %i', (mask) => {
    const path = join(folder, 'private')
    const said: string[] = []
    const before = process.umask(mask)
    onTestFinished(() => void process.umask(before))
    openPrivateFolder({ path }, (text) => void said.push(text))
    writePrivately(join(path, 'x'), 'secret')
    expect([said, modeOf(path), modeOf(join(path, 'x'))]).toEqual([[], '700', '600'])
  })

  test('narrows the mode of the file that it replaces', () => {
    const path = join(folder, 'x')
    writeFileSync(path, 'old', { mode: 0o644 })
    writePrivately(path, 'new')
    expect(modeOf(path)).toBe('600')
  })

  test('replaces a symbolic link and leaves its target alone', () => {
    const target = join(folder, 'target')
    writeFileSync(target, 'theirs')
    symlinkSync(target, join(folder, 'x'))
    writePrivately(join(folder, 'x'), 'ours')
    expect([readFileSync(target, 'utf8'), readFileSync(join(folder, 'x'), 'utf8')]).toEqual(['theirs', 'ours'])
  })

  test('is on the disk before it has its name, and so is the name when it returns', () => {
    const path = join(folder, 'x')
    const calls: string[] = []
    const opened = new Map<number, string>()
    const { openSync, fsyncSync, renameSync } = fs
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants
    const watch = () => {
      vi.spyOn(fs, 'openSync').mockImplementation((file, flags, mode) => {
        const descriptor = openSync(file, flags, mode)
        const isNew = flags === (O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW) && mode === 0o600
        opened.set(descriptor, file === folder ? 'folder' : 'draft')
        if (String(file).startsWith(`${path}.`)) calls.push(`open a draft ${isNew}`)
        return descriptor
      })
      vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
        calls.push(`sync the ${opened.get(file)}`)
        fsyncSync(file)
      })
      vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
        calls.push(`rename ${to === path}`)
        renameSync(from, to)
      })
    }
    whileWatched(watch, () => writePrivately(path, 'one'))
    expect(calls).toEqual(['open a draft true', 'sync the draft', 'rename true', 'sync the folder'])
  })

  test('goes into a file of its own, never into one or through a link that stands where it drafts', () => {
    const path = join(folder, 'x')
    const target = join(folder, 'target')
    const known = () => void vi.spyOn(crypto, 'randomUUID').mockReturnValue('0-0-0-0-0')
    const plants = [(at: string) => symlinkSync(target, at), (at: string) => writeFileSync(at, 'theirs')]
    for (const plant of plants) {
      writeFileSync(target, 'theirs')
      whileWatched(known, () => {
        plant(temporaryFor(path))
        expect(() => writePrivately(path, 'ours')).toThrow(`cannot write ${path}: file already exists`)
      })
      expect([readFileSync(target, 'utf8'), existsSync(path)]).toEqual(['theirs', false])
    }
  })

  test('is read back: a disk that takes less than it says is told', () => {
    const path = join(folder, 'x')
    const { writeFileSync: write } = fs
    const lie = () =>
      void vi.spyOn(fs, 'writeFileSync').mockImplementation((file, bytes) => {
        write(file, (bytes as Buffer).subarray(1))
      })
    whileWatched(lie, () =>
      expect(() => writePrivately(path, 'secret')).toThrow(
        expect.objectContaining({
          code: 'local',
          message: `cannot write ${path}: it does not read back as it was written`,
        }),
      ),
    )
  })

  test('that fails names path and reason, and leaves everything as it was', () => {
    const path = join(folder, 'x')
    mkdirSync(join(path, 'in the way'), { recursive: true })
    expect(() => writePrivately(path, 'secret')).toThrow(
      expect.objectContaining({ code: 'local', message: `cannot write ${path}: illegal operation on a directory` }),
    )
    expect(readdirSync(folder)).toEqual(['x'])
  })

  test('on a full disk leaves the old file byte for byte, whatever space is left', async ({ skip }) => {
    const script = await bundleScript(
      folder,
      `import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
       import { writePrivately } from './files/write'
       process.chdir(process.argv[2])
       const texts = ['o', 'n'].map((letter) => letter.repeat(10_000))
       for (let filler = 0; filler < 50_000; filler += 4096) {
         writePrivately('x', texts[0])
         writeFileSync('filler', Buffer.alloc(filler))
         let outcome = 'done'
         try { writePrivately('x', texts[1]) } catch (error) { outcome = error.code + ' ' + error.message }
         console.log(outcome, texts.indexOf(readFileSync('x', 'utf8')), ...readdirSync('.').sort())
         writeFileSync('filler', '')
       }`,
    )
    const disk = join(folder, 'disk')
    mkdirSync(disk)
    // A mount namespace of its own: the little disk goes away with the process.
    const run = 'mount -t tmpfs -o size=64k tmpfs "$3" && exec "$@"'
    const mounts = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', disk])
    if (mounts.status !== 0) skip('no file system can be mounted here')
    const stdout = execFileSync('unshare', ['-rm', 'sh', '-c', run, 'sh', process.execPath, script, disk]).toString()
    expect([...new Set(stdout.trimEnd().split('\n'))]).toEqual([
      'done 1 filler x',
      'local cannot write x: no space left on device 0 filler x',
    ])
  })
})

describe('a private folder', () => {
  const warnings: string[] = []
  const warn = (message: string) => void warnings.push(message)
  beforeEach(() => {
    warnings.length = 0
  })

  const ours = /^x\./
  const open = (names: readonly string[], mode: number) => {
    const path = join(folder, 'a')
    mkdirSync(path)
    for (const name of names) writeFileSync(join(path, name), '')
    chmodSync(path, mode)
    return path
  }

  test.for([[[]], [['index.html']], [['x.json', 'index.html']]])(
    'that is not known to be ours alone keeps its mode: it holds %j',
    ([names = []]) => {
      const path = open(names, 0o755)
      expect(checkPrivateFolder({ path, ours }, warn)).toBe(true)
      openPrivateFolder({ path }, warn)
      expect([modeOf(path), warnings]).toEqual(['755', []])
    },
  )

  test.for([[[]], [['x.json', 'index.html']]])(
    'that others can write to, and is not ours alone, is refused: it holds %j',
    ([names = []]) => {
      for (const mode of [0o775, 0o757]) {
        const path = open(names, mode)
        expect(() => checkPrivateFolder({ path, ours }, warn)).toThrow(/a is not private: others can write to it$/)
        expect(modeOf(path)).toBe(mode.toString(8))
        rmSync(path, { recursive: true })
      }
    },
  )

  test.runIf(existsSync('/proc/self'))('is not waited for where the system makes none', () => {
    for (const path of ['/proc/skyctl', '/proc/skyctl/state', '/proc/self/skyctl']) {
      expect(() => openPrivateFolder({ path }, warn)).toThrow(
        expect.objectContaining({ code: 'local', message: `cannot create ${path}: no such file or directory` }),
      )
    }
  })

  test('that does not exist is not created by looking', () => {
    expect(checkPrivateFolder({ path: join(folder, 'a') }, warn)).toBe(false)
    expect(readdirSync(folder)).toEqual([])
  })

  test('is never a symbolic link, wherever it leads', () => {
    mkdirSync(join(folder, 'real'))
    symlinkSync(join(folder, 'real'), join(folder, 'link'))
    symlinkSync(join(folder, 'none'), join(folder, 'dangling'))
    expect(() => openPrivateFolder({ path: join(folder, 'link') }, warn)).toThrow(
      /link is not private: it is a symbolic link$/,
    )
    expect(() => openPrivateFolder({ path: join(folder, 'dangling') }, warn)).toThrow(
      expect.objectContaining({ code: 'local' }),
    )
    expect(existsSync(join(folder, 'none'))).toBe(false)
  })

  test('is never a folder that everybody shares', () => {
    const path = join(folder, 'shared')
    mkdirSync(path)
    chmodSync(path, 0o1777)
    expect(() => openPrivateFolder({ path }, warn)).toThrow(/is not private: it is shared with others$/)
    expect(modeOf(path)).toBe('1777')
  })

  test('is no file', () => {
    writeFileSync(join(folder, 'x'), '')
    expect(() => openPrivateFolder({ path: join(folder, 'x') }, warn)).toThrow(/x is not private: it is not a folder$/)
    expect(() => openPrivateFolder({ path: join(folder, 'x', 'y') }, warn)).toThrow(
      /^cannot create .*: not a directory$/,
    )
  })

  test.runIf(isRoot)('of another user is refused, and so is a file', () => {
    const path = join(folder, 'a')
    writePrivately(join(folder, 'x'), '')
    mkdirSync(path, { mode: 0o700 })
    for (const theirs of [path, join(folder, 'x')]) chownSync(theirs, NOBODY, NOBODY)
    expect(() => openPrivateFolder({ path }, warn)).toThrow(/is not private: it belongs to another user \(65534\)$/)
    expect(() => readPrivately(join(folder, 'x'), warn)).toThrow(
      /is not private: it belongs to another user \(65534\)$/,
    )
  })

  test('gives the text of a file in it, once nobody else can read it', () => {
    const path = join(folder, 'x')
    writeFileSync(path, 'é')
    chmodSync(path, 0o664)
    expect(readPrivately(path, warn)).toBe('é')
    writeFileSync(path, '\ufeffé')
    expect(readPrivately(path, () => {})).toBe('é')
    expect([modeOf(path), warnings]).toEqual(['600', [`${path} was open to other users: its mode is now 0600`]])
    expect(readPrivately(join(folder, 'none'), warn)).toBeUndefined()
  })

  test('gives no text through a link, a pipe or a folder', () => {
    symlinkSync('/etc/hostname', join(folder, 'link'))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    mkdirSync(join(folder, 'sub'))
    const read = (name: string) => attempt(() => readPrivately(join(folder, name), warn))
    expect([read('link'), read('pipe'), read('sub')]).toEqual([
      `${folder}/link is not private: it is a symbolic link`,
      `${folder}/pipe is not private: it is not a regular file`,
      `${folder}/sub is not private: it is not a regular file`,
    ])
  })
})

function attempt(action: () => unknown): string {
  try {
    action()
    return 'done'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
