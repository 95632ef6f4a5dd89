/** Where the parts of a text that a person wrote stand in it. */
import { type ParsedYaml, parseYaml, YamlError } from './yaml'

interface Places {
  /** The line, from 1, of a field such as `inbound[3].ports`, or of what it is missing from. */
  lineOf(field: string | null): number | undefined
  /** What was typed for a number: `080` for 80. */
  writtenAs(field: string): string | undefined
}

/** Of a text in JSON or YAML; one that is neither has no fields, but the line where that is found out. */
export async function placesIn(text: string): Promise<Places> {
  try {
    const written = await parseYaml(text)
    return {
      lineOf: (field) => (field === null ? undefined : nearestLine(stepsOf(field), written)),
      writtenAs: (field) => written.writtenAs(stepsOf(field)),
    }
  } catch (error) {
    // JSON that is no YAML, such as one with a key twice, has been read; it only has no lines.
    const line = error instanceof YamlError ? error.line : undefined
    return { lineOf: (field) => (field === null ? line : undefined), writtenAs: () => undefined }
  }
}

/** `inbound[3].ports` is `inbound`, `3`, `ports`. */
export const stepsOf = (field: string): readonly string[] => field.match(/[^.[\]]+/g) ?? []

/** What is missing stands nowhere: then the line of what it is missing from. */
function nearestLine(steps: readonly string[], written: ParsedYaml): number | undefined {
  if (steps.length === 0) return undefined
  return written.lineOf(steps) ?? nearestLine(steps.slice(0, -1), written)
}
