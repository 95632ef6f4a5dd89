/** Parses numbers and sizes, as doubles. */

const powers = ['K', 'M', 'G', 'T', 'P']
/** Units in bytes. */
const units = new Map([
  ['B', 1],
  ...powers.map((power, index) => [`${power}B`, 1000 ** (index + 1)] as const),
  ...powers.map((power, index) => [`${power}IB`, 1024 ** (index + 1)] as const),
])
const gibibyte = 1024 ** 3

/** Parses `40` or `-1.5`; undefined for other text. */
export function parseNumber(text: string): number | undefined {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** Parses a number without decimals; undefined for other text. */
export function parseInteger(text: string): number | undefined {
  return text.includes('.') ? undefined : parseNumber(text)
}

/** Parses `40`, `40GiB`, `1.5TiB` or `100GB` (10^11 bytes) in GiB; undefined for other text. */
export function parseSize(text: string): number | undefined {
  const match = /^([\d.]+)\s*([a-z]+)?$/i.exec(text)
  if (!match) return undefined
  const [, count = '', unit = 'GiB'] = match
  const number = parseNumber(count)
  const bytes = units.get(unit.toUpperCase())
  return number === undefined || bytes === undefined ? undefined : (number * bytes) / gibibyte
}

/** Returns a record's number, also from digits in a string. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'string') return parseNumber(value)
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}
