/** What a path that was sent tells of an object: it may have been written by another version, or by hand. */
import { expect, test } from 'vitest'
import { firewallDevices } from '../../src/catalogue/firewalls'
import { holesIn } from '../../src/commands/history/kinds'

test.for<[string, object]>([
  ['/networking/firewalls/9100/devices/7', { firewallId: '9100', deviceId: '7' }],
  ['/networking/firewalls/a%2Fb/devices/7/', { firewallId: 'a/b', deviceId: '7' }],
  ['/networking/firewalls/%zz/devices/7', { firewallId: '%zz', deviceId: '7' }],
  ['/networking/firewalls/{firewallId}/devices/{deviceId}', { firewallId: '', deviceId: '' }],
])('%s tells %j', ([path, holes]) => {
  expect(holesIn(path, firewallDevices.delete)).toEqual(holes)
})
