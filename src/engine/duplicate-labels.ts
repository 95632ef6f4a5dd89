/** Checks for labels in use: a label of two objects identifies neither of them (interface.md, Targets). */

import { type Item, nameOf, type Resource, type Target } from '../account/resource'
import { Problem } from '../errors'
import type { CommandStep } from './change-definition'
import type { Flags } from './command'

/** Throws `usage` if several objects would get the same label, unless flags allow it. */
export function expectOneLabel(label: unknown, targets: readonly Target[], { noun, flags }: Labelling): void {
  if (label === undefined || targets.length < 2 || flags['allow-duplicate'] || flags.validate === false) return
  throw new Problem('usage', `${targets.length} ${noun}s would get the same label: ${JSON.stringify(label)}`, {
    errors: [{ field: 'label', reason: 'Must be unique' }],
    hint: `Name one ${noun}`,
  })
}

interface Labelling {
  noun: string
  flags: Flags
}

/**
 * Warns a person about a label in use, and throws `exists` in scripts, unless flags allow it. `own` is the object to
 * label.
 */
export async function checkLabel(label: unknown, resource: Resource, step: CommandStep, own?: Item): Promise<void> {
  const { flags, session } = step
  if (typeof label !== 'string' || flags['allow-duplicate'] || flags['if-absent']) return
  const taken = (await step.look(label))?.items.find(({ id }) => id !== own?.id)
  if (!taken) return
  const message = `${nameOf(resource, { id: taken.id, record: taken })} already has this label`
  if (session.ui.interactive) return session.ui.warn(`${message}; commands will need the id of each`)
  throw new Problem('exists', message, {
    errors: [{ field: 'label', reason: 'Is already in use' }],
    hint: 'Choose another, or add --allow-duplicate',
  })
}
