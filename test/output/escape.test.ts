import { describe, expect, test } from 'vitest'
import { textWidth, truncate } from '../../src/output/width'
import { escapeJson, escapeLines, escapeText } from '../../src/rules/escape'
import { once } from '../../src/rules/once'
import fc, { anyCharacter } from '../support/fast-check'
import { expectUnder, fastest } from '../support/fastest'
import { hostileIn, hostileInLines } from '../support/hostile-text'

const classes: [name: string, char: string, escaped: string][] = [
  ['NUL', '\0', '\\x00'],
  ['bell', '\x07', '\\x07'],
  ['backspace', '\b', '\\x08'],
  ['tab', '\t', '\\t'],
  ['line feed', '\n', '\\n'],
  ['carriage return', '\r', '\\r'],
  ['escape', '\x1b', '\\x1b'],
  ['delete', '\x7f', '\\x7f'],
  ['C1 control sequence introducer', '\x9b', '\\x9b'],
  ['C1 operating system command', '\x9d', '\\x9d'],
  ['soft hyphen', '\xad', '\\xad'],
  ['Arabic letter mark', '\u061c', '\\u061c'],
  ['Mongolian vowel separator', '\u180e', '\\u180e'],
  ['zero-width space', '\u200b', '\\u200b'],
  ['zero-width joiner', '\u200d', '\\u200d'],
  ['right-to-left mark', '\u200f', '\\u200f'],
  ['line separator', '\u2028', '\\u2028'],
  ['paragraph separator', '\u2029', '\\u2029'],
  ['right-to-left override', '\u202e', '\\u202e'],
  ['word joiner', '\u2060', '\\u2060'],
  ['left-to-right isolate', '\u2066', '\\u2066'],
  ['Hangul filler', '\u3164', '\\u3164'],
  ['variation selector', '\ufe0f', '\\ufe0f'],
  ['byte order mark', '\ufeff', '\\ufeff'],
  ['interlinear annotation', '\ufff9', '\\ufff9'],
  ['tag character', '\u{e0041}', '\\u{e0041}'],
  ['high surrogate alone', '\ud83d', '\\ud83d'],
  ['low surrogate alone', '\ude00', '\\ude00'],
  ['noncharacter', '\uffff', '\\uffff'],
]

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: fc.constantFrom(...classes.map(([, char]) => char)) }),
)

describe('text for people', () => {
  test.each(classes)('escapes the %s', (_name, char, escaped) => {
    expect(escapeText(`a${char}b`)).toBe(`a${escaped}b`)
  })

  test('has no hostile character, whatever the input', () => {
    fc.assert(fc.property(anyText, (text) => hostileIn(escapeText(text)).length === 0))
  })

  test('keeps its newlines and no other control character if skyctl wrote it', () => {
    expect(escapeLines('one\ntwo\r\x1b[2J')).toBe('one\ntwo\\r\\x1b[2J')
    fc.assert(fc.property(anyText, (text) => escapeLines(text).split('\n').length === text.split('\n').length))
  })

  test('keeps letters of all scripts, accents and emoji', () => {
    const text = 'Zürich 東京 Ελλάδα עברית e\u0301 🚀 ~!'
    expect(escapeText(text)).toBe(text)
  })
})

const zwj = '\u200d'

describe('a zero-width joiner', () => {
  test.for([
    ['👨', '👩', '👧'],
    ['🏳\ufe0f', '🌈'],
    ['🧑🏽', '💻'],
    ['👩🏻', '❤\ufe0f', '💋', '👨🏿'],
  ])('stays in an emoji, which is two columns wide and never cut: %j', (parts) => {
    const emoji = parts.join(zwj)
    expect(escapeText(`a${emoji}b`)).toBe(`a${emoji}b`)
    expect(escapeLines(`a${emoji}\n\x1b`)).toBe(`a${emoji}\n\\x1b`)
    expect(textWidth(`a${emoji}b`)).toBe(4)
    expect([3, 4].map((width) => truncate(`a${emoji}bc`, width))).toEqual(['a…', `a${emoji}…`])
  })

  test.for([
    ['letters', `a${zwj}b`],
    ['the end of an emoji', `👨${zwj}`],
    ['the beginning of an emoji', `${zwj}👨`],
    ['two emoji that make no emoji together', `🚀${zwj}🚀`],
    ['a longer chain', [...'👨👩👧👨👩👧'].join(zwj)],
    ['two joiners', `👨${zwj}${zwj}👩`],
  ])('is visible in %s', ([, text = '']) => {
    expect(escapeText(text)).toBe(text.replaceAll(zwj, String.raw`\u200d`))
  })

  test('in an emoji hides no hostile character beside it', () => {
    const family = ['👨', '👩', '👧'].join(zwj)
    expect(escapeText(`${family}\u202e${zwj}x`)).toBe(String.raw`${family}\u202e\u200dx`)
  })

  const mebibyteOf = (unit: string) => unit.repeat(2 ** 20 / Buffer.byteLength(unit))

  const timeOfOthers = once(() => {
    const text = mebibyteOf('\u200b')
    return fastest(() => escapeText(text), 4)
  })

  test('stays in a mebibyte of families', () => {
    const text = mebibyteOf(['👨', '👩', '👧'].join(zwj))
    expect(escapeText(text)).toBe(text)
  })

  test.for([
    ['families', ['👨', '👩', '👧'].join(zwj)],
    ['chains that are not emoji', `🚀${zwj}🛸 `],
    ['one endless chain', `👨${zwj}`],
    ['joiners', zwj],
  ])('takes about the time of other hostile characters in %s', ([, unit = '']) => {
    const text = mebibyteOf(unit)
    expectUnder(3 * timeOfOthers(), () => escapeText(text), 4)
  })
})

describe('escaped JSON', () => {
  test('has the same value and no hostile character', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const json = escapeJson(JSON.stringify({ text }, null, 2))
        expect(JSON.parse(json)).toEqual({ text })
        expect(hostileInLines(json)).toEqual([])
      }),
    )
  })
})
