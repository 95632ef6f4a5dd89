import * as v from 'valibot'
import { codeFault } from '../../rules/profile'
import { checkedText, deadline, text } from '../fields'
import { operation } from '../operation'

const scopes = ['account:read_write'] as const

export const tfa = {
  disable: operation({
    method: 'POST',
    path: '/profile/tfa-disable',
    scopes,
    summary: 'Switch two-factor authentication off',
    returns: v.looseObject({}),
    idempotency: 'check first',
  }),
  enable: operation({
    method: 'POST',
    path: '/profile/tfa-enable',
    scopes,
    summary: 'Create a two-factor secret, which must be confirmed',
    returns: v.looseObject({
      secret: text('Secret for an authenticator app, shown once'),
      expiry: deadline('When it expires'),
    }),
    essential: ['secret'],
  }),
  confirm: operation({
    method: 'POST',
    path: '/profile/tfa-enable-confirm',
    scopes,
    summary: 'Switch two-factor authentication on with a code',
    body: v.strictObject({ tfa_code: checkedText(codeFault, 'Current code from the authenticator app') }),
    returns: v.looseObject({ scratch: text('Code that replaces a two-factor code once, shown once') }),
    essential: ['scratch'],
  }),
}
