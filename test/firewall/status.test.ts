/** The status of a firewall, where the service may answer one that api.md does not name, or none. */
import { expect, test } from 'vitest'
import { mayBeEnforced, unknownStatusText } from '../../src/firewall/status'

test('is warned of where it is none of api.md, and not where it is missing', () => {
  const warned = (status: unknown) => unknownStatusText(status, 'firewall 4001') !== undefined
  expect(['enabled', 'disabled', undefined, null, 7].filter(warned)).toEqual([])
  expect(unknownStatusText('paused', 'firewall 4001')).toContain('firewall 4001 has the unknown status "paused"')
})

test('may be enforced unless it is known that it is not', () => {
  const all = ['enabled', 'disabled', 'deleted', 'paused', undefined]
  expect(all.filter(mayBeEnforced)).toEqual(['enabled', 'paused', undefined])
})
