/** Messages about errors of the file system, and files that cannot be used. */
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Problem } from '../../src/errors'
import { byteOrderMarkLength } from '../../src/files/byte-order-mark'
import { errorCode, fileProblem } from '../../src/files/file-problem'
import { tryLock } from '../../src/files/lock'
import { openToAppend, readPrivately } from '../../src/files/private'
import { isOnlyWrittenBy } from '../../src/files/trust'
import { syncFolder } from '../../src/files/write'

/** Resolved, because /tmp is a link on macOS. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'skyctl-calls-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('An error', () => {
  test.for([
    [Object.assign(new Error('x'), { code: 'ENOENT' }), 'ENOENT'],
    [Object.assign(new Error('x'), { code: 7 }), undefined],
    [new Error('x'), undefined],
    [{ message: 'ENOENT' }, undefined],
    ['ENOENT', undefined],
    [undefined, undefined],
    [null, undefined],
  ] as const)('%j has the code %s', ([error, code]) => {
    expect(errorCode(error)).toBe(code)
  })

  test('of the system is reported with the action and the file', () => {
    const error = Object.assign(new Error("ENOSPC: no space left on device, write '/a/b'"), { code: 'ENOSPC' })
    const problem = fileProblem('write', '/a/b', error)
    expect(problem).toBeInstanceOf(Problem)
    expect(problem).toMatchObject({
      code: 'local',
      message: 'cannot write /a/b: no space left on device',
      cause: error,
    })
  })

  test.for([
    new Error('x'),
    new Error('a defect: ENOENT: no such file'),
    new Error('Enormous: y'),
    'ENOENT: z',
    undefined,
  ])('of another kind stays unchanged: %s', (error) => {
    expect(fileProblem('write', '/a/b', error)).toBe(error)
  })
})

test('Syncing a folder ignores that it is unsupported, and reports a missing one', () => {
  expect(() => syncFolder('/proc/self')).not.toThrow()
  expect(() => syncFolder(join(folder, 'missing'))).toThrow('ENOENT')
})

test('A device cannot be appended to', () => {
  expect(() => openToAppend('/dev/null', () => {})).toThrow('cannot write /dev/null: it is not a regular file')
})

test.for([
  ['', 0],
  ['\ufeff', 3],
  ['\ufeff{}', 3],
  ['{"a": 1}', 0],
  ['{\ufeff}', 0],
] as const)('The byte order mark of %j has %i bytes', ([text, length]) => {
  const path = join(folder, 'marked')
  writeFileSync(path, text)
  const file = openSync(path, 'r')
  try {
    expect([byteOrderMarkLength(file), byteOrderMarkLength(file)]).toEqual([length, length])
  } finally {
    closeSync(file)
  }
})

test('A missing file is not an error, an unreadable one is', () => {
  const file = join(folder, 'file')
  writeFileSync(file, 'x', { mode: 0o600 })
  expect(readPrivately(join(folder, 'missing'), () => {})).toBeUndefined()
  expect(() => readPrivately(join(file, 'x'), () => {})).toThrow(`cannot read ${file}/x: not a directory`)
  expect(tryLock(join(folder, 'x.lock'))).toBeDefined()
  expect(() => tryLock(join(file, 'x.lock'))).toThrow('not a directory')
})

describe('A folder that only one user can write to', () => {
  const userId = process.getuid?.() ?? -1
  /** Creates nested folders with these modes, from the outermost, and returns the innermost. */
  function nested(...modes: readonly number[]): string {
    let path = mkdtempSync(join(folder, 'n-'))
    for (const mode of modes) {
      path = join(path, 'x')
      mkdirSync(path)
      chmodSync(path, mode)
    }
    return path
  }

  test.for([
    [[0o700, 0o700], true],
    [[0o755, 0o755], true],
    [[0o700, 0o770], false],
    [[0o700, 0o707], false],
    [[0o700, 0o1777], false],
    [[0o777, 0o700], false],
    [[0o777, 0o755, 0o700], false],
    [[0o770, 0o700], false],
    [[0o1777, 0o700], true],
  ] as const)('is recognized by its mode and those of its parents: %j: %s', ([modes, isSafe]) => {
    expect(isOnlyWrittenBy(userId, nested(...modes))).toBe(isSafe)
  })

  test('is neither missing, nor a file, nor a link', () => {
    const file = join(nested(0o700), 'file')
    writeFileSync(file, '')
    expect(isOnlyWrittenBy(userId, file)).toBe(false)
    expect(isOnlyWrittenBy(userId, join(folder, 'missing'))).toBe(false)
    expect(isOnlyWrittenBy(userId, 'a\0b')).toBe(false)
    const link = join(folder, 'link')
    symlinkSync(nested(0o700), link)
    expect(isOnlyWrittenBy(userId, link)).toBe(false)
  })

  test.runIf(userId === 0)("is that user's or root's", () => {
    const path = nested(0o700)
    expect(isOnlyWrittenBy(12_345, path)).toBe(true)
    chownSync(path, 12_345, 12_345)
    expect(isOnlyWrittenBy(12_345, path)).toBe(true)
    expect(isOnlyWrittenBy(54_321, path)).toBe(false)
    expect(isOnlyWrittenBy(0, path)).toBe(false)
  })
})
