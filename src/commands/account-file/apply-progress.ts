/** Shows the objects in progress on a terminal, one per line, with their duration and state. */

import { textWidth } from '../../output/width'
import { spanText } from '../../rules/durations'
import { escapeText } from '../../rules/escape'

export interface BoardRow {
  does(text: string): void
  waits(text: () => string): void
  end(): void
}

export interface ProgressBoard {
  begin(title: string): BoardRow
  /** Returns lines such as `volume pgdata    12s  creating, until it is active`. */
  lines(): string[]
}

/** Leaves space for the state on a narrow terminal. */
const widestTitle = 24

/** With more rows, only slow work is shown, because most rows would come and go at once. The counter has their number. */
const mostRows = 8
const slowAfterMs = 3000

interface ObjectRow {
  title: string
  /** Time at which the work on the object began, or from which it waits for its turn. */
  begun: number
  hasBegun: boolean
  /** Time since which it does not wait. */
  busySince: number | undefined
  state: () => string
}

export function openProgressBoard(now: () => number): ProgressBoard {
  const rows = new Set<ObjectRow>()
  const isSlow = ({ busySince }: ObjectRow) => busySince !== undefined && now() - busySince >= slowAfterMs
  return {
    begin(title) {
      const initial = { begun: now(), hasBegun: false, busySince: undefined, state: () => '' }
      const row: ObjectRow = { title: escapeText(title), ...initial }
      rows.add(row)
      return {
        does(text) {
          if (!row.hasBegun) row.begun = now()
          row.hasBegun = true
          row.busySince ??= now()
          row.state = () => text
        },
        waits(state) {
          row.busySince = undefined
          row.state = state
        },
        end: () => rows.delete(row),
      }
    },
    lines() {
      const shown = rows.size <= mostRows ? [...rows] : [...rows].filter(isSlow).slice(0, mostRows)
      const width = Math.min(widestTitle, Math.max(...shown.map(({ title }) => textWidth(title))))
      return shown.map(({ title, begun, state }) => {
        const blanks = ' '.repeat(Math.max(0, width - textWidth(title)))
        return `${title}${blanks}  ${spanText(now() - begun).padStart(6)}  ${escapeText(state())}`
      })
    },
  }
}
