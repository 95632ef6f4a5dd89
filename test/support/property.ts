/**
 * Properties of what reads a text: on random inputs it agrees with a second reader, written from the specification and in
 * no way like the first. `npm test` tries each on 2,000 inputs, `npm run test:fuzz` on a million.
 */
import { inspect, isDeepStrictEqual } from 'node:util'
import type { Arbitrary } from 'fast-check'
import { expect, test } from 'vitest'
import fc, { runs } from './fast-check'

export const usualRuns = 2_000

interface Property<T> {
  of: Arbitrary<T>
  /** What ours makes of it, and what it should. */
  ours(input: T): unknown
  expected(input: T): unknown
  /** What tells that an input is refused; undefined unless given. */
  refused?(expected: unknown): boolean
  /** No input is refused, since there is none that could be. */
  total?: true
}

/** Inputs of one kind only would prove little: some are taken, and some are refused. */
const leastShare = 0.02

export function property<T>(rule: string, { of, ours, expected, refused = isNothing, total }: Property<T>): void {
  test(rule, () => {
    let refusals = 0
    let all = 0
    const holds = (input: T) => {
      const [made, wanted] = [ours(input), expected(input)]
      all += 1
      if (refused(wanted)) refusals += 1
      if (made !== wanted && !isDeepStrictEqual(made, wanted))
        throw new Error(`${inspect(made)}, not ${inspect(wanted)}`)
    }
    fc.assert(fc.property(of, holds), { numRuns: runs(usualRuns) })
    const share = refusals / all
    expect(total ? refusals : share > leastShare && share < 1 - leastShare).toBe(total ? 0 : true)
  })
}

/** The same of what answers later, and takes longer: a tenth of the inputs. */
export function laterProperty<T>(
  rule: string,
  { of, ours, expected }: Pick<Property<T>, 'of' | 'ours' | 'expected'>,
): void {
  test(rule, async () => {
    const holds = async (input: T) => {
      const [made, wanted] = [await ours(input), await expected(input)]
      if (!isDeepStrictEqual(made, wanted)) throw new Error(`${inspect(made)}, not ${inspect(wanted)}`)
    }
    await fc.assert(fc.asyncProperty(of, holds), { numRuns: runs(usualRuns) / 10 })
  })
}

const isNothing = (value: unknown) => value === undefined

/** Texts of these pieces. */
export const textOf = (...pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''))

/** A text with up to two changes: a character more, less, or another. */
export const nearly = (text: Arbitrary<string>, ...characters: readonly string[]) =>
  fc
    .tuple(text, fc.array(fc.tuple(fc.nat(40), fc.nat(2), fc.constantFrom('', ...characters)), { maxLength: 2 }))
    .map(([start, changes]) =>
      changes.reduce((made, [at, less, more]) => {
        const place = at % (made.length + 1)
        return made.slice(0, place) + more + made.slice(place + (less === 2 ? 1 : 0))
      }, start),
    )
