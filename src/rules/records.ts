/** Reports whether a value is an object and not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value at a path such as `rules.inbound[0].ports`; undefined if it is missing. */
export function valueAt(value: unknown, path: string): unknown {
  return (path.match(/[^.[\]]+/g) ?? []).reduce<unknown>((inner, step) => {
    if (Array.isArray(inner)) return inner[Number(step)]
    return isRecord(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined
  }, value)
}

/** Returns the keys of a table that is written in the source, and so has no others than those of its type. */
export function keysOf<T extends object>(table: T): Extract<keyof T, string>[] {
  return Object.keys(table) as Extract<keyof T, string>[]
}

/** Groups items by key, in order of first appearance. Some supported Node versions lack `Map.groupBy`. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** Reports whether two lists have the same items, in any order. */
export function isSameSet(one: readonly (string | number)[], other: readonly (string | number)[]): boolean {
  const [a, b] = [new Set<string | number>(one), new Set<string | number>(other)]
  return a.size === b.size && [...a].every((value) => b.has(value))
}
