/** Checks whether a volume can be attached (api.md, Volumes, and Limits; gaps.md, volume create and attach). */

import { refusal } from './refusal'
import type { ComputeRecord } from './tables/computes'
import type { World } from './world'

/** Selects the config for the volume: `given`, else `otherwise`; fails if there is neither. */
export function chooseConfig(compute: ComputeRecord, given: number | undefined, otherwise: number | null): number {
  if (given !== undefined) {
    if (compute.configs.some(({ id }) => id === given)) return given
    throw refusal('config_id', `Config ${given} does not belong to compute instance ${compute.id}`)
  }
  if (otherwise !== null) return otherwise
  throw refusal('config_id', `No config of compute instance ${compute.id} can be selected; give a config_id`)
}

/** Returns the only config of the instance, or else the last booted one. */
export function onlyOrLastUsed({ configs, last_booted_config }: ComputeRecord): number | null {
  const [first, ...others] = configs
  return first !== undefined && others.length === 0 ? first.id : last_booted_config
}

const perInstance = 64
const perConfig = 8

/** Checks the limits: one volume per GB of RAM up to 64, and 8 per config; `config` null means in no config. */
export function checkRoom(compute: ComputeRecord, config: number | null, world: World): void {
  const attached = world.volumes.all().filter((volume) => volume.compute_id === compute.id)
  const room = Math.min(compute.memory, perInstance)
  if (attached.length >= room) {
    throw refusal('compute_id', `Too many volumes for ${compute.memory} GB of RAM. Max allowed is ${room}`)
  }
  if (config !== null && attached.filter((volume) => volume.config_id === config).length >= perConfig) {
    throw refusal('config_id', `Too many volumes in config ${config}. Max allowed is ${perConfig}`)
  }
}
