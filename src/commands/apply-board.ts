/** What a terminal shows of the objects that are in work: a line each, with how long that takes and what it waits for. */

import { safe } from '../output/safe'
import { textWidth } from '../output/width'
import { spanText } from '../rules/durations'

export interface BoardRow {
  /** What is done with the object now. */
  state(text: string | (() => string)): void
  /** It is in work no longer. */
  end(): void
}

export interface Board {
  begin(title: string): BoardRow
  /** `volume pgdata    12s  creating, until it is active`. */
  lines(): string[]
}

/** A narrow terminal shall have room for the state as well. */
const widestTitle = 24

export function openBoard(now: () => number): Board {
  const rows = new Set<{ title: string; begun: number; state: () => string }>()
  return {
    begin(title) {
      const row = { title: safe(title), begun: now(), state: () => '' }
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
        return `${title}${blanks}  ${spanText(now() - begun).padStart(6)}  ${safe(state())}`
      })
    },
  }
}
