/** The owner of a lock, and whether its process is running. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs, {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { holdLock, tryLock } from '../../src/files/lock'
import { foreignness, isWide } from '../../src/files/ownership'
import { isRunning, type ProcessName, self } from '../../src/files/process-id'
import { temporaryFor } from '../../src/files/temporary'
import { temporaryFolder } from '../support/temporary-folder'
import { failed, whileWatched } from './watched'

let folder: string
let path: string
beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder, 'x.lock')
})

const mark = '0123456789abcdef'
const elsewhere = { pid: 1, host: 'elsewhere.example.net', mark }
const dead = { ...self(), start: '1', mark }
const writeLock = (owner: ProcessName & { mark: string }) => writeFileSync(path, JSON.stringify(owner))

function setAge(seconds: number): void {
  const then = Date.now() / 1000 - seconds
  utimesSync(path, then, then)
}

function startProcess(file = 'sleep'): ChildProcess & { pid: number } {
  const child = spawn(file, ['600'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  if (child.pid === undefined) throw new Error(`${file} did not start`)
  return Object.assign(child, { pid: child.pid })
}

const hasProc = existsSync('/proc/self/stat')

describe('A lock', () => {
  /** Reports whether another process can take the lock now, and releases it. */
  function isFree(): boolean {
    const lock = tryLock(path)
    lock?.release()
    return lock !== undefined
  }

  test('is free without a file', () => {
    expect(isFree()).toBe(true)
  })

  test('without an owner is free after five seconds', () => {
    writeFileSync(path, '')
    setAge(3)
    expect(isFree()).toBe(false)
    setAge(7)
    expect(isFree()).toBe(true)
  })

  test('of this process is held, however old it is', () => {
    const lock = tryLock(path)
    setAge(86_400)
    expect(isFree()).toBe(false)
    lock?.release()
  })

  test.runIf(hasProc)('of a local process that has ended is free', () => {
    writeLock(dead)
    expect(isFree()).toBe(true)
  })

  test('that cannot be read causes an error', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => tryLock(join(folder, 'file', 'x.lock'))).toThrow(
      `cannot read the lock ${folder}/file/x.lock: not a directory`,
    )
  })

  test('that vanishes while its age is read is not free yet', () => {
    writeLock(elsewhere)
    setAge(650)
    const vanishing = () => vi.spyOn(fs, 'lstatSync').mockReturnValueOnce(undefined as never)
    expect(whileWatched(vanishing, () => tryLock(path))).toBeUndefined()
  })

  test.for<[string, boolean]>([
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
  ])('has an owner by its content: %s: %s', ([text, hasOwner]) => {
    writeFileSync(path, text)
    // Without an owner, a lock is free after five seconds.
    setAge(7)
    expect(isFree()).toBe(!hasOwner)
  })
})

describe('A lock of a dead owner', () => {
  /** Tries to break the lock of a dead owner, and runs `happens` when the claim for that is created. */
  function lockDuring(happens: () => void) {
    const { openSync } = fs
    const claim = temporaryFor(path, mark)
    const watch = () =>
      vi.spyOn(fs, 'openSync').mockImplementation((file, flags, mode) => {
        if (file === claim && Number(flags) & fs.constants.O_EXCL) happens()
        return openSync(file, flags, mode)
      })
    writeLock(dead)
    return whileWatched(watch, () => tryLock(path))
  }

  test.runIf(hasProc)('is left to another process that acquires it at that moment', () => {
    const otherLock = JSON.stringify({ ...elsewhere, mark: 'f'.repeat(16) })
    expect(lockDuring(() => writeFileSync(path, otherLock))).toBeUndefined()
    expect(readFileSync(path, 'utf8')).toBe(otherLock)
    expect(readdirSync(folder)).toEqual(['x.lock'])
  })

  test.runIf(hasProc)('is not removed by a claim on an earlier dead owner', () => {
    const otherLock = JSON.stringify({ ...dead, mark: 'f'.repeat(16) })
    expect(lockDuring(() => writeFileSync(path, otherLock))).toBeUndefined()
    expect(readFileSync(path, 'utf8')).toBe(otherLock)
  })

  test.runIf(hasProc)('is acquired if another process releases it at that moment', () => {
    const lock = lockDuring(() => rmSync(path))
    expect(lock?.isHeld()).toBe(true)
    lock?.release()
    expect(readdirSync(folder)).toEqual([])
  })

  test.runIf(hasProc)('is acquired, with removal of old temporary files but not of new ones', () => {
    const [oldFile, newFile] = [temporaryFor(path, 'a'.repeat(16)), temporaryFor(path, 'b'.repeat(16))]
    writeFileSync(oldFile, '')
    utimesSync(oldFile, 0, 0)
    writeFileSync(newFile, '')
    writeLock(dead)
    tryLock(path)?.release()
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([newFile])
  })
})

describe('Acquiring a lock', () => {
  const isCreation = (flags: unknown) => (Number(flags) & fs.constants.O_EXCL) !== 0

  test('on a full disk leaves no file without an owner', () => {
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
  ] as const)('fails with the reason and changes nothing if no file can be created: %s', ([code, reason]) => {
    const { openSync } = fs
    const otherLock = JSON.stringify(elsewhere)
    const failingCreation = () =>
      vi.spyOn(fs, 'openSync').mockImplementation((file, flags, mode) => {
        if (!isCreation(flags)) return openSync(file, flags, mode)
        // Another process was faster.
        if (code === 'EMFILE') writeFileSync(path, otherLock)
        throw failed(code, reason)
      })
    expect(() => whileWatched(failingCreation, () => tryLock(path))).toThrow(`cannot lock ${path}: ${reason}`)
    expect(existsSync(path) && readFileSync(path, 'utf8')).toBe(code === 'EMFILE' && otherLock)
  })

  test('fails if another process meanwhile broke the lock as incomplete', () => {
    const { writeSync } = fs
    const otherLock = JSON.stringify(elsewhere)
    const slow = () =>
      vi.spyOn(fs, 'writeSync').mockImplementationOnce((file, text) => {
        const byteCount = writeSync(file, String(text))
        writeFileSync(path, otherLock)
        return byteCount
      })
    expect(whileWatched(slow, () => tryLock(path))).toBeUndefined()
    expect(readFileSync(path, 'utf8')).toBe(otherLock)
    const removed = () =>
      vi.spyOn(fs, 'writeSync').mockImplementationOnce((file, text) => {
        rmSync(path)
        return writeSync(file, String(text))
      })
    rmSync(path)
    expect(whileWatched(removed, () => tryLock(path))).toBeUndefined()
  })

  test('fails with a retryable error and a hint while another process holds it', async () => {
    writeLock(elsewhere)
    await expect(holdLock(path)).rejects.toMatchObject({
      code: 'local',
      message: `${path} is held by process 1 on elsewhere.example.net`,
      details: {
        hint: 'Wait for it to end. If it was killed on another machine or in another container, its lock expires in ten minutes',
        retryable: true,
      },
    })
  })

  test('does not write to a lock without an owner, so that it can expire', async () => {
    writeFileSync(path, '')
    await expect(holdLock(path, { waitMs: 20 })).rejects.toThrow(`${path} is held by another process`)
    expect(readFileSync(path, 'utf8')).toBe('')
  })

  test('fails with a hint if a folder is at its path', () => {
    fs.mkdirSync(path)
    expect(() => tryLock(path)).toThrow(
      expect.objectContaining({
        code: 'local',
        details: { hint: 'skyctl needs this path for a lock file; move it away' },
      }),
    )
  })
})

describe('A lock with a removed file', () => {
  test('is not held any more, and releasing it does not fail', () => {
    const lock = tryLock(path)
    rmSync(path)
    expect(lock?.isHeld()).toBe(false)
    lock?.release()
    expect(readdirSync(folder)).toEqual([])
  })
})

describe.runIf(hasProc)('A process', () => {
  /** Reads the start from /proc: field 22 of 52, counted from the end because the name may contain spaces. */
  const startOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').trim().split(' ').at(-31) ?? ''

  test('is identified by its id, machine, boot, namespace and start', () => {
    expect(self()).toEqual({
      pid: process.pid,
      host: hostname(),
      boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 36),
      pids: fs.readlinkSync('/proc/self/ns/pid'),
      start: startOf(process.pid),
    })
  })

  test.for<[string, (here: ProcessName, pid: number) => object, boolean | undefined]>([
    ['its id and its start', (_, pid) => ({ pid, start: startOf(pid) }), true],
    ['its id and another start', (_, pid) => ({ pid, start: '1' }), false],
    ['its id alone', (_, pid) => ({ pid, start: undefined }), true],
    ['this process', () => ({}), true],
    ['the id of this process and an earlier start', () => ({ start: '1' }), false],
    ['the id of this process without a start', () => ({ start: undefined }), false],
    ['the same kernel, without a namespace', () => ({ pids: undefined }), undefined],
    ['an earlier boot of this host', (_, pid) => ({ pid, boot: 'other', start: startOf(pid) }), false],
    ['another kernel', (_, pid) => ({ pid, boot: 'other', host: 'other', start: startOf(pid) }), undefined],
    ['another container', (_, pid) => ({ pid, pids: 'pid:[1]', start: startOf(pid) }), undefined],
    ['an unknown kernel on this host', () => ({ boot: undefined, pids: undefined }), true],
    ['an unknown kernel on another host', () => ({ boot: undefined, host: 'other' }), undefined],
    ['the same kernel with another host name', () => ({ host: 'other' }), true],
    ['an id that does not exist', () => ({ pid: 2 ** 22 + 1 }), false],
  ])('is running: %s: $2', ([, changed, expected]) => {
    const { pid } = startProcess()
    expect(isRunning({ ...self(), ...changed(self(), pid) })).toBe(expected)
  })

  test('may have a name that resembles the fields of its stat', async () => {
    const file = join(folder, 'x) S 1')
    copyFileSync(execFileSync('sh', ['-c', 'command -v sleep']).toString().trim(), file)
    chmodSync(file, 0o755)
    const child = startProcess(file)
    await once(child, 'spawn')
    expect(readFileSync(`/proc/${child.pid}/stat`, 'utf8')).toContain('(x) S 1) ')
    expect(isRunning({ ...self(), pid: child.pid, start: startOf(child.pid) })).toBe(true)
    expect(isRunning({ ...self(), pid: child.pid, start: '1' })).toBe(false)
  })

  test('is not running if it has ended as a zombie', async () => {
    // The shell becomes a program that waits for no child. Before that, it would wait for this one itself.
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => void parent.kill('SIGKILL'))
    const [line] = await once(parent.stdout, 'data')
    const pid = Number(line)
    const name = { ...self(), pid, start: startOf(pid) }
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n')
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /)
    expect(isRunning(name)).toBe(false)
  })

  test('of another user is running', () => {
    const denied = () =>
      vi.spyOn(process, 'kill').mockImplementation(() => {
        throw failed('EPERM', 'operation not permitted')
      })
    const { pid } = startProcess()
    const name = { ...self(), pid, start: startOf(pid) }
    expect(whileWatched(denied, () => isRunning(name))).toBe(true)
  })

  test('without a readable start is running', () => {
    const { pid } = startProcess()
    const name = { ...self(), pid, start: startOf(pid) }
    const hidden = () =>
      vi.spyOn(fs, 'readFileSync').mockImplementation(() => {
        throw failed('ENOENT', 'no such file or directory')
      })
    expect(whileWatched(hidden, () => isRunning(name))).toBe(true)
  })
})

describe('A system without /proc', () => {
  test('identifies processes by id and host', async () => {
    vi.resetModules()
    const throwMissing = () => {
      throw failed('ENOENT', 'no such file or directory')
    }
    vi.spyOn(fs, 'readFileSync').mockImplementation(throwMissing)
    vi.spyOn(fs, 'readlinkSync').mockImplementation(throwMissing)
    const reloaded = await import('../../src/files/process-id')
    syncBuiltinESMExports()
    try {
      expect(reloaded.self()).toEqual({ pid: process.pid, host: hostname() })
      // Only the host name can be compared.
      const missing = { pid: 2 ** 22 + 1, boot: 'x', pids: 'y', start: '1' }
      expect(reloaded.isRunning({ ...missing, host: hostname() })).toBe(false)
      expect(reloaded.isRunning({ ...missing, host: 'other' })).toBeUndefined()
    } finally {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
      // Other test files run in this process, and would get this module.
      vi.resetModules()
    }
  })

  test('has files without owner and mode', () => {
    const { geteuid } = process
    const other = { uid: (geteuid?.() ?? 0) + 1, mode: 0o777 }
    Object.assign(process, { geteuid: undefined })
    onTestFinished(() => void Object.assign(process, { geteuid }))
    expect([foreignness(other), isWide(other)]).toEqual([undefined, false])
  })
})
