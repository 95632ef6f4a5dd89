/** Parses an id (api.md): a positive integer up to 2^53-1 without sign, leading zero or exponent. */
export function parseId(text: string): number | undefined {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return undefined
  const id = Number(text)
  return Number.isSafeInteger(id) ? id : undefined
}

/** Reports whether a text is a region id such as `us-east`. Strict, because the id becomes a path segment. */
export function isRegionId(text: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*$/i.test(text) && text.length <= 64
}
