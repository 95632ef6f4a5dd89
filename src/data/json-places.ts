/** Finds the places of keys and items in a JSON text. */
import { jsonTokens, placeFinder } from './repeated-keys'
import type { PlaceOf } from './yaml'

/** A field or an item, with the offsets of its key and of its value. */
interface Part {
  at: number
  begin: number
}

type Parts = ReadonlyMap<string, Part>

/** Finds places in a valid JSON text. An object or a list is scanned when a part of it is first needed. */
export function jsonPlaces(json: string): PlaceOf {
  const placeAt = placeFinder(json)
  const scanned = new Map<number, Parts>()
  const partsAt = (begin: number) => {
    const parts = scanned.get(begin) ?? partsOf(json, begin)
    scanned.set(begin, parts)
    return parts
  }
  const root: Part = { at: 0, begin: nextText(json, 0) }
  return (path) => {
    const part = path.reduce<Part | undefined>((above, key) => above && partsAt(above.begin).get(key), root)
    return part && part !== root ? placeAt(part.at) : undefined
  }
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
  let key = ''
  let value = at
  for (let match = tokens.exec(json); match; match = tokens.exec(json)) {
    const [token] = match
    const isEnd = token === '}' || token === ']'
    if (!isList && depth === 0 && match.index === at && token.startsWith('"')) key = JSON.parse(token)
    else if (depth === 0 && token === ':') value = nextText(json, match.index + 1)
    else if (depth === 0 && (isEnd || token === ',')) {
      const name = isList ? String(parts.size) : key
      // Duplicate keys are reported with the line of the first one.
      if (at < match.index) parts.set(name, { at: parts.get(name)?.at ?? at, begin: value })
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
