/** Validates short texts of the profile area. Each check returns the reason, or undefined if the text is valid. */

/** One @ between two parts without spaces; the service validates the rest. */
export const emailAddress = /^[^\s@]+@[^\s@]+$/

export function emailFault(text: string): string | undefined {
  return emailAddress.test(text) ? undefined : 'Must be an email address'
}

/** Accepts digits and common separators, optionally after a +. */
export function phoneNumberFault(text: string): string | undefined {
  return /^\+?\(?\d[\d ().\-/]*$/.test(text)
    ? undefined
    : 'Must be a phone number: digits, with or without a + before them'
}

export function codeFault(text: string): string | undefined {
  return /^\d+$/.test(text) ? undefined : 'Must be digits only'
}

/** Names of ICU that no IANA list has. Some surprise: `BST` is Dhaka, not London, and `ACT` is Darwin. */
const namesOfIcu =
  /^(?:A[CER]T|AGT|[ABCJNPSV]ST|BET|CAT|C[NT]T|EAT|ECT|I[ES]T|MIT|NET|P[LNR]T|SystemV\/.*|Canada\/East-Saskatchewan|US\/Pacific-New)$/i

/** Parts of IANA names begin with a capital. */
const capitals = /^[A-Z][^/]*(?:\/[A-Z][^/]*)*$/

/**
 * Reports whether a text is an IANA time zone name such as `Europe/Berlin`; false for offsets such as `+01:00`. Node
 * ignores case, but systems find zones by the names of files: for them, `europe/berlin` is UTC.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name) || namesOfIcu.test(name)) return false
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions()
    // For the alias of a zone, Node returns the zone.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone === name : capitals.test(name)
  } catch {
    return false
  }
}
