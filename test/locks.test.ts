/** Locks whose owner is gone or cannot be asked, and files that are no locks. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { holdLock, tryLock } from '../src/files/lock'
import { type ProcessName, self } from '../src/files/process-id'
import { bundleScript } from './support/bundle'
import { temporaryFolder } from './support/temporary-folder'

let folder: string
let path: string
beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder, 'x.lock')
})

const mark = '0123456789abcdef'
/** The owner of a lock; JSON omits undefined fields. */
type Owner = { [K in keyof ProcessName]?: ProcessName[K] | undefined }
const writeLock = (owner: Owner) => writeFileSync(path, JSON.stringify({ ...self(), mark, ...owner }))

function writtenAgo(seconds: number): void {
  const then = Date.now() / 1000 - seconds
  utimesSync(path, then, then)
}

/** Reports whether another process can take the lock now, and releases it. */
function isFree(): boolean {
  const lock = tryLock(path)
  lock?.release()
  return lock !== undefined
}

/** Starts a process that runs until the test ends. */
function startProcess(): ChildProcess {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const hasProc = self().start !== undefined

describe.runIf(hasProc)('on the same kernel, in the same container,', () => {
  const startOf = (pid: number | undefined) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[21] ?? ''

  test('a running process keeps its lock, however long ago it was written', () => {
    const { pid = 0 } = startProcess()
    writeLock({ pid, start: startOf(pid) })
    writtenAgo(86_400)
    expect(isFree()).toBe(false)
  })

  test('a pid that now belongs to another process has no lock', () => {
    const { pid = 0 } = startProcess()
    writeLock({ pid, start: String(Number(startOf(pid)) - 1) })
    expect(isFree()).toBe(true)
  })

  test('an ended process has no lock', async () => {
    const child = startProcess()
    const { pid = 0 } = child
    writeLock({ pid, start: startOf(pid) })
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(isFree()).toBe(true)
  })

  test("a lock with this process's pid and another start time is free", () => {
    writeLock({ start: '1' })
    expect(isFree()).toBe(true)
  })
})

describe.for<[string, Owner]>([
  [
    'a lock of another machine',
    { host: 'elsewhere.example.net', boot: 'd3b07384-d9a0-4c9b-8f5b-1f2d6d7c9b11', pid: 1 },
  ],
  ['a lock of another container of this machine', { host: '3f2a9c0d1e4b', pids: 'pid:[1]', pid: 1 }],
  ['a lock of a machine with an unknown boot id', { host: 'elsewhere.example.net', boot: undefined, pid: 1 }],
])('%s', ([, owner]) => {
  test('is valid for ten minutes after it was written', () => {
    writeLock(owner)
    writtenAgo(550)
    expect(isFree()).toBe(false)
    writtenAgo(650)
    expect(isFree()).toBe(true)
    expect(readdirSync(folder)).toEqual([])
  })
})

test.runIf(hasProc)('a lock of this machine before its restart is free', () => {
  writeLock({ boot: 'd3b07384-d9a0-4c9b-8f5b-1f2d6d7c9b11' })
  expect(isFree()).toBe(true)
})

describe('a lock owner', () => {
  test('notices that it lost its lock, and does not remove the new one', () => {
    const lock = tryLock(path)
    expect(lock?.isHeld()).toBe(true)
    writeLock({ host: 'elsewhere.example.net', boot: 'another' })
    expect(lock?.isHeld()).toBe(false)
    lock?.release()
    expect(JSON.parse(readFileSync(path, 'utf8')).mark).toBe(mark)
  })

  test('does not hold a lock after its release', () => {
    const lock = tryLock(path)
    const text = readFileSync(path, 'utf8')
    lock?.release()
    expect(lock?.isHeld()).toBe(false)
    // The file may reappear, for example from a backup of the folder.
    writeFileSync(path, text)
    expect(lock?.isHeld()).toBe(false)
  })
})

const namespaces = spawnSync('unshare', ['-rpf', '--mount-proc', 'true']).status === 0

test.runIf(hasProc && namespaces)('an ended container has no lock, and a running one has', async () => {
  const script = await bundleScript(
    folder,
    `import { holdLock } from './files/lock'
     import { self } from './files/process-id'
     holdLock(process.argv[2]).then(() => console.log(JSON.stringify(self())))
     setInterval(() => {}, 1000)`,
  )
  // --kill-child ends the first process of the container with it.
  const args = ['-rpf', '--mount-proc', '--kill-child', process.execPath, script, path]
  const container = spawn('unshare', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void container.kill('SIGKILL'))
  const [name] = await once(container.stdout, 'data')
  expect(JSON.parse(name)).toMatchObject({ pid: 1, boot: self().boot })
  expect(JSON.parse(name).pids).not.toBe(self().pids)
  await expect(holdLock(path)).rejects.toMatchObject({ message: expect.stringContaining('is held by process 1 on ') })
  container.kill('SIGKILL')
  await once(container, 'close')
  writtenAgo(601)
  expect(isFree()).toBe(true)
})

const isRoot = process.geteuid?.() === 0

describe('an invalid lock file', () => {
  const problem = (reason: string) => ({ code: 'local', message: `${path} is not your lock file: ${reason}` })
  const places: [string, () => void, string][] = [
    ['a pipe', () => void execFileSync('mkfifo', [path]), 'it is not a regular file'],
    ['a folder', () => mkdirSync(path), 'it is not a regular file'],
    ['a symbolic link', () => symlinkSync(join(folder, 'target'), path), 'it is a symbolic link'],
    ['a link to nothing', () => symlinkSync(join(folder, 'none'), path), 'it is a symbolic link'],
  ]
  if (isRoot) {
    const theirs = () => {
      writeLock({})
      chownSync(path, 65_534, 65_534)
    }
    places.push(['a file of another user', theirs, 'it belongs to another user (65534)'])
  }

  test.for(places)('is rejected at once and left unchanged: %s', async ([, put, reason]) => {
    writeFileSync(join(folder, 'target'), JSON.stringify({ ...self(), mark }))
    put()
    const before = statSync(path, { throwIfNoEntry: false })
    expect(() => tryLock(path)).toThrow(expect.objectContaining(problem(reason)))
    await expect(holdLock(path, { waitMs: 600_000 })).rejects.toMatchObject(problem(reason))
    expect(statSync(path, { throwIfNoEntry: false })).toEqual(before)
    expect(readdirSync(folder).sort()).toEqual(['target', 'x.lock'])
  })
})
