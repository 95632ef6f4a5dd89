/** Returns the result; undefined if the function throws, for what a caller can do without. */
export function tryOrUndefined<T>(act: () => T): T | undefined {
  let result: T | undefined
  try {
    result = act()
  } catch {
    // The caller continues without it.
  }
  return result
}
