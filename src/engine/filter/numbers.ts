/** Parses and compares numbers and sizes of any length exactly, as fractions of integers. */

interface Fraction {
  numerator: bigint
  /** Always positive. */
  denominator: bigint
}

const powers = ['K', 'M', 'G', 'T', 'P']
/** Units in bytes. */
const units = new Map<string, bigint>([
  ['B', 1n],
  ...powers.map((power, index) => [`${power}B`, 1000n ** BigInt(index + 1)] as const),
  ...powers.map((power, index) => [`${power}IB`, 1024n ** BigInt(index + 1)] as const),
])
const gibibyte = 1024n ** 3n

/** Parses `40` or `-1.5`; undefined for other text. */
export function parseNumber(text: string): Fraction | undefined {
  const match = /^(-?)(\d{1,40})(?:\.(\d{1,20}))?$/.exec(text)
  if (!match) return undefined
  const [, sign, whole, decimals = ''] = match
  const numerator = BigInt(`${whole}${decimals}`)
  return { numerator: sign ? -numerator : numerator, denominator: 10n ** BigInt(decimals.length) }
}

/** Parses a number without decimals; undefined for other text. */
export function parseInteger(text: string): Fraction | undefined {
  return text.includes('.') ? undefined : parseNumber(text)
}

/** Parses `40`, `40GiB`, `1.5TiB` or `100GB` (10^11 bytes) in GiB; undefined for other text. */
export function parseSize(text: string): Fraction | undefined {
  const match = /^([\d.]+)\s*([a-z]+)?$/i.exec(text)
  if (!match) return undefined
  const [, count = '', unit = 'GiB'] = match
  const number = parseNumber(count)
  const bytes = units.get(unit.toUpperCase())
  if (!number || !bytes) return undefined
  return { numerator: number.numerator * bytes, denominator: number.denominator * gibibyte }
}

/** Returns a record's number, also from digits in a string. */
export function numberOf(value: unknown): Fraction | undefined {
  if (typeof value === 'bigint') return { numerator: value, denominator: 1n }
  if (typeof value === 'string') return parseNumber(value)
  return Number.isFinite(value) ? binaryFraction(Number(value)) : undefined
}

/** Compares two numbers: negative, zero or positive if `a` is less than, equal to or greater than `b`. */
export function compareNumbers(a: Fraction, b: Fraction): number {
  const [x, y] = [a.numerator * b.denominator, b.numerator * a.denominator]
  return x < y ? -1 : Number(x > y)
}

/** Returns the equal JSON number; undefined if there is no exact one. */
export function jsonNumber({ numerator, denominator }: Fraction): number | undefined {
  if (numerator % denominator !== 0n) return undefined
  const number = Number(numerator / denominator)
  return Number.isSafeInteger(number) ? number : undefined
}

/** Converts a floating-point number exactly: an integer divided by a power of two. */
function binaryFraction(value: number): Fraction {
  let [numerator, denominator] = [value, 1n]
  while (!Number.isInteger(numerator)) {
    numerator *= 2
    denominator *= 2n
  }
  return { numerator: BigInt(numerator), denominator }
}
