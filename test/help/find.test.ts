/** Finding commands by words (interface.md, help). */
import { describe, expect, test } from 'vitest'
import { profile } from '../../src/catalogue/profile/profile'
import { findPages, nearWords, pagesOf } from '../../src/commands/help/find'

test('A command without examples and details is found by its summary', () => {
  const command = { name: 'polish', summary: 'Make it shine', flags: [], run: async () => {} }
  const node = { words: ['polish'], aliases: [], summary: command.summary, children: [], command }
  expect(findPages(['shine'], pagesOf([node]))).toEqual({
    pages: [{ command: 'skyctl polish', summary: 'Make it shine' }],
    isComplete: true,
  })
})

describe('Pages', () => {
  const page = (command: string, title: string, text = '') => ({
    ...{ command, summary: `About ${command}` },
    ...{ title: title.split(' '), text: text.split(' ') },
  })
  const search = (words: string, pages: ReturnType<typeof page>[]) =>
    findPages(words.split(' '), pages).pages.map(({ command }) => command)

  test('are found if they have all words, in title or text', () => {
    const pages = [page('a', 'open', 'a way in'), page('b', 'open')]
    expect(search('open way', pages)).toEqual(['a'])
    expect(search('open', pages)).toEqual(['a', 'b'])
    expect(search('shut', pages)).toEqual([])
  })

  test('are found by the most of the words if none has all', () => {
    const pages = [page('two', 'grow disk'), page('one', 'grow')]
    expect(findPages(['grow', 'disk', 'zzz'], pages)).toMatchObject({ pages: [{ command: 'two' }], isComplete: false })
  })

  test('are sorted by the number of words in the title', () => {
    const pages = [page('low', 'x', 'grow the disk'), page('high', 'disk grow'), page('middle', 'disk', 'grow it')]
    expect(search('grow disk', pages)).toEqual(['high', 'middle', 'low'])
  })

  test('with the same number of words in the title are sorted by the length of the command', () => {
    expect(search('undo', [page('a b c', 'undo'), page('a b', 'undo')])).toEqual(['a b', 'a b c'])
  })

  test('are found by the beginning of a word, of three letters or more', () => {
    const pages = [page('begins', 'detachment')]
    expect(search('det', pages)).toEqual(['begins'])
    expect(search('de', pages)).toEqual([])
  })

  test('are found by plural and singular, in any case', () => {
    const pages = [page('a', 'volume access')]
    for (const word of ['Volumes', 'volume', 'ACCESS']) expect(search(word, pages)).toEqual(['a'])
    expect(search('acces', pages)).toEqual(['a'])
  })

  test('provide up to three suggestions for unknown words', () => {
    const pages = [page('a', 'volume firewall', 'token region')]
    expect(nearWords(['volumes'], pages)).toEqual([])
    expect(nearWords(['volmue', 'firewal', 'tokne', 'regoin'], pages)).toEqual(['volume', 'firewall', 'token'])
    expect(nearWords(['volmue', 'volmues', 'token'], pages)).toEqual(['volume'])
    expect(nearWords(['zebra'], pages)).toEqual([])
  })
})

describe('A command', () => {
  const command = {
    ...{ name: 'polish', summary: 'Make it shine', details: 'With a cloth.' },
    operations: [profile.view],
    flags: [{ name: 'keep-warm', description: 'Heat it' }],
    examples: [{ what: 'On Sundays', line: 'skyctl shoes polish' }],
    run: async () => {},
  }
  const group = { words: ['shoes'], aliases: ['boots'], summary: 'Footwear', children: [] }
  const node = { words: ['shoes', 'polish'], aliases: ['buff'], summary: command.summary, children: [], command }
  const pages = pagesOf([group, node])
  const commandsWith = (word: string) => findPages([word], pages).pages.map((one) => one.command)

  test.for(['shoe', 'buff', 'boots', 'shine', 'cloth', 'sundays'])('is found by "%s"', (word) => {
    expect(commandsWith(word)).toContain('skyctl shoes polish')
  })

  test.for(['keep-warm', 'heat', 'timezone', 'footwear'])('is not found by flags, fields and groups: %s', (word) => {
    expect(commandsWith(word)).not.toContain('skyctl shoes polish')
  })

  test('is a page, as are topics, but groups and flags are not', () => {
    const commands = pages.map((page) => page.command)
    expect(commands).toContain('skyctl help output')
    expect(commands.filter((one) => /shoes$|--/.test(one))).toEqual([])
    expect(commandsWith('exit-codes')[0]).toBe('skyctl help exit-codes')
  })
})
