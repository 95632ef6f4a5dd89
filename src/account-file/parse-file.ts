/** Parses the text of a file to a value with its places. */
import { type RepeatedKey, repeatedKeyText } from '../data/repeated-keys'
import { type ParsedYaml, YamlError } from '../data/yaml'
import { yamlParserByEntries } from '../data/yaml-pieces'
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

/**
 * Parses a file; `includedAt` is the place that includes it in another one. In JSON, lines are found only if needed and if
 * it is valid YAML, too. Throws `too_large`.
 */
export async function parseFile({ name, text }: NamedText, includedAt?: Place): Promise<ParsedFile> {
  const parse = await yamlParserByEntries(limits)
  let input: TypedText | undefined
  const typedText = () => {
    input ??= typedTextOf(parse, text)
    return input
  }
  const file = {
    name,
    includedAt,
    lineOf: (path: readonly string[]) => typedText().lineOf(path),
    writtenAs: (path: readonly string[]) => typedText().writtenAs(path),
  }
  const faults: Fault[] = []
  const fail = (line: number, reason: string) => faults.push({ at: new Place(file, [], { line }), reason })
  const readYaml = () => {
    try {
      // Without the value, which is checked and copied.
      const { value, repeated, ...others } = parse(text)
      input = others
      return { value, repeated }
    } catch (error) {
      if (!(error instanceof YamlError)) throw error
      fail(error.line ?? 1, `neither JSON nor YAML: ${error.message}`)
      return nothing
    }
  }
  const onRepeated = (repeated: readonly RepeatedKey[]) => {
    for (const one of repeated) fail(one.line, repeatedKeyText(one))
  }
  const value = await parseData(text, name, { readYaml, onRepeated, most: mostMemory })
  return { value, at: new Place(file), faults }
}

type Contents = Pick<ParsedYaml, 'value' | 'repeated'>
/** Lines and numbers as a person typed them. */
type TypedText = Omit<ParsedYaml, keyof Contents>

const nothing: Contents = { value: undefined, repeated: [] }

/** Returns the value of a file that is a single text. */
export const textFile = ({ name, text }: NamedText, includedAt: Place): PlacedValue => ({
  value: text.trim(),
  at: new Place({ name, includedAt }),
})

/** Returns no lines for JSON that is no valid YAML or too large for its parser: then only the file is known. */
function typedTextOf(parse: (text: string) => ParsedYaml, text: string): TypedText {
  try {
    // Without the value.
    const { lineOf, writtenAs } = parse(text)
    return { lineOf, writtenAs }
  } catch {
    return { lineOf: () => undefined, writtenAs: () => undefined }
  }
}
