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
    summary: 'Switch two-factor authentication off: logins then need the password only',
    returns: v.looseObject({}),
    idempotency: 'check first',
  }),
  enable: operation({
    method: 'POST',
    path: '/profile/tfa-enable',
    scopes,
    summary: 'Create a two-factor secret; nothing changes until it is confirmed',
    returns: v.looseObject({
      secret: text('Secret for an authenticator app, shown once'),
      expiry: deadline('Until when it can be confirmed'),
    }),
    essential: ['secret'],
  }),
  confirm: operation({
    method: 'POST',
    path: '/profile/tfa-enable-confirm',
    scopes,
    summary: 'Switch two-factor authentication on with a code from the authenticator app',
    body: v.strictObject({ tfa_code: checkedText(codeFault, 'Current code from the authenticator app') }),
    returns: v.looseObject({ scratch: text('Code that replaces a two-factor code once, shown once') }),
    essential: ['scratch'],
  }),
}
