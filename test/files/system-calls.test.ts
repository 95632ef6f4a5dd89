/** What the system says of a file, as a person reads it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { Problem } from '../../src/errors'
import { openToAppend } from '../../src/files/private'
import { errorCode, fileProblem } from '../../src/files/problem'
import { isOnlyWrittenBy } from '../../src/files/trust'
import { syncFolder } from '../../src/files/write'

const folder = mkdtempSync(join(tmpdir(), 'skyctl-calls-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('an error', () => {
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

  test('of the system is told with what was done to which file', () => {
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
  ])('of another kind stays as it is: %s', (error) => {
    expect(fileProblem('write', '/a/b', error)).toBe(error)
  })
})

test('a folder that cannot be made durable is left at that, and one that is not there is told', () => {
  expect(() => syncFolder('/proc/self')).not.toThrow()
  expect(() => syncFolder(join(folder, 'missing'))).toThrow('ENOENT')
})

test('a device is nothing to add lines to', () => {
  expect(() => openToAppend('/dev/null', () => {})).toThrow('cannot write /dev/null: it is no regular file')
})

test("a name that is no path is nobody's", () => {
  expect(isOnlyWrittenBy(0, 'a\0b')).toBe(false)
  expect(isOnlyWrittenBy(0, join(folder, 'missing'))).toBe(false)
})
