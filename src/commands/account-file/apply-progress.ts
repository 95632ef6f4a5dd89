/** Shows the objects in progress on a terminal, one per line, with their duration and state. */

import { textWidth } from '../../output/width'
import { spanText } from '../../rules/durations'
import { escapeText } from '../../rules/escape'

export interface BoardRow {
  /** Sets the current state of the object. */
  state(text: string | (() => string)): void
  /** Removes the row. */
  end(): void
}

export interface ProgressBoard {
  begin(title: string): BoardRow
  /** Returns lines such as `volume pgdata    12s  creating, until it is active`. */
  lines(): string[]
}

/** Leaves space for the state on a narrow terminal. */
const widestTitle = 24

export function openProgressBoard(now: () => number): ProgressBoard {
  const rows = new Set<{ title: string; begun: number; state: () => string }>()
  return {
    begin(title) {
      const row = { title: escapeText(title), begun: now(), state: () => '' }
      rows.add(row)
      return {
        state(text) {
          row.state = typeof text === 'string' ? () => text : text
        },
        end: () => rows.delete(row),
      }
    },
    lines() {
      const width = Math.min(widestTitle, Math.max(...[...rows].map(({ title }) => textWidth(title))))
      return [...rows].map(({ title, begun, state }) => {
        const blanks = ' '.repeat(Math.max(0, width - textWidth(title)))
        return `${title}${blanks}  ${spanText(now() - begun).padStart(6)}  ${escapeText(state())}`
      })
    },
  }
}
