/** Names the next step if another enabled firewall protects a service (api.md, Firewall behaviour 3). */
import type { Problem } from '../../errors'
import type { Service } from '../../firewall/effects'

export type ServiceName = Pick<Service, 'type' | 'id'>

/** Returns how to remove the other firewall: nothing protects the service until the next assignment. */
export const removalHint = ({ type, id }: ServiceName, firewallId: number) =>
  `Remove it there, and run this again at once: skyctl firewalls devices delete ${firewallId} --${type}-id ${id}`

/** The reason of the API's refusal. */
const refused = /(Compute|Balancer) (\d+) already has an active firewall: .* \((\d+)\)$/

/** Adds the next step to a refusal by the API. */
export function explainOtherProtection(problem: Problem): Problem {
  const [, type, id, firewallId] = refused.exec(problem.message) ?? []
  if (type === undefined) return problem
  return problem.with({ hint: removalHint({ type: type.toLowerCase(), id: Number(id) }, Number(firewallId)) })
}
