/** What becomes of a failure that one can go on without. */
import { describe, expect, test } from 'vitest'
import { ifPossible, Problem, passOver } from '../src/errors'

const fail = (error: unknown) => () => {
  throw error
}

describe('what may fail', () => {
  test('gives what it gives', () => {
    expect(ifPossible(() => 7)).toBe(7)
  })

  test('gives nothing where it ends in a problem', async () => {
    const problem = new Problem('local', 'cannot read it')
    expect(ifPossible(fail(problem))).toBeUndefined()
    expect(await Promise.reject(problem).catch(passOver)).toBeUndefined()
  })

  test('does not hide a defect', async () => {
    const defect = new TypeError('a defect')
    expect(() => ifPossible(fail(defect))).toThrow(defect)
    await expect(Promise.reject(defect).catch(passOver)).rejects.toBe(defect)
  })
})
