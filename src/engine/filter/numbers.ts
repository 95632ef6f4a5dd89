/** Numbers and sizes, exact whatever their length: as fractions of integers. */

interface Fraction {
  numerator: bigint
  /** Positive. */
  denominator: bigint
}

const powers = ['K', 'M', 'G', 'T', 'P']
/** Bytes. */
const units = new Map<string, bigint>([
  ['B', 1n],
  ...powers.map((power, index) => [`${power}B`, 1000n ** BigInt(index + 1)] as const),
  ...powers.map((power, index) => [`${power}IB`, 1024n ** BigInt(index + 1)] as const),
])
const gibibyte = 1024n ** 3n

/** `40`, `-1.5`; undefined where the text is no number. */
export function parseNumber(text: string): Fraction | undefined {
  const match = /^(-?)(\d{1,40})(?:\.(\d{1,20}))?$/.exec(text)
  if (!match) return undefined
  const [, sign, whole, decimals = ''] = match
  const numerator = BigInt(`${whole}${decimals}`)
  return { numerator: sign ? -numerator : numerator, denominator: 10n ** BigInt(decimals.length) }
}

/** The same without decimals. */
export function parseInteger(text: string): Fraction | undefined {
  return text.includes('.') ? undefined : parseNumber(text)
}

/** `40`, `40GiB`, `1.5TiB` and `100GB`, which is a thousand millions of bytes, in GiB. */
export function parseSize(text: string): Fraction | undefined {
  const match = /^([\d.]+)\s*([a-z]+)?$/i.exec(text)
  if (!match) return undefined
  const [, count = '', unit = 'GiB'] = match
  const number = parseNumber(count)
  const bytes = units.get(unit.toUpperCase())
  if (!number || !bytes) return undefined
  return { numerator: number.numerator * bytes, denominator: number.denominator * gibibyte }
}

/** A number of a record; digits in a text count as well. */
export function numberOf(value: unknown): Fraction | undefined {
  if (typeof value === 'bigint') return { numerator: value, denominator: 1n }
  if (typeof value === 'string') return parseNumber(value)
  return Number.isFinite(value) ? binaryFraction(Number(value)) : undefined
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compareNumbers(a: Fraction, b: Fraction): number {
  const [x, y] = [a.numerator * b.denominator, b.numerator * a.denominator]
  return x < y ? -1 : Number(x > y)
}

/** The JSON number that is equal to it; undefined where none is for sure. */
export function jsonNumber({ numerator, denominator }: Fraction): number | undefined {
  if (numerator % denominator !== 0n) return undefined
  const number = Number(numerator / denominator)
  return Number.isSafeInteger(number) ? number : undefined
}

/** A floating-point number is a whole one divided by a power of two. */
function binaryFraction(value: number): Fraction {
  let [numerator, denominator] = [value, 1n]
  while (!Number.isInteger(numerator)) {
    numerator *= 2
    denominator *= 2n
  }
  return { numerator: BigInt(numerator), denominator }
}
