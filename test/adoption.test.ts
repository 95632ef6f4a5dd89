/** `node bench/adoption.mjs` is the campaign. */
import { expect, test } from 'vitest'
import { playAdoptions } from './support/adoption'

test('A volume whose answer may be lost is the one that its request made, or its outcome is unknown', async () => {
  const met = await playAdoptions({ runs: 100 })
  expect(Math.min(...Object.values(met))).toBeGreaterThan(0)
})
