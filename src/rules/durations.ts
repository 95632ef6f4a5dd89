const seconds = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/**
 * `90s`, `5m`, `1h30m`, `14d`, `500ms`, or a bare number of seconds, in milliseconds; undefined where the text is no
 * duration.
 */
export function parseDuration(text: string): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  if (!/^(\d{1,9}(ms|[smhdw]))+$/.test(text)) return undefined
  let total = 0
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|[smhdw])/g)) {
    total += Number(count) * seconds[unit as keyof typeof seconds] * 1000
  }
  return total
}
