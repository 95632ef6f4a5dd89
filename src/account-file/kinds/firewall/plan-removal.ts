/** Plans the removal of a firewall, which relies on its tags, status and services. */
import { readAll } from '../../../account/resource'
import { firewallDevices, firewalls } from '../../../catalogue/firewalls'
import type { Client } from '../../../http/client'
import { nameList } from '../../../rules/texts'
import { keptAs, readOwned, unlessGone } from '../../check-removal'
import type { RemovalInput } from '../../kind'
import type { PlanStep } from '../../plan-step'
import { handovers, protectionOf } from './claims'
import { unprotecting } from './compare-services'
import type { FirewallEntry } from './entry'
import { outgoingOf, releasing } from './order-handover'
import type { Guarded } from './read-guarded'

/** Removes a firewall with its rules; services that another firewall claims are released first. */
export function removing(record: Guarded, around: RemovalInput<FirewallEntry>): PlanStep[] {
  const { firewall, devices } = record
  const handoverOf = handovers(around)
  const outgoing = outgoingOf(record, handoverOf)
  const rest = devices.filter((device) => !outgoing.includes(device))
  const { owner } = around
  const guard = (client: Client) => readOwned(viewed(record, client), owner)
  return [
    ...releasing(record, outgoing, handoverOf).map((step) => ({ ...step, guard })),
    {
      action: 'delete',
      does: 'firewalls delete',
      target: [String(firewall.id)],
      options: { ifPresent: true },
      guard: (client) => expectRemovable({ firewall, devices: rest }, owner, client),
      changes: ['deleted'],
      consequences: [
        { kind: 'destroys', text: 'all of its rules' },
        ...unprotecting({ firewall, devices: rest }, () => undefined),
      ],
    },
  ]
}

const viewed = ({ firewall: { id } }: Pick<Guarded, 'firewall'>, client: Client) =>
  client.call(firewalls.view, { path: { firewallId: id } })

/**
 * Resolves to a firewall to remove as it is now. Throws `changed` if it has lost the owner's tag, or protects a service that
 * the plan does not know.
 */
async function expectRemovable(planned: Omit<Guarded, 'asOf'>, owner: string, client: Client) {
  const { firewall, devices } = planned
  const present = await readOwned(viewed(planned, client), owner)
  if (!present) return undefined
  if (firewall.status !== present.status && present.status === 'enabled')
    throw keptAs('it was enabled since the plan was made')
  const now = await unlessGone(readAll(client, firewallDevices.list, { path: { firewallId: firewall.id } }))
  const plannedServices = new Set(devices.map(({ entity }) => protectionOf(entity)))
  const added = (now ?? []).map(({ entity }) => protectionOf(entity)).filter((key) => !plannedServices.has(key))
  if (added.length > 0) throw keptAs(`it was assigned to ${nameList(added)} since the plan was made`)
  return present
}
