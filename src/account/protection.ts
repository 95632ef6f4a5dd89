/** Protected objects: no command deletes, detaches or disables what has the tag `protected`, unless --force is set. */
import { isMissing } from '../catalogue/normalize'
import { Problem } from '../errors'
import { isRecord } from '../rules/records'
import type { ActionStep, ProtectionRule, ReadRecord } from './action'
import type { RequestBody } from './change-context'
import { groupOf, nameOf } from './resource'

/** Tag of protected volumes and firewalls. */
export const protectedTag = 'protected'

export const hasProtectedTag = (tags: unknown): boolean => Array.isArray(tags) && tags.includes(protectedTag)

/** Throws `protected` if an action would harm a protected object. */
export async function expectUnprotected(
  { harm, applies = () => true, isHarmed = () => true, read = readNamed }: ProtectionRule,
  body: RequestBody,
  step: ActionStep,
): Promise<void> {
  // A dry run knows only what a label's lookup has read.
  const isReadable = !step.dry || read === readNamed
  const harmed = isReadable && applies(body) ? await read(step) : undefined
  if (harmed && isHarmed(harmed.record)) refuseIfProtected(harmed, harm)
}

async function readNamed({ subject, record }: ActionStep): Promise<ReadRecord | undefined> {
  const named = await record()
  return subject && named && { resource: subject.resource, record: named }
}

/** Throws `protected` for a protected object, and `defect` if the answer lacked its tags. */
export function refuseIfProtected({ resource, record }: ReadRecord, harm: string): void {
  const name = nameOf(resource, { id: record.id, record })
  if (isMissing(record, 'tags')) {
    throw new Problem('defect', `the answer lacks the tags of ${name}, so skyctl cannot tell whether it is protected`, {
      hint: 'To go on anyway, add --force',
    })
  }
  if (!hasProtectedTag(record.tags)) return
  throw new Problem('protected', `${name} has the tag "${protectedTag}", so ${harm}`, {
    hint: `Add --force, or remove the tag first: skyctl ${groupOf(resource)} update ${record.id} --remove-tag ${protectedTag}`,
  })
}

/** Reports whether new tags end the protection of an object. */
export const endsProtection = (record: unknown, { tags }: RequestBody): boolean =>
  tags !== undefined && isRecord(record) && hasProtectedTag(record.tags) && !hasProtectedTag(tags)
