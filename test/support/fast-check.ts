/**
 * fast-check with the same inputs in every `npm test`: a test fails because of a change, never by chance. RUNS=100000
 * tries more inputs than `npm test` has time for, and different ones each time; SEED repeats those of a failure, which
 * prints its seed.
 */
import { env } from 'node:process'
import fc from 'fast-check'

if (env.RUNS === undefined || env.SEED !== undefined) fc.configureGlobal({ seed: Number(env.SEED ?? 1) })

export default fc

/** Number of the first surrogate, and of all: no character has such a code point. */
const [firstSurrogate, surrogates] = [0xd800, 0x800]

/**
 * Any character, for texts. With the unit `binary`, fast-check first lists all of them, which takes a second of CPU time
 * and 100 MB.
 */
export const anyCharacter = fc.nat(0x10ffff - surrogates).map(
  (place) => String.fromCodePoint(place < firstSurrogate ? place : place + surrogates),
  (text) => {
    if (typeof text !== 'string' || !/^\P{Cs}$/u.test(text)) throw new Error('not one character')
    const code = text.codePointAt(0) ?? 0
    return code < firstSurrogate ? code : code - surrogates
  },
)

/** Returns two of all cases, which ones depends on `turn`; with RUNS, all of them. */
export function twoOf<T>(all: readonly T[], turn: number): T[] {
  const half = Math.ceil(all.length / 2)
  return env.RUNS === undefined ? [0, half].flatMap((at) => all[(turn + at) % all.length] ?? []) : [...all]
}

/** Returns the number of random inputs for a property. */
export const runs = (defaultRuns: number) => Number(env.RUNS ?? defaultRuns)

/** Time limit of a long property in milliseconds: minutes, or hours with RUNS. */
export const timeout = env.RUNS === undefined ? 600_000 : 10 * 3_600_000
