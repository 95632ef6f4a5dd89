/** Positions of fields in a text written by a person. */
import { type ParsedYaml, parseYaml, YamlError } from './yaml'

interface Places {
  /** Returns the line, counted from 1, of a field such as `inbound[3].ports`, or of the parent of a missing field. */
  lineOf(field: string | null): number | undefined
  /** Returns a number as it was typed: `080` for 80. */
  writtenAs(field: string): string | undefined
}

/** Finds positions in a JSON or YAML text. For an invalid text, only the line of its error is known. */
export async function sourcePositions(text: string): Promise<Places> {
  try {
    const written = await parseYaml(text)
    return {
      lineOf: (field) => (field === null ? undefined : nearestLine(stepsOf(field), written)),
      writtenAs: (field) => written.writtenAs(stepsOf(field)),
    }
  } catch (error) {
    // Valid JSON that is invalid YAML, for example with a duplicate key: no lines are known.
    const line = error instanceof YamlError ? error.line : undefined
    return { lineOf: (field) => (field === null ? line : undefined), writtenAs: () => undefined }
  }
}

/** Splits a field path: `inbound[3].ports` becomes `inbound`, `3`, `ports`. */
export const stepsOf = (field: string): readonly string[] => field.match(/[^.[\]]+/g) ?? []

/** Returns a field's line, or for a missing field the line of its nearest parent. */
function nearestLine(steps: readonly string[], written: ParsedYaml): number | undefined {
  if (steps.length === 0) return undefined
  return written.lineOf(steps) ?? nearestLine(steps.slice(0, -1), written)
}
