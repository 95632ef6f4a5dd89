/** Refuses labels in use: a label of two objects identifies neither of them (interface.md, Targets). */
import { Problem } from '../errors'
import { sameAccount } from './account'
import type { ActionStep } from './action'
import { type FoundObject, groupOf, nameOf, type Resource } from './resource'

/** Throws `exists` for a label in use, unless options allow it. `own` is the object to label. */
export async function checkLabel(
  label: unknown,
  resource: Resource,
  { account, options, look, notices }: Pick<ActionStep, 'account' | 'options' | 'look' | 'notices'>,
  own?: FoundObject,
): Promise<void> {
  const { allowDuplicate, ifAbsent } = options
  if (typeof label !== 'string' || allowDuplicate === true || ifAbsent) return
  const taken = (await look(label))?.items.find(({ id }) => id !== own?.id)
  if (!taken) return
  const message = `${nameOf(resource, { id: taken.id, record: taken })} already has this label`
  if (allowDuplicate === 'warn') {
    const group = groupOf(resource)
    const flag = await sameAccount(account)
    const consequence = `${message}; commands will need the id of each`
    notices.push((id) => `${consequence}. Rename one: skyctl ${group} update ${id} --label NEW_LABEL${flag}`)
    return
  }
  throw new Problem('exists', message, {
    errors: [{ field: 'label', reason: 'Is already in use' }],
    hint: allowDuplicate === undefined ? 'Choose another' : 'Choose another, or add --allow-duplicate',
  })
}
