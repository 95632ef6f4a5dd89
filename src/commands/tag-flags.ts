/** Implements `--add-tag` and `--remove-tag`, which change the current tags, unlike flags that set the whole list. */

import type { RequestBody } from '../account/change-context'
import { endsProtection, protectedTag } from '../account/protection'
import { nameOf } from '../account/resource'
import type { CommandStep } from '../engine/change-definition'
import type { Flag, Flags } from '../engine/command'
import { ignoreProblem } from '../errors'
import { addRemoveOptions, sayReplaced, withAddedAndRemoved } from './add-remove-flags'

export const tagFlags: readonly Flag[] = [
  { name: 'add-tag', value: 'text', list: 'commas', description: 'Add a tag to the current ones' },
  { name: 'remove-tag', value: 'text', list: 'commas', description: 'Remove a tag from the current ones' },
]

export const tagOptions = (flags: Flags) => addRemoveOptions(flags, { field: 'tags', item: 'tag' })

/** Returns the body with the new tags, as far as they are known before sending; warns if they end a protection. */
export async function withTags(input: RequestBody, step: CommandStep): Promise<RequestBody> {
  const both = '--add-tag and --remove-tag cannot be used with --tag or --no-tags, which set the whole list'
  const body = await withAddedAndRemoved(input, step, { both, read: step.record })
  const record = body.tags === undefined ? undefined : await step.record().catch(ignoreProblem)
  if (endsProtection(record, body)) {
    const name = record && step.subject ? nameOf(step.subject.resource, { id: record.id, record }) : 'it'
    await step.session.ui.warn(`${name} loses the tag "${protectedTag}": it is no longer protected`)
  }
  if (!step.options.list)
    await sayReplaced(leftOut(record, body), { items: 'tags', flag: '--tag', adding: '--add-tag' }, step)
  return body
}

/** Returns the tags that `--tag` leaves out; none if it removes all. */
function leftOut(record: RequestBody | undefined, { tags }: RequestBody): string[] {
  const before = Array.isArray(record?.tags) ? record.tags : []
  return Array.isArray(tags) && tags.length > 0 ? before.filter((tag) => !tags.includes(tag)) : []
}
