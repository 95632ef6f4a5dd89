/** Names of objects, and lookups by label; without a service. */
import { describe, expect, test } from 'vitest'
import type { Account } from '../../src/account/account'
import { ambiguousLabel, byId, findTarget, parseTarget } from '../../src/account/find-target'
import { compareFields, differenceText, lookUpLabel } from '../../src/account/label-lookup'
import { groupOf, type Item, labelled, named, nameOf, notFoundAs, pathOf } from '../../src/account/resource'
import { volumeResource } from '../../src/account/resources/volume'
import type { Operation } from '../../src/catalogue/operation'
import { defaultPageSize } from '../../src/catalogue/paging'
import { type ErrorCode, Problem } from '../../src/errors'

const problem = (code: ErrorCode, details = {}) => new Problem(code, `it is ${code}`, details)

type Answer = readonly Item[] | Error
interface Query {
  filter?: unknown
  page?: number
}

/** An account whose client answers lists by their query, and reads with `record`. */
function accountOf(answer: (query: Query) => Answer, record?: Item | Error) {
  const queries: Query[] = []
  const warnings: string[] = []
  const client = {
    serviceTime: undefined,
    async *pages(_operation: Operation, query: Query) {
      queries.push(query)
      const page = answer(query)
      if (page instanceof Error) throw page
      yield page
    },
    async call() {
      if (record instanceof Error) throw record
      return record
    },
  }
  const account = { client: async () => client, reporter: { warn: async (text: string) => void warnings.push(text) } }
  return { account: account as unknown as Account, queries, warnings }
}

const filterRefusal = problem('refused', { errors: [{ field: 'X-Filter', reason: 'no' }] })

describe('An argument for an object', () => {
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
  ])('can be an id or a label: %s is %j', ([input, target]) => {
    expect(parseTarget(input, 'volume')).toEqual({ ...target, input })
  })

  test.for(['0', '-1', '1.5', '1e3', '1,000', '9007199254740992', '0x1F', '.', '..', '...', '+1', '1_0', '١'])(
    'is rejected as an id, with a hint for a label: %s',
    (text) => {
      expect(() => parseTarget(text, 'volume')).toThrow(
        expect.objectContaining({
          code: 'usage',
          message: `"${text}" is not a volume id: an id is a whole number from 1 to 2^53-1`,
          details: { hint: `If it is a label, write "label:${text}"`, noTarget: text },
        }),
      )
    },
  )

  test.for(['id:x', 'id:0', 'id:'])('is rejected as an id: %s', (text) => {
    const message = `"${text}" is not a volume id: an id is a whole number from 1 to 2^53-1`
    const details = { noTarget: text }
    expect(() => parseTarget(text, 'volume')).toThrow(expect.objectContaining({ code: 'usage', message, details }))
  })

  test.for(['', 'label:'])('cannot be empty: %j', (text) => {
    expect(() => parseTarget(text, 'volume')).toThrow('the name of the volume is empty')
  })

  test('can only be an id if objects have no labels', () => {
    expect([parseTarget('7', 'device', byId), parseTarget('id:7', 'device', byId)]).toEqual([
      { id: 7, input: '7' },
      { id: 7, input: 'id:7' },
    ])
    for (const text of ['web', 'label:7', '0', ''])
      expect(() => parseTarget(text, 'device', byId)).toThrow(`"${text}" is not a device id`)
    expect(byId.what('device')).toBe('Id of the device')
  })
})

describe('An object is named', () => {
  test('by its label and id, on one line', () => {
    expect(nameOf(volumeResource, { id: 7 })).toBe('volume 7')
    expect(nameOf(volumeResource, { id: 7, record: { id: 7 } })).toBe('volume 7')
    expect(nameOf(volumeResource, { id: 7, record: { id: 7, label: 'a\n' } })).toBe('volume "a\\n" (7)')
  })

  test('in the paths of its operations, after its parent', () => {
    expect(pathOf(volumeResource, 7)).toEqual({ volumeId: 7 })
    expect(pathOf({ ...volumeResource, path: { firewallId: 1 } }, 7)).toEqual({ firewallId: 1, volumeId: 7 })
    expect([groupOf(volumeResource), groupOf({ ...volumeResource, group: 'profile x' })]).toEqual([
      'volumes',
      'profile x',
    ])
  })

  test('by its id if it is not found; other failures stay unchanged', async () => {
    const notFound = problem('not_found', { hint: 'x', missing: '/volumes/7' })
    expect(notFoundAs(7, volumeResource, notFound)).toMatchObject({
      ...{ code: 'not_found', message: 'volume 7 not found', details: { hint: 'x' }, cause: notFound },
    })
    const refused = problem('refused')
    const defect = new TypeError('x')
    await expect(named(Promise.reject(notFound), 7, volumeResource)).rejects.toThrow('volume 7 not found')
    await expect(named(Promise.reject(refused), 7, volumeResource)).rejects.toBe(refused)
    await expect(named(Promise.reject(defect), 7, volumeResource)).rejects.toBe(defect)
    expect(await named(Promise.resolve(1), 7, volumeResource)).toBe(1)
  })
})

describe('A label is looked up', () => {
  const web = { id: 1, label: 'web' }
  const db = { id: 2, label: 'db' }
  const many = Array.from({ length: defaultPageSize }, (_, index) => ({ id: index, label: 'web' }))
  const lookUp = (account: Account, label = 'web') =>
    findTarget({ label, input: label }, volumeResource, account, { record: false })

  test('with a filter, in one request', async () => {
    const { account, queries } = accountOf(() => [web])
    expect(await lookUp(account)).toEqual({ id: 1, input: 'web', record: web })
    expect(queries).toEqual([{ page: 1, pageSize: defaultPageSize, filter: { label: 'web' } }])
  })

  test.for<[string, Answer]>([
    ['is refused', filterRefusal],
    ['is ignored', [db, web]],
    ['returns a whole page', many],
  ])('in the whole list if the filter %s', async ([, first]) => {
    const { account, queries } = accountOf(({ filter }) => (filter ? first : [db, web]))
    expect(await labelled('web', volumeResource, account)).toEqual([db, web])
    expect(queries.map(({ filter, page }) => [filter, page])).toEqual([
      [{ label: 'web' }, 1],
      [undefined, undefined],
    ])
  })

  test('in the whole list if the API has no filter for it', async () => {
    const { account, queries } = accountOf(() => [web])
    await labelled('web', { ...volumeResource, list: { ...volumeResource.list, filterable: [] } }, account)
    expect(queries.map(({ filter }) => filter)).toEqual([undefined])
  })

  test('unless the request fails for another reason', async () => {
    const failure = problem('unavailable')
    await expect(lookUp(accountOf(({ filter }) => (filter ? failure : [web])).account)).rejects.toBe(failure)
  })

  test('and refused with the ids if several objects have it', async () => {
    const { account } = accountOf(() => [web, { ...web, id: 3 }])
    await expect(lookUp(account)).rejects.toMatchObject({
      code: 'refused',
      message: '2 volumes have the label "web": id:1, id:3',
      details: { hint: 'Name one by its id' },
    })
    expect(ambiguousLabel('a', volumeResource, [db]).message).toBe('1 volumes have the label "a": id:2')
  })

  test.for<[readonly Item[], object]>([
    [[web, db], { hint: 'Did you mean "web"?' }],
    [[db, { id: 4, label: 'other' }], {}],
  ])('and suggested if a similar one exists: %j', async ([all, details]) => {
    const { account } = accountOf(({ filter }) => (filter ? [] : all))
    await expect(lookUp(account, 'wbe')).rejects.toMatchObject({
      code: 'not_found',
      message: 'volume "wbe" not found',
      details,
    })
  })

  test('but an id is read only if its record is needed', async () => {
    const { account, queries } = accountOf(() => [], web)
    const target = { id: 1, input: '1' }
    expect(await findTarget(target, volumeResource, account, { record: false })).toEqual(target)
    expect(await findTarget(target, volumeResource, account, { record: true })).toEqual({ ...target, record: web })
    expect(queries).toEqual([])
  })
})

test('A lookup omits objects with other labels if the service ignores the filter', async () => {
  const web = { id: 1, label: 'web' }
  const { account } = accountOf(() => [web, { id: 2, label: 'db' }])
  expect((await lookUpLabel('web', volumeResource, account)).items).toEqual([web])
})

describe('A comparison with the request', () => {
  test('lists the differing fields that both have', () => {
    const record = { size: 20, label: 'a', tags: ['x', 'y'], region: null }
    expect(compareFields(record, { size: '20', tags: ['y', 'x'], other: 1, label: undefined })).toEqual([])
    expect(compareFields(record, { label: null })).toEqual([])
    const differences = compareFields(record, { size: 500, region: 'us-east', tags: ['x'] })
    expect(differenceText(differences)).toBe(
      'has size 20, not 500, region none, not "us-east", tags ["x","y"], not ["x"]',
    )
    expect(differenceText([{ field: 'a', expected: undefined, actual: 0 }])).toBe('has a 0, not none')
  })

  test.for<{ expected: unknown[]; actual: unknown; isSame: boolean }>([
    { expected: ['a', 'b'], actual: ['b', 'a'], isSame: true },
    { expected: [1, 2], actual: ['2', '1', '1'], isSame: true },
    { expected: [], actual: [], isSame: true },
    { expected: [], actual: null, isSame: true },
    { expected: ['a'], actual: ['a', 'b'], isSame: false },
    { expected: ['a', 'b'], actual: ['a'], isSame: false },
    { expected: ['a'], actual: ['b'], isSame: false },
    { expected: ['a'], actual: null, isSame: false },
    { expected: ['a'], actual: 'a', isSame: false },
    { expected: [], actual: ['a'], isSame: false },
  ])('ignores the order of lists: $expected and $actual', ({ expected, actual, isSame }) => {
    const differences = isSame ? [] : [{ field: 'tags', expected, actual }]
    expect(compareFields({ tags: actual }, { tags: expected })).toEqual(differences)
  })
})
