/**
 * Measures text in terminal columns. The text must be escaped by `safe`: it has no controls, and joiners only in emoji.
 * So code points and those emoji can be counted one by one.
 */

import { joiner, pieces } from '../rules/emoji'
import { once } from '../rules/once'

/** Printable ASCII: one column per character, unchanged by `safe`. */
export const ascii = /^[\x20-\x7e]*$/
/** Characters without a width: marks, and the second and third letters of a Hangul syllable. */
const none = once(() => /[\p{Mn}\p{Me}\u1160-\u11ff]/u)
/** Regional indicators, one column each; a flag is a pair of them. */
const flag = /[\u{1f1e6}-\u{1f1ff}]/u
/** Wide and fullwidth blocks of Unicode's EastAsianWidth.txt (16), and everything drawn as an emoji. */
const wide = once(
  () =>
    /[\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18d08}\u{1aff0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u,
)

export function textWidth(text: string): number {
  if (ascii.test(text)) return text.length
  let width = 0
  for (const piece of pieces(text)) width += pieceWidth(piece)
  return width
}

/** Marks of a shortened text. */
export const ellipses = { unicode: '…', ascii: '...' }

/** Shortens a text to the width, with `…` or `...` at the end; a text that fits is unchanged. */
export function truncate(text: string, width: number, marks: keyof typeof ellipses = 'unicode'): string {
  if (text.length <= width && ascii.test(text)) return text
  const ellipsis = ellipses[marks].slice(0, width)
  let used = 0
  let start = ''
  let fitting = ''
  for (const piece of pieces(text)) {
    used += pieceWidth(piece)
    if (used > width) return fitting + ellipsis
    start += piece
    if (used <= width - ellipsis.length) fitting = start
  }
  return text
}

/** Reports whether a character takes one column for sure: looking up the classes for a no-break space takes 0.3 ms. */
const isNarrow = (char: string) => char < '\u0300' || (char >= '\u2000' && char < '\u20d0')

function pieceWidth(char: string): 0 | 1 | 2 {
  if (char <= '~') return 1
  if (char.includes(joiner)) return 2
  if (isNarrow(char)) return 1
  if (none().test(char)) return 0
  return wide().test(char) && !flag.test(char) ? 2 : 1
}
