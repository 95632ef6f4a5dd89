/** Converts ranges of addresses of one family to networks. */
import { bitsOf, type Family } from './address-syntax'
import { formatAddress } from './addresses'

/** Address range; both ends are included. */
export interface AddressRange {
  first: bigint
  last: bigint
}

/** Merges adjacent ranges. The ranges must be sorted and disjoint. */
export function joined(ranges: readonly AddressRange[]): AddressRange[] {
  const whole: AddressRange[] = []
  for (const { first, last } of ranges) {
    const before = whole.at(-1)
    if (before && first === before.last + 1n) before.last = last
    else whole.push({ first, last })
  }
  return whole
}

export interface Networks {
  networks: string[]
  except: string[]
}

/**
 * Converts sorted, disjoint ranges to the fewest networks that cover exactly these addresses. If shorter, the result is
 * the one network around all ranges with its exceptions: `0.0.0.0/0` but `10.0.0.0/8`.
 */
export function networksOf(family: Family, ranges: readonly AddressRange[]): Networks {
  const around = networkAround(family, ranges)
  const exact = ranges.flatMap((range) => split(range))
  if (!around) return { networks: [], except: [] }
  // Writing every gap as networks would take a fifth of the time of a comparison of two large rule sets.
  const between = gapsIn(around, ranges)
  const gaps = between.length + 1 < exact.length ? between.flatMap((range) => split(range)) : between
  const shorter = gaps.length + 1 < exact.length
  const written = (list: readonly AddressRange[]) => list.map((range) => format(family, range))
  return { networks: written(shorter ? [around] : exact), except: written(shorter ? gaps : []) }
}

const format = (family: Family, { first, last }: AddressRange) =>
  `${formatAddress(family, first)}/${bitsOf[family] - bitLength(last - first)}`

/** Returns the number of bits of a number: 0 for 0, 8 for 255. */
const bitLength = (value: bigint) => (value === 0n ? 0 : value.toString(2).length)

function networkAround(family: Family, ranges: readonly AddressRange[]): AddressRange | undefined {
  const [first, last] = [ranges[0]?.first, ranges.at(-1)?.last]
  if (first === undefined || last === undefined) return undefined
  const rest = BigInt(Math.min(bitLength(first ^ last), bitsOf[family]))
  const start = (first >> rest) << rest
  return { first: start, last: start + (1n << rest) - 1n }
}

function gapsIn(around: AddressRange, ranges: readonly AddressRange[]): AddressRange[] {
  const gaps: AddressRange[] = []
  let next = around.first
  for (const { first, last } of ranges) {
    if (first > next) gaps.push({ first: next, last: first - 1n })
    next = last + 1n
  }
  if (next <= around.last) gaps.push({ first: next, last: around.last })
  return gaps
}

/** Splits a range into the fewest ranges that are networks: each begins at a multiple of its size. */
function split({ first, last }: AddressRange): AddressRange[] {
  const parts: AddressRange[] = []
  for (let next = first; next <= last; ) {
    const most = 1n << BigInt(bitLength(last - next + 1n) - 1)
    const aligned = next & -next
    const size = aligned === 0n || aligned > most ? most : aligned
    parts.push({ first: next, last: next + size - 1n })
    next += size
  }
  return parts
}
