/** A short run of `node bench/adoption.mjs`. */
import { expect, test } from 'vitest'
import { playAdoptions } from './support/random-lost-creations'

test('after a lost answer, the volume is the one of the request, or the outcome is unknown', async () => {
  const counts = await playAdoptions({ runs: 100 })
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0)
})
