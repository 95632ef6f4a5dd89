/** Emoji that zero-width joiners make of several, such as a family: one picture, two columns wide. */

export const joiner = '\u200d'

/** A chain of pictures, each with its variation selector or skin tone (UTS 51, ED-16): no other text takes a joiner. */
export const chain =
  '\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?(?:\\u200d\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)+'

/** UTF-16 units: the longest of Unicode 16 are two people, their skin tones, and a kiss. */
const longest = 20
/** A look-up takes up to 0.1 ms (Node 20), and no honest text has that many different ones. */
const mostLookups = 64

const mostKnown = 1000
/** Properties of strings need the flag of Unicode sets, which Node has since 20. */
const sets: string = 'v'

let recommended: RegExp | undefined
const known = new Map<string, boolean>()

/** Tells of chains of one text whether each is one of Unicode's emoji for interchange (RGI), which fonts draw as one. */
export function emojiTest(): (chain: string) => boolean {
  let lookups = 0
  return (text) => {
    if (text.length > longest) return false
    const before = known.get(text)
    if (before !== undefined) return before
    lookups += 1
    if (lookups > mostLookups) return false
    // Made when the first is met: the expression is an alternative of some thousand.
    recommended ??= new RegExp('^\\p{RGI_Emoji}$', sets)
    const is = recommended.test(text)
    if (known.size >= mostKnown) known.clear()
    known.set(text, is)
    return is
  }
}

/** The text in pieces that a terminal draws each by itself; for text that went through `safe`. */
export function pieces(text: string): Iterable<string> {
  return text.includes(joiner) ? [...text.matchAll(new RegExp(`${chain}|.`, 'gsu'))].map(([piece]) => piece) : text
}
