/**
 * Properties of parsers: on random inputs, ours agrees with a second one, written from the specification in another
 * way. `npm test` tries each on 2,000 inputs, `npm run test:fuzz` on a million.
 */
import { inspect, isDeepStrictEqual } from 'node:util'
import type { Arbitrary } from 'fast-check'
import { expect, test } from 'vitest'
import fc, { runs } from './fast-check'

export const defaultRuns = 2_000

interface Property<T> {
  of: Arbitrary<T>
  /** The result of our code, and the expected one. */
  ours(input: T): unknown
  expected(input: T): unknown
  /** Reports whether a result rejects the input. By default, undefined does. */
  refused?(expected: unknown): boolean
  /** No input is rejected. */
  total?: true
}

/** Least share of accepted and of rejected inputs: one kind only would prove little. */
const leastShare = 0.02

export function property<T>(rule: string, { of, ours, expected, refused = isNothing, total }: Property<T>): void {
  test(rule, () => {
    let refusals = 0
    let all = 0
    const holds = (input: T) => {
      const [actual, result] = [ours(input), expected(input)]
      all += 1
      if (refused(result)) refusals += 1
      if (actual !== result && !isDeepStrictEqual(actual, result))
        throw new Error(`${inspect(actual)}, not ${inspect(result)}`)
    }
    fc.assert(fc.property(of, holds), { numRuns: runs(defaultRuns) })
    const share = refusals / all
    expect(total ? refusals : share > leastShare && share < 1 - leastShare).toBe(total ? 0 : true)
  })
}

/** Tests an asynchronous function in the same way. It takes longer, so with a tenth of the inputs. */
export function laterProperty<T>(
  rule: string,
  { of, ours, expected }: Pick<Property<T>, 'of' | 'ours' | 'expected'>,
): void {
  test(rule, async () => {
    const holds = async (input: T) => {
      const [actual, result] = [await ours(input), await expected(input)]
      if (!isDeepStrictEqual(actual, result)) throw new Error(`${inspect(actual)}, not ${inspect(result)}`)
    }
    await fc.assert(fc.asyncProperty(of, holds), { numRuns: runs(defaultRuns) / 10 })
  })
}

const isNothing = (value: unknown) => value === undefined

/** Generates texts of these pieces. */
export const textOf = (...pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''))

/** Changes a text up to twice: a character is added, removed or replaced. */
export const nearly = (text: Arbitrary<string>, ...characters: readonly string[]) =>
  fc
    .tuple(text, fc.array(fc.tuple(fc.nat(40), fc.nat(2), fc.constantFrom('', ...characters)), { maxLength: 2 }))
    .map(([start, changes]) =>
      changes.reduce((result, [at, less, more]) => {
        const place = at % (result.length + 1)
        return result.slice(0, place) + more + result.slice(place + (less === 2 ? 1 : 0))
      }, start),
    )
