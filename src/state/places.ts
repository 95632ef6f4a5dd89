/** Where the parts of a file stand. */
import { TooLarge } from '../data/bounds'
import { type ParsedYaml, YamlError, yamlParser } from '../data/yaml'
import { parseData } from '../engine/body-file'
import { Problem } from '../errors'

/** Keys and indexes that lead to a part. */
type Steps = readonly string[]

/** A part of a file. */
export interface Place {
  /** `web.yaml:12`: the line of the part, or of what it is missing from. */
  toString(): string
  /** What was typed for a number: `080` for 80. */
  readonly writtenAs: string | undefined
  /** A part of this part. */
  at(steps: Steps): Place
}

// 200 firewalls with 25 rules of two networks each; it takes a KiB for each.
const mostValues = 200_000

/** A file with what it holds; where the parts of JSON stand is found out when somebody asks, if it is YAML as well. */
export async function readPlaced({
  name,
  text,
}: {
  name: string
  text: string
}): Promise<{ value: unknown; place: Place }> {
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
    if (!isKnown) parsed = unlessWrong(() => parse(text))
    isKnown = true
    return parsed
  }
  return { value, place: placeAt(name, written, []) }
}

/** As YAML has it, too: of two entries with a label, one would be done and the other not. */
async function expectKeysOnce(json: string, name: string): Promise<void> {
  const { keyTwice } = await import('../data/lossless')
  const twice = keyTwice(json)
  if (twice) throw new Problem('usage', `${name}:${twice.line}: "${twice.key}" is there twice`)
}

/** The same of a file that holds one text. */
export const placedText = ({ name, text }: { name: string; text: string }) => ({
  value: text.trim(),
  place: placeAt(name, () => undefined, []),
})

function unlessWrong<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof YamlError || error instanceof TooLarge) return undefined
    throw error
  }
}

function placeAt(name: string, written: () => ParsedYaml | undefined, path: Steps): Place {
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
