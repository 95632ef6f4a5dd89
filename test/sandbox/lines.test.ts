import { describe, expect, test } from 'vitest'
import { Lines } from '../../src/sandbox/lines'

const linesOf = (...texts: string[]) =>
  new Lines(Buffer.from(texts.map((text) => `${text}\n`).join('')), (line) => new Error(`damaged ${line}`))

/** What is told of a line: where its record belongs, or `other`. */
function told(...texts: string[]): unknown[] {
  const all: unknown[] = []
  linesOf(...texts).visit({
    record: (table, id, line) => all.push([table, id, line]),
    other: (line) => all.push(['other', line]),
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
      ['firewall_devices', 12, 3],
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
      ['volumes', 7, 2],
    ])
  })

  test('is read as what it keeps, whatever its letters', () => {
    const records = [{ id: 1, label: 'é"\\' }, { id: 2, label: '\u{1f600}\ud800' }, { id: 3 }]
    const lines = linesOf(...records.map((record) => kept('volumes', record.id, record)))
    expect(records.map((_, line) => lines.read(line))).toEqual(records)
    expect(() => linesOf('[["volumes",1,{"id":}]]').read(0)).toThrow('damaged 0')
  })

  test('is found by what stands in it, once', () => {
    const lines = linesOf('a é b', 'c', 'é é', 'é', 'a')
    expect([...lines.holding('é')]).toEqual([0, 2, 3])
    expect([...lines.holding('a')]).toEqual([0, 4])
    expect([...lines.holding('d')]).toEqual([])
    expect(lines.lengthOf(0)).toBe(7)
    expect(lines.textOf(2)).toBe('é é\n')
  })
})
