import type { Answer } from '../../catalogue/operation'
import type { devices } from '../../catalogue/profile/devices'
import { parseTimestamp } from '../../rules/times'
import type { Handlers } from '../handler'
import { listing } from '../pages'
import { found } from '../refusal'
import type { World } from '../world'
import { allOwn, foundOwn } from './own'
import type { DeviceRecord } from './records'

export const deviceHandlers: Handlers<typeof devices> = {
  list: {
    handle: (_, { world, caller }) =>
      listing(
        allOwn(world.profile.devices, caller).filter((device) => isActive(device, world)),
        shown,
      ),
  },
  view: {
    handle: ({ deviceId }, { world, caller }) =>
      shown(active(foundOwn(world.profile.devices, deviceId, caller), world)),
  },
  revoke: {
    handle({ deviceId }, { world, caller }) {
      world.profile.devices.delete(active(foundOwn(world.profile.devices, deviceId, caller), world).id)
      return {}
    },
  },
}

/** A session that has expired is no trusted device any more. */
function isActive({ expiry }: DeviceRecord, world: World): boolean {
  return parseTimestamp(expiry) > world.clock.now()
}

const active = (device: DeviceRecord, world: World) => found(isActive(device, world) ? device : undefined)

function shown({ user: _, ...device }: DeviceRecord): Answer<typeof devices.view> {
  return device
}
