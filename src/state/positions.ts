/** Finds the lines of values in a file. */
import { type ParsedYaml, yamlParser } from '../data/yaml'
import { parseData } from '../engine/body-file'
import { Problem } from '../errors'

/** Keys and indexes of a value's path. */
type Steps = readonly string[]

/** Position of a value in a file. */
export interface Position {
  /** Returns `web.yaml:12`: the line of the value, or of the parent that lacks it. */
  toString(): string
  /** Original text of a number: `080` for 80. */
  readonly writtenAs: string | undefined
  /** Returns the position of a child. */
  at(steps: Steps): Position
}

// Enough for 200 firewalls with 25 rules of two networks each; each value takes a KiB.
const mostValues = 200_000

/** Reads a file with its positions. In JSON, they are found only if needed and if it is valid YAML, too. */
export async function readPlaced({
  name,
  text,
}: {
  name: string
  text: string
}): Promise<{ value: unknown; place: Position }> {
  const parse = await yamlParser(mostValues)
  let parsed: ParsedYaml | undefined
  const readYaml = (text: string) => {
    parsed = parse(text)
    return parsed
  }
  const value = await parseData(text, name, { readYaml })
  let isKnown = parsed !== undefined
  if (!isKnown) await expectKeysOnce(text, name)
  const written = () => {
    if (!isKnown) parsed = parsedOrNone(parse, text)
    isKnown = true
    return parsed
  }
  return { value, place: placeAt(name, written, []) }
}

/** Throws `usage` for duplicate keys in JSON, as in YAML: only one of two entries with a label would be applied. */
async function expectKeysOnce(json: string, name: string): Promise<void> {
  const { keyTwice } = await import('../data/lossless')
  const twice = keyTwice(json)
  if (twice) throw new Problem('usage', `${name}:${twice.line}: "${twice.key}" is there twice`)
}

/** Reads a file that is a single text. */
export const placedText = ({ name, text }: { name: string; text: string }) => ({
  value: text.trim(),
  place: placeAt(name, () => undefined, []),
})

/** Returns undefined for JSON that is no valid YAML or too large for its parser: then only the file is known. */
function parsedOrNone(parse: (text: string) => ParsedYaml, text: string): ParsedYaml | undefined {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

function placeAt(name: string, written: () => ParsedYaml | undefined, path: Steps): Position {
  return {
    toString() {
      for (let left = path; left.length > 0; left = left.slice(0, -1)) {
        const line = written()?.lineOf(left)
        if (line !== undefined) return `${name}:${line}`
      }
      return name
    },
    get writtenAs() {
      return written()?.writtenAs(path)
    },
    at: (steps) => placeAt(name, written, [...path, ...steps]),
  }
}
