/** Sets of identities: recent integers are in a set, older ones in sorted arrays. */
import { expect, test } from 'vitest'
import { IdSet } from '../../src/http/id-set'
import fc, { runs } from '../support/fast-check'

test('A set of identities has the same items as a JavaScript Set', () => {
  const identity = fc.oneof(
    fc.integer({ min: -20, max: 60 }),
    fc.constantFrom(0, -0, 2 ** 53, '1', '2', 1n, 9007199254740993n),
  )
  const holds = (identities: readonly unknown[], mostRecent: number) => {
    const [all, expected] = [new IdSet(mostRecent), new Set<unknown>()]
    for (const one of identities) {
      expect(all.add(one)).toBe(!expected.has(one))
      expected.add(one)
      expect(all.size).toBe(expected.size)
    }
  }
  fc.assert(fc.property(fc.array(identity, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), holds), {
    numRuns: runs(2000),
  })
})
