import { describe, expect, test } from 'vitest'
import type { LazyRecords } from '../../src/sandbox/lazy-records'
import { recordsOf } from '../support/lazy-records'

const linesOf = (...texts: string[]) => recordsOf(texts.map((text) => `${text}\n`).join(''))

/** The names of lines, in their order. */
const namesOf = ({ lines, size }: { lines: LazyRecords; size: number }) => {
  const names: number[] = []
  const name = (line: number) => names.push(line)
  const count = lines.visit(size, { record: () => (_id, line) => name(line), other: name })
  expect(count).toBe(names.length)
  return names
}

/** What is told of each line: where its record belongs, or `other`; and its text. */
function told(...texts: string[]): unknown[] {
  const all: unknown[] = []
  const { lines, size } = linesOf(...texts)
  lines.visit(size, {
    record: (table) => (id, line) => all.push([table, id, texts.indexOf(lines.textOf(line).slice(0, -1))]),
    other: (line) => all.push(['other', texts.indexOf(lines.textOf(line).slice(0, -1))]),
  })
  return all
}

const kept = (table: string, id: number, record: object) => JSON.stringify([[table, id, record]])

describe('a line', () => {
  test('that keeps one record is told by its table and its id', () => {
    const other = kept('firewall_devices', 12, { id: 12 })
    expect(told(kept('volumes', 1, { id: 1 }), kept('volumes', 9007199254740991, {}), other, other)).toEqual([
      ['volumes', 1, 0],
      ['volumes', 9007199254740991, 1],
      ['firewall_devices', 12, 2],
      ['firewall_devices', 12, 2],
    ])
  })

  test.for([
    ['several', '[["volumes",1,{"id":1}],["users",2,{"id":2}]]'],
    ['a deletion', '[["volumes",1,null]]'],
    ['a deletion, and a record', '[["volumes",1,null],["users",2,{"id":2}]]'],
    ['a record, and a deletion', '[["volumes",1,{"id":1}],["users",2,null]]'],
    ['a record with what may stand between two', '[["volumes",1,{"label":"],[\\"","tags":[["a"],["b"]]}]]'],
    ['JSON as others write it', '[["volumes", 1, {"id": 1}]]'],
    ['a name that is no word', '[["vol\\u0075mes",1,{"id":1}]]'],
    ['an id that is none', '[["volumes",x,{"id":1}]]'],
    ['an id with what comes after 9 in ASCII', '[["volumes",1:,{"id":1}]]'],
    ['an id without a comma behind it', '[["volumes",1x{"id":1}]]'],
    ['something between the ends of a record and of a change', '[["volumes",1,{"id":1}x]'],
    ['no id', '[["volumes",,{"id":1}]]'],
    ['what is cut off', '[["volumes",1,{"id":1}'],
    ['what is cut off at its record', '[["volumes",1,{'],
    ['nothing', ''],
    ['something else', 'hello'],
  ])('is left to be parsed where it keeps %s', ([, text = '']) => {
    const one = kept('volumes', 7, { id: 7 })
    expect(told(one, text, one)).toEqual([
      ['volumes', 7, 0],
      ['other', 1],
      ['volumes', 7, 0],
    ])
  })

  test('is read as what it keeps, whatever its letters', () => {
    const records = [{ id: 1, label: 'é"\\' }, { id: 2, label: '\u{1f600}\ud800' }, { id: 3 }]
    const opened = linesOf(...records.map((record) => kept('volumes', record.id, record)))
    expect(namesOf(opened).map((line) => opened.lines.read(line))).toEqual(records)
  })

  test('that is damaged is told by its number', () => {
    const opened = linesOf('[]', '[["volumes",1,{"id":}]]', '[', '[]')
    const { lines } = opened
    const [first = 0, second = 0, third = 0] = namesOf(opened)
    expect(lines.changes(first)).toEqual([])
    expect(() => lines.read(second)).toThrow('damaged: 1')
    expect(() => lines.changes(third)).toThrow('damaged: 2')
  })

  test('is found by what stands in it, once', () => {
    const opened = linesOf('a é b', 'c', 'é é', 'é', 'a')
    const { lines } = opened
    const names = namesOf(opened)
    const holding = (text: string) => [...lines.holding(text)].map((line) => names.indexOf(line))
    expect(holding('é')).toEqual([0, 2, 3])
    expect(holding('a')).toEqual([0, 4])
    expect(holding('d')).toEqual([])
    expect(names.map((line) => lines.lengthOf(line))).toEqual([7, 2, 6, 3, 2])
    expect(names.map((line) => lines.textOf(line))).toEqual(['a é b\n', 'c\n', 'é é\n', 'é\n', 'a\n'])
  })
})

describe('a long file', () => {
  const records = [200_000, 1, 140_000, 30, 300_000, 5].map((length, index) => ({
    id: index + 1,
    label: `${index}`.repeat(length),
  }))
  const text = records.map((record) => `${kept('volumes', record.id, record)}\n`).join('')

  test.for([0, 1, 10, 500_000])('has its whole lines, before an incomplete one of %d bytes', (length) => {
    const opened = recordsOf(text + 'x'.repeat(length))
    const { lines } = opened
    const names = namesOf(opened)
    expect(lines.end).toBe(text.length)
    expect(names.map((line) => lines.read(line))).toEqual(records)
    expect([...names].reverse().map((line) => lines.read(line))).toEqual([...records].reverse())
    expect([...lines.holding('222')]).toEqual([names[2]])
    expect([...lines.holding('555')]).toEqual([names[5]])
  })

  test('has its earlier lines while later ones are visited', () => {
    const { lines, size } = recordsOf(text)
    const read: unknown[] = []
    lines.visit(size, { record: () => (id, line) => read.push(id, lines.read(0), lines.read(line)), other() {} })
    expect(read).toEqual(records.flatMap((record) => [record.id, records[0], record]))
  })

  test('is not held in memory', () => {
    const opened = recordsOf(`${kept('volumes', 1, { label: 'x'.repeat(1000) })}\n`.repeat(10_000))
    const before = process.memoryUsage().arrayBuffers
    expect(namesOf(opened)).toHaveLength(10_000)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(opened.size / 10)
  })

  test('is not read any more once it is closed', () => {
    const opened = linesOf(kept('volumes', 1, { id: 1 }), kept('volumes', 2, { label: 'x'.repeat(200_000) }))
    const [first = 0] = namesOf(opened)
    opened.lines.close()
    expect(() => opened.lines.read(first)).toThrow('damaged: 0')
  })
})
