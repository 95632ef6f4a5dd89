/** A file of an account with the lines on which its parts stand. */
import { describe, expect, test } from 'vitest'
import { placedText, readPlaced } from '../../src/state/positions'

const read = (name: string, lines: readonly string[]) => readPlaced({ name, text: lines.join('\n') })

const yaml = ['volumes:', '  data-1:', '    size: 80.0', '    tags:', '      - a', '      - b']
const json = [
  '{',
  '  "volumes": {',
  '    "data-1": {',
  '      "size": 8e1,',
  '      "tags": [',
  '        "a"',
  '] } } }',
]

describe('a part of a file', () => {
  test.for<[steps: string[], place: string, written: string | undefined]>([
    [['volumes', 'data-1', 'size'], 'web.yaml:3', '80.0'],
    [['volumes', 'data-1', 'tags', '1'], 'web.yaml:6', 'b'],
    [['volumes', 'data-1', 'region'], 'web.yaml:2', undefined],
    [['volumes', 'data-1', 'tags', '7'], 'web.yaml:4', undefined],
    [['volumes', 'data-2', 'size'], 'web.yaml:1', undefined],
    [['firewalls', 'web'], 'web.yaml', undefined],
    [[], 'web.yaml', undefined],
  ])('%j stands on its line, or on that of what it is missing from', async ([steps, place, written]) => {
    const { value, place: whole } = await read('web.yaml', yaml)
    expect(value).toEqual({ volumes: { 'data-1': { size: 80, tags: ['a', 'b'] } } })
    const part = whole.at(steps)
    expect([`${part}`, part.writtenAs]).toEqual([place, written])
    const byStep = steps.reduce((at, step) => at.at([step]), whole)
    expect([`${byStep}`, byStep.writtenAs]).toEqual([place, written])
  })

  test('stands on its line in JSON as well', async () => {
    const { value, place } = await read('web.json', json)
    expect(value).toEqual({ volumes: { 'data-1': { size: 80, tags: ['a'] } } })
    const part = place.at(['volumes', 'data-1', 'size'])
    expect([`${part}`, part.writtenAs]).toEqual(['web.json:4', '8e1'])
    expect(`${place.at(['volumes', 'data-1', 'tags', '0'])}`).toBe('web.json:6')
  })

  test('is known by the file alone where JSON is no YAML', async () => {
    // Too many signs for the parser of YAML, which counts those in texts, too.
    const long = ','.repeat(200_001)
    const { value, place } = await read('web.json', ['{', '  "owner": "team",', `  "many": "${long}"`, '}'])
    expect(value).toEqual({ owner: 'team', many: long })
    const part = place.at(['owner'])
    expect([`${part}`, part.writtenAs, `${part}`]).toEqual(['web.json', undefined, 'web.json'])
  })

  test('is known by the file alone where that holds one text', () => {
    const { value, place } = placedText({ name: 'id.pub', text: ' ssh-ed25519 AAAA me\n' })
    expect(value).toBe('ssh-ed25519 AAAA me')
    expect([`${place.at(['label'])}`, place.at(['label']).writtenAs]).toEqual(['id.pub', undefined])
  })
})

describe('a key that is defined twice', () => {
  test.for([
    [
      'web.json',
      ['{', '  "volumes": {', '    "a": { "size": 20 },', '    "a": { "size": 40 },', '    "a": {}', '} }'],
      5,
    ],
    ['web.yaml', ['', 'volumes:', '  a: {}', '  a: { size: 20 }', '  a: {}'], 5],
  ] as const)('is a fault in %s, with both lines', async ([name, lines, last]) => {
    const { faults } = await read(name, lines)
    const reason = '"a" is defined twice (first on line 3)'
    expect(faults).toEqual([4, last].map((line) => ({ place: `${name}:${line}`, reason })))
  })
})
