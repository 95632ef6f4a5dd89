/** Notes in a text that a person edits: what is wrong, as a comment above the line that it is about. */
import { safe } from '../output/safe'

export interface Note {
  /** From 1, in the text without notes; a note without one stands at the head. */
  line?: number | undefined
  text: string
}

/** Not a `#` alone: what the person has commented out is their own. */
const shown = ({ text }: Note) => safe(`#! ${text}`)

export function withNotes(text: string, notes: readonly Note[]): string {
  const lines = text.split('\n')
  const noted = lines.flatMap((line, index) => {
    const indent = line.slice(0, line.search(/[^ ]|$/))
    const above = notes.filter(({ line: at = 1 }) => at === index + 1)
    return [...above.map((note) => indent + shown(note)), line]
  })
  const below = notes.filter(({ line = 1 }) => line > lines.length)
  return [...noted, ...below.map(shown)].join('\n')
}

export function withoutNotes(text: string, notes: readonly Note[]): string {
  const ours = new Set(notes.map((note) => shown(note).trim()))
  return text
    .split('\n')
    .filter((line) => !ours.has(line.trim()))
    .join('\n')
}
