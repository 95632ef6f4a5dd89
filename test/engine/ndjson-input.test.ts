/** Bodies of several lines: which text is one, what a line is called that is wrong, and labels that come twice. */
import { describe, expect, test } from 'vitest'
import type { BodyInput } from '../../src/account/journal-lines'
import { deepest } from '../../src/data/memory-limits'
import { checkEach, expectDistinct, parseBodies } from '../../src/engine/ndjson-input'
import { Problem } from '../../src/errors'

const usage = (message: string, details = {}) => new Problem('usage', message, details)

describe('a text', () => {
  test.for<[string, Record<number, object>]>([
    ['{"a":1}\n{"a":2}', { 1: { a: 1 }, 2: { a: 2 } }],
    ['{"a":1}\n{"a":2}\n', { 1: { a: 1 }, 2: { a: 2 } }],
    ['\n  \r\n{"a":1}\r\n\r\n{"a":2}\r\n', { 3: { a: 1 }, 5: { a: 2 } }],
    ['{"a":"x\\ry"}\n{"b":1}', { 1: { a: 'x\ry' }, 2: { b: 1 } }],
    ['  {"a":1}\n\t{"b":2}', { 1: { a: 1 }, 2: { b: 2 } }],
  ])('%j is an object a line', async ([text, byLine]) => {
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
  ])('%j is one object', async ([text, body]) => {
    expect(await parseBodies(text, 'stdin')).toEqual([{ body }])
  })

  test.for([
    ['{"a":1}\n7', 'line 2 of stdin is not a JSON object'],
    ['{"a":1}\n\n{"b":', 'line 3 of stdin is not a JSON object'],
    ['{"a":1}\nb: 1', 'line 2 of stdin is not a JSON object'],
    ['{"a":1}\n{"b":1} # mine', 'line 2 of stdin is not a JSON object'],
  ] as const)('%j is refused', async ([text, message]) => {
    await expect(parseBodies(text, 'stdin')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(message),
    })
  })

  test('is not nested too deep in any line', async () => {
    const deep = `{"b":${'['.repeat(deepest + 1)}${']'.repeat(deepest + 1)}}`
    await expect(parseBodies(`{"a":1}\n${deep}`, 'stdin')).rejects.toThrow(
      `line 2 of stdin is too large: it is nested over ${deepest} levels deep`,
    )
  })

  test('has a hundred thousand objects at most', async () => {
    await expect(parseBodies('{}\n'.repeat(100_001), 'stdin')).rejects.toThrow(
      'stdin is too large: over 100000 objects',
    )
  })

  test('that is empty is no object', async () => {
    for (const text of ['', '\n', ' \n\r\n']) await expect(parseBodies(text, 'stdin')).rejects.toThrow(Problem)
  })
})

describe('several bodies', () => {
  const given = Array.from({ length: 30 }, (_, index) => ({ line: index + 1, body: {} }))
  const checked = (check: (one: BodyInput) => unknown, of: readonly BodyInput[] = given.slice(0, 3)) =>
    checkEach(of, check).catch((error: unknown) => error)

  test('are checked one by one', async () => {
    expect(await checked(async ({ line }) => line)).toEqual([1, 2, 3])
  })

  test('are told by every line that is wrong, with its fields and the first hint', async () => {
    const problems: Record<number, Problem> = {
      1: usage('label is required', { errors: [{ field: 'label', reason: 'is required' }] }),
      3: usage('no good', { hint: 'Give one' }),
    }
    const problem = await checked(({ line = 0 }) => {
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

  test('have no hint where none of their problems has one', async () => {
    const problem = await checked(() => Promise.reject(usage('x')))
    expect((problem as Problem).details).not.toHaveProperty('hint')
  })

  test('are told of up to the twentieth that is wrong', async () => {
    let count = 0
    const problem = await checked(() => {
      count += 1
      throw usage('x')
    }, given)
    expect({ count, told: (problem as Problem).details.errors?.length }).toEqual({ count: 20, told: 20 })
  })

  test.for<[string, Error, BodyInput[]]>([
    ['what is no mistake', new Problem('unavailable', 'x'), given.slice(0, 2)],
    ['a defect of ours', new TypeError('x'), given.slice(0, 2)],
    ['the mistake of the only one', usage('x'), [{ body: {} }]],
  ])('end with %s as it is', async ([, error, of]) => {
    let count = 0
    const thrown = await checked(() => {
      count += 1
      throw error
    }, of)
    expect(thrown).toBe(error)
    expect(count).toBe(1)
  })

  test('name the same only once', () => {
    const bodies = ['a', undefined, 'b', undefined, 'a'].map((label, index) => ({ line: index + 1, body: { label } }))
    const options = { nameOf: ({ label }: BodyInput['body']) => label, hint: 'Name another' }
    expect(() => expectDistinct(bodies.slice(0, 4), 'label', options)).not.toThrow()
    expect(() => expectDistinct(bodies, 'label', options)).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: 'label: "a" is also on line 1 (line 5)',
        details: { errors: [{ field: 'label', reason: 'Is also on line 1 (line 5)' }], hint: 'Name another' },
      }),
    )
  })
})
