/** Implements `--add-tag` and `--remove-tag`, which change the current tags, unlike flags that set the whole list. */

import type { ChangeOptions, RequestBody } from '../account/change-context'
import { endsProtection, protectedTag } from '../account/protection'
import { nameOf } from '../account/resource'
import type { CommandStep } from '../engine/change-definition'
import type { Flag, Flags } from '../engine/command'
import { listFlag } from '../engine/flag-values'
import { ignoreProblem, Problem } from '../errors'

export const tagFlags: readonly Flag[] = [
  { name: 'add-tag', value: 'text', list: 'commas', description: 'Add a tag to the current ones' },
  { name: 'remove-tag', value: 'text', list: 'commas', description: 'Remove a tag from the current ones' },
]

/** Returns the change of tags that flags ask for. */
export function tagOptions(flags: Flags): Pick<ChangeOptions, 'list'> {
  const [add, remove] = [listFlag(flags, 'add-tag'), listFlag(flags, 'remove-tag')]
  return add || remove ? { list: { field: 'tags', add: add ?? [], remove: remove ?? [] } } : {}
}

/** Returns the body with the new tags, as far as they are known before sending; warns if they end a protection. */
export async function withTags(input: RequestBody, step: CommandStep): Promise<RequestBody> {
  const body = await withCurrentTags(input, step)
  const record = body.tags === undefined ? undefined : await step.record().catch(ignoreProblem)
  if (endsProtection(record, body)) {
    const name = record && step.subject ? nameOf(step.subject.resource, { id: record.id, record }) : 'it'
    await step.session.ui.warn(`${name} loses the tag "${protectedTag}": it is no longer protected`)
  }
  return body
}

async function withCurrentTags(body: RequestBody, { options, record }: CommandStep): Promise<RequestBody> {
  const change = options.list
  if (!change) return body
  if (body.tags !== undefined) {
    throw new Problem(
      'usage',
      '--add-tag and --remove-tag cannot be used with --tag or --no-tags, which set the whole list',
    )
  }
  const { changedList } = await import('../account/list-update')
  return { ...body, tags: changedList((await record())?.tags, change) }
}
