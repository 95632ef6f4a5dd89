import * as v from 'valibot'
import { boolean, ipAddress, open, positive, text, timestamp } from '../fields'
import { operation } from '../operation'

const login = v.looseObject({
  id: positive('Unique ID'),
  datetime: timestamp('When the login was initiated'),
  ip: ipAddress('Address that requested the login'),
  username: text('User that attempted the login'),
  restricted: boolean('Whether that user was restricted'),
  status: open(['successful', 'failed'], 'Outcome'),
})

export const logins = {
  list: operation({
    method: 'GET',
    path: '/profile/logins',
    scopes: ['account:read_only'],
    summary: 'List logins of 90 days with their addresses',
    returns: login,
    paged: true,
  }),
  view: operation({
    method: 'GET',
    path: '/profile/logins/{loginId}',
    scopes: ['account:read_only'],
    summary: 'Show a login',
    returns: login,
    identityField: 'id',
  }),
}
