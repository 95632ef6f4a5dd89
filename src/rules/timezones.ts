/** Whether a text is a name of the IANA time zone database, such as `Europe/Berlin`; an offset such as `+01:00` is none. */
export function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
