import { phone } from '../../../catalogue/profile/phone'
import { callingCodes } from '../../../rules/phone-numbers'
import { userEvent } from '../../events'
import { serve } from '../../handler'
import { notFound, refusal } from '../../refusal'
import { sandboxCode } from '../../secrets'
import type { World } from '../../world'

/** Validity of a verification code: 10 minutes (api.md, Limits). */
const validMs = 10 * 60_000

export const servedPhone = serve(phone, {
  send: {
    handle({ iso_code, phone_number }, { world, caller: { user } }) {
      if (user.verified_phone_number !== null) {
        throw refusal('phone_number', 'A phone number is verified already; delete it to verify another')
      }
      const to = internationalNumber(iso_code, phone_number)
      const pending = world.profile.phone_codes.get(user.id)
      const again = pending && pending.phone_number === to && pending.expires > world.clock.now()
      const code = again ? pending.code : sandboxCode(`phone code ${world.profile.messages.nextId()}`)
      if (!again) {
        world.profile.phone_codes.put({ id: user.id, phone_number: to, code, expires: world.clock.now() + validMs })
      }
      send(user.id, to, code, world)
      return {}
    },
  },

  verify: {
    event: userEvent('phone_number_verify'),
    handle({ otp_code }, { world, caller: { user } }) {
      const pending = world.profile.phone_codes.get(user.id)
      if (pending === undefined) throw refusal('otp_code', 'No code was sent; send one first')
      if (pending.expires <= world.clock.now()) throw refusal('otp_code', 'The code has expired; send another')
      if (pending.code !== otp_code) throw refusal('otp_code', 'Invalid code')
      world.profile.phone_codes.delete(user.id)
      world.users.put({ ...user, verified_phone_number: pending.phone_number })
      return {}
    },
  },

  delete: {
    event: userEvent('phone_number_delete'),
    handle(_, { world, caller: { user } }) {
      if (user.verified_phone_number === null) throw notFound()
      world.users.put({ ...user, verified_phone_number: null })
      return {}
    },
  },
})

function send(user: number, to: string, code: string, world: World): void {
  const text = `Your verification code is ${code}. It is valid for 10 minutes.`
  world.profile.messages.put({ id: world.profile.messages.nextId(), user, sent: world.timestamp(), to, text, code })
}

/** Formats a number as ITU-T E.164: at most 15 digits after the +. A national number loses its leading 0. */
function internationalNumber(country: string, number: string): string {
  const digits = number.replaceAll(/\D/g, '')
  const callingCode = callingCodes.get(country)
  const all = number.startsWith('+') ? digits : `${callingCode}${digits.replace(/^0/, '')}`
  if (!callingCode || all.length < 7 || all.length > 15) {
    throw refusal('phone_number', `Must be a valid phone number of ${country}`)
  }
  return `+${all}`
}
