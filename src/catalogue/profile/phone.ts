import * as v from 'valibot'
import { countryFault } from '../../rules/phone-numbers'
import { codeFault, phoneNumberFault } from '../../rules/profile'
import { checkedText } from '../fields'
import { operation } from '../operation'

const scopes = ['account:read_write'] as const
const returns = v.looseObject({})

export const phone = {
  send: operation({
    method: 'POST',
    path: '/profile/phone-number',
    scopes,
    summary: 'Send a verification code to a phone number',
    body: v.strictObject({
      iso_code: checkedText(countryFault, 'Two-letter ISO 3166 country code of the number'),
      phone_number: checkedText(phoneNumberFault, 'Phone number'),
    }),
    returns,
  }),
  verify: operation({
    method: 'POST',
    path: '/profile/phone-number/verify',
    scopes,
    summary: 'Verify a phone number with its code',
    body: v.strictObject({ otp_code: checkedText(codeFault, 'Code from the message') }),
    returns,
  }),
  delete: operation({
    method: 'DELETE',
    path: '/profile/phone-number',
    scopes,
    summary: 'Remove the verified phone number',
    returns,
  }),
}
