import { describe, expect, test } from 'vitest'
import type { LazyRecords } from '../../src/sandbox/lazy-records'
import { recordsOf } from '../support/lazy-records'

const linesOf = (...texts: string[]) => recordsOf(texts.map((text) => `${text}\n`).join(''))

/** Numbers of the visited lines, in their order. */
const visitAll = ({ lines, size }: { lines: LazyRecords; size: number }) => {
  const numbers: number[] = []
  const add = (line: number) => numbers.push(line)
  const count = lines.visit(size, { record: () => (_id, line) => add(line), other: add })
  expect(count).toBe(numbers.length)
  return numbers
}

/** Calls of a visitor: table and id of a record, or `other`; then the index of the line's text. */
function visits(...texts: string[]): unknown[] {
  const all: unknown[] = []
  const { lines, size } = linesOf(...texts)
  lines.visit(size, {
    record: (table) => (id, line) => all.push([table, id, texts.indexOf(lines.textOf(line).slice(0, -1))]),
    other: (line) => all.push(['other', texts.indexOf(lines.textOf(line).slice(0, -1))]),
  })
  return all
}

const lineOf = (table: string, id: number, record: object) => JSON.stringify([[table, id, record]])

describe('a line', () => {
  test('with one record is visited with its table and id', () => {
    const other = lineOf('firewall_devices', 12, { id: 12 })
    expect(visits(lineOf('volumes', 1, { id: 1 }), lineOf('volumes', 9007199254740991, {}), other, other)).toEqual([
      ['volumes', 1, 0],
      ['volumes', 9007199254740991, 1],
      ['firewall_devices', 12, 2],
      ['firewall_devices', 12, 2],
    ])
  })

  test.for([
    ['several records', '[["volumes",1,{"id":1}],["users",2,{"id":2}]]'],
    ['a deletion', '[["volumes",1,null]]'],
    ['a deletion, and a record', '[["volumes",1,null],["users",2,{"id":2}]]'],
    ['a record, and a deletion', '[["volumes",1,{"id":1}],["users",2,null]]'],
    ['a record whose text looks like the end of one', '[["volumes",1,{"label":"],[\\"","tags":[["a"],["b"]]}]]'],
    ['JSON with spaces', '[["volumes", 1, {"id": 1}]]'],
    ['a table name with an escape', '[["vol\\u0075mes",1,{"id":1}]]'],
    ['an id that is not a number', '[["volumes",x,{"id":1}]]'],
    ['an id with the character after 9 in ASCII', '[["volumes",1:,{"id":1}]]'],
    ['an id without a comma after it', '[["volumes",1x{"id":1}]]'],
    ['a character between the ends of a record and of a change', '[["volumes",1,{"id":1}x]'],
    ['no id', '[["volumes",,{"id":1}]]'],
    ['a truncated change', '[["volumes",1,{"id":1}'],
    ['a truncated record', '[["volumes",1,{'],
    ['no text', ''],
    ['no JSON', 'hello'],
  ])('is left to the JSON parser if it has %s', ([, text = '']) => {
    const one = lineOf('volumes', 7, { id: 7 })
    expect(visits(one, text, one)).toEqual([
      ['volumes', 7, 0],
      ['other', 1],
      ['volumes', 7, 0],
    ])
  })

  test('is read exactly, with any characters', () => {
    const records = [{ id: 1, label: 'é"\\' }, { id: 2, label: '\u{1f600}\ud800' }, { id: 3 }]
    const file = linesOf(...records.map((record) => lineOf('volumes', record.id, record)))
    expect(visitAll(file).map((line) => file.lines.read(line))).toEqual(records)
  })

  test('is reported by its number if it is damaged', () => {
    const file = linesOf('[]', '[["volumes",1,{"id":}]]', '[', '[]')
    const { lines } = file
    const [first = 0, second = 0, third = 0] = visitAll(file)
    expect(lines.changes(first)).toEqual([])
    expect(() => lines.read(second)).toThrow('damaged: 1')
    expect(() => lines.changes(third)).toThrow('damaged: 2')
  })

  test('is found once by a text in it', () => {
    const file = linesOf('a é b', 'c', 'é é', 'é', 'a')
    const { lines } = file
    const numbers = visitAll(file)
    const holding = (text: string) => [...lines.holding(text)].map((line) => numbers.indexOf(line))
    expect(holding('é')).toEqual([0, 2, 3])
    expect(holding('a')).toEqual([0, 4])
    expect(holding('d')).toEqual([])
    expect(numbers.map((line) => lines.lengthOf(line))).toEqual([7, 2, 6, 3, 2])
    expect(numbers.map((line) => lines.textOf(line))).toEqual(['a é b\n', 'c\n', 'é é\n', 'é\n', 'a\n'])
  })
})

describe('a long file', () => {
  const records = [200_000, 1, 140_000, 30, 300_000, 5].map((length, index) => ({
    id: index + 1,
    label: `${index}`.repeat(length),
  }))
  const text = records.map((record) => `${lineOf('volumes', record.id, record)}\n`).join('')

  test.for([0, 1, 10, 500_000])('is read up to an incomplete last line of %d bytes', (length) => {
    const file = recordsOf(text + 'x'.repeat(length))
    const { lines } = file
    const numbers = visitAll(file)
    expect(lines.end).toBe(text.length)
    expect(numbers.map((line) => lines.read(line))).toEqual(records)
    expect([...numbers].reverse().map((line) => lines.read(line))).toEqual([...records].reverse())
    expect([...lines.holding('222')]).toEqual([numbers[2]])
    expect([...lines.holding('555')]).toEqual([numbers[5]])
  })

  test('gives access to earlier lines while later ones are visited', () => {
    const { lines, size } = recordsOf(text)
    const read: unknown[] = []
    lines.visit(size, { record: () => (id, line) => read.push(id, lines.read(0), lines.read(line)), other() {} })
    expect(read).toEqual(records.flatMap((record) => [record.id, records[0], record]))
  })

  test('is not kept in memory', () => {
    const file = recordsOf(`${lineOf('volumes', 1, { label: 'x'.repeat(1000) })}\n`.repeat(10_000))
    const before = process.memoryUsage().arrayBuffers
    expect(visitAll(file)).toHaveLength(10_000)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(file.size / 10)
  })

  test('is not read after it is closed', () => {
    const file = linesOf(lineOf('volumes', 1, { id: 1 }), lineOf('volumes', 2, { label: 'x'.repeat(200_000) }))
    const [first = 0] = visitAll(file)
    file.lines.close()
    expect(() => file.lines.read(first)).toThrow('damaged: 0')
  })
})
