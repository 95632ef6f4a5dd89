import * as v from 'valibot'
import { scopesFault } from '../rules/scopes'
import { dateTimeFault } from '../rules/times'
import { checkedText, deadline, positive, text, textOf, timestamp } from './fields'
import { operation } from './operation'

const label = textOf(1, 100, 'Label of the token')

const token = v.looseObject({
  id: positive('Unique ID'),
  label: text('Label'),
  scopes: text('Scopes, separated by a space; * is full scope'),
  created: timestamp('When it was created'),
  expiry: v.nullable(deadline('When it expires; null: never')),
  token: text('The token when it is created, afterwards its first 16 characters'),
})

export type Token = v.InferOutput<typeof token>

export const tokens = {
  list: operation({
    method: 'GET',
    path: '/profile/tokens',
    scopes: ['account:read_only'],
    summary: 'List your personal access tokens',
    returns: token,
    paged: true,
    filterable: ['label', 'created', 'expiry'],
  }),
  create: operation({
    method: 'POST',
    path: '/profile/tokens',
    scopes: ['account:read_write'],
    summary: 'Create a personal access token',
    body: v.strictObject({
      label,
      scopes: v.optional(checkedText(scopesFault, 'Scopes, separated by one space (default: all)')),
      expiry: v.optional(checkedText(dateTimeFault, 'Expiry, in UTC (default: never)')),
    }),
    returns: token,
    essential: ['id', 'token'],
    creates: 'token',
    never: 'A proxy user (the parent of a child account) cannot create personal access tokens',
    repeats: ['label', 'scopes'],
  }),
  view: operation({
    method: 'GET',
    path: '/profile/tokens/{tokenId}',
    scopes: ['account:read_only'],
    summary: 'Show a personal access token',
    returns: token,
    identityField: 'id',
  }),
  update: operation({
    method: 'PUT',
    path: '/profile/tokens/{tokenId}',
    scopes: ['account:read_write'],
    summary: 'Change the label of a personal access token',
    body: v.strictObject({ label }),
    returns: token,
    identityField: 'id',
  }),
  revoke: operation({
    method: 'DELETE',
    path: '/profile/tokens/{tokenId}',
    scopes: ['account:read_write'],
    summary: 'Revoke a personal access token',
    returns: v.looseObject({}),
  }),
}
