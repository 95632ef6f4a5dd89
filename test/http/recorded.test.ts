/** What is written down of a change, by how it ended (interface.md, history). */
import { expect, test } from 'vitest'
import { recorded } from '../../src/http/recorded'
import type { Ended } from '../../src/http/recording'

test('a change that ends in a defect may have been done', async () => {
  const told: Ended[] = []
  const recording = async () => ({
    begin: async () => ({ ended: async (how: Ended) => void told.push(how) }),
    looks: true,
    within: () => expect.fail('nothing else is run'),
  })
  const defect = new TypeError('a defect')
  const exchange = () => Promise.reject(defect)
  const change = recorded({ method: 'POST', path: '/x' }, { recording }, exchange, async () => ({ body: null }))
  await expect(change).rejects.toBe(defect)
  expect(told).toEqual([{ outcome: 'unknown', code: 'defect' }])
})
