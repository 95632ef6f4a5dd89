/** Shows the objects in progress on a terminal, one per line, with their duration and state. */

import { textWidth } from '../../output/width'
import { spanText } from '../../rules/durations'
import { escapeText } from '../../rules/escape'

export interface BoardRow {
  /** Sets what is done with the object. */
  does(text: string): void
  /** Sets what is waited for. */
  waits(text: () => string): void
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

/** With more rows, those that only wait are hidden: the counter has their number. */
const mostRows = 8

export function openProgressBoard(now: () => number): ProgressBoard {
  const rows = new Set<{ title: string; begun: number; isWaiting: boolean; state: () => string }>()
  return {
    begin(title) {
      const row = { title: escapeText(title), begun: now(), isWaiting: false, state: () => '' }
      rows.add(row)
      return {
        does: (text) => Object.assign(row, { isWaiting: false, state: () => text }),
        waits: (state) => Object.assign(row, { isWaiting: true, state }),
        end: () => rows.delete(row),
      }
    },
    lines() {
      const shown = [...rows].filter(({ isWaiting }) => !isWaiting || rows.size <= mostRows)
      const width = Math.min(widestTitle, Math.max(...shown.map(({ title }) => textWidth(title))))
      return shown.map(({ title, begun, state }) => {
        const blanks = ' '.repeat(Math.max(0, width - textWidth(title)))
        return `${title}${blanks}  ${spanText(now() - begun).padStart(6)}  ${escapeText(state())}`
      })
    },
  }
}
