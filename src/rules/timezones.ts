/** Reports whether a text is an IANA time zone name such as `Europe/Berlin`; false for offsets such as `+01:00`. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
