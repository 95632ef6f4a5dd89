/** Services that firewalls can be assigned to. No operation shows them. */
import * as v from 'valibot'
import type { DeclarationOf, RecordOf } from '../declaration'
import { array, boolean, id, may, oneOf, region, string } from '../record-fields'
import { plainSerializer } from '../seed-serializers'

const computeRecord = v.strictObject({
  id: may(id),
  label: may(string),
  region: may(region),
  status: may(oneOf('running', 'offline')),
  /** RAM in GB. */
  memory: may(id),
  live_migration: may(boolean),
  configs: may(array(v.strictObject({ id, label: string }))),
  last_booted_config: may(v.nullable(id)),
})

export type ComputeRecord = RecordOf<typeof computeRecord>

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

export const builtInComputes: readonly ComputeRecord[] = [
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

/** Compute instances; by default they are running and have one config. */
const computes: DeclarationOf<typeof computeRecord> = {
  name: 'computes',
  defaults: {
    label: ({ id }) => `compute-${id}`,
    region: () => 'us-east',
    status: () => 'running',
    memory: () => 4,
    live_migration: () => false,
    configs: ({ id = 0 }) => [{ id: id * 10 + 1, label: 'default' }],
    last_booted_config: ({ configs }) => configs?.[0]?.id ?? null,
  },
  builtIn: () => builtInComputes,
  form: plainSerializer(computeRecord),
}

const balancerRecord = v.strictObject({ id, label: string, region })

const builtInBalancers = [
  { id: 2001, label: 'front-1', region: 'us-east' },
  { id: 2002, label: 'front-2', region: 'eu-west' },
]

const balancers: DeclarationOf<typeof balancerRecord> = {
  name: 'balancers',
  defaults: {},
  builtIn: () => builtInBalancers,
  form: plainSerializer(balancerRecord),
}

export const tables = { computes, balancers }
