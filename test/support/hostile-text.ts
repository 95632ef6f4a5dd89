/**
 * Characters that a terminal must never receive, as code points of reliability.md and not as the Unicode classes of the
 * code.
 */
const ranges: readonly [number, number][] = [
  [0, 0x1f],
  [0x7f, 0x9f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
]

const classes = ranges.map((range) => range.map((code) => `\\u{${code.toString(16)}}`).join('-'))
const hostile = new RegExp(`[${classes.join('')}]`, 'gu')

export const hostileIn = (text: string): string[] => text.match(hostile) ?? []

/** Returns the hostile characters of lines, which line feeds may separate. */
export const hostileInLines = (text: string): string[] => hostileIn(text.replaceAll('\n', ''))
