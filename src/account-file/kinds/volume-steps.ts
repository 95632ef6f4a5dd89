/** Creates the steps of a plan that change or delete a volume. */

import { isMissing } from '../../catalogue/normalize'
import { type Volume, volumes } from '../../catalogue/volumes'
import { Problem } from '../../errors'
import type { Client } from '../../http/client'
import { isRecord } from '../../rules/records'
import { rememberLast } from '../../rules/remember-last'
import { changed } from '../../rules/texts'
import { changedSince, keptAs, readOwned, unlessGone } from '../check-removal'
import type { PlanStep } from '../plan-step'

type VolumeEntries = ReadonlyMap<string, { compute_id?: number | null | undefined }>

const options = { wait: true } as const

/** Returns the instances to which the file attaches volumes, once for each plan. */
const instancesIn = rememberLast(
  (entries: VolumeEntries) => entries,
  (entries) => new Set([...entries.values()].map(({ compute_id }) => compute_id)),
)

/** The instance that a volume leaves, and the one where it is attached next. */
interface Move {
  from: number
  to: number | null
}

/**
 * Detaches a volume. An instance has a limited number of volumes (api.md, Limits), so it comes first if another one is
 * to be attached there.
 */
export const detaching = ({ id, compute_label }: Volume, { from, to }: Move, entries: VolumeEntries): PlanStep => ({
  ...(instancesIn(entries).has(from) && { first: true }),
  action: 'detach',
  does: 'volumes detach',
  target: [String(id)],
  options,
  guard: (client) => expectPlace(id, [from, to, null], client),
  isDone: (volume) => to !== null && isRecord(volume) && volume.compute_id === to,
  replaced: { compute_id: from },
  changes: [`detached from compute instance ${from}`],
  consequences: [
    {
      kind: 'cuts off',
      text: `compute instance ${from}; unwritten data is lost`,
      services: [{ type: 'compute', id: from, label: compute_label }],
    },
  ],
})

/** Resolves to the volume. Throws `changed` if it was attached to another instance than these since the plan was made. */
async function expectPlace(volumeId: number, places: readonly (number | null)[], client: Client) {
  const present = await unlessGone(client.call(volumes.view, { path: { volumeId } }))
  if (present && !isMissing(present, 'compute_id') && !places.includes(present.compute_id))
    throw changedSince('it', `was attached to compute instance ${present.compute_id}`)
  return present
}

/** Adds an undo that attaches the volume again. No step follows in the job of a detach that comes `first`. */
export const restorable = (step: PlanStep): PlanStep => ({
  ...step,
  undo: () => ({ does: 'volumes attach', target: step.target, body: { ...step.replaced }, options }),
})

/**
 * Returns a wait if needed: only an active volume can be resized (api.md, Volume status), and these states are
 * temporary.
 */
export const settling = ({ id, status }: Volume): PlanStep[] =>
  status !== 'creating' && status !== 'resizing'
    ? []
    : [
        {
          action: 'wait',
          does: 'volumes wait',
          target: [String(id)],
          options,
          changes: [`waits until it is active; it is ${status}`],
        },
      ]

export const growing = ({ id, size: from }: Volume, size: number): PlanStep => ({
  action: 'resize',
  does: 'volumes resize',
  target: [String(id)],
  body: { size },
  options,
  changes: [changed('size', `${from} GiB`, `${size} GiB`)],
  consequences: [
    {
      kind: 'starts billing',
      text: `${size - from} GiB more, for good: it cannot shrink again`,
      size: size - from,
    },
  ],
})

export const attaching = ({ id }: Volume, compute_id: number): PlanStep => ({
  action: 'attach',
  does: 'volumes attach',
  target: [String(id)],
  body: { compute_id },
  options,
  changes: [`attached to compute instance ${compute_id}`],
})

export const removing = (volume: Volume, owner: string, entries: VolumeEntries): PlanStep[] => {
  expectAttachment(volume, [volume.compute_id])
  const size = isMissing(volume, 'size') ? {} : { size: volume.size }
  const { id, compute_id } = volume
  const guard = (expected: readonly (number | null)[]) => async (client: Client) => {
    const present = await readOwned(client.call(volumes.view, { path: { volumeId: id } }), owner)
    if (present) expectAttachment(present, expected)
    return present
  }
  const detach = (from: number): PlanStep => ({
    ...detaching(volume, { from, to: null }, entries),
    options: { ...options, ifPresent: true },
    guard: guard([from, null]),
  })
  return [
    ...(compute_id ? [detach(compute_id)] : []),
    {
      action: 'delete',
      does: 'volumes delete',
      target: [String(id)],
      options: { ifPresent: true },
      guard: guard([null]),
      changes: ['size' in size ? `deleted, with ${size.size} GiB` : 'deleted'],
      consequences: [{ kind: 'destroys', text: 'all of its data, for ever', ...size }],
    },
  ]
}

/** Throws `changed` if a volume to remove is attached to another instance than expected, and `defect` if that is unknown. */
function expectAttachment(volume: Volume, expected: readonly (number | null)[]): void {
  const { id, compute_id } = volume
  if (isMissing(volume, 'compute_id'))
    throw new Problem('defect', `the answer lacks the compute_id of volume ${id}: it may have to be detached first`)
  if (!expected.includes(compute_id))
    throw keptAs(`it was attached to compute instance ${compute_id} since the plan was made`)
}
