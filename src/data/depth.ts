/** Maximum nesting of values. Reading and printing are recursive, and the stack overflows at some higher level. */
export const deepest = 500

/** Reports whether objects and arrays are nested deeper than `levels`. */
export function isTooDeep<T>(value: T, levels = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((inner) => isTooDeep(inner, levels - 1))
  // Avoids lists of keys, because this runs on every answer.
  for (const key in value) {
    const inner = value[key]
    if (typeof inner === 'object' && isTooDeep(inner, levels - 1)) return true
  }
  return false
}
