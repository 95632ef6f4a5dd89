/** Finding commands by words (interface.md, help). */
import { describe, expect, test } from 'vitest'
import { profile } from '../../src/catalogue/profile/profile'
import { findPages, nearWords, pagesOf } from '../../src/commands/help/find'

test('A command without examples, details and operations is found by its other words', () => {
  const command = { name: 'polish', summary: 'Make it shine', flags: [], run: async () => {} }
  const node = { words: ['polish'], aliases: [], summary: command.summary, children: [], command }
  expect(findPages(['shine'], pagesOf([node]))).toEqual([
    { command: 'skyctl polish', summary: 'Make it shine', found_in: ['summary'] },
  ])
})

describe('Pages', () => {
  const page = (command: string, ...places: [name: string, text: string, weight: number][]) => ({
    command,
    summary: `About ${command}`,
    places: places.map(([name, text, weight]) => ({ name, text, weight })),
  })
  const search = (words: string, pages: ReturnType<typeof page>[]) =>
    findPages(words.split(' '), pages).map(({ command, found_in }) => [command, ...found_in])

  test('are found if they have all words, in any place', () => {
    const pages = [page('a', ['name', 'open', 10], ['summary', 'a way in', 6]), page('b', ['name', 'open', 10])]
    expect(search('open way', pages)).toEqual([['a', 'name', 'summary']])
    expect(search('open', pages)).toEqual([
      ['a', 'name'],
      ['b', 'name'],
    ])
    expect(search('shut', pages)).toEqual([])
  })

  test('are sorted by the places of the words, which are listed once and best first', () => {
    const pages = [
      page('low', ['details', 'grow the disk', 2]),
      page('high', ['details', 'grow the disk', 2], ['name', 'disk grow', 10]),
      page('middle', ['summary', 'grow disk', 6]),
    ]
    expect(search('grow disk', pages)).toEqual([
      ['high', 'name', 'details'],
      ['middle', 'summary'],
      ['low', 'details'],
    ])
  })

  test('have half the weight for the beginning of a word, of three letters or more', () => {
    const pages = [page('begins', ['name', 'detachment', 10]), page('whole', ['summary', 'det', 6])]
    expect(search('det', pages)).toEqual([
      ['whole', 'summary'],
      ['begins', 'name'],
    ])
    expect(search('de', pages)).toEqual([])
    expect(search('ip', [page('two', ['name', 'ips ip', 10]), page('longer', ['name', 'ipv6', 10])])).toEqual([
      ['two', 'name'],
    ])
  })

  test('are found by plural and singular, in any case', () => {
    const pages = [page('a', ['name', 'volume access', 10])]
    for (const word of ['Volumes', 'volume', 'ACCESS']) expect(search(word, pages)).toEqual([['a', 'name']])
    expect(search('acces', pages)).toEqual([['a', 'name']])
  })

  test('provide up to three suggestions for unknown words', () => {
    const pages = [page('a', ['name', 'volume firewall token region', 10])]
    expect(nearWords(['volumes'], pages)).toEqual([])
    expect(nearWords(['volmue', 'firewal', 'tokne', 'regoin'], pages)).toEqual(['volume', 'firewall', 'token'])
    expect(nearWords(['volmue', 'volmues', 'token'], pages)).toEqual(['volume'])
    expect(nearWords(['zebra'], pages)).toEqual([])
  })
})

describe('A command', () => {
  const flag = { name: 'keep-warm', aliases: ['warmth'], description: 'Heat it' }
  const command = {
    name: 'polish',
    summary: 'Make it shine',
    details: 'With a cloth.',
    operations: [profile.view],
    flags: [flag],
    examples: [{ what: 'On Sundays', line: 'skyctl shoes polish' }],
    run: async () => {},
  }
  const group = { words: ['shoes'], aliases: ['boots'], summary: 'Footwear', children: [] }
  const node = { words: ['shoes', 'polish'], aliases: ['buff'], summary: command.summary, children: [], command }
  const pages = pagesOf([group, node])
  const foundIn = (word: string) =>
    findPages([word], pages).find((one) => one.command === 'skyctl shoes polish')?.found_in

  test.for([
    ['shoe', ['name']],
    ['buff', ['alias']],
    ['boots', ['alias']],
    ['shine', ['summary']],
    ['keep-warm', ['--keep-warm']],
    ['warm', ['--keep-warm']],
    ['warmth', ['--keep-warm']],
    ['heat', ['--keep-warm']],
    ['cloth', ['details']],
    ['sundays', ['details']],
    ['timezone', ['field timezone']],
    ['footwear', undefined],
  ] as const)('is found by "%s" in %j', ([word, places]) => {
    expect(foundIn(word)).toEqual(places)
  })

  test('is a page, as are topics and global flags, but groups are not', () => {
    const commands = pages.map((page) => page.command)
    expect(commands).not.toContain('skyctl shoes')
    expect(commands).toEqual(expect.arrayContaining(['skyctl help output', 'skyctl --version', 'skyctl --json']))
    const output = findPages(['exit-codes'], pages)[0]
    expect(output).toMatchObject({ command: 'skyctl help exit-codes', found_in: expect.arrayContaining(['name']) })
    expect(findPages(['upgrade'], pages)[0]).toMatchObject({ command: 'skyctl --version', found_in: ['alias'] })
  })
})
