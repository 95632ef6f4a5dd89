/** Texts on a terminal: their width and their line breaks. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { textWidth, truncate } from '../../src/output/width'
import { reflow, wrap, wrapLines } from '../../src/output/wrap'
import { wrapMessage } from '../../src/output/wrap-message'

describe('a text', () => {
  test.for([
    ['', 0],
    ['abc ~', 5],
    ['é', 1],
    ['e\u0301', 1],
    ['日本', 4],
    ['ｱ', 1],
    ['Ａ', 2],
    ['🙂', 2],
    ['🇩🇪', 2],
    ['ที่', 1],
    ['👩‍👧', 2],
    ['a👩‍👧b', 4],
    ['한', 2],
    ['\u1112\u1161\u11ab', 2],
  ] as const)('%j takes %i columns', ([text, columns]) => {
    expect(textWidth(text)).toBe(columns)
  })

  test('of letters and punctuation is measured without looking up Unicode classes', () => {
    const regExpTest = vi.spyOn(RegExp.prototype, 'test')
    onTestFinished(() => regExpTest.mockRestore())
    expect(textWidth('é\u00a0– “x”…')).toBe(8)
    expect(regExpTest.mock.contexts.map(String).filter((expression) => /\\p\{/.test(expression))).toEqual([])
  })

  test('of one such character has the width of its Unicode class', () => {
    const width = (char: string) => (/\p{M}/u.test(char) ? 0 : /\p{Emoji_Presentation}/u.test(char) ? 2 : 1)
    const chars = Array.from({ length: 0x2200 - 0xa0 }, (_, index) => String.fromCodePoint(0xa0 + index))
    // Except the joiner, which is measured within an emoji only.
    const narrow = chars.filter((char) => (char < '\u0370' || char >= '\u1e00') && char !== '\u200d')
    expect(narrow.filter((char) => textWidth(char) !== width(char))).toEqual([])
  })

  test.for([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['日本語', 6, '日本語'],
    ['日本語', 5, '日本…'],
    ['日本語', 4, '日…'],
    ['aé', 2, 'aé'],
    ['aéb', 2, 'a…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
    ['👩‍👧👩‍👧', 3, '👩‍👧…'],
    ['ab', 1, '…'],
  ] as const)('%j in %i columns is %j', ([text, columns, shown]) => {
    expect(truncate(text, columns)).toBe(shown)
  })

  test.for([
    ['abcd', 4, 'abcd'],
    ['abcde', 4, 'a...'],
    ['日本語日', 7, '日本...'],
    ['日本語日', 6, '日...'],
    ['aéb', 2, '..'],
  ] as const)('%j in %i columns is %j on a terminal that shows only ASCII', ([text, columns, shown]) => {
    expect(truncate(text, columns, 'ascii')).toBe(shown)
  })
})

describe('a line', () => {
  test.for([
    ['one two three', 0, '', 'one two three'],
    ['one two three', 13, '', 'one two three'],
    ['one two three', 12, '', 'one two\nthree'],
    ['one two three', 7, '', 'one two\nthree'],
    ['one two three', 6, '  ', 'one\n  two\n  three'],
    ['  one two', 8, '    ', '  one\n    two'],
    ['extraordinary one', 5, '', 'extraordinary\none'],
    ['日本 日本', 8, '', '日本\n日本'],
  ] as const)('is wrapped at words: %j in %i columns', ([text, width, indent, expected]) => {
    expect(wrap(text, width, indent)).toBe(expected)
  })

  test.for([
    ['No such object. To see all: skyctl volumes list', 24, 'No such object. To see\nall: skyctl volumes list'],
    ['Did you mean "skyctl volumes"? No', 20, 'Did you mean\n"skyctl volumes"? No'],
    ['one. See skyctl volumes list --help', 20, 'one. See\nskyctl volumes \\\n  list --help'],
    ['To see it: skyctl volumes view data-1', 18, 'To see it:\nskyctl volumes \\\n  view data-1'],
    ['skyctl: unknown command "volumse"', 25, 'skyctl: unknown command\n"volumse"'],
  ] as const)('keeps a command to copy whole in a message: %j in %i columns', ([text, width, expected]) => {
    expect(wrapMessage(text, width)).toBe(expected)
  })

  test('keeps its indentation when it is wrapped', () => {
    expect(wrapLines('one two\n  three four', 8)).toBe('one two\n  three\n  four')
    expect(wrapLines('one two three', 8)).toBe('one two\nthree')
  })
})

describe('a text with line breaks of its own', () => {
  test('stays unchanged if it fits or the width is unknown', () => {
    const text = 'one two\nthree'
    expect(reflow(text, 7)).toBe(text)
    expect(reflow(text, 20)).toBe(text)
    expect(reflow(text, 0)).toBe(text)
  })

  test('has its paragraphs wrapped again', () => {
    expect(reflow('one two three four\nfive\n\nsix', 10)).toBe('one two\nthree four\nfive\n\nsix')
  })

  test('has each indented line wrapped by itself', () => {
    expect(reflow('a paragraph of words:\n\n  skyctl volumes\n  skyctl regions list', 17)).toBe(
      'a paragraph of\nwords:\n\n  skyctl volumes\n  skyctl regions\n  list',
    )
  })

  const list = [
    'Names:',
    '',
    '  one    what is said of the first of them, which is',
    '         more than a line',
    '  three  what is said of the third',
  ].join('\n')

  test('has descriptions beside their terms', () => {
    expect(reflow(list, 40)).toBe(
      [
        'Names:',
        '',
        '  one    what is said of the first of',
        '         them, which is more than a line',
        '  three  what is said of the third',
      ].join('\n'),
    )
  })

  test('has descriptions below their terms if fewer than twenty columns are left', () => {
    expect(reflow(list, 29)).toBe(
      [
        'Names:',
        '',
        '  one    what is said of the',
        '         first of them, which',
        '         is more than a line',
        '  three  what is said of the',
        '         third',
      ].join('\n'),
    )
    expect(reflow(list, 28)).toBe(
      [
        'Names:',
        '',
        '  one',
        '      what is said of the',
        '      first of them, which',
        '      is more than a line',
        '  three',
        '      what is said of the',
        '      third',
      ].join('\n'),
    )
  })

  test('keeps an entry that fits on its line, however few columns its description has', () => {
    expect(reflow('  --concurrency  many at once\n  --journal      a new file for the progress', 29)).toBe(
      ['  --concurrency  many at once', '  --journal', '      a new file for the', '      progress'].join('\n'),
    )
  })
})
