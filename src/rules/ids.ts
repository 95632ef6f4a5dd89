/** An id as api.md has them: a positive integer, written without sign, leading zero or exponent, up to 2^53-1. */
export function parseId(text: string): number | undefined {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return undefined
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : undefined
}

/** A region id such as `us-east`: it becomes a segment of a path, so nothing else may stand in it. */
export function isRegionId(text: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*$/i.test(text) && text.length <= 64
}
