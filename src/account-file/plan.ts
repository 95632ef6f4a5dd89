/** Parts of a plan, and their order. */

import type { NetworkChange } from './changes-by-network'
import type { PlanRefusal, UnprotectedService } from './kind'
import { kinds } from './kinds'
import type { Place } from './places'
import type { PlanStep } from './plan-step'
import type { UnmetExpectation } from './unmet-expectations'
import type { UnreadableRecord } from './unreadable-records'

export interface Named {
  kind: string
  noun: string
  /** Label or address; empty for a kind that an account has once. */
  name: string
  /** Undefined if it must be created. */
  id?: number | string | undefined
}

/** An object of the files or of the owner, as it will be. */
export interface ResultingObject extends Named {
  /** Returns the entry after the plan; null for a deleted object. Only documents need it. */
  after(): unknown
  /** Record as it is now; undefined for a new object. */
  record?: unknown
  /** Its place; undefined if it is in no file. */
  at?: Place | undefined
}

export interface PlannedObject extends ResultingObject {
  /**
   * Returns the current entry; null for a new object. A saved plan is valid as long as this does not change. It is read
   * again each time: the rules of a large account take far more memory than its packed records.
   */
  before(): unknown
  was?: string | undefined
  steps: readonly PlanStep[]
  action: 'create' | 'update' | 'delete'
  /** Fields that cannot be changed as wanted; only in plans that report them. */
  refusals?: readonly PlanRefusal[]
}

export const namesOf = ({ kind, noun, name, id }: Named): Named => ({ kind, noun, name, id })

/** Names an object for scripts; `createdId` is that of one that did not exist before. */
export const namesIn = ({ kind, name, id }: Pick<Named, 'kind' | 'name' | 'id'>, createdId?: typeof id | null) => ({
  kind,
  name,
  id: createdId ?? id ?? null,
})

/** Version of documents about plans; increased with every incompatible change. */
export const formatVersion = 1

/** Parts are in the order of kinds and names, whatever the order of the files. */
export interface Plan {
  objects: readonly PlannedObject[]
  /** Objects in the files that need no change. */
  unchanged: readonly ResultingObject[]
  /** Number of objects in the files that need no change. */
  same: number
  /** Services that no firewall will protect; undefined if that is unknown. */
  unprotected?: readonly UnprotectedService[] | undefined
  /** Parts that stay unchanged although the files set them, and hints. */
  notes: readonly (Named & { text: string })[]
  /** Objects with the owner's tag that are in no file, and are not removed. */
  left: readonly Named[]
  /** Changes of networks that several rules name; they are part of the steps, too. */
  networks?: readonly NetworkChange[]
  /** Entries that are only expected, and that the account does not meet: no step changes that. */
  unmet?: readonly UnmetExpectation[]
  /** Number of objects in the files that are not selected. */
  unselected?: number
  /** Objects of the files that cannot be read: the plan leaves them unchanged. */
  unreadable?: readonly UnreadableRecord[]
}

export const inPlanOrder = <T extends Pick<Named, 'kind' | 'name'> & { id?: Named['id'] | null }>(
  objects: readonly T[],
): T[] =>
  objects.toSorted(
    (one, other) =>
      placeOfKind(one) - placeOfKind(other) || compare(one.name, other.name) || compare(one.id ?? 0, other.id ?? 0),
  )

const placeOfKind = ({ kind }: Pick<Named, 'kind'>) => kinds.findIndex(({ key }) => key === kind)
const compare = <T extends number | string>(one: T, other: T) => (one === other ? 0 : one < other ? -1 : 1)
