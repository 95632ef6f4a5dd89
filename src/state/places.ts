/** Where the parts of a file stand. */
import { type ParsedYaml, parseYaml, YamlError } from '../data/yaml'

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

/** The whole of a file; a JSON text that is no YAML has no lines. */
export async function placeIn({ name, text }: { name: string; text: string }): Promise<Place> {
  return placeAt(name, await parsed(text), [])
}

async function parsed(text: string): Promise<ParsedYaml | undefined> {
  try {
    return await parseYaml(text)
  } catch (error) {
    if (error instanceof YamlError) return undefined
    throw error
  }
}

function placeAt(name: string, written: ParsedYaml | undefined, path: Steps): Place {
  return {
    toString() {
      for (let left = path; left.length > 0; left = left.slice(0, -1)) {
        const line = written?.lineOf(left)
        if (line !== undefined) return `${name}:${line}`
      }
      return name
    },
    get writtenAs() {
      return written?.writtenAs(path)
    },
    at: (steps) => placeAt(name, written, [...path, ...steps]),
  }
}
