/** Deletions of missing objects, and changes that somebody else has already made. */
import { describe, expect, test } from 'vitest'
import { orAlreadyDone } from '../../src/account/already-done'
import type { Change } from '../../src/account/change'
import type { ChangeContext } from '../../src/account/change-context'
import { ifPresent } from '../../src/account/if-present'
import { changeMadeProblem, readAfterChange } from '../../src/account/read-after-change'
import type { ResolvedTarget } from '../../src/account/resolved-target'
import { volumes } from '../../src/catalogue/volumes'
import { type ErrorCode, Problem } from '../../src/errors'

const problem = (code: ErrorCode, details = {}) => new Problem(code, `it is ${code}`, details)
const context = {} as ChangeContext
const subject = {
  resource: { list: volumes.list, view: volumes.view, parameter: 'volumeId' },
  identity: async () => ({ id: 1, label: 'data-1' }),
} as unknown as ResolvedTarget
const notFound = (missing = '/volumes/1') => problem('not_found', { missing })

/** A change with this answer or error. */
function change(answer: object | Error, more: Partial<Change> = {}): Change {
  const send = async () => {
    if (answer instanceof Error) throw answer
    return answer
  }
  return { operation: volumes.delete, send, ...more }
}

describe('--if-present', () => {
  const deleteIfPresent = (prepare: () => Promise<Change>) =>
    ifPresent({ operation: volumes.delete, subject, prepare }, context)

  test('deletes an object that exists', async () => {
    const deletion = await deleteIfPresent(async () => change({ id: 1 }, { result: async () => ({ id: 2 }) }))
    expect(await deletion.send?.()).toEqual({ id: 1 })
    expect(deletion.outcome?.()).toEqual({ kind: 'done' })
    expect(await deletion.result?.({})).toEqual({ id: 2 })
    expect(deletion.noop).toBeUndefined()
    expect(await (await deleteIfPresent(async () => change({}))).result?.({ id: 3 })).toEqual({ id: 3 })
  })

  test('does nothing if the object does not exist', async () => {
    const absent = await deleteIfPresent(() => Promise.reject(notFound()))
    expect(absent).toMatchObject({ noop: true, operation: volumes.delete })
    expect(await absent.send?.()).toEqual({})
    expect(absent.outcome?.()).toMatchObject({ kind: 'absent', problem: { message: 'it is not_found' } })
  })

  test('succeeds without a wait if the object disappears meanwhile', async () => {
    const absent = await deleteIfPresent(async () =>
      change(notFound('/volumes?label="data-1"'), { result: async () => ({ id: 2 }) }),
    )
    expect(await absent.send?.()).toEqual({})
    expect(absent.outcome?.()).toMatchObject({ kind: 'absent', problem: { message: 'it is not_found' } })
    expect(await absent.result?.({ id: 3 })).toEqual({ id: 3 })
  })

  test.for([
    problem('refused'),
    problem('not_found'),
    problem('context_not_found', { missing: '/volumes/1' }),
    problem('not_the_api'),
    notFound('/volumes/12'),
    new TypeError('x'),
  ])('does not hide other failures: %s', async (error) => {
    await expect(deleteIfPresent(() => Promise.reject(error))).rejects.toBe(error)
    await expect((await deleteIfPresent(async () => change(error))).send?.()).rejects.toBe(error)
  })
})

describe('A refused change', () => {
  // Without history and journal, so that the result is the answer of the client.
  const session = (answer: object | Error) => ({
    signal: new AbortController().signal,
    changeLog: async () => undefined,
    client: async () => ({
      async call() {
        if (answer instanceof Error) throw answer
        return answer
      },
    }),
  })
  const orDone = (answer: object | Error, current: object | undefined) =>
    orAlreadyDone({ operation: volumes.delete }, async () => current as never, {
      account: session(answer),
    } as unknown as ChangeContext)

  test.for<ErrorCode>(['refused', 'exists', 'conflict'])(
    'with %s is done if the object is already as requested',
    async (code) => {
      const done = orDone(problem(code), { id: 1 })
      expect(await done.send?.()).toEqual({ id: 1 })
      expect(done.outcome?.()).toEqual({ kind: 'already' })
    },
  )

  test('fails if the object differs, like any other failure', async () => {
    await expect(orDone(problem('refused'), undefined).send?.()).rejects.toThrow('it is refused')
    await expect(orDone(problem('not_found'), { id: 1 }).send?.()).rejects.toThrow('it is not_found')
    await expect(orDone(new TypeError('x'), { id: 1 }).send?.()).rejects.toThrow(TypeError)
  })

  test('is distinguished from an accepted one, whose answer is returned', async () => {
    const done = orDone({ id: 2 }, { id: 1 })
    expect(await done.send?.()).toEqual({ id: 2 })
    expect(done.outcome?.()).toEqual({ kind: 'done' })
  })
})

describe('A read after a change', () => {
  const created = { kind: 'volume' as const, id: 1, label: 'a' }

  test('reports with its failure what was done, and is not retryable', async () => {
    const failure = problem('unavailable', { hint: 'x', retryable: true })
    await expect(
      readAfterChange({ what: 'it was made', created }, () => Promise.reject(failure)),
    ).rejects.toMatchObject({
      ...{ code: 'unavailable', message: 'it is unavailable, after it was made', cause: failure },
      details: { hint: 'x', retryable: false, created },
    })
    expect(changeMadeProblem(failure, { what: 'it was made' }).details).not.toHaveProperty('created')
  })

  test('returns its result, and throws an internal error unchanged', async () => {
    expect(await readAfterChange({ what: '' }, async () => 1)).toBe(1)
    const defect = new TypeError('x')
    await expect(readAfterChange({ what: '' }, () => Promise.reject(defect))).rejects.toBe(defect)
  })
})
