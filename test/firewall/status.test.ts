/** Firewall status, which may be undocumented or missing in an answer. */
import { expect, test } from 'vitest'
import { mayBeEnforced, unknownStatusText } from '../../src/firewall/status'

test('An undocumented status causes a warning, a missing one does not', () => {
  const isWarned = (status: unknown) => unknownStatusText(status, 'firewall 4001') !== undefined
  expect(['enabled', 'disabled', undefined, null, 7].filter(isWarned)).toEqual([])
  expect(unknownStatusText('paused', 'firewall 4001')).toContain('firewall 4001 has the unknown status "paused"')
})

test('A firewall may be enforced unless its status excludes it', () => {
  const all = ['enabled', 'disabled', 'deleted', 'paused', undefined]
  expect(all.filter(mayBeEnforced)).toEqual(['enabled', 'paused', undefined])
})
