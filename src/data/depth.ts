/** What is read and printed is walked level by level on the stack, which ends somewhere above this. */
export const deepest = 500

/** Whether a value has objects and arrays nested below more levels than that. */
export function isTooDeep(value: unknown, levels = deepest): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1))
}
