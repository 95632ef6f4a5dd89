/** What is not there any more is as good as removed, and what somebody else did meanwhile as good as done. */
import { describe, expect, test } from 'vitest'
import { orAlreadyDone } from '../../src/account/already-done'
import type { Change } from '../../src/account/change'
import type { ChangeContext } from '../../src/account/change-context'
import { ifPresent } from '../../src/account/if-present'
import { partialSuccess, readBack } from '../../src/account/partial-success'
import type { ResolvedTarget } from '../../src/account/resolved-target'
import { volumes } from '../../src/catalogue/volumes'
import { type ErrorCode, Problem } from '../../src/errors'

const problem = (code: ErrorCode, details = {}) => new Problem(code, `it is ${code}`, details)
const context = {} as ChangeContext
const subject = {
  resource: { list: volumes.list, view: volumes.view, parameter: 'volumeId' },
  identity: async () => ({ id: 1, label: 'data-1' }),
} as unknown as ResolvedTarget
const gone = (missing = '/volumes/1') => problem('not_found', { missing })

/** A change that ends so. */
function change(fate: object | Error, more: Partial<Change> = {}): Change {
  const send = async () => {
    if (fate instanceof Error) throw fate
    return fate
  }
  return { operation: volumes.delete, send, ...more }
}

describe('--if-present', () => {
  const removing = (prepare: () => Promise<Change>) =>
    ifPresent({ operation: volumes.delete, subject, prepare }, context)

  test('removes what is there', async () => {
    const removed = await removing(async () => change({ id: 1 }, { result: async () => ({ id: 2 }) }))
    expect(await removed.send?.()).toEqual({ id: 1 })
    expect(removed.outcome?.()).toEqual({ kind: 'done' })
    expect(await removed.result?.({})).toEqual({ id: 2 })
    expect(removed.noop).toBeUndefined()
    expect(await (await removing(async () => change({}))).result?.({ id: 3 })).toEqual({ id: 3 })
  })

  test('has nothing to do where it is not found', async () => {
    const absent = await removing(() => Promise.reject(gone()))
    expect(absent).toMatchObject({ noop: true, operation: volumes.delete })
    expect(await absent.send?.()).toEqual({})
    expect(absent.outcome?.()).toMatchObject({ kind: 'absent', problem: { message: 'it is not_found' } })
  })

  test('has nothing to do where it goes meanwhile, and nothing to wait for', async () => {
    const absent = await removing(async () =>
      change(gone('/volumes?label="data-1"'), { result: async () => ({ id: 2 }) }),
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
    gone('/volumes/12'),
    new TypeError('x'),
  ])('fails where another thing is wrong: %s', async (error) => {
    await expect(removing(() => Promise.reject(error))).rejects.toBe(error)
    await expect((await removing(async () => change(error))).send?.()).rejects.toBe(error)
  })
})

describe('a change that is refused', () => {
  // No history and no journal: what is sent is what the client answers.
  const session = (fate: object | Error) => ({
    signal: new AbortController().signal,
    changeLog: async () => undefined,
    client: async () => ({
      async call() {
        if (fate instanceof Error) throw fate
        return fate
      },
    }),
  })
  const changed = (fate: object | Error, settled: object | undefined) =>
    orAlreadyDone({ operation: volumes.delete }, async () => settled as never, {
      account: session(fate),
    } as unknown as ChangeContext)

  test.for<ErrorCode>(['refused', 'exists', 'conflict'])('with %s is done where it stands by now', async (code) => {
    const done = changed(problem(code), { id: 1 })
    expect(await done.send?.()).toEqual({ id: 1 })
    expect(done.outcome?.()).toEqual({ kind: 'already' })
  })

  test('is refused where it does not, and any other failure stays', async () => {
    await expect(changed(problem('refused'), undefined).send?.()).rejects.toThrow('it is refused')
    await expect(changed(problem('not_found'), { id: 1 }).send?.()).rejects.toThrow('it is not_found')
    await expect(changed(new TypeError('x'), { id: 1 }).send?.()).rejects.toThrow(TypeError)
  })

  test('and one that is not counts as made', async () => {
    const done = changed({ id: 2 }, { id: 1 })
    expect(await done.send?.()).toEqual({ id: 2 })
    expect(done.outcome?.()).toEqual({ kind: 'done' })
  })
})

describe('a look after a change', () => {
  const created = { kind: 'volume' as const, id: 1, label: 'a' }

  test('that fails says what was done, and that nothing is to be tried again', async () => {
    const failed = problem('unavailable', { hint: 'x', retryable: true })
    await expect(readBack({ what: 'it was made', created }, () => Promise.reject(failed))).rejects.toMatchObject({
      ...{ code: 'unavailable', message: 'it is unavailable, after it was made', cause: failed },
      details: { hint: 'x', retryable: false, created },
    })
    expect(partialSuccess(failed, { what: 'it was made' }).details).not.toHaveProperty('created')
  })

  test('tells what it sees, and a defect of ours as it is', async () => {
    expect(await readBack({ what: '' }, async () => 1)).toBe(1)
    const defect = new TypeError('x')
    await expect(readBack({ what: '' }, () => Promise.reject(defect))).rejects.toBe(defect)
  })
})
