/** Parses the text of a file to a value with its places. */
import type { RepeatedKey } from '../data/repeated-keys'
import type { TextPlace } from '../data/source-nodes'
import type { ParsedYaml, PlaceOf } from '../data/yaml'
import { parseData } from '../engine/body-file'
import { type Fault, Place, type PlacedValue } from './places'

// All firewalls that an account can have, with all their rules and addresses, are 1.4 million lines and twice as many values (api.md, Limits).
const limits = { most: 4_000_000, mostOfAnEntry: 200_000 }
const mostMemory = 192 * 2 ** 20

/** The value of a file; undefined if the text is neither JSON nor YAML. */
export interface ParsedFile extends PlacedValue {
  /** Invalid text or duplicate keys. */
  faults: readonly Fault[]
}

interface NamedText {
  name: string
  text: string
}

/** Parses a file; `includedAt` is the place that includes it in another one. Throws `too_large`. */
export async function parseFile({ name, text }: NamedText, includedAt?: Place): Promise<ParsedFile> {
  // Nobody asks for a place before the text is parsed.
  let placeOf: PlaceOf | undefined
  const file = { name, includedAt, placeOf: (path: readonly string[]) => placeOf?.(path) }
  const faults: Fault[] = []
  const fail: Fail = (at, reason) => faults.push({ at: new Place(file, [], at), reason })
  const readYaml = async () => {
    const parsed = await parseLongYaml(text, fail)
    placeOf = parsed.placeOf
    return parsed
  }
  const onRepeated = async (repeated: readonly RepeatedKey[]) => {
    if (repeated.length === 0) return
    const { repeatedKeyText } = await import('../data/repeated-keys')
    for (const one of repeated) fail({ line: one.line }, repeatedKeyText(one))
  }
  const value = await parseData(text, name, { readYaml, onRepeated, most: mostMemory })
  placeOf ??= (await import('../data/json-places')).jsonPlaces(text)
  return { value, at: new Place(file), faults }
}

type Fail = (at: TextPlace, reason: string) => void

/** Parses YAML; for an invalid text, `fail` gets the place and the reason. */
async function parseLongYaml(text: string, fail: Fail): Promise<ParsedYaml> {
  const [{ YamlError }, { yamlParserByEntries }] = await Promise.all([
    import('../data/yaml'),
    import('../data/yaml-pieces'),
  ])
  const parse = await yamlParserByEntries(limits)
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof YamlError)) throw error
    const { line = 1, column } = error
    fail({ line, column }, `neither JSON nor YAML: ${error.message}`)
    return { value: undefined, repeated: [], placeOf: () => undefined }
  }
}

export const textFile = ({ name, text }: NamedText, includedAt: Place): PlacedValue => ({
  value: text.trim(),
  at: new Place({ name, includedAt }),
})
