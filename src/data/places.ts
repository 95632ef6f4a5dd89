/** Where the parts of a text that a person wrote stand in it. */
import { type ParsedYaml, parseYaml, YamlError } from './yaml'

interface Places {
  /** The line, from 1, of a field such as `inbound[3].ports`, or of what it is missing from. */
  lineOf(field: string | null): number | undefined
  /** What was typed for a number: `080` for 80. */
  writtenAs(field: string): string | undefined
}

/** Of a text in JSON or YAML; one that is neither has the line where that is found out, whatever the field. */
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

type Steps = readonly (string | number)[]

/** `inbound[3].ports` is `inbound`, 3, `ports`. */
function stepsOf(field: string): Steps {
  return [...field.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([text, index]) => (index === undefined ? text : Number(index)))
}

/** What is missing stands nowhere: then the line of what it is missing from. */
function nearestLine(steps: Steps, written: ParsedYaml): number | undefined {
  if (steps.length === 0) return undefined
  return written.lineOf(steps) ?? nearestLine(steps.slice(0, -1), written)
}
