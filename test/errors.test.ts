/** Failures as they are told: to people in a line, to scripts as an object (interface.md, Errors). */
import { describe, expect, test } from 'vitest'
import {
  exitCodes,
  failureText,
  ifPossible,
  isGone,
  Problem,
  ProgramEnded,
  passOver,
  problemRecord,
  wasNotDone,
} from '../src/errors'
import { meanings } from '../src/generate/exit-codes'

test('Only what the API itself does not find is gone: no unknown outcome, and no missing context', () => {
  const missing = '/volumes/1'
  expect(isGone(new Problem('not_found', 'x', { missing }))).toBe(true)
  expect(isGone(new Problem('not_found', 'x', { missing }), ['/volumes/2'])).toBe(false)
  expect(isGone(new Problem('outcome_unknown', 'x', { missing }))).toBe(false)
  expect(isGone(new Problem('not_found', 'x'))).toBe(false)
  expect(isGone(new Problem('context_not_found', 'x'))).toBe(false)
})

describe('a problem', () => {
  test('is an object with every key, where nothing more is known', () => {
    expect(problemRecord(new Problem('not_found', 'volume 9 not found'))).toEqual({
      code: 'not_found',
      message: 'volume 9 not found',
      exit_code: 5,
      status: null,
      errors: [],
      request: null,
      retryable: false,
      hint: null,
    })
  })

  test('has what is known of it', () => {
    const known = {
      status: 503,
      errors: [{ field: null, reason: 'Later' }],
      request: { method: 'GET', path: '/volumes' },
      retryable: true,
      hint: 'Try again later',
      incomplete: true,
    } as const
    expect(problemRecord(new Problem('unavailable', 'away', { ...known, errors: [...known.errors] }))).toEqual({
      code: 'unavailable',
      message: 'away',
      exit_code: 8,
      ...known,
    })
  })

  test.for([
    ['unavailable', { created: { kind: 'volume', id: 1, label: 'data' } }],
    ['outcome_unknown', {}],
  ] as const)('is none to run the line again for where that may do something twice: %s', ([code, details]) => {
    const record = problemRecord(new Problem(code, 'away', { retryable: true, ...details }))
    expect(record).toMatchObject({ retryable: false, ...details })
  })

  test('of several targets has one for each', () => {
    const problem = new Problem('refused', 'busy')
    const failures = [{ target: 'data', problem, tried: true }]
    expect(problemRecord(new Problem('some_failed', '1 of 2 deleted', { failures })).failures).toEqual([
      { target: 'data', error: problemRecord(problem) },
    ])
  })

  test('keeps what it comes from, and does not tell of it', () => {
    const cause = new Error('below')
    const { details, ...problem } = new Problem('local', 'above', { hint: 'x', cause })
    expect({ details, ...problem }).toMatchObject({ name: 'Problem', code: 'local', details: { hint: 'x' } })
    expect(details).not.toHaveProperty('cause')
    expect(new Problem('local', 'above', { cause }).cause).toBe(cause)
    expect(new Problem('local', 'above')).not.toHaveProperty('cause')
  })

  test('of every cause has a meaning, and the exit code that interface.md gives it (Errors)', () => {
    expect(Object.keys(meanings)).toEqual(Object.keys(exitCodes))
    const codes = Object.entries(exitCodes)
    const byExit = [...new Set(Object.values(exitCodes))].map((exit) => {
      return [exit, codes.filter(([, one]) => one === exit).map(([code]) => code)]
    })
    expect(Object.fromEntries(byExit)).toEqual({
      1: ['defect'],
      2: ['usage'],
      3: ['not_signed_in'],
      4: ['not_allowed'],
      5: ['not_found', 'context_not_found'],
      6: ['refused', 'exists', 'conflict', 'changed', 'locked_out', 'protected'],
      7: ['rate_limited'],
      8: ['unavailable', 'not_the_api'],
      9: ['some_failed'],
      10: ['wait_timed_out'],
      11: ['outcome_unknown'],
      12: ['local', 'too_large'],
      13: ['mismatch'],
      130: ['interrupted'],
      143: ['terminated'],
    })
  })
})

describe('A change that failed', () => {
  test.for([
    ['unavailable', {}, true],
    ['exists', {}, true],
    ['conflict', {}, true],
    ['conflict', { created: { kind: 'volume', id: 1, label: 'data' } }, false],
    ['outcome_unknown', {}, false],
    ['interrupted', {}, false],
    ['local', {}, false],
  ] as const)('with %s and %j is known not to be done: %s', ([code, details, is]) => {
    expect(wasNotDone(new Problem(code, 'away', details))).toBe(is)
  })
})

describe('what failed for one of several', () => {
  test.for([
    ['data', 'volume "data" not found', 'volume "data" not found'],
    ['data', 'the data is not there', 'data: the data is not there'],
    ['3002', 'volume 3002 not found', 'volume 3002 not found'],
    ['3002', 'not found: 3002; look again', 'not found: 3002; look again'],
    ['300', 'volume 3002 not found', '300: volume 3002 not found'],
    ['3002', 'busy', '3002: busy'],
  ] as const)('names "%s", which the sentence may do: %s', ([target, message, said]) => {
    expect(failureText({ target, problem: new Problem('refused', message), tried: true })).toBe(said)
  })
})

test('a program that has ended brings its exit code', () => {
  expect(new ProgramEnded(7)).toMatchObject({ exitCode: 7, name: 'ProgramEnded' })
})

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
