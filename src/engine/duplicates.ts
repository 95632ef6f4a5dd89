/** A label that another object has already: from then on it names neither of them (interface.md, Targets). */
import { Problem } from '../errors'
import type { Step } from './change-command'
import type { Flags } from './command'
import { type Item, nameOf, type Resource, type Target } from './resource'

/** Throws `usage` where several objects would get one label, unless that is what the flags say. */
export function expectOneLabel(label: unknown, targets: readonly Target[], { noun, flags }: Labelling): void {
  if (label === undefined || targets.length < 2 || flags['allow-duplicate'] || flags.validate === false) return
  throw new Problem('usage', `${targets.length} ${noun}s would get the same label: ${JSON.stringify(label)}`, {
    errors: [{ field: 'label', reason: 'Names one object' }],
    hint: `Name one ${noun}`,
  })
}

interface Labelling {
  noun: string
  flags: Flags
}

/** Warns a person, and refuses a script with `exists`, unless that is what it wants. `own` is what is to be labelled, if it exists. */
export async function checkLabel(label: unknown, resource: Resource, step: Step, own?: Item): Promise<void> {
  const { flags, session } = step
  if (typeof label !== 'string' || flags['allow-duplicate'] || flags['if-absent']) return
  const taken = (await step.look(label))?.items.find(({ id }) => id !== own?.id)
  if (!taken) return
  const message = `${nameOf(resource, { id: taken.id, record: taken })} has this label already`
  if (session.interactive) return session.warn(message)
  throw new Problem('exists', message, {
    errors: [{ field: 'label', reason: 'Is the label of another' }],
    hint: 'Choose another, or add --allow-duplicate',
  })
}
