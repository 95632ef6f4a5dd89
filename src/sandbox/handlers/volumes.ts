import { type Volume, volumes } from '../../catalogue/volumes'
import { computeToChange, grantToCreator, permissionOf, visibleTo } from '../caller'
import { changeEvent, creationEvent, updateEvent } from '../events'
import { serve } from '../handler'
import { listing } from '../pages'
import { forbidden, orNotFound, type RuleCheck, refusal, refuseBroken } from '../refusal'
import type { ComputeRecord } from '../tables/services'
import { defaultSize, type VolumeRecord } from '../tables/volumes'
import type { World } from '../world'

const smallest = 10
const largest = 10_240

export const served = serve(volumes, {
  list: {
    handle: (_, { world, caller }) =>
      listing(visibleTo(caller.user, 'volume', world.volumes), (volume) => shown(volume, world), withDocumentedStatus),
  },

  create: {
    event: creationEvent('volume', 'volume_create'),
    needs: ['add_volumes'],
    handle({ label, size = defaultSize, region, compute_id, config_id, tags = [] }, { world, caller }) {
      const compute =
        compute_id === undefined ? undefined : computeToChange(compute_id, 'compute_id', { world, caller })
      const place = region ?? compute?.region ?? ''
      refuseBroken([sizeFault(size), ...placeFaults(place, compute, world)])
      const config = compute ? chooseConfig(compute, config_id, onlyOrLastUsed(compute)) : null
      if (compute) checkRoom(compute, config, world)
      const volume = world.volumes.add({
        label,
        size,
        tags,
        region: place,
        status: 'creating',
        compute_id: compute?.id ?? null,
        config_id: config,
      })
      grantToCreator('volume', volume.id, caller.user, world)
      return shown(volume, world)
    },
  },

  view: {
    needs: ['read_only'],
    handle: ({ volumeId }, { world }) => shown(orNotFound(world.volumes.get(volumeId)), world),
  },

  update: {
    event: updateEvent('volume', 'volumeId', 'volume_update'),
    needs: ['read_write'],
    handle({ volumeId, label, tags }, { world }) {
      const volume = orNotFound(world.volumes.get(volumeId))
      return change(volume, { label: label ?? volume.label, tags: tags ?? volume.tags }, world)
    },
  },

  delete: {
    event: changeEvent('volume', 'volumeId', 'volume_delete'),
    needs: ['read_write'],
    handle({ volumeId }, { world }) {
      const volume = orNotFound(world.volumes.get(volumeId))
      if (volume.compute_id !== null) throw refusal(null, 'This volume must be detached before it can be deleted.')
      if (volume.status === 'migrating') throw refusal(null, 'A volume cannot be deleted until its migration finishes')
      world.volumes.delete(volumeId)
      return {}
    },
  },

  attach: {
    event: changeEvent('volume', 'volumeId', 'volume_attach'),
    needs: ['read_write'],
    handle({ volumeId, compute_id, config_id, persist_across_boots: persist = true }, { world, caller }) {
      const volume = orNotFound(world.volumes.get(volumeId))
      const compute = computeToChange(compute_id, 'compute_id', { world, caller })
      if (volume.compute_id !== null) {
        throw refusal(null, `This volume is already attached to compute instance ${volume.compute_id}`)
      }
      if (volume.region !== compute.region) {
        throw refusal('compute_id', `The volume is in ${volume.region}, the compute instance in ${compute.region}`)
      }
      if (!persist && compute.status !== 'running') {
        throw refusal('persist_across_boots', `Compute instance ${compute.id} is not running`)
      }
      const config = persist ? chooseConfig(compute, config_id, compute.last_booted_config) : null
      checkRoom(compute, config, world)
      return change(volume, { compute_id: compute.id, config_id: config }, world)
    },
  },

  detach: {
    event: changeEvent('volume', 'volumeId', 'volume_detach'),
    needs: ['read_write'],
    handle({ volumeId }, { world, caller }) {
      const volume = orNotFound(world.volumes.get(volumeId))
      if (volume.compute_id === null) throw refusal(null, 'This volume is not attached')
      if (permissionOf(caller.user, 'compute', volume.compute_id) !== 'read_write') throw forbidden()
      change(volume, { compute_id: null, config_id: null }, world)
      return {}
    },
  },

  resize: {
    event: changeEvent('volume', 'volumeId', 'volume_resize'),
    needs: ['read_write'],
    handle({ volumeId, size }, { world }) {
      const volume = orNotFound(world.volumes.get(volumeId))
      if (volume.status !== 'active')
        throw refusal(null, `Only an active volume can be resized; it is ${volume.status}`)
      if (size <= volume.size) throw refusal('size', 'Storage volumes can only be resized up')
      refuseBroken([sizeFault(size)])
      return change(volume, { size, status: 'resizing', ready_at: world.transitionEnd() }, world)
    },
  },

  clone: {
    event: changeEvent('volume', 'volumeId', 'volume_clone'),
    needs: ['read_only', 'add_volumes'],
    handle({ volumeId, label }, { world, caller }) {
      const source = orNotFound(world.volumes.get(volumeId))
      if (source.status !== 'active') throw refusal(null, `Only an active volume can be cloned; it is ${source.status}`)
      const { size, region, hardware_type } = source
      const volume = world.volumes.add({ label, size, region, hardware_type, status: 'creating' })
      grantToCreator('volume', volume.id, caller.user, world)
      return shown(volume, world)
    },
  },
})

const sizeFault = (size: number): RuleCheck => [
  size < smallest || size > largest,
  'size',
  `Must be ${smallest}-${largest}`,
]

/** Checks a new volume's region: the named one must be that of the compute instance, and have block storage. */
function placeFaults(place: string, compute: ComputeRecord | undefined, world: World): RuleCheck[] {
  const region = world.regions.find(({ id }) => id === place)
  if (region === undefined) return [[true, 'region', 'region is not valid']]
  return [
    [
      compute && compute.region !== place,
      'region',
      `Compute instance ${compute?.id} is in ${compute?.region}, not in ${place}`,
    ],
    [!region.capabilities.includes('Block Storage'), 'region', `${place} has no Block Storage`],
  ]
}

function change(volume: VolumeRecord, changes: Partial<VolumeRecord>, world: World): Volume {
  return shown(world.volumes.put({ ...volume, ...changes, updated: world.timestamp() }), world)
}

/** Returns the status that api.md documents: a migrating volume is `active`. */
const statusOf = ({ status }: VolumeRecord) => (status === 'migrating' ? 'active' : status)

const withDocumentedStatus = (volume: VolumeRecord): VolumeRecord =>
  volume.status === 'migrating' ? { ...volume, status: 'active' } : volume

function shown(volume: VolumeRecord, world: World): Volume {
  return {
    id: volume.id,
    label: volume.label,
    status: statusOf(volume),
    size: volume.size,
    region: volume.region,
    compute_id: volume.compute_id,
    compute_label: world.computes.get(volume.compute_id ?? 0)?.label ?? null,
    filesystem_path: `/dev/disk/by-id/scsi-0Cloud_Volume_${volume.label}`,
    hardware_type: volume.hardware_type,
    tags: [...volume.tags],
    created: volume.created,
    updated: volume.updated,
  }
}

/** Selects the config for the volume: `configId`, else `otherwise`; fails if there is neither. */
function chooseConfig(compute: ComputeRecord, configId: number | undefined, otherwise: number | null): number {
  if (configId !== undefined) {
    if (compute.configs.some(({ id }) => id === configId)) return configId
    throw refusal('config_id', `Config ${configId} does not belong to compute instance ${compute.id}`)
  }
  if (otherwise !== null) return otherwise
  throw refusal('config_id', `No config of compute instance ${compute.id} can be selected; set a config_id`)
}

/** Returns the only config of the instance, or else the last booted one. */
function onlyOrLastUsed({ configs, last_booted_config }: ComputeRecord): number | null {
  const [first, ...others] = configs
  return first !== undefined && others.length === 0 ? first.id : last_booted_config
}

/** Limits of attached volumes (api.md, Limits). */
const perInstance = 64
const perConfig = 8

/** Checks the limits: one volume per GB of RAM up to 64, and 8 per config; `config` null means in no config. */
function checkRoom(compute: ComputeRecord, config: number | null, world: World): void {
  const attached = world.volumes.where('compute_id', compute.id)
  const room = Math.min(compute.memory, perInstance)
  if (attached.length >= room) {
    throw refusal('compute_id', `Too many volumes for ${compute.memory} GB of RAM. Max allowed is ${room}`)
  }
  if (config !== null && attached.filter((volume) => volume.config_id === config).length >= perConfig) {
    throw refusal('config_id', `Too many volumes in config ${config}. Max allowed is ${perConfig}`)
  }
}
