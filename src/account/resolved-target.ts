/** An object that was named and is to be changed; it is looked up and read on first use. */

import type { ChangeContext } from './change-context'
import { findTarget } from './find-target'
import { type FoundObject, type Id, type Item, listOf, nameOf, type Resource, readItem, type Target } from './resource'

/** Known names of an object. */
export interface TargetIdentity {
  id?: Id | undefined
  label?: string | undefined
}

export interface ResolvedTarget {
  input: string
  /** Returns its names as typed and found; sends no request. */
  identity(): Promise<TargetIdentity>
  resource: Resource
  find(): Promise<FoundObject>
  /** Reads the record once; undefined in a dry run, unless a label was looked up. */
  record(): Promise<Item | undefined>
  /** Looks it up before its turn: in the list of many, as a record that was read for this would be too old then. */
  lookAhead(): Promise<unknown>
  /** Reads the current record. */
  reread(): Promise<Item>
}

export function resolveTarget(
  target: Target,
  resource: Resource,
  { account, dry, entry }: Pick<ChangeContext, 'account' | 'dry' | 'entry'>,
): ResolvedTarget {
  const { past } = entry ?? {}
  // Somebody may have moved the label to another object since.
  const named: Target = past?.id === undefined ? target : { id: past.id, input: target.input }
  let finding: Promise<FoundObject> | undefined
  let reading: Promise<FoundObject> | undefined
  const find = () => {
    finding ??= findTarget(named, resource, account, { record: false })
    return finding
  }
  const record = async () => {
    const object = await find()
    if (object.record || dry) return object.record
    reading ??= findTarget(object, resource, account, { record: true })
    return Object.assign(object, await reading).record
  }
  return {
    input: target.input,
    async identity() {
      const object = await finding?.catch(() => undefined)
      return {
        ...target,
        ...past,
        ...object,
        ...(object?.record?.label !== undefined && { label: object.record.label }),
      }
    },
    resource,
    find,
    record,
    lookAhead: () => (listOf(resource, account) ? findTarget(named, resource, account, { record: true }) : record()),
    reread: async () => readItem((await find()).id, resource, account),
  }
}

/** Returns `volume "data" (123)` for a question; reads the object first. */
export async function targetName({ resource, find, record }: ResolvedTarget): Promise<string> {
  await record()
  return nameOf(resource, await find())
}
