/** A label that another object has already: from then on it names neither of them (interface.md, Targets). */
import { Problem } from '../errors'
import type { Step } from './change-command'
import { type Item, nameOf, type Resource } from './resource'

/** Warns a person, and refuses a script, unless that is what it wants. `own` is what is to be labelled, if it exists. */
export async function checkLabel(label: unknown, resource: Resource, step: Step, own?: Item): Promise<void> {
  const { flags, session } = step
  if (typeof label !== 'string' || flags['allow-duplicate'] || flags['if-absent']) return
  const taken = (await step.look(label))?.items.find(({ id }) => id !== own?.id)
  if (!taken) return
  const message = `${nameOf(resource, { id: taken.id, record: taken })} has this label already`
  if (session.interactive) return session.warn(message)
  throw new Problem('usage', message, {
    errors: [{ field: 'label', reason: 'Is the label of another' }],
    hint: 'Choose another, or add --allow-duplicate',
  })
}
