/** `--add-tag` and `--remove-tag`: besides flags that set the whole list, those that start from the tags that stand. */
import type { RequestBody } from '../engine/change'
import type { Flag, Flags } from '../engine/command'
import { listFlag } from '../engine/given'
import type { Found } from '../engine/resource'
import { Problem } from '../errors'

export const tagFlags: readonly Flag[] = [
  { name: 'add-tag', value: 'text', list: 'commas', description: 'Add to the tags that stand' },
  { name: 'remove-tag', value: 'text', list: 'commas', description: 'Remove from the tags that stand' },
]

export const changesTags = (flags: Flags) => flags['add-tag'] !== undefined || flags['remove-tag'] !== undefined

/** The body with the tags that are wanted; `found` needs its record where `changesTags`. */
export function withTags(body: RequestBody, flags: Flags, found?: Found): RequestBody {
  if (!changesTags(flags)) return body
  if (body.tags !== undefined) {
    throw new Problem('usage', '--tag and --no-tags set the whole list, so --add-tag and --remove-tag contradict them')
  }
  const removed = new Set(listFlag(flags, 'remove-tag'))
  const present = (found?.record?.tags ?? []) as string[]
  const tags = [...new Set([...present, ...(listFlag(flags, 'add-tag') ?? [])])].filter((tag) => !removed.has(tag))
  return { ...body, tags }
}
