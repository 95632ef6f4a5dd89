/** Waits for a state of a volume; changes nothing. */
import { isGone } from '../../errors'
import type { Account } from '../account'
import type { ActionRunner } from '../action-runner'
import { parseTarget } from '../find-target'
import { type ResolvedTarget, resolveTarget } from '../resolved-target'
import type { Item } from '../resource'
import { active, volumeResource } from '../resources/volume'
import { type Condition, waitUntil } from '../wait'

/** Waits for a condition; resolves to the volume as it is then, `{}` if it is gone. */
export async function awaitVolume(
  target: Pick<ResolvedTarget, 'find'>,
  condition: Condition,
  account: Account,
): Promise<Partial<Item>> {
  const orAbsent = (error: unknown) => {
    if (!isGone(error) || !condition.met(null)) throw error
  }
  const object = await target.find().catch(orAbsent)
  if (!object) return {}
  const { id, record: before } = object
  const isFirst = before === undefined
  return (await waitUntil(condition, { id, before, resource: volumeResource, account, isFirst })) ?? {}
}

/** Waits until a volume is active; changes nothing. */
export const waitUntilActive: ActionRunner = async ({ target: [input = ''] = [] }, account) => {
  const target = resolveTarget(parseTarget(input, volumeResource.noun), volumeResource, { account, dry: false })
  const answer = await awaitVolume(target, active, account)
  return { outcome: { kind: 'already' }, answer, sent: { name: input, body: {} } }
}
