/** Adds notes to a text that a person edits: errors, as comments above their lines. */
import { escapeText } from '../output/escape'

export interface Note {
  /** Counted from 1, in the text without notes; a note without a line is at the top. */
  line?: number | undefined
  text: string
}

/** Begins with `#!`, as lines with `#` are the user's own comments. */
const shown = ({ text }: Note) => escapeText(`#! ${text}`)

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
