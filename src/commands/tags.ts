/** `--add-tag` and `--remove-tag`: besides flags that set the whole list, those that start from the tags that stand. */

import type { Change } from '../engine/change'
import type { Step } from '../engine/change-command'
import type { ListChange } from '../engine/change-list'
import type { Flag, Flags } from '../engine/command'
import { listFlag } from '../engine/flag-values'
import type { RequestBody } from '../engine/situation'
import { Problem } from '../errors'

export const tagFlags: readonly Flag[] = [
  { name: 'add-tag', value: 'text', list: 'commas', description: 'Add to the tags that stand' },
  { name: 'remove-tag', value: 'text', list: 'commas', description: 'Remove from the tags that stand' },
]

function tagChange(flags: Flags): ListChange | undefined {
  const [add, remove] = [listFlag(flags, 'add-tag'), listFlag(flags, 'remove-tag')]
  return add || remove ? { field: 'tags', add: add ?? [], remove: remove ?? [] } : undefined
}

/** The body with the tags that are wanted, as far as is known before it is sent. */
export async function withTags(body: RequestBody, { flags, record }: Step): Promise<RequestBody> {
  const change = tagChange(flags)
  if (!change) return body
  if (body.tags !== undefined) {
    throw new Problem('usage', '--tag and --no-tags set the whole list, so --add-tag and --remove-tag contradict them')
  }
  const { changedList } = await import('../engine/change-list')
  return { ...body, tags: changedList((await record())?.tags, change) }
}

/** The tags that others add and remove at the same time are kept. */
export async function keepingTags(change: Change, step: Step): Promise<Change | undefined> {
  const list = tagChange(step.flags)
  if (!list || !step.subject) return undefined
  const { changeList, holderOf } = await import('../engine/change-list')
  return changeList(change, list, await holderOf(step.subject), step)
}
