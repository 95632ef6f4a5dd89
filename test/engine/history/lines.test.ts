/** The lines of the history: which are its own, and what becomes of a request that several tell of. */
import { describe, expect, test } from 'vitest'
import { type RecordedChange, readLines } from '../../../src/account/history/lines'

const begun = {
  entry: 'e1',
  time: '2026-11-18T09:30:00.000Z',
  context: null,
  service: 'https://api.example.net/v4',
  command: 'volumes update',
  method: 'PUT',
  path: '/volumes/{volumeId}',
}
const told = { entry: 'e1', ended: '2026-11-18T09:30:01.000Z', outcome: 'ok' }

async function read(
  lines: readonly unknown[],
  first = 1,
  open = new Map<string, RecordedChange>(),
): Promise<RecordedChange[]> {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  await readLines(text.join('\n'), first, open)
  return [...open.values()]
}

describe('a request', () => {
  test('is begun on one line and told of on another', async () => {
    expect(await read([begun, told])).toEqual([{ ...begun, number: 1, told, requestIds: [] }])
  })

  test('of which nothing is told has no end', async () => {
    expect(await read([begun])).toEqual([{ ...begun, number: 1, told: undefined, requestIds: [] }])
  })

  test('that is told of again ended as the last line says, and keeps each of its ids once', async () => {
    const lines = ['a', 'b', 'a', undefined].map((request_id) => ({ ...told, request_id }))
    const last = { ...told, outcome: 'failed', code: 'refused' }
    expect(await read([begun, ...lines, last])).toEqual([{ ...begun, number: 1, told: last, requestIds: ['a', 'b'] }])
  })

  test('may be told of in a later file than it was begun in', async () => {
    const open = new Map<string, RecordedChange>()
    await read([begun], 1, open)
    expect(await read([told], 1001, open)).toEqual([{ ...begun, number: 1, told, requestIds: [] }])
  })

  test('that was begun in a file that is gone is none', async () => {
    expect(await read([told])).toEqual([])
  })

  test('has its number by its place among those that were begun', async () => {
    const lines = [begun, '', told, '{"entry":', { ...begun, entry: 'e2' }, { ...begun, entry: 'e3' }]
    expect((await read(lines, 2001)).map(({ entry, number }) => [entry, number])).toEqual([
      ['e1', 2001],
      ['e2', 2002],
      ['e3', 2003],
    ])
  })
})

describe('a line is passed over', () => {
  test.for([
    ...['entry', 'time', 'service', 'command', 'method', 'path'].flatMap((key) => [{ [key]: 1 }, { [key]: undefined }]),
    { time: 'soon' },
    { context: 1 },
    { context: undefined },
    { holes: 1 },
    { holes: [] },
    { before: 'x' },
    { before: [] },
    { label: 1 },
  ])('that would begin a request with %j', async (wrong) => {
    expect(await read([{ ...begun, ...wrong }])).toEqual([])
  })

  test.for([
    { context: 'work' },
    { holes: { volumeId: 1 } },
    { before: { label: 'a' } },
    { label: 'data' },
    { more: [] },
  ])('not for %j', async (more) => {
    expect(await read([{ ...begun, ...more }])).toEqual([
      { ...begun, ...more, number: 1, told: undefined, requestIds: [] },
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
  ])('that would tell of one with %j', async (wrong) => {
    expect((await read([begun, { ...told, ...wrong }]))[0]?.told).toBeUndefined()
  })

  test('not for a user, who stays the one who began where no other is named', async () => {
    const [ada, bob] = ['ada', 'bob'].map((username, index) => ({ uid: index + 1, username }))
    const userOf = async (began: object, ended: object) => {
      const [change] = await read([Object.assign({}, begun, began), Object.assign({}, told, ended)])
      return change?.user
    }
    expect(await userOf({ user: ada }, {})).toEqual(ada)
    expect(await userOf({}, { user: bob })).toEqual(bob)
    expect(await userOf({ user: ada }, { user: bob })).toEqual(bob)
  })

  test.for(['ok', 'failed', 'unknown'])('not for the outcome %s, nor for a label', async (outcome) => {
    const line = { ...told, outcome, label: 'data' }
    expect((await read([begun, line]))[0]?.told).toEqual(line)
  })

  test.for(['7', 'null', '[]', '"x"', '{'])('that is %s', async (line) => {
    expect(await read([line, begun])).toHaveLength(1)
  })
})
