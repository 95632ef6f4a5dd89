/** Looks for an object among other kinds, after it was not found: ids and labels say nothing about the kind. */
import type { Account } from '../account/account'
import { findTarget } from '../account/find-target'
import { groupOf, type Resource, type Target } from '../account/resource'
import { isGone } from '../errors'
import { shellWord } from '../rules/texts'

/** Returns the problem with the command that shows the object, if it is of another kind; other errors unchanged. */
export async function withOtherKind(
  error: unknown,
  target: Target,
  { resource, account }: { resource: Resource; account: Account },
): Promise<unknown> {
  if (!isGone(error) || error.details.hint !== undefined || resource.reference || resource.parent) return error
  const [{ firewallResource }, { volumeResource }, { tokenResource }] = await Promise.all([
    import('../account/resources/firewall'),
    import('../account/resources/volume'),
    import('../account/resources/token'),
  ])
  const others = [volumeResource, firewallResource, tokenResource].filter(({ noun }) => noun !== resource.noun)
  const hints = await Promise.all(others.map((other) => hintOf(target, other, account)))
  const hint = hints.find((one) => one !== undefined)
  return hint === undefined ? error : error.with({ hint })
}

async function hintOf(target: Target, resource: Resource, account: Account): Promise<string | undefined> {
  // A courtesy: whether the token may read another kind, and whether that fails, does not matter.
  const match = await findTarget(target, resource, account, { record: true }).catch(() => undefined)
  const command = `skyctl ${groupOf(resource)} view ${shellWord(target.input)}`
  return match && `There is a ${resource.noun} with this ${'id' in target ? 'id' : 'label'}: ${command}`
}
