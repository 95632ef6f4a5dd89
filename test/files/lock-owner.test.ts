/** Who holds a lock, and whether a process lives: what is read, and what the system tells. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { holdLock, tryLock } from '../../src/files/lock'
import { inspect, type LockOwner, parse, read } from '../../src/files/lock-owner'
import { foreignness, isWide } from '../../src/files/ownership'
import { isRunning, type ProcessName, self, userId } from '../../src/files/process-id'
import { temporaryFor } from '../../src/files/temporary'
import { failed, whileWatched } from './watched'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skyctl-holder-'))
  path = join(folder, 'x.lock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const mark = '0123456789abcdef'
const elsewhere = { pid: 1, host: 'elsewhere.example.net', mark }
const before = { ...self(), start: '1', mark }
const hold = (holder: LockOwner) => writeFileSync(path, JSON.stringify(holder))

function writtenAgo(seconds: number): void {
  const then = Date.now() / 1000 - seconds
  utimesSync(path, then, then)
}

function running(file = 'sleep'): ChildProcess & { pid: number } {
  const child = spawn(file, ['600'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  if (child.pid === undefined) throw new Error(`${file} did not start`)
  return Object.assign(child, { pid: child.pid })
}

const hasProc = existsSync('/proc/self/stat')

describe('a lock', () => {
  const seen = (own: readonly string[] = []) => inspect(path, new Set(own))

  test('is free where no file is', () => {
    expect(seen()).toBeUndefined()
  })

  test.for<[string, () => void, number, object]>([
    ['that is ours is held', () => hold(elsewhere), 3600, { mark, dead: false, remote: false }],
    [
      'of one elsewhere is held',
      () => hold({ ...elsewhere, mark: 'f'.repeat(16) }),
      50,
      { mark: 'f'.repeat(16), dead: false, remote: true },
    ],
    [
      'of one elsewhere that is silent is not',
      () => hold({ ...elsewhere, mark: 'f'.repeat(16) }),
      70,
      { mark: 'f'.repeat(16), dead: true, remote: true },
    ],
    ['without a holder is held', () => writeFileSync(path, ''), 3, { mark: '0'.repeat(16), dead: false, remote: true }],
    [
      'without a holder for long is not',
      () => writeFileSync(path, ''),
      7,
      { mark: '0'.repeat(16), dead: true, remote: true },
    ],
  ])('%s', ([, write, seconds, expected]) => {
    write()
    writtenAgo(seconds)
    expect(seen([mark])).toEqual(expected)
    expect(readdirSync(folder)).toEqual(['x.lock'])
  })

  test.runIf(hasProc)('of a process here that has ended is known to be free', () => {
    hold(before)
    expect(seen()).toEqual({ mark, dead: true, remote: false })
  })

  test.for([
    [0.5, 0],
    [-0.5, 0],
    [3, 1],
    [-3, 1],
  ] as const)('that was written %f seconds ago is compared with %i new files', ([seconds, files]) => {
    hold(elsewhere)
    writtenAgo(seconds)
    let made = 0
    const { openSync } = fs
    const watch = () =>
      vi.spyOn(fs, 'openSync').mockImplementation((file, flags, mode) => {
        if (Number(flags) & fs.constants.O_CREAT) made += 1
        return openSync(file, flags, mode)
      })
    whileWatched(watch, () => seen())
    expect(made).toBe(files)
  })

  test('that cannot be read is told from one that is free', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(read(join(folder, 'none'))).toBeUndefined()
    expect(() => read(join(folder, 'file', 'x.lock'))).toThrow(
      `cannot read the lock ${folder}/file/x.lock: not a directory`,
    )
  })

  test('that cannot be compared with the clock of its file system is a problem', () => {
    hold(elsewhere)
    writtenAgo(50)
    const { fstatSync } = fs
    const full = () =>
      vi
        .spyOn(fs, 'fstatSync')
        .mockImplementationOnce(fstatSync as typeof fs.fstatSync)
        .mockImplementation(() => {
          throw failed('EIO', 'i/o error')
        })
    expect(() => whileWatched(full, () => seen())).toThrow(`cannot lock ${path}: i/o error`)
    expect(readdirSync(folder)).toEqual(['x.lock'])
  })

  test('that vanishes while it is looked at is not old', () => {
    hold(elsewhere)
    writtenAgo(70)
    const vanishing = () => vi.spyOn(fs, 'lstatSync').mockReturnValueOnce(undefined as never)
    expect(whileWatched(vanishing, () => seen())).toMatchObject({ dead: false, remote: true })
  })

  test('may be compared with a file that another sweeps', () => {
    hold(elsewhere)
    writtenAgo(70)
    const { closeSync } = fs
    const sweeping = () =>
      vi.spyOn(fs, 'closeSync').mockImplementation((file) => {
        closeSync(file)
        for (const name of readdirSync(folder)) if (name.endsWith('.tmp')) unlinkSync(join(folder, name))
      })
    expect(whileWatched(sweeping, () => seen())).toMatchObject({ dead: true })
  })

  test.for<[string | undefined, boolean]>([
    [JSON.stringify({ pid: 1, host: 'a', mark }), true],
    [`${JSON.stringify({ pid: 1, host: 'a', mark })}\n`, true],
    [JSON.stringify({ pid: 1.5, host: 'a', mark }), false],
    [JSON.stringify({ pid: '1', host: 'a', mark }), false],
    [JSON.stringify({ host: 'a', mark }), false],
    [JSON.stringify({ pid: 1, host: 'a' }), false],
    [JSON.stringify({ pid: 1, host: 'a', mark: `${mark}0` }), false],
    [JSON.stringify({ pid: 1, host: 'a', mark: mark.slice(1) }), false],
    [JSON.stringify({ pid: 1, host: 'a', mark: mark.toUpperCase() }), false],
    ['{"pid":1', false],
    ['null', false],
    ['', false],
    [undefined, false],
  ])('in which %s stands has a holder: %s', ([text, has]) => {
    expect(parse(text)).toEqual(has ? { pid: 1, host: 'a', mark } : undefined)
  })
})

describe('a lock of a dead holder', () => {
  /** While the claim is made, which the waiter makes to break the lock, this happens to the lock. */
  function taking(happens: () => void) {
    const { openSync } = fs
    const claim = temporaryFor(path, mark)
    const watch = () =>
      vi.spyOn(fs, 'openSync').mockImplementation((file, flags, mode) => {
        if (file === claim && Number(flags) & fs.constants.O_EXCL) happens()
        return openSync(file, flags, mode)
      })
    hold(before)
    return whileWatched(watch, () => tryLock(path))
  }

  test.runIf(hasProc)('that another process takes at that moment stays with that', () => {
    const theirs = JSON.stringify({ ...elsewhere, mark: 'f'.repeat(16) })
    expect(taking(() => writeFileSync(path, theirs))).toBeUndefined()
    expect(readFileSync(path, 'utf8')).toBe(theirs)
    expect(readdirSync(folder)).toEqual(['x.lock'])
  })

  test.runIf(hasProc)('that another took, who died, is not removed by a claim on the one before', () => {
    const theirs = JSON.stringify({ ...before, mark: 'f'.repeat(16) })
    expect(taking(() => writeFileSync(path, theirs))).toBeUndefined()
    expect(readFileSync(path, 'utf8')).toBe(theirs)
  })

  test.runIf(hasProc)('that another gave back at that moment is taken', () => {
    const lock = taking(() => rmSync(path))
    expect(lock?.isHeld()).toBe(true)
    lock?.release()
    expect(readdirSync(folder)).toEqual([])
  })

  test.runIf(hasProc)('takes what is old beside it away, and leaves what others are writing', () => {
    const [old, young] = [temporaryFor(path, 'a'.repeat(16)), temporaryFor(path, 'b'.repeat(16))]
    writeFileSync(old, '')
    utimesSync(old, 0, 0)
    writeFileSync(young, '')
    hold(before)
    tryLock(path)?.release()
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([young])
  })
})

describe('to take a lock', () => {
  const create = (flags: unknown) => (Number(flags) & fs.constants.O_EXCL) !== 0

  test('on a full disk leaves no name without a holder', () => {
    const full = () =>
      vi.spyOn(fs, 'writeSync').mockImplementation(() => {
        throw failed('ENOSPC', 'no space left on device')
      })
    expect(() => whileWatched(full, () => tryLock(path))).toThrow(`cannot lock ${path}: no space left on device`)
    expect(readdirSync(folder)).toEqual([])
  })

  test.for([
    ['ENOSPC', 'no space left on device'],
    ['EMFILE', 'too many open files'],
  ] as const)('where nothing can be created (%s) says so, and touches nothing', ([code, reason]) => {
    const { openSync } = fs
    const theirs = JSON.stringify(elsewhere)
    const refused = () =>
      vi.spyOn(fs, 'openSync').mockImplementation((file, flags, mode) => {
        if (!create(flags)) return openSync(file, flags, mode)
        // Another was faster.
        if (code === 'EMFILE') writeFileSync(path, theirs)
        throw failed(code, reason)
      })
    expect(() => whileWatched(refused, () => tryLock(path))).toThrow(`cannot lock ${path}: ${reason}`)
    expect(existsSync(path) && readFileSync(path, 'utf8')).toBe(code === 'EMFILE' && theirs)
  })

  test('that another took for torn meanwhile is to fail', () => {
    const { writeSync } = fs
    const theirs = JSON.stringify(elsewhere)
    const slow = () =>
      vi.spyOn(fs, 'writeSync').mockImplementationOnce((file, text) => {
        const written = writeSync(file, String(text))
        writeFileSync(path, theirs)
        return written
      })
    expect(whileWatched(slow, () => tryLock(path))).toBeUndefined()
    expect(readFileSync(path, 'utf8')).toBe(theirs)
    const removed = () =>
      vi.spyOn(fs, 'writeSync').mockImplementationOnce((file, text) => {
        rmSync(path)
        return writeSync(file, String(text))
      })
    rmSync(path)
    expect(whileWatched(removed, () => tryLock(path))).toBeUndefined()
  })

  test('that stays with another is a problem that may pass, with what to do', async () => {
    hold(elsewhere)
    await expect(holdLock(path)).rejects.toMatchObject({
      code: 'local',
      message: `${path} is held by process 1 on elsewhere.example.net`,
      details: {
        hint: 'Wait for it to end. If it was killed, its lock expires within a minute',
        retryable: true,
      },
    })
  })

  test('that nobody wrote his name into changes nothing there, or it would never be old', async () => {
    writeFileSync(path, '')
    await expect(holdLock(path, { waitMs: 20 })).rejects.toThrow(`${path} is held by another process`)
    expect(readFileSync(path, 'utf8')).toBe('')
  })

  test('knocks once, however often it looks', async () => {
    const text = JSON.stringify({ ...self(), pid: running().pid, start: undefined, mark })
    writeFileSync(path, text)
    await expect(holdLock(path, { waitMs: 50 })).rejects.toThrow('is held by process')
    expect(readFileSync(path, 'utf8')).toBe(`${text}\n`)
  })

  test('where something else stands says what to do', () => {
    fs.mkdirSync(path)
    expect(() => tryLock(path)).toThrow(
      expect.objectContaining({
        code: 'local',
        details: { hint: 'skyctl needs this path for a lock file; move it away' },
      }),
    )
  })
})

describe('a lock whose file is gone', () => {
  test('is held no more, and giving it back is no failure', () => {
    const lock = tryLock(path)
    rmSync(path)
    expect(lock?.isHeld()).toBe(false)
    lock?.release()
    expect(readdirSync(folder)).toEqual([])
  })
})

describe.runIf(hasProc)('a process', () => {
  /** Counted from its end: there a stat has 52 fields, of which the 22nd is the start. */
  const startOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').trim().split(' ').at(-31) ?? ''

  test('has a name of its own: number, machine, run of the kernel, namespace and start', () => {
    expect(self()).toEqual({
      pid: process.pid,
      host: hostname(),
      boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 36),
      pids: fs.readlinkSync('/proc/self/ns/pid'),
      start: startOf(process.pid),
    })
  })

  test.for<[string, (here: ProcessName, pid: number) => object, boolean | undefined]>([
    ['with its number and its start', (_, pid) => ({ pid, start: startOf(pid) }), true],
    ['with its number and another start', (_, pid) => ({ pid, start: '1' }), false],
    ['with its number alone, which may have been given again', (_, pid) => ({ pid, start: undefined }), undefined],
    ['that is this one', () => ({}), true],
    ['of our own number before us', () => ({ start: '1' }), false],
    ['of our own number, without a start', () => ({ start: undefined }), false],
    ['of the same kernel, in a container that it does not tell', () => ({ pids: undefined }), undefined],
    ['of another kernel', (_, pid) => ({ pid, boot: 'other', start: startOf(pid) }), undefined],
    ['of another container', (_, pid) => ({ pid, pids: 'pid:[1]', start: startOf(pid) }), undefined],
    ['of a kernel that we cannot compare, here', () => ({ boot: undefined, pids: undefined }), true],
    ['of a kernel that we cannot compare, elsewhere', () => ({ boot: undefined, host: 'other' }), undefined],
    ['of the same kernel, whatever its host is called', () => ({ host: 'other' }), true],
    ['that was never there', () => ({ pid: 2 ** 22 + 1 }), false],
  ])('%s runs or not', ([, changed, expected]) => {
    const { pid } = running()
    expect(isRunning({ ...self(), ...changed(self(), pid) })).toBe(expected)
  })

  test('may be named like the end of its own line', async () => {
    const file = join(folder, 'x) S 1')
    copyFileSync(execFileSync('sh', ['-c', 'command -v sleep']).toString().trim(), file)
    chmodSync(file, 0o755)
    const child = running(file)
    await once(child, 'spawn')
    expect(readFileSync(`/proc/${child.pid}/stat`, 'utf8')).toContain('(x) S 1) ')
    expect(isRunning({ ...self(), pid: child.pid, start: startOf(child.pid) })).toBe(true)
    expect(isRunning({ ...self(), pid: child.pid, start: '1' })).toBe(false)
  })

  test('that has ended runs no more, also where whoever started it never asks how', async () => {
    // The shell becomes a program that asks for no child.
    const parent = spawn('sh', ['-c', 'sleep 0.01 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => void parent.kill('SIGKILL'))
    const [line] = await once(parent.stdout, 'data')
    const pid = Number(line)
    const name = { ...self(), pid, start: startOf(pid) }
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /)
    expect(isRunning(name)).toBe(false)
  })

  test('of another user runs too', () => {
    const denied = () =>
      vi.spyOn(process, 'kill').mockImplementation(() => {
        throw failed('EPERM', 'operation not permitted')
      })
    const { pid } = running()
    const name = { ...self(), pid, start: startOf(pid) }
    expect(whileWatched(denied, () => isRunning(name))).toBe(true)
  })

  test('whose start the system keeps to itself may be one or the other', () => {
    const { pid } = running()
    const name = { ...self(), pid, start: startOf(pid) }
    const hidden = () =>
      vi.spyOn(fs, 'readFileSync').mockImplementation(() => {
        throw failed('ENOENT', 'no such file or directory')
      })
    expect(whileWatched(hidden, () => isRunning(name))).toBeUndefined()
  })
})

describe('a system that tells less', () => {
  test('has processes with a number and a host', async () => {
    vi.resetModules()
    const nothing = () => {
      throw failed('ENOENT', 'no such file or directory')
    }
    vi.spyOn(fs, 'readFileSync').mockImplementation(nothing)
    vi.spyOn(fs, 'readlinkSync').mockImplementation(nothing)
    const fresh = await import('../../src/files/process-id')
    syncBuiltinESMExports()
    try {
      expect(Object.entries(fresh.self())).toEqual([
        ['pid', process.pid],
        ['host', hostname()],
      ])
      // The name of the host is all there is to compare.
      const gone = { pid: 2 ** 22 + 1, boot: 'x', pids: 'y', start: '1' }
      expect(fresh.isRunning({ ...gone, host: hostname() })).toBe(false)
      expect(fresh.isRunning({ ...gone, host: 'other' })).toBeUndefined()
    } finally {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
      // Other files of tests run in this process, and would get what was read here.
      vi.resetModules()
    }
  })

  test('has files without an owner and without a mode', () => {
    const { geteuid } = process
    const other = { uid: (geteuid?.() ?? 0) + 1, mode: 0o777 }
    Object.assign(process, { geteuid: undefined })
    onTestFinished(() => void Object.assign(process, { geteuid }))
    expect([userId(), foreignness(other), isWide(other)]).toEqual([undefined, undefined, false])
  })
})
