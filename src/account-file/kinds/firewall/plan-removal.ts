/** Plans the removal of a firewall, which relies on its tags, status and services. */
import type { RemovalInput } from '../../kind'
import type { PlanStep } from '../../plan-step'
import { handovers } from './claims'
import { unprotecting } from './compare-services'
import type { FirewallEntry } from './entry'
import { outgoingOf, releasing } from './order-handover'
import type { Guarded } from './read-guarded'

const guards = () => import('./guard-steps')

/** Removes a firewall with its rules; services that another firewall claims are released first. */
export function removing(record: Guarded, around: RemovalInput<FirewallEntry>): PlanStep[] {
  const { firewall, devices } = record
  const handoverOf = handovers(around)
  const outgoing = outgoingOf(record, handoverOf)
  const rest = devices.filter((device) => !outgoing.includes(device))
  const { owner } = around
  const guard: PlanStep['guard'] = async (client) => (await guards()).beforeReleasing(record, owner, client)
  return [
    ...releasing(record, outgoing, handoverOf).map((step) => ({ ...step, guard })),
    {
      action: 'delete',
      does: 'firewalls delete',
      target: [String(firewall.id)],
      options: { ifPresent: true },
      guard: async (client) => (await guards()).beforeRemoving({ firewall, devices: rest }, owner, client),
      changes: ['deleted'],
      consequences: [
        { kind: 'destroys', text: 'all of its rules' },
        ...unprotecting({ firewall, devices: rest }, () => undefined),
      ],
    },
  ]
}
