/** Errors: codes, exit codes, and their text and JSON form. */
import { describe, expect, test } from 'vitest'
import { meanings } from '../src/engine/command-exit-codes'
import { exitCodes, ifPossible, ignoreProblem, isGone, Problem, ProgramEnded, wasNotDone } from '../src/errors'
import { failureText, problemRecord } from '../src/errors/failures'

test('an object counts as gone only after a 404 of the API for its path', () => {
  const missing = '/volumes/1'
  expect(isGone(new Problem('not_found', 'x', { missing }))).toBe(true)
  expect(isGone(new Problem('not_found', 'x', { missing }), ['/volumes/2'])).toBe(false)
  expect(isGone(new Problem('outcome_unknown', 'x', { missing }))).toBe(false)
  expect(isGone(new Problem('not_found', 'x'))).toBe(false)
  expect(isGone(new Problem('context_not_found', 'x'))).toBe(false)
})

describe('a problem', () => {
  test('has every key in JSON', () => {
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

  test('has its details in JSON', () => {
    const details = {
      status: 503,
      errors: [{ field: null, reason: 'Later' }],
      request: { method: 'GET', path: '/volumes' },
      retryable: true,
      hint: 'Try again later',
      incomplete: true,
    } as const
    expect(problemRecord(new Problem('unavailable', 'away', { ...details, errors: [...details.errors] }))).toEqual({
      code: 'unavailable',
      message: 'away',
      exit_code: 8,
      ...details,
    })
  })

  test.for([
    ['unavailable', { created: { kind: 'volume', id: 1, label: 'data' } }],
    ['outcome_unknown', {}],
  ] as const)('is not retryable if that could repeat a change: %s', ([code, details]) => {
    const record = problemRecord(new Problem(code, 'away', { retryable: true, ...details }))
    expect(record).toMatchObject({ retryable: false, ...details })
  })

  test('with several targets has a failure for each', () => {
    const problem = new Problem('refused', 'busy')
    const failures = [{ target: 'data', problem, tried: true }]
    expect(problemRecord(new Problem('some_failed', '1 of 2 deleted', { failures })).failures).toEqual([
      { target: 'data', error: problemRecord(problem) },
    ])
  })

  test('keeps its cause, but not as a detail', () => {
    const cause = new Error('below')
    const { details, ...problem } = new Problem('local', 'above', { hint: 'x', cause })
    expect({ details, ...problem }).toMatchObject({ name: 'Problem', code: 'local', details: { hint: 'x' } })
    expect(details).not.toHaveProperty('cause')
    expect(new Problem('local', 'above', { cause }).cause).toBe(cause)
    expect(new Problem('local', 'above')).not.toHaveProperty('cause')
  })

  test('has a meaning and an exit code for every code', () => {
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

describe('a failed change', () => {
  test.for([
    ['unavailable', {}, true],
    ['exists', {}, true],
    ['conflict', {}, true],
    ['conflict', { created: { kind: 'volume', id: 1, label: 'data' } }, false],
    ['outcome_unknown', {}, false],
    ['interrupted', {}, false],
    ['local', {}, false],
  ] as const)('with %s and %j certainly did not happen: %s', ([code, details, expected]) => {
    expect(wasNotDone(new Problem(code, 'away', details))).toBe(expected)
  })
})

describe('the failure of one of several targets', () => {
  test.for([
    ['data', 'volume "data" not found', 'volume "data" not found'],
    ['data', 'the data is not there', 'data: the data is not there'],
    ['3002', 'volume 3002 not found', 'volume 3002 not found'],
    ['3002', 'not found: 3002; look again', 'not found: 3002; look again'],
    ['300', 'volume 3002 not found', '300: volume 3002 not found'],
    ['3002', 'busy', '3002: busy'],
  ] as const)('names "%s" unless the message does: %s', ([target, message, text]) => {
    expect(failureText({ target, problem: new Problem('refused', message), tried: true })).toBe(text)
  })
})

test('ProgramEnded has an exit code', () => {
  expect(new ProgramEnded(7)).toMatchObject({ exitCode: 7, name: 'ProgramEnded' })
})

const fail = (error: unknown) => () => {
  throw error
}

describe('ifPossible and ignoreProblem', () => {
  test('return the result', () => {
    expect(ifPossible(() => 7)).toBe(7)
  })

  test('return nothing after a Problem', async () => {
    const problem = new Problem('local', 'cannot read it')
    expect(ifPossible(fail(problem))).toBeUndefined()
    expect(await Promise.reject(problem).catch(ignoreProblem)).toBeUndefined()
  })

  test('do not hide a defect', async () => {
    const defect = new TypeError('a defect')
    expect(() => ifPossible(fail(defect))).toThrow(defect)
    await expect(Promise.reject(defect).catch(ignoreProblem)).rejects.toBe(defect)
  })
})
