/** Places: the lines and fields of the values of an account file. */
import { describe, expect, test } from 'vitest'
import { parseFile, textFile } from '../../src/account-file/parse-file'
import { Place } from '../../src/account-file/places'

const read = (name: string, lines: readonly string[]) => parseFile({ name, text: lines.join('\n') })

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
  test.for<[steps: (string | number)[], place: string, field: string | null]>([
    [['volumes', 'data-1', 'size'], 'web.yaml:3', 'volumes.data-1.size'],
    [['volumes', 'data-1', 'tags', 1], 'web.yaml:6', 'volumes.data-1.tags[1]'],
    [['volumes', 'data-1', 'region'], 'web.yaml:2', 'volumes.data-1.region'],
    [['volumes', 'data-1', 'tags', 7], 'web.yaml:4', 'volumes.data-1.tags[7]'],
    [['volumes', 'data-2', 'size'], 'web.yaml:1', 'volumes.data-2.size'],
    [['firewalls', 'web'], 'web.yaml', 'firewalls.web'],
    [[], 'web.yaml', null],
  ])('has its own line, or the line of the part that lacks it: %j', async ([steps, place, field]) => {
    const { value, at } = await read('web.yaml', yaml)
    expect(value).toEqual({ volumes: { 'data-1': { size: 80, tags: ['a', 'b'] } } })
    const part = at.at(...steps)
    expect([`${part}`, part.field]).toEqual([place, field])
    const byStep = steps.reduce<Place>((above, step) => above.at(step), at)
    expect([`${byStep}`, byStep.field]).toEqual([place, field])
  })

  test('has its line in JSON, too', async () => {
    const { value, at } = await read('web.json', json)
    expect(value).toEqual({ volumes: { 'data-1': { size: 80, tags: ['a'] } } })
    expect(`${at.of('volumes.data-1.size')}`).toBe('web.json:4')
    expect(`${at.of('volumes.data-1.tags[0]')}`).toBe('web.json:6')
  })

  test('has a line in JSON that the YAML parser cannot read', async () => {
    // The YAML parser limits the number of signs, and counts those inside texts.
    const long = ','.repeat(200_001)
    const { value, at } = await read('web.json', ['{', '  "owner": "team",', `  "many": "${long}"`, '}'])
    expect(value).toEqual({ owner: 'team', many: long })
    expect([`${at.at('owner')}`, `${at.at('many')}`]).toEqual(['web.json:2', 'web.json:3'])
  })

  test('of an included file has the line there, and the field of both', async () => {
    const includedAt = new Place({ name: 'web.yaml' }, ['sshkeys', 'laptop', 'ssh_key'])
    const { value, at } = textFile({ name: 'id.pub', text: ' ssh-ed25519 AAAA me\n' }, includedAt)
    expect([value, `${at}`, at.field]).toEqual(['ssh-ed25519 AAAA me', 'id.pub', 'sshkeys.laptop.ssh_key'])
    const rules = await parseFile({ name: 'rules.yaml', text: 'inbound:\n  - use: ssh\n' }, includedAt)
    const use = rules.at.of('inbound[0].use')
    expect([`${use}`, use.field]).toEqual(['rules.yaml:2', 'sshkeys.laptop.ssh_key.inbound[0].use'])
  })

  test('may be set elsewhere, with everything below it', () => {
    const entry = new Place({ name: 'base.yaml' }, ['volumes', 'data'], { line: 2 })
    const elsewhere = new Place({ name: 'prod.yaml' }, ['volumes', 'data', 'tags'], { line: 7 })
    const combined = entry.with([['tags', elsewhere]])
    expect(['size', 'tags', 'tags[1]'].map((field) => combined.of(field).source)).toEqual([
      { file: 'base.yaml', line: null, column: null },
      { file: 'prod.yaml', line: 7, column: null },
      { file: 'prod.yaml', line: null, column: null },
    ])
    expect(`${entry.with([['tags', elsewhere.whole()]]).of('tags[1]')}`).toBe('prod.yaml:7')
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
    expect(faults.map(({ at, reason }) => ({ place: `${at}`, reason }))).toEqual(
      [4, last].map((line) => ({ place: `${name}:${line}`, reason })),
    )
  })
})
