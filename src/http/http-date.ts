/** Dates in headers, in the three forms that a recipient must accept (RFC 9110, 5.6.7). */

const day = '(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat)'
const wholeDay = '(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day'
const time = '(?<time>\\d{2}:\\d{2}:\\d{2})'
const month = '(?<month>[A-Z][a-z]{2})'

const forms = [
  `${day}, (?<date>\\d{2}) ${month} (?<year>\\d{4}) ${time} GMT`,
  // The obsolete form of RFC 850, and that of asctime in C.
  `${wholeDay}, (?<date>\\d{2})-${month}-(?<year>\\d{2}) ${time} GMT`,
  `${day} ${month} (?<date>[ \\d]\\d) ${time} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`))

/** Returns milliseconds since the epoch; undefined for other text. `now` decides the century of a short year. */
export function parseHttpDate(text: string, now: number): number | undefined {
  // Nearly all dates have the first form, and each expression is compiled when it is first used.
  const groups = forms.find((form) => form.test(text))?.exec(text)?.groups
  if (!groups) return undefined
  const { date = '', year = '' } = groups
  const fourDigits = year.length === 2 ? wholeYear(Number(year), now) : year
  const usual = `${date.replace(' ', '0')} ${groups.month} ${fourDigits} ${groups.time} GMT`
  const milliseconds = Date.parse(usual)
  // Date.parse reads February 31 as March 3, and a time with second 60 as midnight.
  return new Date(milliseconds).toUTCString().slice(5) === usual ? milliseconds : undefined
}

/** Returns the year that is at most 50 years ahead, as RFC 9110 requires, and less than 50 years ago. */
function wholeYear(short: number, now: number): number {
  const present = new Date(now).getUTCFullYear()
  const sameCentury = present - (present % 100) + short
  if (sameCentury > present + 50) return sameCentury - 100
  return sameCentury > present - 50 ? sameCentury : sameCentury + 100
}
