import * as v from 'valibot'
import type { DeclarationOf, RecordOf } from '../declaration'
import { id, may, number, oneOf, region, string, strings, times } from '../record-fields'
import { plainSerializer } from '../seed-serializers'

const record = v.strictObject({
  id: may(id),
  label: may(string),
  /** Status; `migrating` is internal, because api.md has no such status. */
  status: may(oneOf('creating', 'active', 'resizing', 'migrating')),
  size: may(id),
  region: may(region),
  hardware_type: may(oneOf('hdd', 'nvme')),
  tags: may(strings),
  ...times,
  compute_id: may(v.nullable(id)),
  /** Config that attaches the volume at every boot; null if none does. */
  config_id: may(v.nullable(id)),
  /** Time at which the status becomes `active`, in milliseconds since the epoch; null if it does not change. */
  ready_at: may(v.nullable(number)),
})

export type VolumeRecord = RecordOf<typeof record>

const volume = (id: number, label: string, region: string, more: Partial<VolumeRecord> = {}): VolumeRecord => ({
  id,
  label,
  status: 'active',
  size: 20,
  region,
  hardware_type: 'nvme',
  tags: [],
  created: '2025-10-06T09:30:00',
  updated: '2025-10-06T09:30:12',
  compute_id: null,
  config_id: null,
  ready_at: null,
  ...more,
})

const builtIn: readonly VolumeRecord[] = [
  volume(3001, 'data-1', 'us-east', { size: 40, compute_id: 1001, config_id: 10_011, tags: ['production'] }),
  volume(3002, 'data-2', 'us-east'),
  volume(3003, 'database', 'us-ord', {
    size: 100,
    compute_id: 1003,
    config_id: 10_031,
    tags: ['database', 'production'],
  }),
  volume(3004, 'backup', 'us-ord', { size: 500, hardware_type: 'hdd', tags: ['backup'] }),
  volume(3005, 'media', 'eu-west', { size: 250, hardware_type: 'hdd' }),
  volume(3006, 'moving', 'us-ord', { status: 'migrating' }),
]

export const defaultSize = 20

const volumes: DeclarationOf<typeof record> = {
  name: 'volumes',
  defaults: {
    label: ({ id }) => `volume-${id}`,
    status: () => 'active',
    size: () => defaultSize,
    region: () => 'us-east',
    hardware_type: () => 'nvme',
    tags: () => [],
    created: (_, world) => world.timestamp(),
    updated: (_, world) => world.timestamp(),
    compute_id: () => null,
    config_id: () => null,
    ready_at: ({ status }, world) => (status === 'active' ? null : world.transitionEnd()),
  },
  builtIn: () => builtIn,
  settle(volume, { clock }) {
    if (volume.ready_at === null || volume.ready_at > clock.now()) return volume
    return { ...volume, status: 'active', ready_at: null }
  },
  form: plainSerializer(record),
}

export const tables = { volumes }
