import type { Answer } from '../../catalogue/operation'
import type { devices as operations } from '../../catalogue/profile/devices'
import { parseTimestamp } from '../../rules/times'
import type { Handlers } from '../handler'
import { listing } from '../pages'
import { orNotFound } from '../refusal'
import type { TrustedDeviceRecord } from '../tables/trusted-devices'
import type { World } from '../world'
import { allOwn, foundOwn } from './own'

export const deviceHandlers: Handlers<typeof operations> = {
  list: {
    handle: (_, { world, caller }) =>
      listing(
        allOwn(world.profile.trusted_devices, caller).filter((device) => isActive(device, world)),
        shown,
      ),
  },
  view: {
    handle: ({ deviceId }, { world, caller }) =>
      shown(active(foundOwn(world.profile.trusted_devices, deviceId, caller), world)),
  },
  revoke: {
    handle({ deviceId }, { world, caller }) {
      world.profile.trusted_devices.delete(active(foundOwn(world.profile.trusted_devices, deviceId, caller), world).id)
      return {}
    },
  },
}

/** Reports whether a trusted device's session has not expired. */
function isActive({ expiry }: TrustedDeviceRecord, world: World): boolean {
  return parseTimestamp(expiry) > world.clock.now()
}

const active = (device: TrustedDeviceRecord, world: World) => orNotFound(isActive(device, world) ? device : undefined)

function shown({ user: _, ...device }: TrustedDeviceRecord): Answer<typeof operations.view> {
  return device
}
