import { joinNames } from './texts'

/** Lists up to `limit` known names that resemble a mistyped one, best match first; empty if none is close. */
export function nearest(input: string, candidates: Iterable<string>, limit = 3): string[] {
  const target = input.toLowerCase().slice(0, 100)
  // A third of the letters may be wrong, as git and commander allow in practice.
  const allowed = Math.max(1, Math.floor(target.length / 3))
  const ranked: { name: string; distance: number }[] = []
  for (const name of new Set(candidates)) {
    const candidate = name.toLowerCase()
    if (candidate.length - target.length > allowed && !candidate.startsWith(target)) continue
    const distance = target.length > 2 && candidate.startsWith(target) ? 0.5 : editDistance(target, candidate)
    if (distance <= allowed) ranked.push({ name, distance })
  }
  ranked.sort((a, b) => a.distance - b.distance)
  return ranked.slice(0, limit).map(({ name }) => name)
}

/** Suggests names: `Did you mean "a" or "b"?`; undefined if none is close. */
export function didYouMean(input: string, candidates: Iterable<string>): string | undefined {
  const names = nearest(input, candidates)
  return names.length === 0 ? undefined : `Did you mean ${orList(names)}?`
}

/** Returns a hint for a label that no object has: one that is close, or where a word of another tool belongs. */
export function labelHint(label: string, labels: Iterable<string>): string | undefined {
  const near = didYouMean(label, labels)
  if (near) return near
  // `openings list` and `view data-1 --json id,label`.
  if (/^(list|ls|show|get|set|add)$/.test(label)) return `Leave out "${label}": it was taken for a label`
  return /^\w+(,\w+)+$/.test(label) ? 'Separate labels with blanks. To choose fields: --columns' : undefined
}

/** Joins quoted names: `"a", "b" or "c"`. */
export const orList = (names: readonly string[]) =>
  joinNames(
    names.map((name) => `"${name}"`),
    'or',
  )

/** Computes the optimal string alignment distance: insertions, deletions, substitutions and adjacent swaps. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  let before = above
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1]
      let best = Math.min(at(above, column) + 1, at(current, column - 1) + 1, at(above, column - 1) + (same ? 0 : 1))
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) best = Math.min(best, at(before, column - 2) + 1)
      current.push(best)
    }
    before = above
    above = current
  }
  return at(above, b.length)
}

function at(row: number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
