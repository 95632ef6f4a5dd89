/** Syntax of tests in --filter, and comparison by the kind of a field (interface.md, Filtering). */
import { describe, expect, test } from 'vitest'
import type { Field, FieldKind } from '../../src/catalogue/field-types'
import { fieldFromTest, parseTest, readByType } from '../../src/engine/filter'
import {
  examplesOf,
  kindOf,
  numberOf,
  parseInteger,
  parseNumber,
  parseSize,
  takesNone,
} from '../../src/engine/filter/kinds'
import { readOperand } from '../../src/engine/filter/read-operand'
import { type FilterOperator, splitTest, type Test } from '../../src/engine/filter/test-syntax'
import type { Session } from '../../src/engine/session'
import { lookFor } from '../../src/engine/unknown-fields'

const now = Date.UTC(2026, 10, 18, 9, 30)
/** A test that is right. */
function testOf(text: string): Test {
  const right = splitTest(text)
  if (!right) throw new Error(`${text} is no test`)
  return right
}

const field = (kind: FieldKind, more: Partial<Field> = {}): Field => ({
  path: 'f',
  kind,
  list: false,
  nullable: false,
  values: [],
  ...more,
})

describe('A test', () => {
  test.for([
    ['label=web', 'label', '=', 'web'],
    [' size >= 40 ', 'size', '>=', '40'],
    ['a.b-c_d!=x', 'a.b-c_d', '!=', 'x'],
    ['a~b c', 'a', '~', 'b c'],
    ['a<b', 'a', '<', 'b'],
    ['a<=b', 'a', '<=', 'b'],
    ['a>b', 'a', '>', 'b'],
    ['a=', 'a', '=', ''],
    ['a= =b', 'a', '=', '=b'],
    ['a=b\nc', 'a', '=', 'b\nc'],
    ['a=b=c', 'a', '=', 'b=c'],
  ] as const)('can be written as %j', async ([text, path, operator, wanted]) => {
    expect(await parseTest(text, [])).toEqual({ text, path, operator, operand: wanted })
  })

  test.for(['', '=web', 'a=>b', 'a!b', 'a><b', 'a!=!b', 'a>>b', 'a b=c', 'ä=b'])(
    'cannot be written as %j',
    async (text) => {
      await expect(parseTest(text, [])).rejects.toThrow(
        expect.objectContaining({
          message: `--filter: "${text}" is not a test`,
          details: { hint: 'Write it as label=web, size>=40 or label~data; the operators are = != > >= < <= ~' },
        }),
      )
    },
  )

  test.for([
    ['a==b', 'a=b'],
    ['a:b', 'a=b'],
    ['a b', 'a=b'],
    ['a=~b', "'a~b'"],
  ])('of another tool, %j, gets its form here: %s', async ([text = '', form]) => {
    await expect(parseTest(text, [])).rejects.toThrow(
      expect.objectContaining({ details: { hint: `Write --filter ${form}` } }),
    )
  })
})

describe('Numbers', () => {
  test.for<[string, number | undefined]>([
    ['40', 40],
    ['-1.5', -1.5],
    ['0.05', 0.05],
    ['9007199254740993', 9007199254740992],
    ['1.', undefined],
    ['.5', undefined],
    ['+1', undefined],
    ['1e3', undefined],
    [' 1', undefined],
    ['', undefined],
  ])('are digits, with or without decimals: %j', ([text, expected]) => {
    expect(parseNumber(text)).toBe(expected)
    expect(parseInteger(text)).toBe(text.includes('.') ? undefined : expected)
  })

  test.for<[string, number | undefined]>([
    ['1', 2 ** 30],
    ['1B', 1],
    ['1kB', 1000],
    ['1KiB', 1024],
    ['1MB', 10 ** 6],
    ['2 mib', 2 ** 21],
    ['1GB', 10 ** 9],
    ['1GiB', 2 ** 30],
    ['1tb', 10 ** 12],
    ['1TiB', 2 ** 40],
    ['1PB', 10 ** 15],
    ['1PiB', 2 ** 50],
    ['1.5KiB', 1536],
    ['1EB', undefined],
    ['1x', undefined],
    ['GB', undefined],
    ['-1GB', undefined],
    ['1 G B', undefined],
  ])('of a size can have a unit: %s is %s bytes', ([text, bytes]) => {
    expect(parseSize(text)).toBe(bytes === undefined ? undefined : bytes / 2 ** 30)
  })

  test.for<[unknown, number | undefined]>([
    [7, 7],
    [-0.75, -0.75],
    [2n ** 60n, 2 ** 60],
    ['1.5', 1.5],
    ['x', undefined],
    [null, undefined],
    [true, undefined],
  ])('of a record are read from numbers and digits: %s', ([value, expected]) => {
    expect(numberOf(value)).toBe(expected)
  })
})

describe('A value', () => {
  /** Returns a negative number, zero or a positive one; undefined if the values cannot be compared. */
  const order = async (kind: FieldKind, text: string, value: unknown, more: Partial<Field> = {}) => {
    const { order } = await readOperand(testOf(text), field(kind, more), now)
    return order(value)
  }

  test.for<[FieldKind, string, unknown, number | undefined]>([
    ['integer', 'f=40', 40, 0],
    ['integer', 'f=40', '41', 1],
    ['integer', 'f=40', 'x', undefined],
    ['size', 'f=1TiB', 1024, 0],
    ['number', 'f=1.5', 1.5, 0],
    ['number', 'f=1.1', 1.1, 0],
    ['boolean', 'f=yes', true, 0],
    ['boolean', 'f=No', false, 0],
    ['boolean', 'f=TRUE', 'true', 0],
    ['boolean', 'f=true', false, 1],
    ['boolean', 'f=true', 'x', undefined],
    ['boolean', 'f=true', null, undefined],
    ['time', 'f=2026-11-18', '2026-11-18T23:59:59', 0],
    ['time', 'f=2026-11-18', '2026-11-19T00:00:00', 1],
    ['time', 'f=2026-11-18', '2026-11-17T23:59:59', -1],
    ['time', 'f>1h', '2026-11-18T08:30:00', 0],
    ['time', 'f>1h', '2026-11-18T08:29:59', 1000],
    ['deadline', 'f>1h', '2026-11-18T10:30:01', 1000],
    ['time', 'f=2026-11-18', 7, undefined],
    ['time', 'f=2026-11-18', ['2026-11-18'], undefined],
    ['integer', 'f=40', [40], undefined],
    ['address', 'f=192.0.2.7', '192.0.2.7', 0],
    ['address', 'f=192.0.2.7', '192.0.2.8', 1],
    ['address', 'f=192.0.2.0/24', '192.0.2.8', 0],
    ['address', 'f=192.0.2.10-192.0.2.20', '192.0.2.20', 0],
    ['address', 'f=192.0.2.10 - 192.0.2.20', '192.0.2.10', 0],
    ['address', 'f=192.0.2.10-192.0.2.20', '192.0.2.21', 1],
    ['address', 'f=192.0.2.10-192.0.2.20', '192.0.2.9', 1],
    ['address', 'f=192.0.2.10-192.0.2.10', '192.0.2.10', 0],
    ['address', 'f=0.0.0.0/0', '::1', 1],
    ['address', 'f=2001:db8::/32', '2001:DB8::1/64', 0],
    ['address', 'f=2001:db8::1', '2001:db8::/64', 1],
    ['address', 'f=192.0.2.7', 'x', undefined],
    ['address', 'f=192.0.2.7', 7, undefined],
    ['address', 'f~2.7', '192.0.2.7', 0],
    ['text', 'f=web', 'web', 0],
    ['text', 'f=web', 'Web', 1],
    ['text', 'f="a b"', 'a b', 0],
    ['text', 'f="a', '"a', 0],
    ['text', 'f=a"', 'a"', 0],
    ['text', 'f="a" b', '"a" b', 0],
    ['text', 'f=b "a"', 'b "a"', 0],
    ['text', 'f~WE', 'the web', 0],
    ['text', 'f~"A"', 'a', 0],
    ['text', 'f=1', 1, 0],
    ['text', 'f=x', undefined, undefined],
    ['text', 'f=x', {}, undefined],
    ['structure', 'f~"k":', { k: 1 }, 0],
    ['structure', 'f~k', { K: 1 }, 0],
    ['structure', 'f~x', { K: 1 }, 1],
  ])('is compared by its kind: %s, %s with %j', async ([kind, text, value, expected]) => {
    expect(await order(kind, text, value)).toBe(expected)
  })

  test.for<[FieldKind, string]>([
    ['integer', 'f=1.5'],
    ['integer', 'f=x'],
    ['boolean', 'f=maybe'],
    ['time', 'f=1h'],
    ['time', 'f>1'],
    ['time', 'f=x'],
    ['address', 'f=x'],
    ['address', 'f=192.0.2.7/24'],
    ['address', 'f=192.0.2.20-192.0.2.10'],
    ['address', 'f=192.0.2.1-2001:db8::1'],
    ['address', 'f=192.0.2.1-192.0.2.2-192.0.2.3'],
    ['address', 'f=192.0.2.1-x'],
    ['address', 'f=x-192.0.2.1'],
    ['text', 'f>x'],
    ['boolean', 'f>true'],
    ['integer', 'f~4'],
    ['address', 'f<192.0.2.7'],
    ['structure', 'f=x'],
  ])('of the kind %s does not allow %s', async ([kind, text]) => {
    await expect(order(kind, text, 1)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringMatching(/^--filter: /),
    })
  })

  test.for<[FieldKind, string, unknown]>([
    ['integer', 'f=40', 40],
    ['integer', 'f=9007199254740993', undefined],
    ['boolean', 'f=yes', true],
    ['text', 'f="web"', 'web'],
    ['text', 'f~web', undefined],
    ['address', 'f=192.0.2.7', '192.0.2.7'],
    ['address', 'f=2001:db8::1', undefined],
    ['address', 'f=192.0.2.0/24', undefined],
    ['time', 'f=2026-11-18', undefined],
  ])('of the kind %s is sent to the service for %s as %s', async ([kind, text, filter]) => {
    expect((await readOperand(testOf(text), field(kind), now)).serviceValue).toBe(filter)
  })

  test('that is unknown is accepted with a warning', async () => {
    const warning = async (text: string) =>
      (await readOperand(testOf(text), field('enumeration', { values: ['active', 'resizing'] }), now)).warning
    expect(await warning('f=active')).toBeUndefined()
    expect(await warning('f~x')).toBeUndefined()
    expect(await warning('f="activ"')).toBe('--filter: "activ" is not a known value of f. Did you mean "active"?')
    expect(await warning('f=x')).toBe('--filter: "x" is not a known value of f. Known are: active, resizing')
  })
})

describe('A kind', () => {
  test('of a list has only operators for single members', () => {
    const operators = (kind: FieldKind, list: boolean) => kindOf(field(kind, { list })).operators
    expect(operators('integer', false)).toEqual(['=', '!=', '>', '>=', '<', '<='])
    expect(operators('integer', true)).toEqual(['=', '!='])
    expect(operators('text', true)).toEqual(['=', '!=', '~'])
    expect(kindOf(field('text', { list: true })).what).toBe('a list, each member a text')
  })

  test('has the values of its field as examples, and ages only for comparisons', () => {
    const examples = (kind: FieldKind, operator: FilterOperator, values: string[] = []) =>
      examplesOf(kindOf(field(kind, { values })), operator)
    expect(examples('enumeration', '=', ['a', 'b'])).toEqual(['a', 'b'])
    expect(examples('number', '=')).toEqual(['40', '1.5'])
    expect(examples('time', '>')).toEqual(['2026-01-31', '7d'])
    expect(examples('time', '!=')).toEqual(['2026-01-31'])
  })

  test.for<[Partial<Field>, FieldKind, boolean]>([
    [{}, 'text', false],
    [{ nullable: true }, 'text', true],
    [{ list: true }, 'text', true],
    [{}, 'integer', true],
    [{ values: ['none'] }, 'enumeration', false],
    [{ values: ['a'] }, 'enumeration', true],
  ])('%j of %s uses none for a missing value: %s', ([more, kind, usesNone]) => {
    expect(takesNone(field(kind, more))).toBe(usesNone)
  })
})

describe('An unknown field', () => {
  test('has the kind that its test suggests', () => {
    expect(fieldFromTest(testOf('x=none'))).toEqual({
      path: 'x',
      kind: 'text',
      list: false,
      nullable: true,
      values: [],
    })
    for (const text of ['x>1', 'x>=1', 'x<1', 'x<=1']) expect(fieldFromTest(testOf(text)).kind).toBe('number')
    for (const text of ['x=1', 'x!=1', 'x~1', 'x~null']) expect(fieldFromTest(testOf(text)).kind).toBe('text')
    for (const text of ['x=null', 'x!=null'])
      expect(() => fieldFromTest(testOf(text))).toThrow(
        expect.objectContaining({
          message: '--filter: write none for a missing value',
          details: { hint: `Write ${text.replace('null', 'none')}, or ${text.replace('null', '"null"')} for the text` },
        }),
      )
  })

  test.for<[string, unknown, number | undefined]>([
    ['x=40', 40, 0],
    ['x=40', 41n, 1],
    ['x=40', '40', 0],
    ['x=true', true, 0],
    ['x=true', 'true', 0],
    ['x=web', 'web', 0],
    ['x=web', 7, undefined],
    ['x=web', true, undefined],
    ['x~we', 'web', 0],
    ['x~1', 10, undefined],
    ['x~k', { k: 1 }, 0],
    ['x>40', 41, 1],
    ['x>40', '41', undefined],
    ['x>40', null, undefined],
  ])('is compared by the type of its value: %s with %s', async ([text, value, expected]) => {
    expect((await readByType(testOf(text), now)).order(value)).toBe(expected)
  })

  test.for<[string, unknown[], boolean]>([
    ['x>40', ['a'], true],
    ['x>40', ['a', 1], false],
    ['x>40', [null, undefined], false],
    ['x>40', [[1, 2]], true],
    ['x>40', [[]], false],
    ['x=web', [7], true],
    ['x=web', [['web']], false],
    ['x=web', [[7]], true],
  ])('rejects values that cannot be compared: %s with %j: %s', async ([text, values, isRejected]) => {
    const { meet } = await readByType(testOf(text), now)
    const meetValues = () => meet(values)
    if (isRejected) expect(meetValues).toThrow(expect.objectContaining({ code: 'usage' }))
    else expect(meetValues).not.toThrow()
  })

  test('accepts any value after one that can be compared', async () => {
    const { meet } = await readByType(testOf('x>40'), now)
    meet([1])
    expect(() => meet(['a'])).not.toThrow()
  })
})

describe('A field outside the catalogue', () => {
  const check = async (names: readonly string[], records: readonly unknown[]) => {
    const warnings: string[] = []
    const session = { ui: { warn: async (text: string) => void warnings.push(text) } } as unknown as Session
    const doubts = names.map((name) => ({ flag: '--sort', name }))
    await lookFor(doubts, ['label', 'size'], session)(records)
    return warnings
  }

  test('is accepted if one record has it', async () => {
    expect(await check(['a.b', 'c'], [{}, { a: { b: null }, c: 0 }])).toEqual([])
  })

  test('is rejected if no record has it, with the nearest name', async () => {
    await expect(check(['lable'], [{ other: 1 }])).rejects.toMatchObject({
      code: 'usage',
      message: '--sort: unknown field "lable"',
      details: { hint: 'Did you mean "label"?' },
    })
    await expect(check(['othr.x'], [{ other: { x: 1 } }, 7])).rejects.toMatchObject({
      details: { hint: 'Did you mean "other.x"?' },
    })
    await expect(check(['x'], [{ x: undefined, y: 1 }])).rejects.toMatchObject({ message: '--sort: unknown field "x"' })
  })

  test('is accepted with a warning if there is no record or no parent value to check', async () => {
    expect(await check(['lable', 'x'], [])).toEqual([
      '--sort: "lable" is not a known field, and there is no record to check. Did you mean "label"?',
      '--sort: "x" is not a known field, and there is no record to check',
    ])
    expect(await check(['a.b.c'], [{ a: { b: null } }])).toEqual([
      '--sort: "a.b.c" is not a known field, and there is no value above it to check',
    ])
    expect(await check(['a.b'], [{ a: null }])).toHaveLength(1)
    expect(await check(['a.b.c'], [{ a: null }])).toHaveLength(1)
    expect(await check(['a.b'], [{ a: 1 }, { a: null }])).toHaveLength(1)
    await expect(check(['a.b'], [{ a: 1 }])).rejects.toMatchObject({ code: 'usage' })
  })
})
