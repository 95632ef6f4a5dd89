/**
 * Checks right before the steps of an existing firewall that no service loses protection in a way that the plan does not
 * say: others may have changed the status or the services since (state.md, For teams).
 */
import { nameOf, readAll } from '../../../account/resource'
import { firewallResource } from '../../../account/resources/firewall'
import { type Firewall, firewallDevices, firewalls } from '../../../catalogue/firewalls'
import type { AssignedService } from '../../../firewall/named-services'
import { mayBeEnforced } from '../../../firewall/status'
import type { Client } from '../../../http/client'
import { nameList } from '../../../rules/texts'
import { changedSince, keptAs, readOwned, unlessGone } from '../../check-removal'
import { protectionOf } from './claims'
import type { Guarded } from './read-guarded'

type Planned = Pick<Guarded, 'firewall' | 'devices'>

const viewed = (id: number, client: Client): Promise<Firewall> =>
  client.call(firewalls.view, { path: { firewallId: id } })

/** Returns the keys of the services that a firewall has now; none if it is gone. */
async function servicesNow(id: number, client: Client): Promise<string[]> {
  const devices = await unlessGone(readAll(client, firewallDevices.list, { path: { firewallId: id } }))
  return (devices ?? []).map(({ entity }) => protectionOf(entity))
}

const keysOf = (devices: readonly AssignedService[]) => devices.map(({ entity }) => protectionOf(entity))

/** Returns the services that a firewall has now, and did not have when the plan was made. */
async function servicesSince({ firewall, devices }: Planned, client: Client): Promise<string[]> {
  const planned = new Set(keysOf(devices))
  return (await servicesNow(firewall.id, client)).filter((key) => !planned.has(key))
}

/** Refuses to disable a firewall that protects a service which the plan does not know. */
export async function beforeDisabling(
  planned: Planned,
  { isHandover }: { isHandover: boolean },
  client: Client,
): Promise<object | undefined> {
  // Another run of the same file disables it before it assigns services, so the status is read last.
  const added = await servicesSince(planned, client)
  const present = await unlessGone(viewed(planned.firewall.id, client))
  if (present && added.length > 0 && mayBeEnforced(present.status))
    throw changedSince(isHandover ? titleOf(planned) : 'it', `was assigned to ${nameList(added)}`)
  return present
}

/** Refuses to enable a firewall for services of others that are no longer assigned to it. */
export async function beforeTakingOver(
  planned: Planned,
  keys: readonly string[],
  client: Client,
): Promise<object | undefined> {
  const now = await servicesNow(planned.firewall.id, client)
  const present = await unlessGone(viewed(planned.firewall.id, client))
  const lost = keys.filter((key) => !now.includes(key))
  if (!present) throw changedSince(titleOf(planned), 'was deleted')
  if (lost.length > 0) throw changedSince(titleOf(planned), `was removed from ${nameList(lost)}`)
  return present
}

/** Refuses to assign a service that another firewall releases for it to a firewall that protects nothing any more. */
export async function beforeClaiming(planned: Planned, client: Client): Promise<object | undefined> {
  const present = await unlessGone(viewed(planned.firewall.id, client))
  if (!present) throw changedSince(titleOf(planned), 'was deleted')
  if (!mayBeEnforced(present.status)) throw changedSince(titleOf(planned), 'was disabled')
  return present
}

/** Refuses to remove a service from a disabled firewall that was enabled since: it would lose its protection. */
export async function beforeUnassigning(
  planned: Planned,
  { entity }: AssignedService,
  client: Client,
): Promise<object | undefined> {
  const { id } = planned.firewall
  const present = await unlessGone(viewed(id, client))
  const isEnabled = present !== undefined && mayBeEnforced(present.status)
  // Another run of the same file removes it before it enables the firewall.
  if (isEnabled && (await servicesNow(id, client)).includes(protectionOf(entity)))
    throw changedSince('it', `was enabled, and protects ${protectionOf(entity)},`)
  return present
}

/**
 * Resolves to a firewall to remove as it is now. Throws `changed` if it has lost the owner's tag, or protects a service that
 * the plan does not know.
 */
export async function beforeRemoving(planned: Planned, owner: string, client: Client) {
  const { firewall } = planned
  const present = await readOwned(viewed(firewall.id, client), owner)
  if (!present) return undefined
  if (firewall.status !== present.status && present.status === 'enabled')
    throw keptAs('it was enabled since the plan was made')
  const added = await servicesSince(planned, client)
  if (added.length > 0) throw keptAs(`it was assigned to ${nameList(added)} since the plan was made`)
  return present
}

/** Resolves to a firewall to remove a service from; throws `changed` if it has lost the owner's tag. */
export const beforeReleasing = ({ firewall }: Planned, owner: string, client: Client) =>
  readOwned(viewed(firewall.id, client), owner)

const titleOf = ({ firewall }: Planned) => nameOf(firewallResource, { id: firewall.id, record: firewall })
