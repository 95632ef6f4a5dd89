import type { profile } from '../catalogue/profile/profile'
import type { Handlers } from './handler'

export const profileHandlers: Handlers<Pick<typeof profile, 'view'>> = {
  view: {
    handle: (_, { caller: { user } }) => ({
      username: user.username,
      uid: user.id,
      email: user.email,
      authentication_type: 'password',
      restricted: user.grants !== null,
      two_factor_auth: false,
      email_notifications: true,
      ip_whitelist_enabled: false,
      shell_auth_method: 'password_keys',
      authorized_keys: null,
      timezone: 'UTC',
      verified_phone_number: null,
    }),
  },
}
