/** An object that was named, and is to be changed: found, and read, when that is first needed. */
import type { Input } from './command'
import { type Found, findTarget, type Id, type Item, nameOf, type Resource, readItem, type Target } from './resource'
import type { Situation } from './situation'
import { ofParent, readTargets } from './targets'

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
  { context, dry }: Pick<Situation, 'context' | 'dry'>,
): Subject {
  let finding: Promise<Found> | undefined
  let reading: Promise<Item> | undefined
  const found = () => {
    finding ??= findTarget(target, resource, context, { record: false })
    return finding
  }
  const reread = async () => readItem((await found()).id, resource, context)
  return {
    typed: target.typed,
    async identity() {
      const known = await finding?.catch(() => undefined)
      return { ...target, ...known, ...(known?.record?.label !== undefined && { label: known.record.label }) }
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

/** All that were named, before anything is done with one of them. */
export async function subjectsOf(input: Input, resource: Resource, situation: Situation): Promise<Subject[]> {
  const targets = await readTargets(input, resource, situation.context)
  const own = await ofParent(resource, input, situation.context)
  return targets.map((target) => subjectOf(target, own, situation))
}

/** `volume "data" (123)`: what a question names is read before. */
export async function nameOfSubject({ resource, found, record }: Subject): Promise<string> {
  await record()
  return nameOf(resource, await found())
}
