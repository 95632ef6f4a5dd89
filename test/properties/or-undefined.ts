/** Result of a parser, or undefined if it throws. */
export function orUndefined<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch {
    return undefined
  }
}
