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
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { checkPrivateFolder, openPrivateFolder } from '../src/files/folder'
import { holdLock, tryLock, withLock } from '../src/files/lock'
import { readPrivately } from '../src/files/private'
import { sweepFolder, sweepTemporaries, temporaryFor } from '../src/files/temporary'
import { writePrivately } from '../src/files/write'
import { whileWatched } from './files/watched'
import { bundleScript } from './support/bundle'
import { temporaryFolder } from './support/temporary-folder'

const isRoot = process.geteuid?.() === 0
const NOBODY = 65534

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

function modeOf(path: string): string {
  return (statSync(path).mode & 0o7777).toString(8)
}

describe('a lock', () => {
  let path: string
  beforeEach(() => {
    path = join(folder, 'x.lock')
  })

  test('is held by one process at a time, and the error names the holder', async () => {
    const lock = await holdLock(path)
    await expect(holdLock(path)).rejects.toMatchObject({
      code: 'local',
      message: `${path} is held by process ${process.pid} on ${hostname()}`,
    })
    lock.release()
    lock.release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('makes others wait', async () => {
    const order: string[] = []
    const first = withLock(path, async () => {
      order.push('first begins')
      await new Promise((resolve) => setImmediate(resolve))
      order.push('first ends')
    })
    await Promise.all([first, withLock(path, () => void order.push('second'))])
    expect(order).toEqual(['first begins', 'first ends', 'second'])
  })

  test('goes to a waiter even if its holder keeps requesting it', async () => {
    let isWaiterDone = false
    const lockUntilServed = async () => {
      while (!isWaiterDone) await withLock(path, () => new Promise((resolve) => setImmediate(resolve)))
    }
    const requesting = lockUntilServed()
    await withLock(path, () => {
      isWaiterDone = true
    })
    await requesting
  })

  test('is released when its holder throws', async () => {
    const failure = new Error('no')
    await expect(withLock(path, () => Promise.reject(failure))).rejects.toBe(failure)
    expect(existsSync(path)).toBe(false)
  })

  test('stops waiting when the signal aborts', async () => {
    const lock = await holdLock(path)
    const reason = new Error('interrupted')
    const abort = new AbortController()
    const waiting = withLock(path, () => undefined, { signal: abort.signal })
    abort.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    lock.release()
  })

  test('is readable by its owner only', async () => {
    const lock = await holdLock(path)
    expect(modeOf(path)).toBe('600')
    lock.release()
  })

  test('of an earlier process with the same process id is taken over', () => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, host: hostname(), mark: '0123456789abcdef' }))
    const lock = tryLock(path)
    expect(lock).toBeDefined()
    lock?.release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('that another process took over is not released', () => {
    const lock = tryLock(path)
    const others = JSON.stringify({ pid: 1, host: 'elsewhere.example.net', mark: 'fedcba9876543210' })
    writeFileSync(path, others)
    lock?.release()
    expect(readFileSync(path, 'utf8')).toBe(others)
  })

  test('in a missing folder fails with its path', () => {
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

  test('loses no update while holders are killed', async () => {
    writeFileSync(join(folder, 'counter'), '0')
    const tasks = ['work', 'die', 'work', 'die', 'work', 'die', 'work', 'die']
    const exits = await Promise.all(tasks.map((task) => once(start(task), 'exit')))
    expect(exits.map(([code, signal]) => signal ?? code)).toEqual(tasks.map((task) => (task === 'die' ? 'SIGKILL' : 0)))
    expect(readFileSync(join(folder, 'counter'), 'utf8')).toBe('104')
  })

  test('is free again after its holder was killed', async () => {
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

  test('is free again even if the process that took it over was killed, too', async () => {
    writeFileSync(join(folder, 'counter'), '0')
    await once(start('die'), 'exit')
    const dead = readFileSync(join(folder, 'x.lock'), 'utf8')
    const claim = temporaryFor(join(folder, 'x.lock'), JSON.parse(dead).mark)
    writeFileSync(claim, dead.replace(JSON.parse(dead).mark, 'aaaaaaaaaaaaaaaa'))
    expect(tryLock(join(folder, 'x.lock'))).toBeDefined()
    expect(existsSync(claim)).toBe(false)
  })

  test('is free again after a minute if a process was killed before it wrote its claim', async () => {
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

describe('temporary files of killed processes', () => {
  const suffix = '.0123456789abcdef.tmp'
  const leave = (name: string, hours: number) => {
    const path = join(folder, name)
    const then = Date.now() / 1000 - hours * 3600
    writeFileSync(path, 'secret')
    utimesSync(path, then, then)
  }

  test('are removed once they are old, when their file is written; other files stay', () => {
    const others = ['y', 'xx'].map((name) => `${name}${suffix}`)
    const similar = ['x.tmp', 'x.0123456789abcde.tmp', `x${suffix}.bak`, 'x.0123456789ABCDEF.tmp']
    for (const name of [`x${suffix}`, ...others, ...similar]) leave(name, 2)
    leave('x.fedcba9876543210.tmp', 0)
    writePrivately(join(folder, 'x'), '')
    expect(readdirSync(folder).sort()).toEqual(['x', 'x.fedcba9876543210.tmp', ...others, ...similar].sort())
  })

  test.runIf(isRoot)('stay if they belong to another user', () => {
    leave(`x${suffix}`, 2)
    chownSync(join(folder, `x${suffix}`), NOBODY, NOBODY)
    sweepTemporaries(join(folder, 'x'))
    sweepFolder(folder)
    expect(readdirSync(folder)).toEqual([`x${suffix}`])
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

  test.each([0, 0o022, 0o077, 0o277])('creates a file of mode 0600 in a folder of mode 0700 under umask %i', (mask) => {
    const path = join(folder, 'private')
    const warnings: string[] = []
    const before = process.umask(mask)
    onTestFinished(() => void process.umask(before))
    openPrivateFolder({ path }, (text) => void warnings.push(text))
    writePrivately(join(path, 'x'), 'secret')
    expect([warnings, modeOf(path), modeOf(join(path, 'x'))]).toEqual([[], '700', '600'])
  })

  test('narrows the mode of the replaced file', () => {
    const path = join(folder, 'x')
    writeFileSync(path, 'old', { mode: 0o644 })
    writePrivately(path, 'new')
    expect(modeOf(path)).toBe('600')
  })

  test('replaces a symbolic link, and leaves its target unchanged', () => {
    const target = join(folder, 'target')
    writeFileSync(target, 'theirs')
    symlinkSync(target, join(folder, 'x'))
    writePrivately(join(folder, 'x'), 'ours')
    expect([readFileSync(target, 'utf8'), readFileSync(join(folder, 'x'), 'utf8')]).toEqual(['theirs', 'ours'])
  })

  test('syncs the file before it renames it, and then syncs the folder', () => {
    const path = join(folder, 'x')
    const calls: string[] = []
    const openFiles = new Map<number, string>()
    const { openSync, fsyncSync, renameSync } = fs
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = fs.constants
    const recordCalls = () => {
      vi.spyOn(fs, 'openSync').mockImplementation((file, flags, mode) => {
        const descriptor = openSync(file, flags, mode)
        const isNew = flags === (O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW) && mode === 0o600
        openFiles.set(descriptor, file === folder ? 'folder' : 'draft')
        if (String(file).startsWith(`${path}.`)) calls.push(`open a draft ${isNew}`)
        return descriptor
      })
      vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
        calls.push(`sync the ${openFiles.get(file)}`)
        fsyncSync(file)
      })
      vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
        calls.push(`rename ${to === path}`)
        renameSync(from, to)
      })
    }
    whileWatched(recordCalls, () => writePrivately(path, 'one'))
    expect(calls).toEqual(['open a draft true', 'sync the draft', 'rename true', 'sync the folder'])
  })

  test('never writes to an existing file or through a link at its temporary path', () => {
    const path = join(folder, 'x')
    const target = join(folder, 'target')
    const fixUuid = () => void vi.spyOn(crypto, 'randomUUID').mockReturnValue('0-0-0-0-0')
    const plants = [(at: string) => symlinkSync(target, at), (at: string) => writeFileSync(at, 'theirs')]
    for (const plant of plants) {
      writeFileSync(target, 'theirs')
      whileWatched(fixUuid, () => {
        plant(temporaryFor(path))
        expect(() => writePrivately(path, 'ours')).toThrow(`cannot write ${path}: file already exists`)
      })
      expect([readFileSync(target, 'utf8'), existsSync(path)]).toEqual(['theirs', false])
    }
  })

  test('is read back, so that silent data loss is an error', () => {
    const path = join(folder, 'x')
    const { writeFileSync: write } = fs
    const truncateWrites = () =>
      void vi.spyOn(fs, 'writeFileSync').mockImplementation((file, bytes) => {
        write(file, (bytes as Buffer).subarray(1))
      })
    whileWatched(truncateWrites, () =>
      expect(() => writePrivately(path, 'secret')).toThrow(
        expect.objectContaining({
          code: 'local',
          message: `cannot write ${path}: it does not read back as it was written`,
        }),
      ),
    )
  })

  test('that fails names path and reason, and changes nothing', () => {
    const path = join(folder, 'x')
    mkdirSync(join(path, 'in the way'), { recursive: true })
    expect(() => writePrivately(path, 'secret')).toThrow(
      expect.objectContaining({ code: 'local', message: `cannot write ${path}: illegal operation on a directory` }),
    )
    expect(readdirSync(folder)).toEqual(['x'])
  })

  test('on a full disk leaves the old file byte for byte, whatever space is free', async ({ skip }) => {
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
    // Mounts in a namespace of its own, so that the small disk goes away with the process.
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

  const ownNames = /^x\./
  const open = (names: readonly string[], mode: number) => {
    const path = join(folder, 'a')
    mkdirSync(path)
    for (const name of names) writeFileSync(join(path, name), '')
    chmodSync(path, mode)
    return path
  }

  test.for([[[]], [['index.html']], [['x.json', 'index.html']]])(
    'that may have files of others keeps its mode: %j',
    ([names = []]) => {
      const path = open(names, 0o755)
      expect(checkPrivateFolder({ path, ours: ownNames }, warn)).toBe(true)
      openPrivateFolder({ path }, warn)
      expect([modeOf(path), warnings]).toEqual(['755', []])
    },
  )

  test.for([[[]], [['x.json', 'index.html']]])(
    'that others can write to, and may have files of others, is refused: %j',
    ([names = []]) => {
      for (const mode of [0o775, 0o757]) {
        const path = open(names, mode)
        expect(() => checkPrivateFolder({ path, ours: ownNames }, warn)).toThrow(
          /a is not private: others can write to it$/,
        )
        expect(modeOf(path)).toBe(mode.toString(8))
        rmSync(path, { recursive: true })
      }
    },
  )

  test.runIf(existsSync('/proc/self'))('in /proc fails at once', () => {
    for (const path of ['/proc/skyctl', '/proc/skyctl/state', '/proc/self/skyctl']) {
      expect(() => openPrivateFolder({ path }, warn)).toThrow(
        expect.objectContaining({ code: 'local', message: `cannot create ${path}: no such file or directory` }),
      )
    }
  })

  test('is not created by a check', () => {
    expect(checkPrivateFolder({ path: join(folder, 'a') }, warn)).toBe(false)
    expect(readdirSync(folder)).toEqual([])
  })

  test('is never a symbolic link, whatever its target', () => {
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

  test('is never a shared folder', () => {
    const path = join(folder, 'shared')
    mkdirSync(path)
    chmodSync(path, 0o1777)
    expect(() => openPrivateFolder({ path }, warn)).toThrow(/is not private: it is shared with others$/)
    expect(modeOf(path)).toBe('1777')
  })

  test('is never a file', () => {
    writeFileSync(join(folder, 'x'), '')
    expect(() => openPrivateFolder({ path: join(folder, 'x') }, warn)).toThrow(/x is not private: it is not a folder$/)
    expect(() => openPrivateFolder({ path: join(folder, 'x', 'y') }, warn)).toThrow(
      /^cannot create .*: not a directory$/,
    )
  })

  test.runIf(isRoot)('of another user is refused, as is a file', () => {
    const path = join(folder, 'a')
    writePrivately(join(folder, 'x'), '')
    mkdirSync(path, { mode: 0o700 })
    for (const target of [path, join(folder, 'x')]) chownSync(target, NOBODY, NOBODY)
    expect(() => openPrivateFolder({ path }, warn)).toThrow(/is not private: it belongs to another user \(65534\)$/)
    expect(() => readPrivately(join(folder, 'x'), warn)).toThrow(
      /is not private: it belongs to another user \(65534\)$/,
    )
  })

  test('has files that are made private before they are read', () => {
    const path = join(folder, 'x')
    writeFileSync(path, 'é')
    chmodSync(path, 0o664)
    expect(readPrivately(path, warn)).toBe('é')
    writeFileSync(path, '\ufeffé')
    expect(readPrivately(path, () => {})).toBe('é')
    expect([modeOf(path), warnings]).toEqual(['600', [`${path} was open to other users: its mode is now 0600`]])
    expect(readPrivately(join(folder, 'none'), warn)).toBeUndefined()
  })

  test('has no readable links, pipes and folders', () => {
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
