import type { ComputeRecord } from '../computes'
import type { VolumeRecord } from '../volumes'

const compute = (
  id: number,
  label: string,
  region: string,
  memory: number,
  more: Partial<ComputeRecord> = {},
): ComputeRecord => ({
  id,
  label,
  region,
  status: 'running',
  memory,
  live_migration: false,
  configs: [{ id: id * 10 + 1, label: 'default' }],
  last_booted_config: id * 10 + 1,
  ...more,
})

const several = (id: number) =>
  ['default', 'next', 'rescue'].map((label, index) => ({ id: id * 10 + index + 1, label }))

export const computes: readonly ComputeRecord[] = [
  compute(1001, 'web-1', 'us-east', 4),
  compute(1002, 'web-2', 'us-east', 4, { configs: several(1002), last_booted_config: 10_022 }),
  compute(1003, 'db-1', 'us-ord', 16),
  compute(1004, 'tiny-1', 'us-east', 1),
  compute(1005, 'bare-1', 'us-east', 2, { status: 'offline', configs: [], last_booted_config: null }),
  compute(1006, 'batch-1', 'us-east', 8, { status: 'offline' }),
  compute(1007, 'mover-1', 'us-ord', 8, { live_migration: true }),
  compute(1008, 'new-1', 'us-east', 8, { status: 'offline', configs: several(1008), last_booted_config: null }),
  compute(1009, 'cache-1', 'eu-west', 96),
  compute(1010, 'edge-1', 'ap-south', 2),
  compute(1011, 'web-3', 'fr-par', 4),
]

export const balancers = [
  { id: 2001, label: 'front-1', region: 'us-east' },
  { id: 2002, label: 'front-2', region: 'eu-west' },
]

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

export const volumes: readonly VolumeRecord[] = [
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
