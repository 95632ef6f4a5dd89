/** Locks whose holder cannot simply be asked: it is gone, elsewhere, or what stands in the lock's place is none. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
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
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { holdLock, tryLock } from '../src/files/lock'
import { type ProcessName, self } from '../src/files/process-id'
import { bundleScript } from './support/bundle'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skyctl-locks-'))
  path = join(folder, 'x.lock')
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true, force: true })
})

const mark = '0123456789abcdef'
/** JSON leaves out what is undefined. */
type Holding = { [K in keyof ProcessName]?: ProcessName[K] | undefined }
const hold = (holder: Holding) => writeFileSync(path, JSON.stringify({ ...self(), mark, ...holder }))

function writtenAgo(seconds: number): void {
  const then = Date.now() / 1000 - seconds
  utimesSync(path, then, then)
}

/** Whether another process can have the lock now; gives it back. */
function isFree(): boolean {
  const lock = tryLock(path)
  lock?.release()
  return lock !== undefined
}

/** A process that runs until the test ends, or is killed. */
function running(): ChildProcess {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const hasProc = self().start !== undefined

describe.runIf(hasProc)('of the same kernel and the same container', () => {
  const startOf = (pid: number | undefined) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[21] ?? ''

  test('a process that runs keeps its lock, however long it writes nothing', () => {
    const { pid = 0 } = running()
    hold({ pid, start: startOf(pid) })
    writtenAgo(86_400)
    expect(isFree()).toBe(false)
  })

  test('a number that was given again, to another process, holds nothing', () => {
    const { pid = 0 } = running()
    hold({ pid, start: String(Number(startOf(pid)) - 1) })
    expect(isFree()).toBe(true)
  })

  test('a process that has ended holds nothing', async () => {
    const child = running()
    const { pid = 0 } = child
    hold({ pid, start: startOf(pid) })
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(isFree()).toBe(true)
  })

  test('our own number holds nothing from before us', () => {
    hold({ start: '1' })
    expect(isFree()).toBe(true)
  })
})

describe.for<[string, Holding]>([
  ['of another machine', { host: 'elsewhere.example.net', boot: 'd3b07384-d9a0-4c9b-8f5b-1f2d6d7c9b11', pid: 1 }],
  ['of this machine before it was started again', { boot: 'd3b07384-d9a0-4c9b-8f5b-1f2d6d7c9b11' }],
  ['of another container of this machine', { host: '3f2a9c0d1e4b', pids: 'pid:[1]', pid: 1 }],
  ['of a machine that tells no more than its name', { host: 'elsewhere.example.net', boot: undefined, pid: 1 }],
])('%s', ([, holder]) => {
  test('a lock is held for a minute after it was last written, and no longer', () => {
    hold(holder)
    writtenAgo(50)
    expect(isFree()).toBe(false)
    writtenAgo(70)
    expect(isFree()).toBe(true)
    expect(readdirSync(folder)).toEqual([])
  })

  test('it is the clock of the file system that tells, not ours', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
    hold(holder)
    expect(isFree()).toBe(false)
  })
})

describe('a holder', () => {
  test('shows those who cannot ask that it lives, every ten seconds', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const lock = tryLock(path)
    const text = readFileSync(path, 'utf8')
    for (let beats = 0; beats < 2; beats += 1) {
      writtenAgo(3600)
      vi.advanceTimersByTime(10_000)
      expect(Date.now() - statSync(path).mtimeMs).toBeLessThan(60_000)
    }
    expect(readFileSync(path, 'utf8')).toBe(text)
    lock?.release()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('that lost its lock knows it, and touches the new one no more', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const lock = tryLock(path)
    expect(lock?.isHeld()).toBe(true)
    hold({ host: 'elsewhere.example.net', boot: 'another' })
    writtenAgo(3600)
    vi.advanceTimersByTime(10_000)
    expect(Date.now() - statSync(path).mtimeMs).toBeGreaterThan(3_000_000)
    expect(lock?.isHeld()).toBe(false)
    lock?.release()
    expect(JSON.parse(readFileSync(path, 'utf8')).mark).toBe(mark)
  })

  test('that gave it back holds it no more', () => {
    const lock = tryLock(path)
    const text = readFileSync(path, 'utf8')
    lock?.release()
    expect(lock?.isHeld()).toBe(false)
    // Its file may come back, as from a backup of the folder.
    writeFileSync(path, text)
    expect(lock?.isHeld()).toBe(false)
  })
})

const namespaces = spawnSync('unshare', ['-rpf', '--mount-proc', 'true']).status === 0

test.runIf(hasProc && namespaces)('a container that is gone holds nothing, and one that runs does', async () => {
  const script = await bundleScript(
    folder,
    `import { holdLock } from './files/lock'
     import { self } from './files/process-id'
     holdLock(process.argv[2]).then(() => console.log(JSON.stringify(self())))
     setInterval(() => {}, 1000)`,
  )
  // --kill-child: what runs as number 1 of the container ends with it.
  const args = ['-rpf', '--mount-proc', '--kill-child', process.execPath, script, path]
  const container = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void container.kill('SIGKILL'))
  const [name] = await once(container.stdout, 'data')
  expect(JSON.parse(name)).toMatchObject({ pid: 1, boot: self().boot })
  expect(JSON.parse(name).pids).not.toBe(self().pids)
  await expect(holdLock(path)).rejects.toMatchObject({ message: expect.stringContaining('is held by process 1 on ') })
  container.kill('SIGKILL')
  await once(container, 'close')
  writtenAgo(61)
  expect(isFree()).toBe(true)
})

const isRoot = process.geteuid?.() === 0

describe('what is no lock of ours', () => {
  const refused = (reason: string) => ({ code: 'local', message: `${path} is not your lock file: ${reason}` })
  const places: [string, () => void, string][] = [
    ['a pipe', () => void execFileSync('mkfifo', [path]), 'it is not a regular file'],
    ['a folder', () => mkdirSync(path), 'it is not a regular file'],
    ['a symbolic link', () => symlinkSync(join(folder, 'target'), path), 'it is a symbolic link'],
    ['a link to nothing', () => symlinkSync(join(folder, 'none'), path), 'it is a symbolic link'],
  ]
  if (isRoot) {
    const theirs = () => {
      hold({})
      chownSync(path, 65_534, 65_534)
    }
    places.push(["another user's", theirs, 'it belongs to another user (65534)'])
  }

  test.for(places)('%s is refused at once, and stays', async ([, put, reason]) => {
    writeFileSync(join(folder, 'target'), JSON.stringify({ ...self(), mark }))
    put()
    const before = statSync(path, { throwIfNoEntry: false })
    expect(() => tryLock(path)).toThrow(expect.objectContaining(refused(reason)))
    await expect(holdLock(path, { waitMs: 600_000 })).rejects.toMatchObject(refused(reason))
    expect(statSync(path, { throwIfNoEntry: false })).toEqual(before)
    expect(readdirSync(folder).sort()).toEqual(['target', 'x.lock'])
  })
})
