/** What is read and printed is walked level by level on the stack, which ends somewhere above this. */
export const deepest = 500

/** Whether a value has objects and arrays nested below more levels than that. */
export function isTooDeep(value: unknown, levels = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((inner) => isTooDeep(inner, levels - 1))
  // Every answer is walked, and no list is made of what a record holds.
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (typeof inner === 'object' && isTooDeep(inner, levels - 1)) return true
  }
  return false
}
