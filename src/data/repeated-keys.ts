/** Finds duplicate keys in JSON: JSON.parse silently takes the last value, so an object with that label would be lost. */

import type { TextPlace } from './source-nodes'

/** A key that an object has more than once, with its line and that of the first one, counted from 1. */
export interface RepeatedKey {
  key: string
  line: number
  first: number
}

/** Names a duplicate key with both lines; the line of the second one is that of the message. */
export const repeatedKeyText = ({ key, first }: RepeatedKey) => `"${key}" is defined twice (first on line ${first})`

/** A text, or a sign. Texts have no alternatives to go back to, so a long one takes no stack. */
export const jsonTokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:,]/g

/** Lists the duplicate keys of a valid JSON text, in order. */
export function repeatedKeys(json: string): RepeatedKey[] {
  const repeated: RepeatedKey[] = []
  const placeAt = placeFinder(json)
  /** Offsets of the keys so far for each open object; undefined for an array. */
  const open: (Map<string, number> | undefined)[] = []
  let text = ''
  let at = 0
  for (const { 0: token, index } of json.matchAll(jsonTokens)) {
    if (token === '{') open.push(new Map())
    else if (token === '[') open.push(undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      const keys = open.at(-1)
      const key: string = text.includes('\\') ? JSON.parse(text) : text.slice(1, -1)
      const first = keys?.get(key)
      if (first === undefined) keys?.set(key, at)
      else repeated.push({ key, line: placeAt(at).line, first: placeAt(first).line })
    } else if (token !== ',') {
      text = token
      at = index
    }
  }
  return repeated
}

/** Returns a function that finds the place of an offset; it counts the lines when they are first needed. */
export function placeFinder(text: string): (offset: number) => TextPlace {
  let feeds: number[] | undefined
  return (offset) => {
    feeds ??= [...text.matchAll(/\n/g)].map(({ index }) => index)
    let [low, high] = [0, feeds.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((feeds[middle] ?? offset) < offset) low = middle + 1
      else high = middle
    }
    const lineStart = low === 0 ? 0 : (feeds[low - 1] ?? 0) + 1
    return { line: low + 1, column: offset - lineStart + 1 }
  }
}
