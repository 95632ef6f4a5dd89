/** Opening, reading, appending to and protecting private files, and the messages if that fails. */
import { execFileSync } from 'node:child_process'
import fs, {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { checkPrivateFolder, makeFolder } from '../../src/files/folder'
import { holdLock, tryLock } from '../../src/files/lock'
import { foreignness, isWide, openOwn, openRegular, statusOf } from '../../src/files/ownership'
import { openToAppend, readPrivately } from '../../src/files/private'
import { sweepFolder, sweepTemporaries, temporariesOf, temporaryFor } from '../../src/files/temporary'
import { syncFolder, writePrivately } from '../../src/files/write'
import { temporaryFolder } from '../support/temporary-folder'
import { failed, whileWatched } from './watched'

const isRoot = process.geteuid?.() === 0
const nobody = 65_534
const { O_RDONLY, O_WRONLY, O_CREAT } = fs.constants

let folder: string
let path: string
const warnings: string[] = []
const warn = (message: string) => void warnings.push(message)
beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder, 'x')
  warnings.length = 0
})

const modeOf = (file: string) => (statSync(file).mode & 0o7777).toString(8)
/** Makes a call of the file system fail. */
const failing =
  (call: 'openSync' | 'chmodSync' | 'fchmodSync' | 'lstatSync' | 'readdirSync', code: string, reason: string) => () =>
    vi.spyOn(fs, call).mockImplementation(() => {
      throw failed(code, reason)
    })

describe('The status of a path', () => {
  test('is that of a link itself, and undefined without a file', () => {
    symlinkSync(join(folder, 'none'), path)
    expect(statusOf(path)?.isSymbolicLink()).toBe(true)
    expect(statusOf(join(folder, 'none'))).toBeUndefined()
  })

  test('is foreign with the uid of another user', () => {
    const uid = process.geteuid?.() ?? 0
    expect(foreignness({ uid })).toBeUndefined()
    expect(foreignness({ uid: uid + 1 })).toBe(`it belongs to another user (${uid + 1})`)
  })

  test.for([
    [0o600, false],
    [0o700, false],
    [0o4700, false],
    [0o601, true],
    [0o640, true],
    [0o020, true],
  ] as const)('is open to others by its mode: %i: %s', ([mode, isOpen]) => {
    expect(isWide({ uid: 0, mode })).toBe(isOpen)
  })
})

describe('A path is opened', () => {
  const rejectionOf = (flags: number) => {
    const result = openRegular(path, flags)
    return 'unfit' in result ? result.unfit : result
  }

  test('if it is a file, with its status', () => {
    writeFileSync(path, 'abc', { mode: 0o640 })
    const result = openRegular(path, O_RDONLY)
    if ('unfit' in result) throw new Error(result.unfit)
    expect([readFileSync(result.file, 'utf8'), result.stats.size]).toEqual(['abc', 3])
    fs.closeSync(result.file)
  })

  test.for<[string, number, () => void, string]>([
    ['a folder, to write', O_WRONLY, () => mkdirSync(path), 'it is not a regular file'],
    [
      'a pipe that nobody reads, to write',
      O_WRONLY,
      () => void execFileSync('mkfifo', [path]),
      'it is not a regular file',
    ],
  ])('but not %s', ([, flags, create, reason]) => {
    create()
    expect(rejectionOf(flags)).toBe(reason)
  })

  test('and created with access for its owner only', () => {
    const result = openOwn(path, O_WRONLY | O_CREAT)
    if ('unfit' in result) throw new Error(result.unfit)
    fs.closeSync(result.file)
    expect(modeOf(path)).toBe('600')
  })

  test.for(['EACCES', 'EPERM'])(
    'or fails with its foreign owner, or else the system error, if access is denied: %s',
    (code) => {
      const denied = failing('openSync', code, 'denied')
      expect(() => whileWatched(denied, () => rejectionOf(O_RDONLY))).toThrow(`${code}: denied`)
      writeFileSync(path, '')
      expect(() => whileWatched(denied, () => rejectionOf(O_RDONLY))).toThrow(`${code}: denied`)
      const { lstatSync } = fs
      const foreign = () => {
        denied()
        vi.spyOn(fs, 'lstatSync').mockImplementation(((file: string) =>
          Object.assign(lstatSync(file), { uid: nobody })) as typeof fs.lstatSync)
      }
      expect(whileWatched(foreign, () => rejectionOf(O_RDONLY))).toBe(`it belongs to another user (${nobody})`)
    },
  )

  test.runIf(isRoot && existsSync('/proc/self/fd'))('and closed if it is rejected', () => {
    writeFileSync(path, 'x')
    chownSync(path, nobody, nobody)
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const before = readdirSync('/proc/self/fd').length
    for (const rejected of [path, pipe]) expect(openOwn(rejected, O_RDONLY)).toHaveProperty('unfit')
    expect(readdirSync('/proc/self/fd')).toHaveLength(before)
  })

  test.for(['ENOENT', 'EIO'])('or fails with the system error: %s', (code) => {
    expect(() => whileWatched(failing('openSync', code, 'so it is'), () => rejectionOf(O_RDONLY))).toThrow(
      `${code}: so it is`,
    )
  })

  test.runIf(isRoot)('but not a file of another user, even by root', () => {
    writeFileSync(path, '')
    chownSync(path, nobody, nobody)
    expect(openOwn(path, O_RDONLY)).toEqual({ unfit: `it belongs to another user (${nobody})` })
  })
})

describe('A private file', () => {
  test('of mode 0600 is read without a warning', () => {
    writeFileSync(path, 'abc', { mode: 0o600 })
    expect([readPrivately(path, warn), warnings]).toEqual(['abc', []])
  })

  test('causes an error with a hint if it is a folder', () => {
    mkdirSync(path)
    const problem = { details: { hint: 'Replace it with a file of your own, or name another one' } }
    expect(() => readPrivately(path, warn)).toThrow(expect.objectContaining(problem))
  })

  test('is created if it is missing, and appended to', () => {
    for (const lines of [['a', 'b'], ['c']]) {
      const file = openToAppend(path, warn)
      for (const line of lines) file.write(`${line}\n`)
      file.close()
    }
    expect([readFileSync(path, 'utf8'), modeOf(path), warnings]).toEqual(['a\nb\nc\n', '600', []])
  })

  test('becomes private before an append if others can read it', () => {
    writeFileSync(path, 'a\n')
    chmodSync(path, 0o644)
    const file = openToAppend(path, warn)
    expect([modeOf(path), warnings]).toEqual(['600', [`${path} was open to other users: its mode is now 0600`]])
    file.close()
  })

  test('is not used if it cannot become private', () => {
    writeFileSync(path, 'a\n')
    chmodSync(path, 0o644)
    const denied = failing('fchmodSync', 'EPERM', 'operation not permitted')
    const message = `cannot make private ${path}: operation not permitted`
    expect(() => whileWatched(denied, () => readPrivately(path, warn))).toThrow(message)
    expect(() => whileWatched(denied, () => openToAppend(path, warn))).toThrow(message)
    expect(warnings).toEqual([])
  })

  test('in a missing folder causes an error with its path', () => {
    const file = join(folder, 'none', 'x')
    expect(() => openToAppend(file, warn)).toThrow(`cannot write ${file}: no such file or directory`)
  })

  test('on a full disk causes an error with the reason', () => {
    const file = openToAppend(path, warn)
    const full = () =>
      vi.spyOn(fs, 'writeFileSync').mockImplementation(() => {
        throw failed('ENOSPC', 'no space left on device')
      })
    expect(() => whileWatched(full, () => file.write('a'))).toThrow(`cannot write ${path}: no space left on device`)
    file.close()
  })
})

describe('A folder', () => {
  const ownFiles = /^x\./

  test('stays unchanged if it exists, and so does a file', () => {
    mkdirSync(path, { mode: 0o500 })
    chmodSync(path, 0o500)
    makeFolder(path)
    const file = join(folder, 'file')
    writeFileSync(file, '')
    chmodSync(file, 0o444)
    makeFolder(file)
    expect([modeOf(path), modeOf(file)]).toEqual(['500', '444'])
  })

  test.for(['EISDIR', 'EPERM'])(
    'that exists is accepted despite the system error of macOS and Windows for a root: %s',
    (code) => {
      mkdirSync(path)
      const failingMkdir = () =>
        vi.spyOn(fs, 'mkdirSync').mockImplementation(() => {
          throw failed(code, 'refused')
        })
      expect(() => whileWatched(failingMkdir, () => makeFolder(path))).not.toThrow()
      expect(() => whileWatched(failingMkdir, () => makeFolder(join(folder, 'none')))).toThrow('none')
    },
  )

  test('is created with its parents, each with access for its owner only', () => {
    makeFolder(join(path, 'a', 'b'))
    for (const created of [path, join(path, 'a'), join(path, 'a', 'b')]) expect(modeOf(created)).toBe('700')
  })

  test('is private from its creation, before any chmod', () => {
    const withoutChmod = () => vi.spyOn(fs, 'chmodSync').mockImplementation(() => {})
    whileWatched(withoutChmod, () => makeFolder(path))
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  test('below a file causes an error', () => {
    writeFileSync(path, '')
    expect(() => makeFolder(join(path, 'a', 'b'))).toThrow(`cannot create ${path}/a/b: not a directory`)
  })

  test('on a missing drive causes an error, without endless attempts', () => {
    const missingDrive = () => {
      vi.spyOn(fs, 'mkdirSync').mockImplementation(() => {
        throw failed('ENOENT', 'no such file or directory')
      })
      vi.spyOn(fs, 'statSync').mockReturnValue(undefined as never)
      vi.spyOn(fs, 'lstatSync').mockReturnValue(undefined as never)
    }
    expect(() => whileWatched(missingDrive, () => makeFolder('/a/b'))).toThrow(
      'cannot create /a/b: no such file or directory',
    )
  })

  test('that is private is accepted without a warning', () => {
    mkdirSync(path, { mode: 0o700 })
    writeFileSync(join(path, 'x.json'), '')
    expect(checkPrivateFolder({ path, ours: ownFiles }, warn)).toBe(true)
    expect(warnings).toEqual([])
  })

  test.runIf(isRoot)('is not accepted as private if it is the root', () => {
    expect(() => checkPrivateFolder({ path: '/' }, warn)).toThrow('/ is not private: it is shared with others')
  })

  test('that others can read stays unchanged if its own files are not specified', () => {
    mkdirSync(path)
    chmodSync(path, 0o750)
    expect(checkPrivateFolder({ path }, warn)).toBe(true)
    expect([modeOf(path), warnings]).toEqual(['750', []])
  })

  test('becomes private with a warning if it contains only own files', () => {
    mkdirSync(path)
    writeFileSync(join(path, 'x.json'), '')
    chmodSync(path, 0o777)
    expect(checkPrivateFolder({ path, ours: ownFiles }, warn)).toBe(true)
    expect([modeOf(path), warnings]).toEqual(['700', [`${path} was open to other users: its mode is now 0700`]])
  })

  test('causes an error with a hint if it is a file', () => {
    writeFileSync(path, '')
    const hint = 'Replace it with a folder of your own, or set SKYCTL_CONFIG_DIR or SKYCTL_STATE_DIR to another one'
    expect(() => checkPrivateFolder({ path }, warn)).toThrow(expect.objectContaining({ details: { hint } }))
  })

  test.for([
    ['lstatSync', 'cannot read'],
    ['readdirSync', 'cannot read'],
    ['chmodSync', 'cannot make private'],
  ] as const)('causes an error if a system call fails: %s', ([call, doing]) => {
    mkdirSync(path)
    writeFileSync(join(path, 'x.json'), '')
    chmodSync(path, 0o755)
    const denied = failing(call, 'EACCES', 'permission denied')
    expect(() => whileWatched(denied, () => checkPrivateFolder({ path, ours: ownFiles }, warn))).toThrow(
      expect.objectContaining({ code: 'local', message: `${doing} ${path}: permission denied` }),
    )
    expect(warnings).toEqual([])
  })
})

describe('A temporary file', () => {
  const temporary = (digit: string) => temporaryFor(path, digit.repeat(16))

  test('has the name of its file with 64 random bits', () => {
    expect(temporaryFor(path)).toMatch(/\/x\.[0-9a-f]{16}\.tmp$/)
    expect(temporaryFor(path)).not.toBe(temporaryFor(path))
    for (const file of [temporary('a'), temporary('b'), `${path}.tmp`, join(folder, `y.${'a'.repeat(16)}.tmp`)])
      writeFileSync(file, '')
    expect(temporariesOf(path).sort()).toEqual([temporary('a'), temporary('b')])
  })

  test('is removed at any age, file or folder, by the holder of the lock', () => {
    writeFileSync(temporary('a'), '')
    mkdirSync(temporary('b'))
    writeFileSync(join(temporary('b'), 'secret'), '')
    sweepTemporaries(path)
    expect(readdirSync(folder)).toEqual([])
  })

  test('may be removed by another process at the same moment', () => {
    writeFileSync(temporary('a'), '')
    const vanishedName = () => vi.spyOn(fs, 'readdirSync').mockReturnValue([`x.${'b'.repeat(16)}.tmp`] as never)
    whileWatched(vanishedName, () => sweepTemporaries(path))
    const status = statSync(temporary('a'))
    const vanishing = () =>
      vi.spyOn(fs, 'lstatSync').mockImplementationOnce(() => {
        unlinkSync(temporary('a'))
        return status
      })
    whileWatched(vanishing, () => sweepTemporaries(path))
    expect(readdirSync(folder)).toEqual([])
  })

  test.for([
    [3_590, true],
    [3_610, false],
  ] as const)('stays in a folder of skyctl for an hour: after %i seconds: %s', ([seconds, stays]) => {
    writeFileSync(temporary('a'), '')
    const then = Date.now() / 1000 - seconds
    utimesSync(temporary('a'), then, then)
    writeFileSync(join(folder, 'z'), '')
    utimesSync(join(folder, 'z'), 0, 0)
    sweepFolder(folder)
    expect(readdirSync(folder).length === 2).toBe(stays)
    expect(existsSync(join(folder, 'z'))).toBe(true)
  })
})

test.runIf(fs.existsSync('/proc/self/fd'))('No function leaves a file open', async () => {
  const lock = join(folder, 'x.lock')
  const open = () => readdirSync('/proc/self/fd').length
  const ignoreFailure = (action: () => unknown) => {
    try {
      action()
    } catch {
      // The failure is expected.
    }
  }
  const all = [
    () => writePrivately(path, 'a'),
    () => readPrivately(path, warn),
    () => openToAppend(path, warn).close(),
    () => syncFolder(folder),
    () => ignoreFailure(() => readPrivately(folder, warn)),
    () => tryLock(lock)?.release(),
    () => {
      const heldLock = tryLock(lock)
      expect(tryLock(lock)).toBeUndefined()
      heldLock?.release()
    },
    async () => {
      const heldLock = tryLock(lock)
      await expect(holdLock(lock, { waitMs: 1 })).rejects.toThrow('is held by')
      heldLock?.release()
    },
    () => {
      writeFileSync(lock, JSON.stringify({ pid: 1, host: 'elsewhere.example.net', mark: '0123456789abcdef' }))
      utimesSync(lock, 0, 0)
      tryLock(lock)?.release()
    },
    () => {
      chmodSync(path, 0o644)
      const denied = failing('fchmodSync', 'EPERM', 'operation not permitted')
      for (const use of [readPrivately, openToAppend]) ignoreFailure(() => whileWatched(denied, () => use(path, warn)))
    },
  ]
  for (const action of all) {
    await action()
    const before = open()
    await action()
    expect([action.toString(), open()]).toEqual([action.toString(), before])
  }
})
