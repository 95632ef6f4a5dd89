/** Files of one's own: what is opened, read, appended to and kept private, and what is told where that cannot be. */
import { execFileSync } from 'node:child_process'
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
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { checkPrivateFolder, makeFolder } from '../../src/files/folder'
import { holdLock, tryLock } from '../../src/files/lock'
import { inspect, read } from '../../src/files/lock-owner'
import { foreignness, isWide, openOwn, openRegular, statusOf } from '../../src/files/ownership'
import { openToAppend, readPrivately } from '../../src/files/private'
import { sweepFolder, sweepTemporaries, temporariesOf, temporaryFor } from '../../src/files/temporary'
import { syncFolder, writePrivately } from '../../src/files/write'
import { failed, whileWatched } from './watched'

const isRoot = process.geteuid?.() === 0
const nobody = 65_534
const { O_RDONLY, O_WRONLY, O_CREAT } = fs.constants

let folder: string
let path: string
const warnings: string[] = []
const warn = (message: string) => void warnings.push(message)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skyctl-own-'))
  path = join(folder, 'x')
  warnings.length = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const modeOf = (file: string) => (statSync(file).mode & 0o7777).toString(8)
/** The call of the file system fails. */
const failing =
  (call: 'openSync' | 'chmodSync' | 'fchmodSync' | 'lstatSync' | 'readdirSync', code: string, reason: string) => () =>
    vi.spyOn(fs, call).mockImplementation(() => {
      throw failed(code, reason)
    })

describe('what stands at a path', () => {
  test('is told of the link itself, and of nothing', () => {
    symlinkSync(join(folder, 'none'), path)
    expect(statusOf(path)?.isSymbolicLink()).toBe(true)
    expect(statusOf(join(folder, 'none'))).toBeUndefined()
  })

  test('is of another user where it has another number', () => {
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
  ] as const)('of mode %i is open to others: %s', ([mode, wide]) => {
    expect(isWide({ uid: 0, mode })).toBe(wide)
  })
})

describe('what is opened', () => {
  const unfit = (flags: number) => {
    const opened = openRegular(path, flags)
    return 'unfit' in opened ? opened.unfit : opened
  }

  test('is a file, with what stands in its inode', () => {
    writeFileSync(path, 'abc', { mode: 0o640 })
    const opened = openRegular(path, O_RDONLY)
    if ('unfit' in opened) throw new Error(opened.unfit)
    expect([readFileSync(opened.file, 'utf8'), opened.stats.size]).toEqual(['abc', 3])
    fs.closeSync(opened.file)
  })

  test.for<[string, number, () => void, string]>([
    ['a folder, to write', O_WRONLY, () => mkdirSync(path), 'it is not a regular file'],
    [
      'a pipe that nobody reads, to write',
      O_WRONLY,
      () => void execFileSync('mkfifo', [path]),
      'it is not a regular file',
    ],
  ])('is not %s', ([, flags, put, reason]) => {
    put()
    expect(unfit(flags)).toBe(reason)
  })

  test('is created for its owner only', () => {
    const opened = openOwn(path, O_WRONLY | O_CREAT)
    if ('unfit' in opened) throw new Error(opened.unfit)
    fs.closeSync(opened.file)
    expect(modeOf(path)).toBe('600')
  })

  test.for(['EACCES', 'EPERM'])("where it may not be (%s) is told as another's, or as what the system says", (code) => {
    const denied = failing('openSync', code, 'denied')
    expect(() => whileWatched(denied, () => unfit(O_RDONLY))).toThrow(`${code}: denied`)
    writeFileSync(path, '')
    expect(() => whileWatched(denied, () => unfit(O_RDONLY))).toThrow(`${code}: denied`)
    const { lstatSync } = fs
    const theirs = () => {
      denied()
      vi.spyOn(fs, 'lstatSync').mockImplementation(((file: string) =>
        Object.assign(lstatSync(file), { uid: nobody })) as typeof fs.lstatSync)
    }
    expect(whileWatched(theirs, () => unfit(O_RDONLY))).toBe(`it belongs to another user (${nobody})`)
  })

  test.runIf(isRoot && existsSync('/proc/self/fd'))('is closed where it is refused', () => {
    writeFileSync(path, 'x')
    chownSync(path, nobody, nobody)
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const before = readdirSync('/proc/self/fd').length
    for (const refused of [path, pipe]) expect(openOwn(refused, O_RDONLY)).toHaveProperty('unfit')
    expect(readdirSync('/proc/self/fd')).toHaveLength(before)
  })

  test.for(['ENOENT', 'EIO'])('fails as the system does: %s', (code) => {
    expect(() => whileWatched(failing('openSync', code, 'so it is'), () => unfit(O_RDONLY))).toThrow(
      `${code}: so it is`,
    )
  })

  test.runIf(isRoot)("is not another's, where that can be opened", () => {
    writeFileSync(path, '')
    chownSync(path, nobody, nobody)
    expect(openOwn(path, O_RDONLY)).toEqual({ unfit: `it belongs to another user (${nobody})` })
  })
})

describe('a private file', () => {
  test('of mode 0600 is read without a word', () => {
    writeFileSync(path, 'abc', { mode: 0o600 })
    expect([readPrivately(path, warn), warnings]).toEqual(['abc', []])
  })

  test('that is none says what to do', () => {
    mkdirSync(path)
    const problem = { details: { hint: 'Replace it with a file of your own, or name another one' } }
    expect(() => readPrivately(path, warn)).toThrow(expect.objectContaining(problem))
  })

  test('gets lines at its end, and is created where it is missing', () => {
    for (const lines of [['a', 'b'], ['c']]) {
      const file = openToAppend(path, warn)
      for (const line of lines) file.write(`${line}\n`)
      file.close()
    }
    expect([readFileSync(path, 'utf8'), modeOf(path), warnings]).toEqual(['a\nb\nc\n', '600', []])
  })

  test('that others can read is made private before anything is added', () => {
    writeFileSync(path, 'a\n')
    chmodSync(path, 0o644)
    const file = openToAppend(path, warn)
    expect([modeOf(path), warnings]).toEqual(['600', [`${path} was open to other users: its mode is now 0600`]])
    file.close()
  })

  test('that cannot be made private is not used', () => {
    writeFileSync(path, 'a\n')
    chmodSync(path, 0o644)
    const denied = failing('fchmodSync', 'EPERM', 'operation not permitted')
    const message = `cannot make private ${path}: operation not permitted`
    expect(() => whileWatched(denied, () => readPrivately(path, warn))).toThrow(message)
    expect(() => whileWatched(denied, () => openToAppend(path, warn))).toThrow(message)
    expect(warnings).toEqual([])
  })

  test('in a folder that is not there is a problem with its path', () => {
    const file = join(folder, 'none', 'x')
    expect(() => openToAppend(file, warn)).toThrow(`cannot write ${file}: no such file or directory`)
  })

  test('on a full disk says so', () => {
    const file = openToAppend(path, warn)
    const full = () =>
      vi.spyOn(fs, 'writeFileSync').mockImplementation(() => {
        throw failed('ENOSPC', 'no space left on device')
      })
    expect(() => whileWatched(full, () => file.write('a'))).toThrow(`cannot write ${path}: no space left on device`)
    file.close()
  })
})

describe('a folder', () => {
  const ours = /^x\./

  test('that is there stays as it is, and so does a file', () => {
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
    'that is there counts, whatever the system says (macOS and Windows of roots): %s',
    (code) => {
      mkdirSync(path)
      const refusing = () =>
        vi.spyOn(fs, 'mkdirSync').mockImplementation(() => {
          throw failed(code, 'refused')
        })
      expect(() => whileWatched(refusing, () => makeFolder(path))).not.toThrow()
      expect(() => whileWatched(refusing, () => makeFolder(join(folder, 'none')))).toThrow('none')
    },
  )

  test('is made with those above it, each for its owner only', () => {
    makeFolder(join(path, 'a', 'b'))
    for (const made of [path, join(path, 'a'), join(path, 'a', 'b')]) expect(modeOf(made)).toBe('700')
  })

  test('is for its owner only from the beginning', () => {
    const late = () => vi.spyOn(fs, 'chmodSync').mockImplementation(() => {})
    whileWatched(late, () => makeFolder(path))
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  test('below a file is a problem', () => {
    writeFileSync(path, '')
    expect(() => makeFolder(join(path, 'a', 'b'))).toThrow(`cannot create ${path}/a/b: not a directory`)
  })

  test('on a drive that is not there is a problem, and not tried for ever', () => {
    const nothing = () => {
      vi.spyOn(fs, 'mkdirSync').mockImplementation(() => {
        throw failed('ENOENT', 'no such file or directory')
      })
      vi.spyOn(fs, 'statSync').mockReturnValue(undefined as never)
      vi.spyOn(fs, 'lstatSync').mockReturnValue(undefined as never)
    }
    expect(() => whileWatched(nothing, () => makeFolder('/a/b'))).toThrow(
      'cannot create /a/b: no such file or directory',
    )
  })

  test('that is private stays so without a word, whatever stands in it', () => {
    mkdirSync(path, { mode: 0o700 })
    writeFileSync(join(path, 'x.json'), '')
    expect(checkPrivateFolder({ path, ours }, warn)).toBe(true)
    expect(warnings).toEqual([])
  })

  test.runIf(isRoot)('that is the first of all is never private', () => {
    expect(() => checkPrivateFolder({ path: '/' }, warn)).toThrow('/ is not private: it is shared with others')
  })

  test('that others may read stays as it is where nothing is said of what is ours', () => {
    mkdirSync(path)
    chmodSync(path, 0o750)
    expect(checkPrivateFolder({ path }, warn)).toBe(true)
    expect([modeOf(path), warnings]).toEqual(['750', []])
  })

  test('is made private, with a word, where all that stands in it is ours', () => {
    mkdirSync(path)
    writeFileSync(join(path, 'x.json'), '')
    chmodSync(path, 0o777)
    expect(checkPrivateFolder({ path, ours }, warn)).toBe(true)
    expect([modeOf(path), warnings]).toEqual(['700', [`${path} was open to other users: its mode is now 0700`]])
  })

  test('that is refused says what to do', () => {
    writeFileSync(path, '')
    const hint = 'Replace it with a folder of your own, or set SKYCTL_CONFIG_DIR or SKYCTL_STATE_DIR to another one'
    expect(() => checkPrivateFolder({ path }, warn)).toThrow(expect.objectContaining({ details: { hint } }))
  })

  test.for([
    ['lstatSync', 'cannot read'],
    ['readdirSync', 'cannot read'],
    ['chmodSync', 'cannot make private'],
  ] as const)('of which the system tells nothing (%s) is a problem', ([call, doing]) => {
    mkdirSync(path)
    writeFileSync(join(path, 'x.json'), '')
    chmodSync(path, 0o755)
    const denied = failing(call, 'EACCES', 'permission denied')
    expect(() => whileWatched(denied, () => checkPrivateFolder({ path, ours }, warn))).toThrow(
      expect.objectContaining({ code: 'local', message: `${doing} ${path}: permission denied` }),
    )
    expect(warnings).toEqual([])
  })
})

describe('what is left beside a file', () => {
  const left = (mark: string) => temporaryFor(path, mark.repeat(16))

  test('is named like it, with 64 random bits', () => {
    expect(temporaryFor(path)).toMatch(/\/x\.[0-9a-f]{16}\.tmp$/)
    expect(temporaryFor(path)).not.toBe(temporaryFor(path))
    for (const file of [left('a'), left('b'), `${path}.tmp`, join(folder, `y.${'a'.repeat(16)}.tmp`)])
      writeFileSync(file, '')
    expect(temporariesOf(path).sort()).toEqual([left('a'), left('b')])
  })

  test('goes, young or old, file or folder, where the caller holds the lock', () => {
    writeFileSync(left('a'), '')
    mkdirSync(left('b'))
    writeFileSync(join(left('b'), 'secret'), '')
    sweepTemporaries(path)
    expect(readdirSync(folder)).toEqual([])
  })

  test('may be swept by another at the same moment', () => {
    writeFileSync(left('a'), '')
    const gone = () => vi.spyOn(fs, 'readdirSync').mockReturnValue([`x.${'b'.repeat(16)}.tmp`] as never)
    whileWatched(gone, () => sweepTemporaries(path))
    const found = statSync(left('a'))
    const going = () =>
      vi.spyOn(fs, 'lstatSync').mockImplementationOnce(() => {
        unlinkSync(left('a'))
        return found
      })
    whileWatched(going, () => sweepTemporaries(path))
    expect(readdirSync(folder)).toEqual([])
  })

  test.for([
    [3_590, true],
    [3_610, false],
  ] as const)('stays in a folder of ours for an hour: after %i seconds %s', ([seconds, stays]) => {
    writeFileSync(left('a'), '')
    const then = Date.now() / 1000 - seconds
    utimesSync(left('a'), then, then)
    writeFileSync(join(folder, 'z'), '')
    utimesSync(join(folder, 'z'), 0, 0)
    sweepFolder(folder)
    expect(readdirSync(folder).length === 2).toBe(stays)
    expect(existsSync(join(folder, 'z'))).toBe(true)
  })
})

test.runIf(fs.existsSync('/proc/self/fd'))('nothing that is done here leaves a file open', async () => {
  const lock = join(folder, 'x.lock')
  const open = () => readdirSync('/proc/self/fd').length
  const orNothing = (action: () => unknown) => {
    try {
      action()
    } catch {
      // It has failed, as it should.
    }
  }
  const all = [
    () => writePrivately(path, 'a'),
    () => readPrivately(path, warn),
    () => openToAppend(path, warn).close(),
    () => syncFolder(folder),
    () => orNothing(() => readPrivately(folder, warn)),
    () => tryLock(lock)?.release(),
    () => {
      const held = tryLock(lock)
      expect(tryLock(lock)).toBeUndefined()
      read(lock)
      held?.release()
    },
    async () => {
      const held = tryLock(lock)
      await expect(holdLock(lock, { waitMs: 1 })).rejects.toThrow('is held by')
      held?.release()
    },
    () => {
      writeFileSync(lock, JSON.stringify({ pid: 1, host: 'elsewhere.example.net', mark: '0123456789abcdef' }))
      utimesSync(lock, 0, 0)
      inspect(lock, new Set())
      rmSync(lock)
    },
    () => {
      chmodSync(path, 0o644)
      const denied = failing('fchmodSync', 'EPERM', 'operation not permitted')
      for (const use of [readPrivately, openToAppend]) orNothing(() => whileWatched(denied, () => use(path, warn)))
    },
  ]
  for (const action of all) {
    await action()
    const before = open()
    await action()
    expect([action.toString(), open()]).toEqual([action.toString(), before])
  }
})
