/** Outcomes of requests: answers, refusals, and lost answers with what a look at the account finds. */
import { PassThrough } from 'node:stream'
import { describe, expect, test as plainTest } from 'vitest'
import type { Account } from '../../src/account/account'
import type { Action, ActionStep } from '../../src/account/action'
import type { Change } from '../../src/account/change'
import { unknownOutcome } from '../../src/account/find-created'
import type { CreationEvidence } from '../../src/account/find-effect'
import { outcomeOf as outcomeInHistory } from '../../src/account/history'
import type { HistoryEntry } from '../../src/account/history/history'
import type { LabelLookup } from '../../src/account/label-lookup'
import type { ResolvedTarget } from '../../src/account/resolved-target'
import type { Item } from '../../src/account/resource'
import { rangeResource } from '../../src/account/resources/address'
import { volumeResource } from '../../src/account/resources/volume'
import { send } from '../../src/account/send'
import { catalogue } from '../../src/catalogue'
import { ipv6Ranges } from '../../src/catalogue/ipv6'
import type { Operation } from '../../src/catalogue/operation'
import { preferences } from '../../src/catalogue/profile/preferences'
import { volumes } from '../../src/catalogue/volumes'
import { RunSession } from '../../src/cli/run-session'
import { program } from '../../src/commands/index'
import { changeCommand } from '../../src/engine/change-command'
import { decides, type ErrorCode, isLost, Problem } from '../../src/errors'
import type { RequestOutcome } from '../../src/http/client'
import { KnownSecrets } from '../../src/rules/secrets'
import { lossyProxy } from '../support/lossy-proxy'
import { missingHome } from '../support/nonexistent'
import { test } from '../support/skyctl'

const problem = (code: ErrorCode, details = {}) => new Problem(code, `it is ${code}`, details)
const lost = problem('outcome_unknown', { hint: 'old' })
const ok = (answer: object): RequestOutcome => ({ is: 'ok', answer, status: 200, headers: {}, requestId: undefined })
const lostAnswer: RequestOutcome = { is: 'lost', problem: lost }
const refused = (refusal: Problem, lostBefore = false): RequestOutcome => ({
  is: 'refused',
  problem: refusal,
  lostBefore,
})
const undo = { by: 'hand', advice: 'None' } as const

interface World {
  /** Results of the requests, in order. */
  gots: RequestOutcome[]
  /** Answers to reads, in order. */
  reads?: unknown[]
  /** The list of objects. */
  listed?: readonly Item[] | Error
  interrupted?: boolean
  evidence?: CreationEvidence
}

/** Sends a change; what throws is the result, too. */
async function outcomeOf(
  change: Partial<Change> & Pick<Change, 'operation'>,
  { gots, reads = [], listed = [], interrupted = false, evidence }: World,
) {
  const outcomes: string[] = []
  const warnings: string[] = []
  let requests = 0
  const client = {
    async once() {
      requests += 1
      return gots.shift() ?? expect.fail('no more requests')
    },
    async call() {
      const answer = reads.shift()
      if (answer instanceof Error) throw answer
      return answer
    },
    async *pages() {
      if (listed instanceof Error) throw listed
      yield listed
    },
  }
  const account = {
    signal: interrupted ? AbortSignal.abort() : new AbortController().signal,
    client: async () => client,
    reporter: { warn: async (text: string) => void warnings.push(text) },
    history: async () => ({
      looks: false,
      begin: async (): Promise<HistoryEntry> => ({
        done: async () => void outcomes.push('ok'),
        failed: async (got) => void outcomes.push(outcomeInHistory(got)),
      }),
    }),
  } as unknown as Account
  const step = { ...change.step, account, options: change.step?.options ?? {} } as unknown as ActionStep
  const result = await send({ ...change, step }, account, evidence).catch((error: unknown) => error)
  return { result, requests, outcomes, warnings }
}

/** A change whose action reads whether it is done. */
const checkFirst = (states: (object | undefined | Error)[]): Pick<Change, 'operation' | 'action'> => ({
  operation: volumes.resize,
  action: {
    operation: volumes.resize,
    undo,
    async findDone() {
      const state = states.shift()
      if (state instanceof Error) throw state
      return state as Item | undefined
    },
  },
})

describe('A request that is answered', () => {
  plainTest('is done with its answer, and recorded so', async () => {
    const { result, outcomes } = await outcomeOf({ operation: volumes.delete }, { gots: [ok({ id: 2 })] })
    expect(result).toEqual({ answer: { id: 2 }, outcome: { kind: 'done' } })
    expect(outcomes).toEqual(['ok'])
  })
})

describe('A refused request', () => {
  plainTest.for<ErrorCode>(['refused', 'exists', 'conflict'])(
    'with %s is done already if the object is as requested',
    async (code) => {
      const world = { gots: [refused(problem(code))] }
      const { result } = await outcomeOf(checkFirst([{ id: 1 }]), world)
      expect(result).toEqual({ answer: { id: 1 }, outcome: { kind: 'already' } })
    },
  )

  plainTest('fails if the object differs, like any other failure', async () => {
    const refusal = problem('refused')
    expect((await outcomeOf(checkFirst([undefined]), { gots: [refused(refusal)] })).result).toBe(refusal)
    const absent = problem('not_found')
    expect((await outcomeOf(checkFirst([{ id: 1 }]), { gots: [refused(absent)] })).result).toBe(absent)
  })

  plainTest(
    'is a deletion that is done if an earlier attempt, whose answer was lost, has deleted the object',
    async () => {
      const notFound = problem('not_found', { missing: '/volumes/1' })
      const deletion = { operation: volumes.delete }
      const { result, outcomes } = await outcomeOf(deletion, { gots: [refused(notFound, true)] })
      expect(result).toEqual({ answer: {}, outcome: { kind: 'done' } })
      expect(outcomes.at(-1)).toBe('ok')
      expect((await outcomeOf(deletion, { gots: [refused(notFound)] })).result).toBe(notFound)
    },
  )

  plainTest.for<[code: ErrorCode, mayBeDone: boolean, outcome: 'failed' | 'unknown']>([
    ['defect', false, 'unknown'],
    ['unavailable', true, 'unknown'],
    ['unavailable', false, 'failed'],
    ['not_found', false, 'failed'],
    ['refused', false, 'failed'],
  ])('with %s (may be done: %s) is recorded as %s', async ([code, mayBeDone, outcome]) => {
    const refusal = problem(code, mayBeDone ? { mayBeDone } : {})
    const { result, outcomes } = await outcomeOf({ operation: volumes.create }, { gots: [refused(refusal)] })
    expect(result).toBe(refusal)
    expect(outcomes).toEqual([outcome])
  })
})

describe('A lost answer to a change that reads first', () => {
  plainTest('is recovered if the change is visible', async () => {
    const { result, requests, outcomes } = await outcomeOf(checkFirst([{ id: 1 }]), { gots: [lostAnswer] })
    expect(result).toEqual({ answer: { id: 1 }, outcome: { kind: 'done' } })
    expect(requests).toBe(1)
    expect(outcomes).toEqual(['unknown', 'ok'])
  })

  plainTest('is followed by a second attempt if the change is not visible', async () => {
    const { result, requests } = await outcomeOf(checkFirst([undefined]), { gots: [lostAnswer, ok({ id: 2 })] })
    expect(result).toMatchObject({ answer: { id: 2 } })
    expect(requests).toBe(2)
  })

  plainTest.for<[Problem | TypeError, string]>([
    [problem('unavailable'), '; the check failed: it is unavailable'],
    [problem('refused'), '; the check failed: it is refused'],
    [problem('not_allowed'), '; the check failed: it is not_allowed'],
    [new TypeError('x'), ''],
  ])('is an unknown outcome with its cause if the read fails: %s', async ([failure, cause]) => {
    const { result, requests } = await outcomeOf(checkFirst([failure]), { gots: [lostAnswer] })
    expect({ result, requests }).toMatchObject({
      result: { code: lost.code, message: `${lost.message}${cause}` },
      requests: 1,
    })
  })

  plainTest('is recovered if the change is visible after a failed second attempt', async () => {
    const gots = [lostAnswer, refused(problem('refused'))]
    const { result, requests } = await outcomeOf(checkFirst([undefined, { id: 1 }]), { gots })
    expect(result).toEqual({ answer: { id: 1 }, outcome: { kind: 'done' } })
    expect(requests).toBe(2)
  })

  plainTest.for<RequestOutcome>([lostAnswer, refused(problem('unavailable')), refused(problem('rate_limited'))])(
    'is an unknown outcome after a second attempt without a conclusive answer: %j',
    async (second) => {
      const { result } = await outcomeOf(checkFirst([undefined, undefined]), { gots: [lostAnswer, second] })
      expect(result).toBe(lost)
    },
  )

  plainTest.for<ErrorCode>(['refused', 'not_found'])(
    'is replaced by the conclusive failure of the second attempt: %s',
    async (code) => {
      const second = problem(code)
      const run = async (...states: (undefined | Error)[]) =>
        (await outcomeOf(checkFirst(states), { gots: [lostAnswer, refused(second)] })).result
      expect(await run(undefined, undefined)).toBe(second)
      expect(await run(undefined, problem('unavailable'))).toBe(second)
    },
  )

  plainTest('is not recovered if the command was interrupted', async () => {
    const { result } = await outcomeOf(checkFirst([{ id: 1 }]), { gots: [lostAnswer], interrupted: true })
    expect(result).toBe(lost)
  })
})

plainTest('A failed attempt decides about the one before if the API has answered it', () => {
  for (const code of ['outcome_unknown', 'unavailable', 'rate_limited', 'not_the_api'] as const)
    expect(decides(problem(code))).toBe(false)
  for (const error of [problem('refused'), problem('not_found'), new TypeError('x')]) expect(decides(error)).toBe(true)
})

describe('A lost answer to a PUT or DELETE', () => {
  const { update, delete: removal } = volumes
  const put = async (sent: unknown, current: unknown, operation: Operation = update) =>
    (await outcomeOf({ operation, body: sent as Item }, { gots: [lostAnswer], reads: [current] })).result

  plainTest.for<[string, unknown, unknown, boolean]>([
    ['has every value that was sent', { label: 'a' }, { id: 1, label: 'a' }, true],
    ['has another value', { label: 'a', size: 1 }, { label: 'a', size: 2 }, false],
    ['lacks a value', { label: 'a' }, { id: 1 }, false],
    ['has texts in another order, like tags', { tags: ['b', 'a'] }, { tags: ['a', 'b'] }, true],
    ['has another text', { tags: ['a'] }, { tags: ['b'] }, false],
    ['has numbers in another order', { list: [2, 1] }, { list: [1, 2] }, false],
    ['has numbers in the same order', { list: [2, 1] }, { list: [2, 1] }, true],
    ['is not an object', { label: 'a' }, [], false],
    ['is compared with a body that is not an object', null, { id: 1 }, false],
  ])('counts as done or not if the object %s', async ([, sent, current, isDone]) => {
    expect(await put(sent, current)).toEqual(isDone ? { answer: current, outcome: { kind: 'done' } } : lost)
  })

  plainTest('of preferences counts as done only if they have no other field', async () => {
    const anything: Operation = { ...preferences.update, idempotency: 'idempotent' }
    expect(await put({ a: 1 }, { a: 1 }, anything)).toMatchObject({ answer: { a: 1 } })
    expect(await put({ a: 1 }, { a: 1, b: 2 }, anything)).toBe(lost)
  })

  plainTest('counts as done if it is a deletion and the object is gone', async () => {
    const notFound = problem('not_found', { missing: '/volumes/1' })
    const remove = async (current: unknown) =>
      (await outcomeOf({ operation: removal }, { gots: [lostAnswer], reads: [current] })).result
    expect(await remove(notFound)).toEqual({ answer: {}, outcome: { kind: 'done' } })
    expect(await remove({ id: 1 })).toBe(lost)
  })

  plainTest('stays unknown if the object cannot be read, with that error as cause', async () => {
    const cause = problem('unavailable')
    expect(await put({}, cause)).toMatchObject({
      code: 'outcome_unknown',
      message: `${lost.message}; the check failed: it is unavailable`,
      details: { hint: 'old' },
      cause,
    })
  })

  plainTest('is not looked at for a creation, or if the caller reads the state again', async () => {
    const checked: Operation = { ...update, idempotency: 'check first' }
    for (const operation of [volumes.create, checked]) {
      const reads = [{ id: 1 }]
      const { result } = await outcomeOf({ operation, body: {} }, { gots: [lostAnswer], reads })
      expect(result).toBe(lost)
      expect(reads).toHaveLength(1)
    }
  })
})

describe('A lost answer to a creation', () => {
  const serviceTime = Date.UTC(2026, 0, 15, 12, 0, 0, 900)
  const ours = { id: 5, label: 'web', size: 20, created: '2026-01-15T12:00:00' }
  const lookup = (items: readonly Item[] = [], more = {}): LabelLookup => ({
    label: 'web',
    items,
    serviceTime,
    ...more,
  })
  const creation: Action = { operation: volumes.create, resource: volumeResource, undo }

  async function recover(
    listed: readonly Item[] | Error,
    { before = lookup(), body = { label: 'web', size: 20 } }: { before?: LabelLookup | null; body?: object } = {},
  ) {
    const evidence = before ? { before } : {}
    const change = { operation: volumes.create, action: creation, body: { ...body } }
    return outcomeOf(change, { gots: [lostAnswer], listed, evidence })
  }

  const unknown = (reason: string, next = 'list --filter label=web') => ({
    code: 'outcome_unknown',
    message: `it is outcome_unknown${reason}`,
    details: { hint: `Check before you try again: skyctl volumes ${next}` },
    cause: lost,
  })

  plainTest('is recovered from a matching object that did not exist before', async () => {
    expect(await recover([ours])).toMatchObject({
      result: { answer: ours, isAdopted: true },
      requests: 1,
      outcomes: ['unknown', 'ok'],
      warnings: ['the answer was lost, but volume "web" (5) was created'],
    })
    const { result } = await recover([{ ...ours, id: 4 }, ours], { before: lookup([{ id: 4 }]) })
    expect(result).toMatchObject({ answer: ours })
  })

  plainTest.for<[string, readonly Item[], object, string]>([
    ['no object has the label', [], {}, '; no volume has the label "web" now'],
    ['only another label exists', [{ ...ours, label: 'db' }], {}, '; no volume has the label "web" now'],
    ['the object existed before', [ours], { before: lookup([ours]) }, '; volume "web" (5) existed before'],
    ['the object differs from the request', [{ ...ours, size: 40 }], {}, '; volume "web" (5) has size 40, not 20'],
    [
      'the object is older',
      [{ ...ours, created: '2026-01-15T11:59:59' }],
      {},
      '; volume "web" (5) may have existed before',
    ],
    [
      'the time of the service is unknown',
      [ours],
      { before: lookup([], { serviceTime: undefined }) },
      '; volume "web" (5) may have existed before',
    ],
    [
      'two objects match the request',
      [ours, { ...ours, id: 6 }],
      {},
      '; volume "web" (5) matches the request, but so does another; volume "web" (6) matches the request, but so does another',
    ],
    ['the lookup before was impossible', [ours], { before: null }, ''],
  ])('is an unknown outcome if %s', async ([, current, options, reason]) => {
    const { result, requests, warnings } = await recover(current, options)
    expect(result).toMatchObject(unknown(reason))
    expect(requests).toBe(1)
    expect(warnings).toEqual([])
  })

  plainTest('is an unknown outcome with its cause if the lookup now fails', async () => {
    expect((await recover(problem('unavailable'))).result).toMatchObject({
      code: 'outcome_unknown',
      message: `${lost.message}; the check failed: it is unavailable`,
      cause: { cause: { code: 'unavailable' } },
    })
  })

  plainTest('is an unknown outcome without a label', async () => {
    expect((await recover([ours], { body: { size: 20 } })).result).toMatchObject(unknown('', 'list'))
  })

  plainTest('has the code outcome_unknown', () => {
    expect([isLost(lost), isLost(problem('unavailable')), isLost(new Error('x'))]).toEqual([true, false, false])
    expect(unknownOutcome(lost, '', 'x').details).toEqual({ hint: 'Check before you try again: x' })
  })

  plainTest('is not recovered if the command was interrupted', async () => {
    const change = { operation: volumes.create, action: creation, body: { label: 'web', size: 20 } }
    const evidence = { before: lookup() }
    const { result } = await outcomeOf(change, { gots: [lostAnswer], listed: [ours], evidence, interrupted: true })
    expect(result).toBe(lost)
  })
})

describe('A lost answer to a creation without a label', () => {
  type List = readonly Record<string, unknown>[]

  /** Returns the result with these results of list requests before and after. */
  async function resultAfter(lists: (List | Error | undefined)[]) {
    const candidates = () => {
      const list = lists.shift()
      if (list instanceof Error) return Promise.reject(list)
      return list && Promise.resolve(list)
    }
    const operation = ipv6Ranges.create
    const action: Action = { operation, resource: rangeResource, creation: { candidates }, undo }
    return (await outcomeOf({ operation, action, body: { size: 1 } }, { gots: [lostAnswer] })).result
  }

  plainTest.for<[string, (List | Error | undefined)[], string]>([
    ['no object is new', [[{ range: 'a' }], [{ range: 'a' }]], '; there is no new IPv6 range'],
    ['the API lists none any more', [[{ range: 'a' }], undefined], '; there is no new IPv6 range'],
    [
      'one object is new',
      [[{ range: 'a' }], [{ range: 'a' }, { range: 'b\n', size: 1 }]],
      '; IPv6 range b\\n is new, and matches, but somebody else may have created it',
    ],
    [
      'several objects are new',
      [[], [{ range: 'b', size: 3 }, { range: 'c' }]],
      '; IPv6 range b is new, and has size 3, not 1; IPv6 range c is new, and matches, but somebody else may have created it',
    ],
    ['the list after it fails', [[], problem('unavailable')], '; the check failed: it is unavailable'],
    ['the list before it is not permitted', [problem('not_allowed')], ''],
  ])('is reported if %s', async ([, lists, reason]) => {
    expect(await resultAfter(lists)).toMatchObject({
      code: 'outcome_unknown',
      message: `it is outcome_unknown${reason}`,
      details: { hint: 'Check before you try again: skyctl ipv6 ranges list' },
    })
  })

  plainTest('is reported with a remark if the API lists no such objects', async () => {
    expect(await resultAfter([undefined])).toMatchObject({
      ...{ code: 'outcome_unknown', message: 'it is outcome_unknown; the API lists no such IPv6 range', cause: lost },
    })
  })

  plainTest('is not sent if the list before the request fails', async () => {
    expect(await resultAfter([problem('unavailable')])).toMatchObject({ message: 'it is unavailable' })
  })
})

describe('A deletion with --if-present', () => {
  const subject = {
    resource: volumeResource,
    identity: async () => ({ id: 1, label: 'data-1' }),
  } as unknown as ResolvedTarget
  const step = { subject, options: { ifPresent: true } } as unknown as ActionStep
  const remove = async (refusal: Problem) =>
    (await outcomeOf({ operation: volumes.delete, step }, { gots: [refused(refusal)] })).result

  plainTest.for(['/volumes/1', '/volumes?label="data-1"'])(
    'succeeds if the object disappears meanwhile: %s',
    async (missing) => {
      const notFound = problem('not_found', { missing })
      expect(await remove(notFound)).toEqual({ answer: {}, outcome: { kind: 'absent', problem: notFound } })
    },
  )

  plainTest.for([
    problem('refused'),
    problem('not_found'),
    problem('context_not_found', { missing: '/volumes/1' }),
    problem('not_the_api'),
    problem('not_found', { missing: '/volumes/12' }),
  ])('does not hide other failures: %s', async (refusal) => {
    expect(await remove(refusal)).toBe(refusal)
  })
})

/** A fictitious operation with the path of a clone, which does not create a volume. */
const { creates: _volume, ...cloning } = volumes.clone
const copy = changeCommand({
  name: 'copy',
  action: { operation: cloning, resource: volumeResource, undo: { by: 'hand', advice: 'Delete it' } },
  columns: [],
  done: () => 'Copied',
})

describe('An operation that does not create its own kind of object', () => {
  test('never adopts a new object of that kind after a lost answer', async ({ sandbox, world, clock, env }) => {
    const proxy = await lossyProxy(sandbox.baseUrl)
    const { id } = world.volume({ label: 'source' })
    proxy.lose('POST', `/volumes/${id}/clone`, 'answer lost')
    const io = {
      argv: [],
      env: { ...env, SKYCTL_BASE_URL: proxy.baseUrl },
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      platform: 'linux' as const,
      homedir: () => missingHome,
      clock,
      random: () => 0.5,
      onSignal: () => () => {},
      catchSignals: () => () => {},
      program: [],
      loadAll() {},
    }
    const flags = { label: 'new' }
    const session = await RunSession.open(io, flags, {
      signal: new AbortController().signal,
      secrets: new KnownSecrets(),
    })
    const running = copy.run({ arguments: [String(id)], flags, program }, session)
    await expect(running).rejects.toMatchObject({ code: 'outcome_unknown' })
    await session.close()
    await proxy.close()
    expect(world.volumes.all().filter(({ label }) => label === 'new')).toHaveLength(1)
  })
})

test('Every operation that is never repeated names the kind that it creates, with known exceptions', () => {
  const exceptions = Object.values(catalogue)
    .flatMap((group) => Object.values(group))
    .filter(({ idempotency, creates }) => idempotency === 'never' && creates === undefined)
    .map(({ method, path }) => `${method} ${path}`)
  expect(exceptions.sort()).toEqual([
    'POST /profile/phone-number',
    'POST /profile/phone-number/verify',
    'POST /profile/tfa-enable',
    'POST /profile/tfa-enable-confirm',
  ])
})
