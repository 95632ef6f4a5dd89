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

/** Returns `1h` for `1 hour`, `30m` for `30 minutes`: a duration in words, as parseDuration takes it. */
export function shortDuration(text: string): string | undefined {
  const [, count, unit = ''] =
    /^(\d{1,9}) ?(s|m|h|d|w|sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?)$/i.exec(text) ?? []
  return count && `${count}${unit.charAt(0).toLowerCase()}`
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
