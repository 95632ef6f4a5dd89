import type { Answer } from '../../catalogue/operation'
import type { devices as operations } from '../../catalogue/profile/devices'
import { parseTimestamp } from '../../rules/times'
import type { Handlers } from '../handler'
import { listing } from '../pages'
import { found } from '../refusal'
import type { DeviceRecord } from '../tables/trusted-devices'
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

/** A session that has expired is no trusted device any more. */
function isActive({ expiry }: DeviceRecord, world: World): boolean {
  return parseTimestamp(expiry) > world.clock.now()
}

const active = (device: DeviceRecord, world: World) => found(isActive(device, world) ? device : undefined)

function shown({ user: _, ...device }: DeviceRecord): Answer<typeof operations.view> {
  return device
}
