import type { tfa } from '../../catalogue/profile/tfa'
import { formatTimestamp, parseTimestamp } from '../../rules/times'
import type { Handlers } from '../handler'
import { refusal } from '../refusal'
import { sandboxScratchCode, sandboxSecret } from '../secrets'
import { allOwn } from './own'
import { base32, isCurrent } from './totp'

/** Validity of an unconfirmed secret. api.md says that it expires, but not when. */
const validMs = 24 * 3_600_000

export const tfaHandlers: Handlers<typeof tfa> = {
  disable: {
    handle(_, { world, caller: { user } }) {
      if (!user.two_factor_auth) throw refusal(null, 'Two Factor Authentication is not enabled')
      world.users.put({ ...user, two_factor_auth: false })
      return {}
    },
  },

  enable: {
    handle(_, { world, caller }) {
      if (world.profile.security_answers.get(caller.user.id) === undefined) {
        throw refusal(
          null,
          'You must add Security Questions to your profile in order to enable Two Factor Authentication',
        )
      }
      for (const { id } of allOwn(world.profile.tfa_secrets, caller)) world.profile.tfa_secrets.delete(id)
      const id = world.profile.tfa_secrets.nextId()
      const secret = base32(sandboxSecret(`two-factor secret ${id}`))
      const expiry = formatTimestamp(world.clock.now() + validMs)
      world.profile.tfa_secrets.put({ id, user: caller.user.id, secret, expiry })
      return { secret, expiry }
    },
  },

  confirm: {
    handle({ tfa_code }, { world, caller }) {
      const now = world.clock.now()
      const [pending] = allOwn(world.profile.tfa_secrets, caller)
      if (pending === undefined) throw refusal(null, 'There is no two-factor secret to confirm; create one first')
      if (parseTimestamp(pending.expiry) <= now) {
        throw refusal(null, 'The two-factor secret has expired; create another')
      }
      if (!isCurrent(tfa_code, pending.secret, now)) throw refusal('tfa_code', 'Invalid code')
      world.profile.tfa_secrets.delete(pending.id)
      world.users.put({ ...caller.user, two_factor_auth: true })
      return { scratch: sandboxScratchCode(`scratch code ${pending.id}`) }
    },
  },
}
