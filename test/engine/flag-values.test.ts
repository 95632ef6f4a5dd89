/** Values of flags. */
import { describe, expect, test } from 'vitest'
import { namedColor, namedFormat } from '../../src/engine/appearance'
import { countFlag, durationFlag, listFlag, newFileFlag, parseCount, textFlag } from '../../src/engine/flag-values'
import { serializeByKey } from '../../src/rules/serialize-by-key'

describe('A flag', () => {
  test('has a text or a list, or is undefined', () => {
    expect(textFlag({ label: 'a' }, 'label')).toBe('a')
    expect(textFlag({ label: true }, 'label')).toBeUndefined()
    expect(textFlag({}, 'label')).toBeUndefined()
    expect(listFlag({ tag: ['a'] }, 'tag')).toEqual(['a'])
    expect(listFlag({ tag: 'a' }, 'tag')).toBeUndefined()
  })

  test('that names a new file rejects "-"', () => {
    expect(newFileFlag({ output: './-' }, 'output')).toBe('./-')
    expect(newFileFlag({}, 'output')).toBeUndefined()
    expect(() => newFileFlag({ output: '-' }, 'output')).toThrow(
      expect.objectContaining({
        message: '--output: "-" is not a file',
        details: { hint: 'Name a file, or write ./-' },
      }),
    )
  })
})

describe('A count', () => {
  test.for([
    ['2', 2],
    ['5', 5],
    ['005', 5],
  ] as const)('can be %s', ([text, count]) => {
    expect(countFlag({ limit: text }, 'limit', 2, 5)).toBe(count)
  })

  test.for(['1', '6', '', '-3', '+3', '3.0', '3 ', ' 3', '3e0', 'x', '0000000000000003'])('cannot be %j', (text) => {
    expect(() => countFlag({ limit: text }, 'limit', 2, 5)).toThrow(
      `--limit: "${text}" is not a whole number of 2 to 5`,
    )
  })

  test('can have no maximum, and can be missing', () => {
    const range = { min: 1, max: Number.MAX_SAFE_INTEGER }
    expect(parseCount('999999999999999', range, 'X')).toBe(999_999_999_999_999)
    expect(() => parseCount('0', range, 'X')).toThrow('X: "0" is not a whole number of 1 or more')
    expect(countFlag({}, 'limit', 2, 5)).toBeUndefined()
  })
})

test('A duration is in milliseconds', () => {
  expect(durationFlag({ timeout: '1m30s' }, 'timeout')).toBe(90_000)
  expect(durationFlag({}, 'timeout')).toBeUndefined()
  expect(() => durationFlag({ timeout: 'soon' }, 'timeout')).toThrow(
    expect.objectContaining({
      message: '--timeout: "soon" is not a time',
      details: { hint: 'Write it as 90s, 5m or 1h30m' },
    }),
  )
})

describe('The format', () => {
  test.for([
    [{ json: true }, { SKYCTL_OUTPUT: 'yaml' }, 'json'],
    [{ json: true, output: 'json' }, {}, 'json'],
    [{ output: 'csv' }, { SKYCTL_OUTPUT: 'yaml' }, 'csv'],
    [{}, { SKYCTL_OUTPUT: 'yaml' }, 'yaml'],
    [{}, { SKYCTL_OUTPUT: '' }, undefined],
    [{}, {}, undefined],
  ] as const)('from the flags %j and the variables %j is %s', ([flags, env, format]) => {
    expect(namedFormat(flags, env)).toBe(format)
  })

  test('must be a known one, and only one', () => {
    expect(() => namedFormat({ json: true, output: 'csv' }, {})).toThrow(
      '--json and --output csv contradict each other',
    )
    expect(() => namedFormat({ output: 'xml' }, {})).toThrow('--output')
    expect(() => namedFormat({}, { SKYCTL_OUTPUT: 'xml' })).toThrow('SKYCTL_OUTPUT')
  })
})

test('The color mode is the value of --color, or auto', () => {
  expect(namedColor({})).toBe('auto')
  expect(namedColor({ color: 'never' })).toBe('never')
  expect(() => namedColor({ color: 'pink' })).toThrow('--color: "pink" is not one of auto, always, never')
})

test('Work with one key runs in sequence, also after a failure; work without a key runs at once', async () => {
  const serialize = serializeByKey()
  const started: string[] = []
  const gate = withResolvers()
  const work = (name: string, wait?: Promise<unknown>) => async () => {
    started.push(name)
    await wait
    return name
  }
  const first = serialize('a', work('first', gate.promise))
  const second = serialize('a', work('second'))
  const other = serialize('b', work('other'))
  const free = serialize(undefined, work('free'))
  expect(await Promise.all([other, free])).toEqual(['other', 'free'])
  expect(started.sort()).toEqual(['first', 'free', 'other'])
  gate.reject(new Error('the first fails'))
  await expect(first).rejects.toThrow('the first fails')
  expect(await second).toBe('second')
})

function withResolvers() {
  let reject: (reason: Error) => void = () => {}
  const promise = new Promise((_, refuse) => {
    reject = refuse
  })
  return { promise, reject }
}
