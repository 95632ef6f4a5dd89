/** Positions: the lines of the parts of an account file. */
import { describe, expect, test } from 'vitest'
import { placedText, readPlaced } from '../../src/account-file/positions'

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
  ])('has its own line, or the line of the part that lacks it: %j', async ([steps, place, written]) => {
    const { value, place: root } = await read('web.yaml', yaml)
    expect(value).toEqual({ volumes: { 'data-1': { size: 80, tags: ['a', 'b'] } } })
    const part = root.at(steps)
    expect([`${part}`, part.writtenAs]).toEqual([place, written])
    const byStep = steps.reduce((at, step) => at.at([step]), root)
    expect([`${byStep}`, byStep.writtenAs]).toEqual([place, written])
  })

  test('has its line in JSON, too', async () => {
    const { value, place } = await read('web.json', json)
    expect(value).toEqual({ volumes: { 'data-1': { size: 80, tags: ['a'] } } })
    const part = place.at(['volumes', 'data-1', 'size'])
    expect([`${part}`, part.writtenAs]).toEqual(['web.json:4', '8e1'])
    expect(`${place.at(['volumes', 'data-1', 'tags', '0'])}`).toBe('web.json:6')
  })

  test('has a file but no line if the YAML parser cannot read the JSON', async () => {
    // The YAML parser limits the number of signs, and counts those inside texts.
    const long = ','.repeat(200_001)
    const { value, place } = await read('web.json', ['{', '  "owner": "team",', `  "many": "${long}"`, '}'])
    expect(value).toEqual({ owner: 'team', many: long })
    const part = place.at(['owner'])
    expect([`${part}`, part.writtenAs, `${part}`]).toEqual(['web.json', undefined, 'web.json'])
  })

  test('has a file but no line if the file is one text', () => {
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
  ] as const)('is reported with both lines: %s', async ([name, lines, last]) => {
    const { faults } = await read(name, lines)
    const reason = '"a" is defined twice (first on line 3)'
    expect(faults).toEqual([4, last].map((line) => ({ place: `${name}:${line}`, reason })))
  })
})
