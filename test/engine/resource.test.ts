/** Naming an object by id or label, and what is known of one whose answer was lost; without a service. */
import { describe, expect, test } from 'vitest'
import type { Account } from '../../src/account/account'
import { compareFields, differenceText, type LabelLookup, lookUpLabel } from '../../src/account/label-lookup'
import {
  adoptLostResponse,
  confirmLostResponse,
  decides,
  isLost,
  unknownOutcome,
} from '../../src/account/lost-response'
import {
  ambiguous,
  byId,
  findTarget,
  groupOf,
  type Item,
  labelled,
  named,
  nameOf,
  notFoundAs,
  parseTarget,
  pathOf,
} from '../../src/account/resource'
import { volumeResource } from '../../src/account/resources/volume'
import type { Operation } from '../../src/catalogue/operation'
import { usualPageSize } from '../../src/catalogue/paging'
import { type ErrorCode, Problem } from '../../src/errors'

const problem = (code: ErrorCode, details = {}) => new Problem(code, `it is ${code}`, details)

type Answer = readonly Item[] | Error
interface Asked {
  filter?: unknown
  page?: number
}

/** A client whose lists are told by what is asked. */
function accountOf(answer: (asked: Asked) => Answer, record?: Item | Error) {
  const asked: Asked[] = []
  const warned: string[] = []
  const client = {
    serviceTime: undefined,
    async *pages(_operation: Operation, call: Asked) {
      asked.push(call)
      const page = answer(call)
      if (page instanceof Error) throw page
      yield page
    },
    async call() {
      if (record instanceof Error) throw record
      return record
    },
  }
  const account = { client: async () => client, reporter: { warn: async (text: string) => void warned.push(text) } }
  return { account: account as unknown as Account, asked, warned }
}

const refusedFilter = problem('refused', { errors: [{ field: 'X-Filter', reason: 'no' }] })

describe('what is typed for an object', () => {
  test.for<[string, object]>([
    ['123', { id: 123 }],
    ['id:123', { id: 123 }],
    ['web', { label: 'web' }],
    ['label:123', { label: '123' }],
    ['label:id:1', { label: 'id:1' }],
    ['1a', { label: '1a' }],
    ['a1', { label: 'a1' }],
    ['0xg', { label: '0xg' }],
    ['..a', { label: '..a' }],
    ['e5', { label: 'e5' }],
    ['-x', { label: '-x' }],
  ])('%s is %j', ([typed, target]) => {
    expect(parseTarget(typed, 'volume')).toEqual({ ...target, typed })
  })

  test.for(['0', '-1', '1.5', '1e3', '1,000', '9007199254740992', '0x1F', '.', '..', '...', '+1', '1_0', '١'])(
    '%s is no id, and may be a label',
    (typed) => {
      expect(() => parseTarget(typed, 'volume')).toThrow(
        expect.objectContaining({
          code: 'usage',
          message: `"${typed}" is not a volume id: an id is a whole number from 1 to 2^53-1`,
          details: { hint: `If it is a label, write "label:${typed}"` },
        }),
      )
    },
  )

  test.for(['id:x', 'id:0', 'id:'])('%s is no id, and no label', (typed) => {
    const message = `"${typed}" is not a volume id: an id is a whole number from 1 to 2^53-1`
    expect(() => parseTarget(typed, 'volume')).toThrow(expect.objectContaining({ code: 'usage', message, details: {} }))
  })

  test.for(['', 'label:'])('%j names nothing', (typed) => {
    expect(() => parseTarget(typed, 'volume')).toThrow('the name of the volume is empty')
  })

  test('of what has no label is an id only', () => {
    expect([parseTarget('7', 'device', byId), parseTarget('id:7', 'device', byId)]).toEqual([
      { id: 7, typed: '7' },
      { id: 7, typed: 'id:7' },
    ])
    for (const typed of ['web', 'label:7', '0', ''])
      expect(() => parseTarget(typed, 'device', byId)).toThrow(`"${typed}" is not a device id`)
    expect(byId.what('device')).toBe('Id of the device')
  })
})

describe('an object is called', () => {
  test('by its label and id, on one line', () => {
    expect(nameOf(volumeResource, { id: 7 })).toBe('volume 7')
    expect(nameOf(volumeResource, { id: 7, record: { id: 7 } })).toBe('volume 7')
    expect(nameOf(volumeResource, { id: 7, record: { id: 7, label: 'a\n' } })).toBe('volume "a\\n" (7)')
  })

  test('in the paths of its operations beside what it belongs to', () => {
    expect(pathOf(volumeResource, 7)).toEqual({ volumeId: 7 })
    expect(pathOf({ ...volumeResource, path: { firewallId: 1 } }, 7)).toEqual({ firewallId: 1, volumeId: 7 })
    expect([groupOf(volumeResource), groupOf({ ...volumeResource, group: 'profile x' })]).toEqual([
      'volumes',
      'profile x',
    ])
  })

  test('by its id where it is not found, and any other failure stays', async () => {
    const gone = problem('not_found', { hint: 'x', missing: '/volumes/7' })
    expect(notFoundAs(7, volumeResource, gone)).toMatchObject({
      ...{ code: 'not_found', message: 'volume 7 not found', details: { hint: 'x' }, cause: gone },
    })
    const refused = problem('refused')
    const defect = new TypeError('x')
    await expect(named(Promise.reject(gone), 7, volumeResource)).rejects.toThrow('volume 7 not found')
    await expect(named(Promise.reject(refused), 7, volumeResource)).rejects.toBe(refused)
    await expect(named(Promise.reject(defect), 7, volumeResource)).rejects.toBe(defect)
    expect(await named(Promise.resolve(1), 7, volumeResource)).toBe(1)
  })
})

describe('a label is looked for', () => {
  const web = { id: 1, label: 'web' }
  const db = { id: 2, label: 'db' }
  const many = Array.from({ length: usualPageSize }, (_, index) => ({ id: index, label: 'web' }))
  const found = (account: Account, label = 'web') =>
    findTarget({ label, typed: label }, volumeResource, account, { record: false })

  test('with a filter, in one request', async () => {
    const { account, asked } = accountOf(() => [web])
    expect(await found(account)).toEqual({ id: 1, typed: 'web', record: web })
    expect(asked).toEqual([{ page: 1, pageSize: usualPageSize, filter: { label: 'web' } }])
  })

  test.for<[string, Answer]>([
    ['is refused', refusedFilter],
    ['is ignored', [db, web]],
    ['finds a whole page', many],
  ])('in the whole list where the filter %s', async ([, first]) => {
    const { account, asked } = accountOf(({ filter }) => (filter ? first : [db, web]))
    expect(await labelled('web', volumeResource, account)).toEqual([db, web])
    expect(asked.map(({ filter, page }) => [filter, page])).toEqual([
      [{ label: 'web' }, 1],
      [undefined, undefined],
    ])
  })

  test('in the whole list where there is no filter by it', async () => {
    const { account, asked } = accountOf(() => [web])
    await labelled('web', { ...volumeResource, list: { ...volumeResource.list, filterable: [] } }, account)
    expect(asked.map(({ filter }) => filter)).toEqual([undefined])
  })

  test('and any other failure ends that', async () => {
    const gone = problem('unavailable')
    await expect(found(accountOf(({ filter }) => (filter ? gone : [web])).account)).rejects.toBe(gone)
  })

  test('and several of it are refused by their ids', async () => {
    const { account } = accountOf(() => [web, { ...web, id: 3 }])
    await expect(found(account)).rejects.toMatchObject({
      code: 'refused',
      message: '2 volumes have the label "web": id:1, id:3',
      details: { hint: 'Name one by its id' },
    })
    expect(ambiguous('a', volumeResource, [db]).message).toBe('1 volumes have the label "a": id:2')
  })

  test.for<[readonly Item[], object]>([
    [[web, db], { hint: 'Did you mean "web"?' }],
    [[db, { id: 4, label: 'other' }], {}],
  ])('and what is not there is told with what is near: %j', async ([all, details]) => {
    const { account } = accountOf(({ filter }) => (filter ? [] : all))
    await expect(found(account, 'wbe')).rejects.toMatchObject({
      code: 'not_found',
      message: 'volume "wbe" not found',
      details,
    })
  })

  test('and an id is read only where its record is wanted', async () => {
    const { account, asked } = accountOf(() => [], web)
    const target = { id: 1, typed: '1' }
    expect(await findTarget(target, volumeResource, account, { record: false })).toEqual(target)
    expect(await findTarget(target, volumeResource, account, { record: true })).toEqual({ ...target, record: web })
    expect(asked).toEqual([])
  })
})

test('What has a label already is none of what has another, though the service ignores the filter', async () => {
  const web = { id: 1, label: 'web' }
  const { account } = accountOf(() => [web, { id: 2, label: 'db' }])
  expect((await lookUpLabel('web', volumeResource, account)).items).toEqual([web])
})

describe('what is not as it was asked for', () => {
  test('is told field by field, of those that both have', () => {
    const record = { size: 20, label: 'a', tags: ['x', 'y'], region: null }
    expect(compareFields(record, { size: '20', tags: ['y', 'x'], other: 1, label: undefined })).toEqual([])
    expect(compareFields(record, { label: null })).toEqual([])
    const differences = compareFields(record, { size: 500, region: 'us-east', tags: ['x'] })
    expect(differenceText(differences)).toBe(
      'has size 20, not 500, region none, not "us-east", tags ["x","y"], not ["x"]',
    )
    expect(differenceText([{ field: 'a', wanted: undefined, actual: 0 }])).toBe('has a 0, not none')
  })

  test.for<{ wanted: unknown[]; actual: unknown; stands: boolean }>([
    { wanted: ['a', 'b'], actual: ['b', 'a'], stands: true },
    { wanted: [1, 2], actual: ['2', '1', '1'], stands: true },
    { wanted: [], actual: [], stands: true },
    { wanted: [], actual: null, stands: true },
    { wanted: ['a'], actual: ['a', 'b'], stands: false },
    { wanted: ['a', 'b'], actual: ['a'], stands: false },
    { wanted: ['a'], actual: ['b'], stands: false },
    { wanted: ['a'], actual: null, stands: false },
    { wanted: ['a'], actual: 'a', stands: false },
    { wanted: [], actual: ['a'], stands: false },
  ])('is no list with the same members in any order: $wanted in $actual', ({ wanted, actual, stands }) => {
    const differences = stands ? [] : [{ field: 'tags', wanted, actual }]
    expect(compareFields({ tags: actual }, { tags: wanted })).toEqual(differences)
  })
})

describe('a lost answer to what makes something new', () => {
  const lost = problem('outcome_unknown', { hint: 'old' })
  const serviceTime = Date.UTC(2026, 0, 15, 12, 0, 0, 900)
  const ours = { id: 5, label: 'web', size: 20, created: '2026-01-15T12:00:00' }
  const look = (items: readonly Item[] = [], more = {}): LabelLookup => ({ label: 'web', items, serviceTime, ...more })

  async function recovered(
    now: Answer,
    {
      before = look(),
      body = { label: 'web', size: 20 },
    }: { before?: LabelLookup | undefined | null; body?: object } = {},
  ) {
    const { account, warned } = accountOf(() => now)
    const made = { body: { ...body }, resource: volumeResource, account, compare: compareFields }
    const recover = adoptLostResponse({ ...made, before: before ?? undefined })
    const result = await recover(lost, () => Promise.reject(new Error('never again'))).catch((error: unknown) => error)
    return { result, warned }
  }

  const open = (said: string, next = 'list --filter label=web') => ({
    code: 'outcome_unknown',
    message: `it is outcome_unknown${said}`,
    details: { hint: `Check before you try again: skyctl volumes ${next}` },
    cause: lost,
  })

  test('is that of the one that is proved to be ours', async () => {
    expect(await recovered([ours])).toEqual({
      result: ours,
      warned: ['the answer was lost, but volume "web" (5) was created'],
    })
    expect((await recovered([{ ...ours, id: 4 }, ours], { before: look([{ id: 4 }]) })).result).toBe(ours)
  })

  test.for<[string, Answer, object, string]>([
    ['nothing has the label', [], {}, '; no volume has the label "web" now'],
    ['another has it', [{ ...ours, label: 'db' }], {}, '; no volume has the label "web" now'],
    ['it was there before', [ours], { before: look([ours]) }, '; volume "web" (5) existed before'],
    ['it is not as asked for', [{ ...ours, size: 40 }], {}, '; volume "web" (5) has size 40, not 20'],
    ['it is older', [{ ...ours, created: '2026-01-15T11:59:59' }], {}, '; volume "web" (5) may have existed before'],
    [
      'the service does not tell the time',
      [ours],
      { before: look([], { serviceTime: undefined }) },
      '; volume "web" (5) may have existed before',
    ],
    [
      'two are as asked for',
      [ours, { ...ours, id: 6 }],
      {},
      '; volume "web" (5) matches the request, but so does another; volume "web" (6) matches the request, but so does another',
    ],
    ['it could not be looked before', [ours], { before: null }, ''],
    ['it cannot be looked now', problem('unavailable'), {}, ''],
  ])('stays open where %s', async ([, now, given, said]) => {
    const { result, warned } = await recovered(now, given)
    expect(result).toMatchObject(open(said))
    expect(warned).toEqual([])
  })

  test('stays open where what was made has no label', async () => {
    expect((await recovered([ours], { body: { size: 20 } })).result).toMatchObject(open('', 'list'))
  })

  test('is known as such', () => {
    expect([isLost(lost), isLost(problem('unavailable')), isLost(new Error('x'))]).toEqual([true, false, false])
    expect(unknownOutcome(lost, '', 'x').details).toEqual({ hint: 'Check before you try again: x' })
  })
})

describe('a lost answer to a change', () => {
  const lost = problem('outcome_unknown')
  const recovered = async (looks: (string | undefined | Error)[], again: string | Error = new Error('never')) => {
    let sent = 0
    const recover = confirmLostResponse(async () => {
      const look = looks.shift()
      if (look instanceof Error) throw look
      return look
    })
    const result = await recover(lost, async () => {
      sent += 1
      if (again instanceof Error) throw again
      return again
    }).catch((error: unknown) => error)
    return { result, sent }
  }

  test('is settled where it stands', async () => {
    expect(await recovered(['done'])).toEqual({ result: 'done', sent: 0 })
  })

  test('is sent once more where it does not', async () => {
    expect(await recovered([undefined], 'again')).toEqual({ result: 'again', sent: 1 })
  })

  test.for([problem('unavailable'), problem('refused'), problem('not_allowed'), new TypeError('x')])(
    'stays open where it cannot be looked, whatever keeps from it: %s',
    async (failure) => {
      expect(await recovered([failure])).toEqual({ result: lost, sent: 0 })
    },
  )

  test('is settled where it stands after it was sent again in vain', async () => {
    expect(await recovered([undefined, 'done'], problem('refused'))).toEqual({ result: 'done', sent: 1 })
  })

  test.for<ErrorCode>(['outcome_unknown', 'unavailable', 'rate_limited'])(
    'stays open after another with %s',
    async (code) => {
      expect((await recovered([undefined, undefined], problem(code))).result).toBe(lost)
      expect(decides(problem(code))).toBe(false)
    },
  )

  test.for([problem('refused'), problem('not_found'), new TypeError('x')])(
    'is decided by another: %s',
    async (second) => {
      expect((await recovered([undefined, undefined], second)).result).toBe(second)
      expect((await recovered([undefined, problem('unavailable')], second)).result).toBe(second)
      expect(decides(second)).toBe(true)
    },
  )
})
