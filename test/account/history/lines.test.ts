/** Lines of the history: valid ones, and the change that the lines of one request describe. */
import { describe, expect, test } from 'vitest'
import { type RecordedChange, readHistoryLines } from '../../../src/account/history/lines'

const begin = {
  entry: 'e1',
  time: '2026-11-18T09:30:00.000Z',
  context: null,
  service: 'https://api.example.net/v4',
  command: 'volumes update',
  method: 'PUT',
  path: '/volumes/{volumeId}',
}
const end = { entry: 'e1', ended: '2026-11-18T09:30:01.000Z', outcome: 'ok' }

async function read(
  lines: readonly unknown[],
  first = 1,
  open = new Map<string, RecordedChange>(),
): Promise<RecordedChange[]> {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  await readHistoryLines(text.join('\n'), first, open)
  return [...open.values()]
}

describe('A recorded change', () => {
  test('has a line at its beginning and one at its end', async () => {
    expect(await read([begin, end])).toEqual([{ ...begin, number: 1, result: end, requestIds: [] }])
  })

  test('without the second line has no end', async () => {
    expect(await read([begin])).toEqual([{ ...begin, number: 1, result: undefined, requestIds: [] }])
  })

  test('with several ends has the last one, and each request id once', async () => {
    const lines = ['a', 'b', 'a', undefined].map((request_id) => ({ ...end, request_id }))
    const last = { ...end, outcome: 'failed', code: 'refused' }
    expect(await read([begin, ...lines, last])).toEqual([{ ...begin, number: 1, result: last, requestIds: ['a', 'b'] }])
  })

  test('can end in a later file', async () => {
    const open = new Map<string, RecordedChange>()
    await read([begin], 1, open)
    expect(await read([end], 1001, open)).toEqual([{ ...begin, number: 1, result: end, requestIds: [] }])
  })

  test('needs its beginning', async () => {
    expect(await read([end])).toEqual([])
  })

  test('is numbered in the order of beginnings', async () => {
    const lines = [begin, '', end, '{"entry":', { ...begin, entry: 'e2' }, { ...begin, entry: 'e3' }]
    expect((await read(lines, 2001)).map(({ entry, number }) => [entry, number])).toEqual([
      ['e1', 2001],
      ['e2', 2002],
      ['e3', 2003],
    ])
  })
})

describe('A line', () => {
  test.for([
    ...['entry', 'time', 'service', 'command', 'method', 'path'].flatMap((key) => [{ [key]: 1 }, { [key]: undefined }]),
    { time: 'soon' },
    { context: 1 },
    { context: undefined },
    { path_parameters: 1 },
    { path_parameters: [] },
    { before: 'x' },
    { before: [] },
    { label: 1 },
  ])('is ignored as a beginning with %j', async (wrong) => {
    expect(await read([{ ...begin, ...wrong }])).toEqual([])
  })

  test.for([
    { context: 'work' },
    { path_parameters: { volumeId: 1 } },
    { before: { label: 'a' } },
    { label: 'data' },
    { more: [] },
  ])('can be a beginning with %j', async (more) => {
    expect(await read([{ ...begin, ...more }])).toEqual([
      { ...begin, ...more, number: 1, result: undefined, requestIds: [] },
    ])
  })

  test.for([
    { entry: 1 },
    { ended: 1 },
    { ended: undefined },
    { outcome: 'fine' },
    { outcome: undefined },
    { label: 1 },
    { user: { uid: 'x', username: 'ada' } },
  ])('is ignored as an end with %j', async (wrong) => {
    expect((await read([begin, { ...end, ...wrong }]))[0]?.result).toBeUndefined()
  })

  test('can name the user, who otherwise is that of the beginning', async () => {
    const [ada, bob] = ['ada', 'bob'].map((username, index) => ({ uid: index + 1, username }))
    const userOf = async (first: object, second: object) => {
      const [change] = await read([Object.assign({}, begin, first), Object.assign({}, end, second)])
      return change?.user
    }
    expect(await userOf({ user: ada }, {})).toEqual(ada)
    expect(await userOf({}, { user: bob })).toEqual(bob)
    expect(await userOf({ user: ada }, { user: bob })).toEqual(bob)
  })

  test.for(['ok', 'failed', 'unknown'])('can be an end with the outcome %s and a label', async (outcome) => {
    const line = { ...end, outcome, label: 'data' }
    expect((await read([begin, line]))[0]?.result).toEqual(line)
  })

  test.for(['7', 'null', '[]', '"x"', '{'])('is ignored if it is %s', async (line) => {
    expect(await read([line, begin])).toHaveLength(1)
  })
})
