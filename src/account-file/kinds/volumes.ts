import * as v from 'valibot'
import { readAll } from '../../account/resource'
import { shrinkFault } from '../../account/resources/volume'
import { checkValue } from '../../catalogue/check'
import { positive, strings, text } from '../../catalogue/fields'
import { copyWith, isMissing } from '../../catalogue/normalize'
import { usualSize, type Volume, volumes } from '../../catalogue/volumes'
import { didYouMean } from '../../rules/nearest'
import { listed } from '../../rules/texts'
import { accountFields } from '../entry-before-after'
import type { AccountState, FileOptions, Holder, Kind, PlanInput, PlanRefusal, StepOutcome } from '../kind'
import { labelKeys, noted } from '../kind-functions'
import type { PlanStep } from '../plan-step'
import { isOwned, retag, tagFields, tagsOf } from '../tags'
import { isUnknownCompute, regionOfCompute, unknownCompute } from './infer-computes'
import { attaching, detaching, growing, removing, restorable, settling } from './volume-steps'

const entry = v.strictObject({
  size: v.optional(positive(`Size in GiB, which can only grow (default of a new volume: ${usualSize})`)),
  region: v.optional(text('Region ID (default: from the compute instance or `defaults`)')),
  compute_id: v.optional(v.nullable(positive('Compute instance to attach it to; null: none'))),
  tags: v.optional(strings('All of its tags')),
  ...labelKeys,
})

type Entry = v.InferOutput<typeof entry>
type One = PlanInput<Entry, Volume>

export const volumeKind: Kind<Entry, Volume> = {
  key: 'volumes',
  noun: 'volume',
  entry,
  services: { compute_id: 'computes' },
  settable: ['size', 'region', 'compute_id', 'tags'],
  nameFault: (label) => checkValue(volumes.create.body, { label, region: 'any' })[0]?.reason,
  needs: ['rdns'],
  read: (client, onUnreadable) => readAll(client, volumes.list, { essential: ['label'], onUnreadable }),
  list: volumes.list,
  noteOf: ({ id, hardware_type, compute_label }) =>
    noted([`id ${id}`, hardware_type, compute_label && `attached to ${compute_label}`]),
  nameOf: ({ label }) => label,
  idOf: ({ id }) => id,
  entryOf: ({ size, region, compute_id, tags }) => ({
    size,
    region,
    compute_id,
    ...tagFields(tags ?? []),
  }),
  tagged: (volume) => volume,
  rename: {
    does: 'volumes update',
    relabel: (volume, label) => copyWith(volume, { label }),
    effects: (volume) =>
      isMissing(volume, 'filesystem_path') ? [] : [`mount entries with its path break: ${volume.filesystem_path}`],
    likeness: { traitsOf, desiredTraits },
  },
  plan: (one) => (one.record ? planChange(one, one.record) : planMaking(one)),
  fieldsAfter: (one) => ({ ...(!one.record && valuesOfNew(one)), ...Object.fromEntries(accountFields(one.desired)) }),
  outputs: ['filesystem_path'],
  remove: (volume, { owner, entries }) => (isOwned(volume, owner) ? removing(volume, owner, entries) : undefined),
}

/**
 * Returns size, instance and region, also with the tags; an attached volume is also found without its region. One that is
 * neither attached nor the owner's is just any one of its size: an entry needs its tags, or a size that is not the default.
 */
function traitsOf({ size, compute_id, region, tags }: Entry, holder: Holder): string[] {
  if (compute_id === undefined) return []
  const values = [size, compute_id, region]
  const exact = tags ? [traitOf(...values, 'tags', ...tags)] : []
  if (compute_id !== null) return [...exact, traitOf(...values), traitOf(size, compute_id)]
  if (holder === 'owner') return [...exact, traitOf(...values)]
  return holder === 'another' ? exact : [...exact, traitOf('any', ...values)]
}

function desiredTraits({ size, region, compute_id = null, tags }: Entry, defaults: FileOptions['defaults']) {
  if (compute_id !== null && region === undefined) return [traitOf(size ?? usualSize, compute_id)]
  const values = [size ?? usualSize, compute_id, region ?? defaults.region]
  if (tags) return [traitOf(...values, 'tags', ...tagFields(tags).tags), traitOf(...values)]
  return [traitOf(...values), ...((size ?? usualSize) === usualSize ? [] : [traitOf('any', ...values)])]
}

const traitOf = (...values: readonly (string | number | null | undefined)[]) => JSON.stringify(values)

/** Returns the values of a new volume where its entry has none; without a known region, the service decides. */
function valuesOfNew({ desired: { compute_id }, world, settings }: One): Partial<Entry> {
  const region = compute_id ? regionOfCompute(compute_id, world) : settings.defaults.region
  return { size: usualSize, compute_id: null, region }
}

function planMaking({ name, desired, world, settings }: One): StepOutcome {
  const { size } = desired
  const compute_id = desired.compute_id ?? undefined
  const unknown = [
    ...unknownRegion(desired.region, world),
    ...(compute_id !== undefined && isUnknownCompute(compute_id, world)
      ? [unknownCompute(compute_id, 'compute_id')]
      : []),
  ]
  if (unknown.length > 0) return { steps: [], refusals: unknown }
  const place = compute_id === undefined ? undefined : regionOfCompute(compute_id, world)
  // If the region of the instance is unknown, the service decides.
  const region = desired.region ?? (compute_id === undefined ? settings.defaults.region : undefined)
  if (region === undefined && compute_id === undefined) {
    return refused({ field: 'region', reason: 'A new volume needs a region or a compute_id', code: 'usage' })
  }
  if (region !== undefined && place !== undefined && place !== region) return elsewhere(compute_id, place, region)
  const body = { label: name, size, region, compute_id }
  return { refusals: [], steps: [making(body, tagsOf(desired, undefined, settings), place)] }
}

/** Returns the step that creates a volume; `place` is the region of its compute instance. */
function making(
  fields: { label: string } & Pick<One['desired'], 'size' | 'region' | 'compute_id'>,
  tags: readonly string[],
  place: string | undefined,
): PlanStep {
  const { size = usualSize, region = place, compute_id } = fields
  const shown = [
    `${size} GiB`,
    `in ${region ?? `the region of compute instance ${compute_id}`}`,
    ...(compute_id === undefined ? [] : [`attached to ${compute_id}`]),
    ...(tags.length === 0 ? [] : [`tags ${listed(tags)}`]),
  ]
  return {
    action: 'create',
    does: 'volumes create',
    target: [],
    body: { ...fields, ...(tags.length > 0 && { tags }) },
    options: { wait: true, ifAbsent: true },
    changes: [shown.join(', ')],
    consequences: [{ kind: 'starts billing', text: `${size} GiB, until it is deleted`, size }],
  }
}

function planChange({ desired, entries, world, settings }: One, volume: Volume): StepOutcome {
  const { size = volume.size, region = volume.region } = desired
  const present = volume.compute_id
  const compute_id = desired.compute_id === undefined ? present : desired.compute_id
  if (region !== volume.region) {
    const [unknown] = unknownRegion(region, world)
    return unknown ? refused(unknown) : conflict('region', `It is in ${volume.region}, and a volume cannot be moved`)
  }
  const fault = shrinkFault(volume.size, size)
  if (fault) return conflict('size', `It ${fault}`)
  const target = compute_id === present ? null : compute_id
  if (target !== null && isUnknownCompute(target, world)) return refused(unknownCompute(target, 'compute_id'))
  // Without the region of the volume, the service decides.
  const place = target === null || isMissing(volume, 'region') ? undefined : regionOfCompute(target, world)
  if (place !== undefined && place !== region) return elsewhere(compute_id, place, region)
  const grow = size > volume.size ? [...settling(volume), growing(volume, size)] : []
  const detach =
    present !== null && present !== compute_id ? [detaching(volume, { from: present, to: compute_id }, entries)] : []
  const attach = compute_id !== null && present !== compute_id ? [attaching(volume, compute_id)] : []
  // Slow steps come first: between detach and attach, the instance lacks its volume.
  return {
    refusals: [],
    steps: [
      ...(attach.length > 0 ? [...grow, ...detach.map(restorable), ...attach] : [...detach, ...grow, ...attach]),
      ...retag('volumes update', volume.id, { desired, present: volume.tags ?? [], settings }),
    ],
  }
}

/** Returns the error in a region ID; undefined if one of the known regions has it. */
export const regionFault = (region: string, regions: readonly string[] = [region]): string | undefined =>
  regions.includes(region)
    ? undefined
    : `"${region}" is not a region. ${didYouMean(region, regions) ?? 'See: skyctl regions list'}`

function unknownRegion(region: string | undefined, world: AccountState): PlanRefusal[] {
  const reason = region === undefined ? undefined : regionFault(region, world.get('regions')?.map(String))
  return reason === undefined ? [] : [{ field: 'region', reason, code: 'not_found' }]
}

const refused = (refusal: PlanRefusal): StepOutcome => ({ steps: [], refusals: [refusal] })

const conflict = (field: string, reason: string) => refused({ field, reason, code: 'conflict' })

const elsewhere = (compute_id: number | null | undefined, place: string, region: string) =>
  conflict('compute_id', `Compute instance ${compute_id} is in ${place}, the volume in ${region}`)
