/** Finds the places of keys and items in a JSON text, and numbers as they were typed. */
import { jsonTokens, placeFinder } from './repeated-keys'
import type { TextPlace } from './source-nodes'

interface JsonPlaces {
  /** Returns the place of the key or item at a path; undefined if missing. */
  placeOf(path: readonly string[]): TextPlace | undefined
  /** Returns a number or another scalar as it was typed: `1e2` for 100. */
  writtenAs(path: readonly string[]): string | undefined
  /** True if a number was typed in another form than programs write it: `1e2` for 100. */
  hasUnusualNumbers: boolean
}

/** A field or an item, with the offsets of its key, of its value and of the end of its value. */
interface Part {
  at: number
  begin: number
  end: number
}

type Parts = ReadonlyMap<string, Part>

/** Finds places in a valid JSON text. An object or a list is scanned when a part of it is first needed. */
export function jsonPlaces(json: string): JsonPlaces {
  const placeAt = placeFinder(json)
  const scanned = new Map<number, Parts>()
  const partsAt = (begin: number) => {
    const parts = scanned.get(begin) ?? partsOf(json, begin)
    scanned.set(begin, parts)
    return parts
  }
  let isUnusual: boolean | undefined
  const root: Part = { at: 0, begin: nextText(json, 0), end: json.length }
  const find = (path: readonly string[]) =>
    path.reduce<Part | undefined>((above, key) => above && partsAt(above.begin).get(key), root)
  return {
    placeOf(path) {
      const part = path.length === 0 ? undefined : find(path)
      return part && placeAt(part.at)
    },
    writtenAs(path) {
      const part = find(path)
      return part && scalarText(json.slice(part.begin, part.end).trim())
    },
    get hasUnusualNumbers() {
      isUnusual ??= hasUnusualNumbers(json)
      return isUnusual
    },
  }
}

/** A text, whose digits are none, or a number. */
const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g

/** Begin of a number that may be unusual. Most texts have none, and their numbers need not be read one by one. */
const perhapsUnusual = /(?:^|[[:,\s])(?:-0|-?\d+[.eE]|-?\d{16})/

function hasUnusualNumbers(json: string): boolean {
  if (!perhapsUnusual.test(json)) return false
  for (const [token] of json.matchAll(textOrNumber))
    if (token[0] !== '"' && String(Number(token)) !== token) return true
  return false
}

/** Lists the parts of the object or list that begins at an offset; none for a scalar. The last of equal keys counts. */
function partsOf(json: string, begin: number): Parts {
  const parts = new Map<string, Part>()
  const isList = json[begin] === '['
  if (!isList && json[begin] !== '{') return parts
  const tokens = new RegExp(jsonTokens)
  tokens.lastIndex = begin + 1
  let depth = 0
  let at = nextText(json, begin + 1)
  let value = at
  for (let match = tokens.exec(json); match; match = tokens.exec(json)) {
    const [token] = match
    const isEnd = token === '}' || token === ']'
    if (depth === 0 && token === ':') value = nextText(json, match.index + 1)
    else if (depth === 0 && (isEnd || token === ',')) {
      const key = isList ? String(parts.size) : textIn(json, at)
      // Duplicate keys are reported with the line of the first one.
      if (at < match.index) parts.set(key, { at: parts.get(key)?.at ?? at, begin: value, end: match.index })
      if (isEnd) return parts
      at = nextText(json, match.index + 1)
      value = at
    } else if (token === '{' || token === '[') depth += 1
    else if (isEnd) depth -= 1
  }
  return parts
}

/** Returns the offset of the next character that is no blank. */
function nextText(json: string, from: number): number {
  let at = from
  while (at < json.length && ' \t\r\n'.includes(json.charAt(at))) at += 1
  return at
}

/** Returns the key that begins at an offset; an empty text if there is none. */
function textIn(json: string, at: number): string {
  const tokens = new RegExp(jsonTokens)
  tokens.lastIndex = at
  return scalarText(tokens.exec(json)?.[0] ?? '') ?? ''
}

/** Returns the text of a scalar, without quotes; undefined for an object or a list. */
function scalarText(text: string): string | undefined {
  if (/^[{[]/.test(text)) return undefined
  return text.startsWith('"') ? JSON.parse(text) : text
}
