/** Creates the problems of labels that no object has, or that an answer cannot prove absent. */
import { filledPath } from '../catalogue/operation'
import { Problem } from '../errors'
import { labelHint } from '../rules/nearest'
import { type Id, type Item, pathOf, type Resource } from './resource'

/** Returns the problem of a label that none of these records has. */
export function noSuchLabel(label: string, resource: Resource, records: readonly Item[]): Problem {
  const unlabeled = records.find(isUnlabeled)
  // That object may have the label: without `missing`, it does not count as gone.
  if (unlabeled)
    return new Problem('not_found', `${absentText(label, resource)}, but ${lacksLabel(unlabeled, resource)}`, {
      hint: `Name the ${resource.noun} by its id`,
    })
  const others = records.map((item) => item.label ?? '')
  return labelNotFound(label, resource, others)
}

/** Returns the problem of a label that no object has, with a hint of similar ones. */
export function labelNotFound(label: string, resource: Resource, others: readonly string[]): Problem {
  const hint = labelHint(label, others)
  const missing = missingKeyOf({ label }, resource)
  return new Problem('not_found', absentText(label, resource), { missing, ...(hint && { hint }) })
}

const absentText = (label: string, { noun }: Resource) => `${noun} "${label}" not found`

const isUnlabeled = (item: Item) => typeof item.label !== 'string'
const lacksLabel = ({ id }: Item, { noun }: Resource) => `the answer lacks the label of ${noun} ${id}`

/** Throws if an answer lacks the label of an object: that object may have the label. */
export function expectLabels(items: readonly Item[], label: string, resource: Resource): void {
  const unlabeled = items.find(isUnlabeled)
  if (!unlabeled) return
  const message = `cannot tell whether ${resource.noun} "${label}" exists: ${lacksLabel(unlabeled, resource)}`
  throw new Problem('defect', message, { hint: 'To create it anyway, leave out --if-absent' })
}

/** Returns the value of `Details.missing` for an object that was named by id or label. */
export function missingKeyOf(named: { id: Id } | { label: string }, resource: Resource): string {
  if ('id' in named) return filledPath(resource.view.path, pathOf(resource, named.id))
  const { list, path = {} } = resource
  return `${filledPath(list.path, path)}?label=${JSON.stringify(named.label)}`
}
