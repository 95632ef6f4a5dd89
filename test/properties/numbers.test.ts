/** Sizes, decimals and pages (api.md, Limits; gaps.md, Paging). */

import { parseNumber, parseSize } from '../../src/engine/filter/kinds'
import { pageRequest } from '../../src/sandbox/pages'
import fc from '../support/fast-check'
import { nearly, property } from '../support/property'
import { orUndefined } from './or-undefined'

/** Integer of a text of ASCII digits. */
function whole(text: string): bigint | undefined {
  if (text === '' || [...text].some((char) => !'0123456789'.includes(char))) return undefined
  return [...text].reduce((sum, digit) => sum * 10n + BigInt('0123456789'.indexOf(digit)), 0n)
}

property('a page number is at least 1, and a page has 25 to 500 records, by default 100', {
  of: fc.record({
    page: fc.oneof(fc.constant(undefined), nearly(fc.nat(3).map(String), '0', '-', 'x')),
    size: fc.oneof(fc.constant(undefined), nearly(fc.integer({ min: 20, max: 510 }).map(String), '0', ' ', '.')),
  }),
  ours: ({ page, size }) =>
    orUndefined(() => {
      const query = new URLSearchParams({
        ...(page !== undefined && { page }),
        ...(size !== undefined && { page_size: size }),
      })
      const { filter: _, ...request } = pageRequest(query, undefined)
      return request
    }),
  expected({ page = '1', size = '100' }) {
    const [number, records] = [whole(page), whole(size)]
    if (number === undefined || number < 1n || records === undefined) return undefined
    return records >= 25n && records <= 500n ? { page: Number(number), size: Number(records) } : undefined
  },
})

const factors: Readonly<Record<string, bigint>> = {
  '': 1_073_741_824n,
  b: 1n,
  kb: 1000n,
  KiB: 1024n,
  MB: 1_000_000n,
  mib: 1_048_576n,
  GB: 1_000_000_000n,
  GiB: 1_073_741_824n,
  TB: 1_000_000_000_000n,
  TiB: 1_099_511_627_776n,
  PB: 1_000_000_000_000_000n,
  PiB: 1_125_899_906_842_624n,
}
const decimals = fc.oneof(fc.constant(''), fc.integer({ min: 0, max: 999 }).map(String))
const size = fc.record({
  whole: fc.nat(5000),
  decimals,
  blank: fc.constantFrom('', ' '),
  unit: fc.constantFrom(...Object.keys(factors)),
})

property('a size is compared with GiB by its bytes', {
  of: fc.tuple(size, fc.nat(6000)),
  ours([{ whole, decimals, blank, unit }, gib]) {
    const read = parseSize(`${whole}${decimals && `.${decimals}`}${blank}${unit}`)
    return read === undefined ? undefined : Math.sign(gib - read)
  },
  expected([{ whole, decimals, unit }, gib]) {
    const scale = 10n ** BigInt(decimals.length)
    const bytes = BigInt(`${whole}${decimals}`) * (factors[unit] ?? 0n)
    const other = BigInt(gib) * 1_073_741_824n * scale
    return other < bytes ? -1 : Number(other > bytes)
  },
  total: true,
})

property('a size has one number and a known unit', {
  of: nearly(
    size.map(({ whole, decimals, unit }) => `${whole}${decimals && `.${decimals}`}${unit}`),
    ...['.', 'i', 'B', 'X', ' ', '-', '0'],
  ),
  ours: (text) => parseSize(text) !== undefined || undefined,
  expected(text) {
    const end = [...text].findIndex((char) => !'0123456789.'.includes(char))
    const [number, rest] = end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end)]
    const parts = number.split('.')
    const isNumber = parts.length <= 2 && parts.every((part) => whole(part) !== undefined)
    const unit = rest.trimStart().toUpperCase()
    const isUnit = Object.keys(factors).some((name) => name.toUpperCase() === unit)
    return (isNumber && isUnit) || undefined
  },
})

const decimal = fc.record({ value: fc.integer({ min: -1e9, max: 1e9 }), places: fc.nat(6) })

property('a decimal in a test is the same number as in JSON', {
  of: decimal,
  ours: ({ value, places }) => parseNumber((value / 10 ** places).toFixed(places)),
  expected: ({ value, places }) => JSON.parse((value / 10 ** places).toFixed(places)) as number,
  total: true,
})
