/** Emoji sequences with zero-width joiners, such as a family: one picture, two columns wide. */

export const joiner = '\u200d'

/** Sequence of joined pictures, each with variation selector or skin tone (UTS 51, ED-16). */
export const chain =
  '\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?(?:\\u200d\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)+'

/** Maximum length in UTF-16 units. The longest of Unicode 16 is a kiss of two people with skin tones. */
const longest = 20
/** Maximum look-ups per text. Each takes up to 0.1 ms (Node 20); ordinary texts have fewer different emoji. */
const mostLookups = 64

const mostCached = 1000
/** Flag for regular expressions with Unicode sets, needed for properties of strings. Node has it since 20. */
const sets: string = 'v'

let recommended: RegExp | undefined
const cache = new Map<string, boolean>()

/** Creates a test whether a sequence is an emoji for interchange (RGI), which fonts draw as one picture. */
export function emojiTest(): (chain: string) => boolean {
  let lookups = 0
  return (text) => {
    if (text.length > longest) return false
    const before = cache.get(text)
    if (before !== undefined) return before
    lookups += 1
    if (lookups > mostLookups) return false
    // Created on first use: the expression has some thousand alternatives.
    recommended ??= new RegExp('^\\p{RGI_Emoji}$', sets)
    const is = recommended.test(text)
    if (cache.size >= mostCached) cache.clear()
    cache.set(text, is)
    return is
  }
}

/** Splits a text escaped by `safe` into the pieces that a terminal draws separately. */
export function pieces(text: string): Iterable<string> {
  return text.includes(joiner) ? [...text.matchAll(new RegExp(`${chain}|.`, 'gsu'))].map(([piece]) => piece) : text
}
