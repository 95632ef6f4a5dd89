import * as v from 'valibot'
import { type Caller, permissionOf } from './caller'
import type { DeclarationOf, RecordOf } from './declaration'
import { array, boolean, id, may, oneOf, region, string } from './fields'
import { asItIs } from './forms'
import { forbidden, refusal } from './refusal'
import { computes as builtIn } from './seed/account'
import type { World } from './world'

const compute = v.strictObject({
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

export type ComputeRecord = RecordOf<typeof compute>

/** No operation shows them; a new one is running, with one configuration. */
export const computes: DeclarationOf<typeof compute> = {
  name: 'computes',
  usual: {
    label: ({ id }) => `compute-${id}`,
    region: () => 'us-east',
    status: () => 'running',
    memory: () => 4,
    live_migration: () => false,
    configs: ({ id = 0 }) => [{ id: id * 10 + 1, label: 'default' }],
    last_booted_config: ({ configs = [] }) => configs[0]?.id ?? null,
  },
  builtIn: () => builtIn,
  form: asItIs(compute),
}

/** The compute instance that a field of the request names, to change what it has: read_write is needed on it. */
export function computeToChange(
  id: number,
  field: string,
  { world, caller }: { world: World; caller: Caller },
): ComputeRecord {
  const compute = world.computes.get(id)
  const permission = permissionOf(caller.user, 'compute', id)
  if (compute === undefined || permission === null) throw refusal(field, `Invalid Compute ID ${id}`)
  if (permission !== 'read_write') throw forbidden()
  return compute
}
