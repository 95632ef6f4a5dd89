const milliseconds: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Parses `90s`, `5m`, `1h30m`, `14d`, `500ms` or `0` to milliseconds; undefined if the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0
  if (!/^(\d{1,9}(ms|[smhdw]))+$/.test(text)) return undefined
  let total = 0
  for (const [, count, unit = ''] of text.matchAll(/(\d+)(ms|[smhdw])/g)) {
    total += Number(count) * (milliseconds[unit] ?? 0)
  }
  return total
}

/** Units that people write, which parseDuration does not take. */
const longSpans: Readonly<Record<string, number>> = { month: 2_592_000_000, year: 31_536_000_000 }

/** Returns the milliseconds of `3s`, `1.5 hours` or `2 months`, as people write durations; undefined for other text. */
export function spanOf(text: string): number | undefined {
  const units = 'ms|[smhdw]|sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?|months?|years?'
  const [, count, unit = ''] = new RegExp(`^(\\d{1,9}(?:\\.\\d{1,3})?) ?(${units})$`, 'i').exec(text) ?? []
  const name = unit.toLowerCase()
  const factor = milliseconds[name] ?? longSpans[name.replace(/s$/, '')] ?? milliseconds[name.charAt(0)] ?? 0
  return count === undefined ? undefined : Math.round(Number(count) * factor)
}

/** Returns `1h` for `1 hour`, `90m` for `1.5 hours`: a duration in words, as parseDuration takes it. */
export function shortDuration(text: string): string | undefined {
  const span = spanOf(text)
  const unit = ['d', 'h', 'm', 's', 'ms'].find((one) => span !== undefined && span % (milliseconds[one] ?? 1) === 0)
  return span === undefined || unit === undefined ? undefined : `${span / (milliseconds[unit] ?? 1)}${unit}`
}

/** Suggests units for a number without one: 30 may mean seconds, minutes or days. */
export function unitHint(text: string): string | undefined {
  return /^\d{1,9}$/.test(text) ? `${text}s, ${text}m, ${text}h or ${text}d` : undefined
}

/** Formats a duration for people: `12s`, `2m 5s`, `1h 3m`. */
export function spanText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1) return `${seconds}s`
  return minutes < 60 ? `${minutes}m ${seconds % 60}s` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

/** Formats a limit, which begins as a whole number of seconds or minutes: `5m`, `90s`. */
export const limitText = (milliseconds: number) =>
  spanText(Math.ceil(milliseconds / 1000) * 1000).replace(/ 0[sm]$/, '')

/**
 * Estimates the remaining time from the progress so far: `, about 40s left`. Empty in the first 5 seconds and while
 * fewer than `least` items are done, because an estimate would be unreliable.
 */
export function leftText(
  passed: number,
  { done, total, least }: { done: number; total: number; least: number },
): string {
  const isReliable = passed >= 5000 && done >= least && done < total
  return isReliable ? `, about ${spanText((passed / done) * (total - done))} left` : ''
}
