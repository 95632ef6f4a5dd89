/** Limits YAML texts before they are parsed. */

import { deepest, LimitExceeded, nestedTooDeep } from './memory-limits'

// The package needs 1 KiB per value, and quadratic time for anchors, tags and aliases (measured).
export const usualValues = 30_000
const perMark = 30

/** Characters that start a value, mark the next one, or end a line. */
const signs = /[[\]{},&*!%\n]|[-:?](?=\s)/g

/** Throws LimitExceeded by size and nesting. Brackets count as levels even inside texts. */
export function expectBounded(text: string, mostValues: number): void {
  let values = 0
  let level = 0
  for (const [sign] of text.matchAll(signs)) {
    if (sign === '[' || sign === '{') level += 1
    else if (sign === ']' || sign === '}') level = Math.max(0, level - 1)
    values += sign === '&' || sign === '!' || sign === '*' ? perMark : 1
    if (level > deepest) throw nestedTooDeep()
    if (values > mostValues) throw new LimitExceeded(`it holds over ${mostValues} lines and values`)
  }
  expectFlat(text)
}

/** Start of a line: spaces, signs that each open a level, and the start of the key or value. */
const beginnings = /^ *(?:[-?:][ \t]+)*\S/gm

/** Limits block nesting. If the stack overflows while a regular expression compiles, V8 aborts the process. */
function expectFlat(text: string): void {
  const columns: number[] = []
  for (const [beginning] of text.matchAll(beginnings)) {
    for (const { 0: sign, index } of beginning.matchAll(/\S/g)) {
      // A sequence may start in the same column as its key.
      const column = sign === '-' ? index + 0.5 : index
      while (columns.length > 0 && (columns.at(-1) ?? 0) >= column) columns.pop()
      columns.push(column)
    }
    // The last column is the value itself.
    if (columns.length > deepest + 1) throw nestedTooDeep()
  }
}
