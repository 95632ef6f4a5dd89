/** Bodies on several lines: their syntax, messages with line numbers, and duplicate labels. */
import { describe, expect, test } from 'vitest'
import type { BodyInput } from '../../src/account/journal-lines'
import { deepest } from '../../src/data/memory-limits'
import { checkEach, expectDistinct, parseBodies } from '../../src/engine/ndjson-input'
import { Problem } from '../../src/errors'

const usage = (message: string, details = {}) => new Problem('usage', message, details)

describe('A text', () => {
  test.for<[string, Record<number, object>]>([
    ['{"a":1}\n{"a":2}', { 1: { a: 1 }, 2: { a: 2 } }],
    ['{"a":1}\n{"a":2}\n', { 1: { a: 1 }, 2: { a: 2 } }],
    ['\n  \r\n{"a":1}\r\n\r\n{"a":2}\r\n', { 3: { a: 1 }, 5: { a: 2 } }],
    ['{"a":"x\\ry"}\n{"b":1}', { 1: { a: 'x\ry' }, 2: { b: 1 } }],
    ['  {"a":1}\n\t{"b":2}', { 1: { a: 1 }, 2: { b: 2 } }],
  ])('can have one object on each line: %j', async ([text, byLine]) => {
    const bodies = Object.entries(byLine).map(([line, body]) => ({ line: Number(line), body }))
    expect(await parseBodies(text, 'stdin')).toEqual(bodies)
  })

  test.for<[string, object]>([
    ['{"a":1}', { a: 1 }],
    ['{"a":1}\n', { a: 1 }],
    ['{"a":1}\n# mine', { a: 1 }],
    ['{"a":1}\n  # mine\n\n# and this', { a: 1 }],
    ['{"a":1}\n...', { a: 1 }],
    ['{\n"a":1}', { a: 1 }],
    ['a: 1\nb: 2', { a: 1, b: 2 }],
  ])('can be one object: %j', async ([text, body]) => {
    expect(await parseBodies(text, 'stdin')).toEqual([{ body }])
  })

  test.for([
    ['{"a":1}\n7', 'line 2 of stdin is not a JSON object'],
    ['{"a":1}\n\n{"b":', 'line 3 of stdin is not a JSON object'],
    ['{"a":1}\nb: 1', 'line 2 of stdin is not a JSON object'],
    ['{"a":1}\n{"b":1} # mine', 'line 2 of stdin is not a JSON object'],
  ] as const)('is rejected if one line is not an object: %j', async ([text, message]) => {
    await expect(parseBodies(text, 'stdin')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
    })
  })

  test('has a limit of levels for each line', async () => {
    const deep = `{"b":${'['.repeat(deepest + 1)}${']'.repeat(deepest + 1)}}`
    await expect(parseBodies(`{"a":1}\n${deep}`, 'stdin')).rejects.toThrow(
      `line 2 of stdin is too large: it is nested over ${deepest} levels deep`,
    )
  })

  test('has at most 100,000 objects', async () => {
    await expect(parseBodies('{}\n'.repeat(100_001), 'stdin')).rejects.toThrow(
      'stdin is too large: over 100000 objects',
    )
  })

  test('cannot be empty', async () => {
    for (const text of ['', '\n', ' \n\r\n']) await expect(parseBodies(text, 'stdin')).rejects.toThrow(Problem)
  })
})

describe('Several bodies', () => {
  const bodies = Array.from({ length: 30 }, (_, index) => ({ line: index + 1, body: {} }))
  const checkBodies = (check: (one: BodyInput) => unknown, inputs: readonly BodyInput[] = bodies.slice(0, 3)) =>
    checkEach(inputs, check).catch((error: unknown) => error)

  test('are checked in order', async () => {
    expect(await checkBodies(async ({ line }) => line)).toEqual([1, 2, 3])
  })

  test('are rejected with every invalid line, its fields and the first hint', async () => {
    const problems: Record<number, Problem> = {
      1: usage('label is required', { errors: [{ field: 'label', reason: 'is required' }] }),
      3: usage('no good', { hint: 'Give one' }),
    }
    const problem = await checkBodies(({ line = 0 }) => {
      if (problems[line]) throw problems[line]
    })
    expect(problem).toMatchObject({
      code: 'usage',
      message: 'label is required (line 1); no good (line 3)',
      details: {
        errors: [
          { field: 'label', reason: 'is required (line 1)' },
          { field: null, reason: 'no good (line 3)' },
        ],
        hint: 'Give one',
      },
    })
  })

  test('are rejected without a hint if no line has one', async () => {
    const problem = await checkBodies(() => Promise.reject(usage('x')))
    expect((problem as Problem).details).not.toHaveProperty('hint')
  })

  test('are checked until twenty lines are invalid', async () => {
    let count = 0
    const problem = await checkBodies(() => {
      count += 1
      throw usage('x')
    }, bodies)
    expect({ count, errors: (problem as Problem).details.errors?.length }).toEqual({ count: 20, errors: 20 })
  })

  test.for<[string, Error, BodyInput[]]>([
    ['a failure of another kind', new Problem('unavailable', 'x'), bodies.slice(0, 2)],
    ['an internal error', new TypeError('x'), bodies.slice(0, 2)],
    ['a usage error of a single body', usage('x'), [{ body: {} }]],
  ])('are rejected with the unchanged error: %s', async ([, error, inputs]) => {
    let count = 0
    const failure = await checkBodies(() => {
      count += 1
      throw error
    }, inputs)
    expect(failure).toBe(error)
    expect(count).toBe(1)
  })

  test('cannot have one label twice', () => {
    const labeled = ['a', undefined, 'b', undefined, 'a'].map((label, index) => ({ line: index + 1, body: { label } }))
    const options = { nameOf: ({ label }: BodyInput['body']) => label, hint: 'Name another' }
    expect(() => expectDistinct(labeled.slice(0, 4), 'label', options)).not.toThrow()
    expect(() => expectDistinct(labeled, 'label', options)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: 'label: "a" is also on line 1 (line 5)',
        details: { errors: [{ field: 'label', reason: 'Is also on line 1 (line 5)' }], hint: 'Name another' },
      }),
    )
  })
})
