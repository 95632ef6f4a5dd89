/** Sizes in bytes as people write them: `512MiB`, `1.5GiB`, `2GB`. */

const units: Readonly<Record<string, number>> = {
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
}

/** Parses a size in bytes; undefined for other text, and without a unit. */
export function parseBytes(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,12}(?:\.\d{1,6})?)\s*([kmgt]i?b)$/i.exec(text) ?? []
  const factor = units[unit.toLowerCase()]
  return count === undefined || factor === undefined ? undefined : Math.floor(Number(count) * factor)
}

/** Formats a size in bytes: `1 GiB`, `1.3 GiB`, `48 MiB`. */
export function bytesText(bytes: number): string {
  const [unit, factor] = bytes >= 2 ** 30 ? ['GiB', 2 ** 30] : bytes >= 2 ** 20 ? ['MiB', 2 ** 20] : ['KiB', 2 ** 10]
  return `${Number((bytes / factor).toFixed(1))} ${unit}`
}
