import { expect, test } from 'vitest'
import { connections, fuzz } from '../support/fuzz'

test('random concurrent requests cause no 500, no undocumented answer and no invalid world', async () => {
  const count = 1500
  const { statuses, succeeded, atOnce, faults } = await fuzz(1, count)
  expect(faults).toEqual([])
  // The test proves little unless many requests succeed, several at once.
  expect({ atOnce, half: succeeded >= count / 2 }).toEqual({ atOnce: connections, half: true })
  for (const status of [400, 401, 404]) expect(statuses[status]).toBeGreaterThan(20)
})
