import { volumes } from '../../catalogue/volumes'
import { changeCommand, type RequestBody } from '../../engine/change'
import type { Flags } from '../../engine/command'
import { listFlag } from '../../engine/given'
import type { Found } from '../../engine/resource'
import { Problem } from '../../errors'
import { volumeColumns, volumeResource } from './resource'

const changesTags = (flags: Flags) => flags['add-tag'] !== undefined || flags['remove-tag'] !== undefined

/** Tags that are added or removed start from those that stand; tags that are given replace them. */
function withTags(body: RequestBody, flags: Flags, found?: Found): RequestBody {
  if (!changesTags(flags)) return body
  if (body.tags !== undefined) {
    throw new Problem('usage', '--tag and --no-tags set the whole list, so --add-tag and --remove-tag contradict them')
  }
  const removed = new Set(listFlag(flags, 'remove-tag'))
  const present = (found?.record?.tags ?? []) as string[]
  const tags = [...new Set([...present, ...(listFlag(flags, 'add-tag') ?? [])])].filter((tag) => !removed.has(tag))
  return { ...body, tags }
}

export const updateVolume = changeCommand({
  name: 'update',
  aliases: ['set'],
  operation: volumes.update,
  resource: volumeResource,
  columns: [...volumeColumns, { path: 'tags' }],
  flags: [
    { name: 'add-tag', value: 'text', list: 'commas', description: 'Add to the tags that stand' },
    { name: 'remove-tag', value: 'text', list: 'commas', description: 'Remove from the tags that stand' },
  ],
  reads: changesTags,
  complete: (body, { flags }, found) => withTags(body, flags, found),
  precheck(body) {
    if (Object.keys(body).length > 0) return
    throw new Problem('usage', 'nothing to change', {
      hint: 'Give --label, --tag, --add-tag, --remove-tag or --no-tags',
    })
  },
  done: ({ filesystem_path }, name, { label }) =>
    label === undefined
      ? `Updated ${name}`
      : `Updated ${name}; it is now at ${filesystem_path}: mount entries with another path break`,
  examples: [
    {
      what: 'Rename a volume; its filesystem_path changes with it',
      line: 'skyctl volumes update data --label archive',
    },
    { what: 'Add one tag and remove another', line: 'skyctl volumes update data --add-tag prod --remove-tag test' },
  ],
})
