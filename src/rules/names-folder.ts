/** Folders of the names that are cached for completion. */

/** Returns the folder of a context's cached names, encoded so that it cannot be `..` or one of skyctl's own files. */
export function contextFolder(name: string): string {
  return encodeURIComponent(name).replace(/^\./, '%2E')
}

/** Number of characters that the service itself shows of a token (api.md, Tokens). */
export const shownOfToken = 16

/**
 * Returns the folder of the cached names of an account from the environment: `.env-` and a hash of the address and the
 * user (such as the beginning of a token), which must not be readable there. Tab does not wait for node:crypto.
 */
export function environmentFolder(place: string | undefined, user: string | undefined): string | undefined {
  const text = `${place} ${user}`
  if (!place || !user || !/^[ -~]+$/.test(text)) return undefined
  return `.env-${[...text].reduce((sum, char) => (sum * 257 + char.charCodeAt(0)) % 17_592_186_044_399, 0)}`
}
