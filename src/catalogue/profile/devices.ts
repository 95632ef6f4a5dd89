import * as v from 'valibot'
import { deadline, ipAddress, positive, text, timestamp } from '../fields'
import { operation } from '../operation'

const device = v.looseObject({
  id: positive('Unique ID'),
  user_agent: text('Browser that created the session'),
  last_remote_addr: ipAddress('Address that last authenticated with it'),
  last_authenticated: timestamp('When it last authenticated'),
  created: timestamp('When the session began'),
  expiry: deadline('When the session expires, typically after 30 days'),
})

export const devices = {
  list: operation({
    method: 'GET',
    path: '/profile/devices',
    scopes: ['account:read_only'],
    summary: 'List the trusted devices',
    returns: device,
    paged: true,
    filterable: ['created', 'last_authenticated'],
  }),
  view: operation({
    method: 'GET',
    path: '/profile/devices/{deviceId}',
    scopes: ['account:read_only'],
    summary: 'Show a trusted device',
    returns: device,
    identityField: 'id',
  }),
  revoke: operation({
    method: 'DELETE',
    path: '/profile/devices/{deviceId}',
    scopes: ['account:read_write'],
    summary: 'Revoke a trusted device',
    returns: v.looseObject({}),
  }),
}
