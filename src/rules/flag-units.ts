/** Amounts with a unit, in place of a number whose unit is fixed: `--size 40GiB`, `--latency 3s`. */
import { parseBytes } from './byte-sizes'
import { spanOf } from './durations'

/** Units of flags; help shows them as `<GiB>`. */
const units = {
  // Volumes are sold in GiB, so whoever writes GB means that.
  GiB: { name: 'GiB', read: (text: string) => (parseBytes(withBinaryUnit(text)) ?? Number.NaN) / 2 ** 30 },
  ms: { name: 'milliseconds', read: (text: string) => spanOf(text) ?? Number.NaN },
}

export type Unit = keyof typeof units

export const isUnit = (text: string | undefined): text is Unit => text !== undefined && Object.hasOwn(units, text)

/** Turns `40G`, `40GB` and `40Gi` into `40GiB`. */
const withBinaryUnit = (text: string) => text.replace(/ ?([kmgt])i?b?$/i, '$1iB')

/** Returns 3000 for `3s` in milliseconds; undefined if the text is no whole amount. */
export function amountIn(unit: Unit, text: string): number | undefined {
  const amount = units[unit].read(text)
  return Number.isSafeInteger(amount) ? amount : undefined
}

/** Returns `The unit is milliseconds: --latency 3000` for `--latency 3s`. */
export function unitHint(flag: string, text: string, unit: Unit): string {
  const amount = amountIn(unit, text)
  return `The unit is ${units[unit].name}${amount === undefined ? '' : `: ${flag} ${amount}`}`
}
