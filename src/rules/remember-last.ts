/**
 * Keeps the result for the last key only: many calls about one object follow each other, and the results for all objects
 * would take too much memory.
 */
export function rememberLast<I, T>(keyOf: (input: I) => unknown, make: (input: I) => T): (input: I) => T {
  let last: { key: unknown; result: T } | undefined
  return (input) => {
    const key = keyOf(input)
    if (!last || last.key !== key) last = { key, result: make(input) }
    return last.result
  }
}
