/** `--add-tag` and `--remove-tag`: besides flags that set the whole list, those that start from the tags that stand. */

import type { Step } from '../engine/change-command'
import type { Flag } from '../engine/command'
import { listFlag } from '../engine/flag-values'
import type { RequestBody } from '../engine/situation'
import { Problem } from '../errors'

export const tagFlags: readonly Flag[] = [
  { name: 'add-tag', value: 'text', list: 'commas', description: 'Add to the tags that stand' },
  { name: 'remove-tag', value: 'text', list: 'commas', description: 'Remove from the tags that stand' },
]

/** The body with the tags that are wanted. */
export async function withTags(body: RequestBody, { flags, record }: Step): Promise<RequestBody> {
  const [added, removed] = [listFlag(flags, 'add-tag'), listFlag(flags, 'remove-tag')]
  if (!added && !removed) return body
  if (body.tags !== undefined) {
    throw new Problem('usage', '--tag and --no-tags set the whole list, so --add-tag and --remove-tag contradict them')
  }
  const present = (await record())?.tags
  const tags = new Set([...(Array.isArray(present) ? present : []), ...(added ?? [])])
  for (const tag of removed ?? []) tags.delete(tag)
  return { ...body, tags: [...tags] }
}
