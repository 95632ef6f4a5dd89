/** Trusted devices and login history. */

import type { Answer } from '../../../catalogue/operation'
import { devices } from '../../../catalogue/profile/devices'
import { logins } from '../../../catalogue/profile/logins'
import { parseTimestamp } from '../../../rules/times'
import { allOwn, type Caller, type CallerContext, foundOwn, withoutUser } from '../../caller'
import { daysFromNow } from '../../clock'
import { userEvent } from '../../events'
import { serve } from '../../handler'
import { listing } from '../../pages'
import { orNotFound } from '../../refusal'
import type { LoginRecord, TrustedDeviceRecord } from '../../tables/authentication'
import type { World } from '../../world'

export const servedDevices = serve(devices, {
  list: {
    handle: (_, { world, caller }) =>
      listing(
        allOwn(world.profile.trusted_devices, caller).filter((device) => isActive(device, world)),
        withoutUser,
      ),
  },
  view: {
    handle: ({ deviceId }, context) => withoutUser(foundDevice(deviceId, context)),
  },
  revoke: {
    event: userEvent('trusted_device_revoke'),
    handle({ deviceId }, { world, caller }) {
      world.profile.trusted_devices.delete(foundDevice(deviceId, { world, caller }).id)
      return {}
    },
  },
})

/** Reports whether a trusted device's session has not expired. */
function isActive({ expiry }: TrustedDeviceRecord, world: World): boolean {
  return parseTimestamp(expiry) > world.clock.now()
}

/** Returns one of the caller's trusted devices; 404 if its session has expired. */
function foundDevice(id: number, { world, caller }: CallerContext): TrustedDeviceRecord {
  const device = foundOwn(world.profile.trusted_devices, id, caller)
  return orNotFound(isActive(device, world) ? device : undefined)
}

/** Login history window: 90 days (api.md, Limits). */
const windowDays = 90

export const servedLogins = serve(logins, {
  list: {
    handle(_, { world, caller }) {
      const successful = history(world, caller).filter(({ status }) => status === 'successful')
      return listing(successful, (login) => shownLogin(login, caller))
    },
  },
  view: {
    handle({ loginId }, { world, caller }) {
      return shownLogin(orNotFound(history(world, caller).find(({ id }) => id === loginId)), caller)
    },
  },
})

function history(world: World, caller: Caller): LoginRecord[] {
  const begin = daysFromNow(-windowDays, world)
  return allOwn(world.profile.logins, caller).filter(({ datetime }) => datetime >= begin)
}

function shownLogin({ user: _, ...login }: LoginRecord, caller: Caller): Answer<typeof logins.view> {
  return { ...login, username: caller.user.username }
}
