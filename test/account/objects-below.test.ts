/** Objects below others, with a fictitious operation: snapshots of a volume, which the API shows in a list only. */
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import type { Account } from '../../src/account/account'
import type { Action } from '../../src/account/action'
import { runnerOf } from '../../src/account/action-runner'
import { changing, listing } from '../../src/account/method'
import type { Item, Resource } from '../../src/account/resource'
import { volumeResource } from '../../src/account/resources/volume'
import { keepingPlace, WaitLimit, type WhileWaiting } from '../../src/account/wait-limit'
import { filledPath, type Operation, operation } from '../../src/catalogue/operation'
import { listBelow } from '../../src/engine/list-below'
import { Problem } from '../../src/errors'
import type { RequestOutcome } from '../../src/http/client'

const returns = v.looseObject({ id: v.number(), label: v.string(), status: v.string() })
const create = operation({
  method: 'POST',
  path: '/volumes/{volumeId}/snapshot',
  scopes: [],
  summary: 'Take a snapshot of a volume',
  body: v.strictObject({ label: v.string() }),
  returns,
  creates: 'snapshot',
})
const list = operation({
  method: 'GET',
  path: '/volumes/{volumeId}/snapshots',
  scopes: [],
  summary: 'List the snapshots of a volume',
  returns,
  paged: true,
})

const snapshotResource: Resource = {
  noun: 'snapshot',
  parameter: 'snapshotId',
  list,
  view: list,
  parent: volumeResource,
  listedBy: 'volumes snapshots',
}
const undo = { by: 'hand', advice: 'None' } as const
const snapshotVolume: Action<typeof create> = {
  operation: create,
  resource: snapshotResource,
  wait: () => ({ name: 'ready', field: 'status', met: (snapshot) => snapshot?.status === 'ready' }),
  undo,
}

const snapshot = (status: string): Item => ({ id: 1, label: 'before', status, created: '2026-01-15T12:00:00' })
const ok = (answer: object): RequestOutcome => ({ is: 'ok', answer, status: 200, headers: {}, requestId: undefined })

/** An account whose client answers the POST with `got`, and reads of the list with `lists` in order; the last is repeated. */
function accountOf(got: RequestOutcome, lists: readonly (readonly Item[])[] = [[]], whileWaiting = keepingPlace) {
  const reads: string[] = []
  const warnings: string[] = []
  let time = Date.parse('2026-01-15T12:00:00Z')
  const client = {
    serviceTime: time,
    once: async () => got,
    async *pages({ path }: Operation, call: { path?: Record<string, number> }) {
      yield lists[Math.min(reads.push(filledPath(path, call.path ?? {})), lists.length) - 1]
    },
  }
  const monotonic = () => time
  const account = {
    client: async () => client,
    history: async () => undefined,
    signal: new AbortController().signal,
    clock: {
      ...{ monotonic, now: monotonic, random: () => 0.5, whileWaiting },
      waitLimit: new WaitLimit(60_000, { monotonic }),
      async sleep(ms: number) {
        time += ms
      },
    },
    access: { context: async () => undefined, credential: async () => ({ sandbox: true }) },
    reporter: {
      status: async () => {},
      warn: async (text: string) => void warnings.push(text),
      progress: async () => ({ shown: true, done() {} }),
    },
  }
  return { account: account as unknown as Account, reads, warnings }
}

const request = { target: ['7'], body: { label: 'before' } }

describe('A new object below another', () => {
  test('has its own kind, id and label in messages', async () => {
    const { account } = accountOf(ok(snapshot('creating')))
    expect(await runnerOf(snapshotVolume)(request, account)).toMatchObject({
      created: { kind: 'snapshot', id: 1, label: 'before' },
      sent: { name: 'snapshot "before" (1)', id: 7 },
    })
  })

  test.for<[string, WhileWaiting]>([
    ['alone', keepingPlace],
    ['with others', (wait) => wait()],
  ])('is waited for in the list below that one, although a list may be older than it: %s', async ([, whileWaiting]) => {
    // The first one is read before the request.
    const lists = [[], [], [], [snapshot('creating')], [snapshot('ready')]]
    const { account, reads } = accountOf(ok(snapshot('creating')), lists, whileWaiting)
    const { answer } = await runnerOf(snapshotVolume)({ ...request, options: { wait: true } }, account)
    expect(answer).toEqual(snapshot('ready'))
    expect(reads).toEqual(Array(5).fill('/volumes/7/snapshots'))
  })

  test('is gone if several lists lack it', async () => {
    const { account } = accountOf(ok(snapshot('creating')))
    const waiting = runnerOf(snapshotVolume)({ ...request, options: { wait: true } }, account)
    await expect(waiting).rejects.toMatchObject({ code: 'not_found', message: 'snapshot 1 no longer exists' })
  })

  test('that takes too long is looked for with the command that lists it', async () => {
    const { account } = accountOf(ok(snapshot('creating')), [[snapshot('creating')]])
    const waiting = runnerOf(snapshotVolume)({ ...request, options: { wait: true } }, account)
    await expect(waiting).rejects.toMatchObject({
      code: 'wait_timed_out',
      details: { hint: 'See when it is ready: skyctl volumes snapshots 7' },
    })
  })

  test('is found in the list below that one after a lost answer', async () => {
    const lost: RequestOutcome = { is: 'lost', problem: new Problem('outcome_unknown', 'lost') }
    const { account, reads, warnings } = accountOf(lost, [[], [snapshot('ready')]])
    const { answer, outcome } = await runnerOf(snapshotVolume)(request, account)
    expect({ answer, outcome }).toEqual({ answer: snapshot('ready'), outcome: { kind: 'done' } })
    expect(new Set(reads)).toEqual(new Set(['/volumes/7/snapshots']))
    expect(warnings).toEqual(['the answer was lost, but snapshot "before" (1) was created'])
  })

  test('is checked, if it was not found, with the command that lists it', async () => {
    const lost: RequestOutcome = { is: 'lost', problem: new Problem('outcome_unknown', 'lost') }
    await expect(runnerOf(snapshotVolume)(request, accountOf(lost).account)).rejects.toMatchObject({
      details: { hint: 'Check before you try again: skyctl volumes snapshots 7 --filter label=before' },
    })
  })

  test('does not give its label to that one in messages', async () => {
    const { account } = accountOf(ok(snapshot('creating')))
    const { sent } = await runnerOf({ operation: create, resource: volumeResource, undo })(request, account)
    expect(sent.name).toBe('volume 7')
  })
})

describe('A list of what belongs to an object', () => {
  test('is a method with the name of that object, and needs no view of its records', async () => {
    const { account, reads } = accountOf(ok({}), [[snapshot('ready')]])
    const method = listing(list, volumeResource)
    expect(method.named).toEqual([{ name: 'volume', by: 'either' }])
    const records: unknown[] = []
    for await (const record of method.call(account, [7], undefined, {}) as AsyncIterable<unknown>) records.push(record)
    expect({ records, reads }).toEqual({ records: [snapshot('ready')], reads: ['/volumes/7/snapshots'] })
    expect(changing(snapshotVolume).named).toEqual(method.named)
  })

  test('can have a name of its own, and then no alias', () => {
    const texts = { columns: [], plural: 'snapshots', test: 'id=1' }
    const command = listBelow(volumeResource, list, { ...texts, name: 'snapshots' })
    expect(command).toMatchObject({ name: 'snapshots', aliases: [], arguments: [{ name: 'volume' }] })
    expect(listBelow(volumeResource, list, texts)).toMatchObject({ name: 'list', aliases: ['ls'] })
  })
})
