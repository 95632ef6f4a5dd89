import { expect, test } from 'vitest'
import { connections, fuzz } from '../support/fuzz'

test('random requests, many at once, yield no 500, answers as described, and a world that keeps the rules', async () => {
  const count = 1500
  const { statuses, succeeded, atOnce, faults } = await fuzz(1, count)
  expect(faults).toEqual([])
  // Otherwise it would not be worth much.
  expect({ atOnce, half: succeeded >= count / 2 }).toEqual({ atOnce: connections, half: true })
  for (const status of [400, 401, 404]) expect(statuses[status]).toBeGreaterThan(20)
})
