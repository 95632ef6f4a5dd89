/** Tags of objects in files: those of the owner and of protected objects are kept (state.md, The file and For teams). */

import type { ActionName } from '../account/actions'
import type { ListChange } from '../account/change-context'
import { protectedTag } from '../account/protection'
import { isMissing } from '../catalogue/normalize'
import { Problem } from '../errors'
import { isSameSet } from '../rules/records'
import { changed, listed } from '../rules/texts'
import type { FileOptions } from './kind'
import { inOrder } from './kind-functions'
import type { PlanStep } from './plan-step'

/** Tags that an entry sets, as a list and by `protect`. */
interface DesiredTags {
  tags?: readonly string[] | undefined
  protect?: boolean | undefined
}

/**
 * Returns the tags of an object to create or change. The tag of the owner and that of protected objects are kept; new
 * and adopted objects get the first.
 */
export function tagsOf(
  { tags: desired, protect }: DesiredTags,
  present: readonly string[] | undefined,
  { owner, adopts }: FileOptions,
): readonly string[] {
  const listed = desired ?? present ?? []
  const keepsOwner = owner !== undefined && (present === undefined || adopts === true || present.includes(owner))
  const isProtected = protect ?? [...listed, ...(present ?? [])].includes(protectedTag)
  const others = withoutProtectedTag(listed)
  return [
    ...(isProtected && listed.includes(protectedTag) ? listed : others),
    ...(keepsOwner && !listed.includes(owner) ? [owner] : []),
    ...(isProtected && !listed.includes(protectedTag) ? [protectedTag] : []),
  ]
}

const withoutProtectedTag = (tags: readonly string[]) => tags.filter((tag) => tag !== protectedTag)

export const tagFields = (tags: readonly string[]) => ({
  tags: inOrder(withoutProtectedTag(tags)),
  ...(tags.includes(protectedTag) && { protect: true }),
})

/** Reports whether an object has the owner's tag; throws if the answer lacked the tags. */
export function isOwned(record: { id: number; tags: readonly string[] }, owner: string): boolean {
  if (!isMissing(record, 'tags')) return record.tags.includes(owner)
  throw new Problem(
    'defect',
    `the answer lacks the tags of ${record.id}, so skyctl cannot tell whether it has the tag "${owner}"`,
  )
}

/** Throws `usage` to prune or to adopt without an owner. */
export function expectOwner({ owner, adopts }: FileOptions, { prune }: { prune: boolean }): void {
  if (owner !== undefined || !(prune || adopts)) return
  const why = prune
    ? '--prune needs an owner: it deletes only resources with its tag'
    : '--adopt needs an owner: it adds the tag of the owner to resources'
  throw new Problem('usage', why, { hint: 'Add "owner: TAG" to the file' })
}

/**
 * Returns the step that changes an object's tags; none if they are already right. Without a list in the entry, it only adds
 * and removes the tags of the owner and of protected objects: those that others add since the plan stay.
 */
export function retag(
  does: ActionName,
  id: number,
  { desired, present, settings }: { desired: DesiredTags; present: readonly string[]; settings: FileOptions },
): PlanStep[] {
  if (desired.tags === undefined && desired.protect === undefined && !settings.adopts) return []
  const tags = tagsOf(desired, present, settings)
  if (isSameSet(tags, present)) return []
  const [from, to] = [withoutProtectedTag(present), withoutProtectedTag(tags)]
  const [was, will] = [present, tags].map((some) => some.includes(protectedTag))
  return [
    {
      action: 'update',
      does,
      target: [String(id)],
      body: { tags },
      ...(desired.tags === undefined && { options: { list: changeOf(present, tags) } }),
      replaced: { tags: present },
      changes: [
        ...(isSameSet(from, to) ? [] : [changed('tags', listed(from), listed(to))]),
        ...(was === will ? [] : [changed('protect', String(was), String(will))]),
      ],
    },
  ]
}

const changeOf = (present: readonly string[], tags: readonly string[]): ListChange => ({
  field: 'tags',
  add: tags.filter((tag) => !present.includes(tag)),
  remove: present.filter((tag) => !tags.includes(tag)),
})
