/** An object that was named, and is to be changed: found, and read, when that is first needed. */
import { type Found, findTarget, type Id, type Item, nameOf, type Resource, readItem, type Target } from './resource'
import type { Situation } from './situation'

/** What names an object, as far as it is known. */
export interface Identity {
  id?: Id
  label?: string
}

export interface Subject {
  typed: string
  /** As it was typed and found; asks the service for nothing. */
  identity(): Promise<Identity>
  resource: Resource
  found(): Promise<Found>
  /** As it was when it was first read; undefined in a dry run, where only a label is looked up. */
  record(): Promise<Item | undefined>
  /** As it is now. */
  reread(): Promise<Item>
}

export function subjectOf(
  target: Target,
  resource: Resource,
  { session, dry, entry }: Pick<Situation, 'session' | 'dry' | 'entry'>,
): Subject {
  const { past } = entry ?? {}
  // Somebody may have given the label to another object since.
  const named: Target = past?.id === undefined ? target : { id: past.id, typed: target.typed }
  let finding: Promise<Found> | undefined
  let reading: Promise<Item> | undefined
  const found = () => {
    finding ??= findTarget(named, resource, session, { record: false })
    return finding
  }
  const reread = async () => readItem((await found()).id, resource, session)
  return {
    typed: target.typed,
    async identity() {
      const known = await finding?.catch(() => undefined)
      return { ...target, ...past, ...known, ...(known?.record?.label !== undefined && { label: known.record.label }) }
    },
    resource,
    found,
    async record() {
      const known = await found()
      if (known.record || dry) return known.record
      reading ??= reread()
      known.record = await reading
      return known.record
    },
    reread,
  }
}

/** `volume "data" (123)`: what a question names is read before. */
export async function nameOfSubject({ resource, found, record }: Subject): Promise<string> {
  await record()
  return nameOf(resource, await found())
}
