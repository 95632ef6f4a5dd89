/**
 * Counts the characters (code points) of a value as JSON without spaces. It supports integers beyond 2^53 as bigint,
 * and nesting too deep for JSON.stringify.
 */
export function jsonLength(value: unknown): number {
  let length = 0
  const left = [value]
  while (left.length > 0) {
    const item = left.pop()
    if (typeof item !== 'object' || item === null) {
      length += typeof item === 'bigint' ? String(item).length : characters(JSON.stringify(item))
      continue
    }
    const members = Object.values(item)
    length += 2 + Math.max(0, members.length - 1)
    if (!Array.isArray(item)) for (const key of Object.keys(item)) length += characters(JSON.stringify(key)) + 1
    for (const member of members) left.push(member)
  }
  return length
}

function characters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
