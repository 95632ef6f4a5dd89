import { expect, test } from 'vitest'
import { fuzz } from '../support/fuzz'

test('random requests yield no 500, and answers as described', async () => {
  const { statuses, faults } = await fuzz(1, 1500)
  expect(faults).toEqual([])
  // Otherwise it would not be worth much.
  for (const status of [200, 400, 401, 404]) expect(statuses[status]).toBeGreaterThan(20)
})
