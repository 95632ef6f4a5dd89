import * as v from 'valibot'
import { deadline, positive, text, timestamp } from '../fields'
import { operation } from '../operation'

const app = v.looseObject({
  id: positive('Authorization ID'),
  label: text('Name of the app'),
  scopes: text('Scopes that the app was authorized with'),
  website: text('Website of the app'),
  thumbnail_url: v.nullable(text('URL of the thumbnail of the app')),
  created: timestamp('When the app was authorized'),
  expiry: v.nullable(deadline('When the access of the app expires')),
})

export const apps = {
  list: operation({
    method: 'GET',
    path: '/profile/apps',
    scopes: ['account:read_only'],
    summary: 'List the OAuth apps with account access',
    returns: app,
    paged: true,
    filterable: ['label', 'created', 'expiry'],
  }),
  view: operation({
    method: 'GET',
    path: '/profile/apps/{appId}',
    scopes: ['account:read_only'],
    summary: 'Show an authorized app',
    returns: app,
    identityField: 'id',
  }),
  revoke: operation({
    method: 'DELETE',
    path: '/profile/apps/{appId}',
    scopes: ['account:read_write'],
    summary: 'Revoke the access of an app',
    returns: v.looseObject({}),
  }),
}
