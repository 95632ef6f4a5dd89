/** The steps by which services and the status of a firewall change, in an order in which none is open for long. */
import type { FirewallDevice } from '../../catalogue/firewalls'
import { changed, type Step } from '../kind'
import { type HandoverOf, handovers, protectionOf } from './firewall-claims'
import {
  type Added,
  addedTo,
  assigning,
  type Guarded,
  idsAfter,
  isKept,
  isListed,
  kindOf,
  type One,
  services,
  unassigning,
  unprotecting,
} from './firewall-devices'

type Entity = FirewallDevice['entity']

/** A service counts as claimed by a firewall that does not protect it now. */
const claimantIn = (handoverOf: HandoverOf) => (entity: Entity) => handoverOf(entity)?.to

/** A firewall has one balancer (api.md, 4): one leaves before another comes. */
const placesOf = ({ type, id }: Added, label: string) => [
  protectionOf({ type, id }),
  ...(type === 'balancer' ? [`balancer of firewall "${label}"`] : []),
]

export const switching = (to: 'enabled' | 'disabled', target: string): Step => ({
  action: to === 'enabled' ? 'enable' : 'disable',
  command: ['firewalls', to === 'enabled' ? 'enable' : 'disable'],
  arguments: [target],
  changes: [changed('status', to === 'enabled' ? 'disabled' : 'enabled', to)],
})

/** A switch that releases or claims services; without any it is a step like others. */
function handingOver(step: Step, keys: Pick<Step, 'frees' | 'takes'>): Step {
  const [target = ''] = step.arguments
  const { command, arguments: words } = switching(step.action === 'enable' ? 'disabled' : 'enabled', target)
  return { ...step, ...keys, undo: () => ({ command, arguments: words }) }
}

/** Takes devices away that other firewalls claim. */
export const releasing = (guarded: Guarded, devices: readonly FirewallDevice[], handoverOf: HandoverOf): Step[] => {
  const { id: firewallId, label } = guarded.firewall
  return unassigning(guarded, devices, claimantIn(handoverOf)).map((step, index) => {
    const { id, type } = (devices[index] as FirewallDevice).entity
    const [back] = assigning(String(firewallId), [{ id, type }]) as [Step]
    return { ...step, frees: placesOf({ id, type }, label), undo: () => back }
  })
}

/** Assigns services that other firewalls release. */
export const claiming = (target: string, label: string, added: readonly Added[]): Step[] =>
  assigning(target, added).map((step, index) => ({
    ...step,
    takes: placesOf(added[index] as Added, label),
    undo: ({ id }) => ({
      command: ['firewalls', 'devices', 'delete'],
      arguments: [target, String(id)],
      flags: { 'if-present': true },
    }),
  }))

/** Services of a firewall that another one claims. */
export function outgoingOf(
  { firewall: { label, status }, devices }: Pick<Guarded, 'firewall' | 'devices'>,
  handoverOf: HandoverOf,
) {
  if (status !== 'enabled') return []
  return devices.filter(({ entity }) => (handoverOf(entity)?.to ?? label) !== label)
}

/** Services that are assigned in a plan: those that another firewall releases, and those that can be had at once. */
export function sorted(added: readonly Added[], label: string, handoverOf: HandoverOf) {
  const isClaimed = (one: Added) => handoverOf(one)?.to === label && handoverOf(one)?.by === 'device'
  return { claimed: added.filter(isClaimed), plain: added.filter((one) => !isClaimed(one)) }
}

/** All steps of a firewall that exists but those of its tags; `rules` are the steps that replace its rules. */
export function changing(one: One, record: Guarded, rules: readonly Step[]): Step[] {
  const { devices, status } = one.wanted
  const { id, label, status: present } = record.firewall
  const target = String(id)
  const handoverOf = handovers(one)
  const outgoing = outgoingOf(record, handoverOf)
  const disables = present === 'enabled' && status === 'disabled'
  // Where what claims a service is enabled for it, or the file does not name the devices, all go at once.
  const byStatus = ({ entity }: FirewallDevice) => handoverOf(entity)?.by === 'status' || !isListed(devices, entity)
  const isAtOnce = disables && outgoing.some(byStatus)
  const released = isAtOnce ? [] : outgoing
  const rest = record.devices.filter((device) => !released.includes(device))
  const dropped = rest.filter(({ entity }) => !isKept(devices, entity))
  const drop = unassigning(disables ? disabled(record) : record, dropped, claimantIn(handoverOf))
  const { claimed, plain } = sorted(addedTo(rest, devices), label, handoverOf)
  const disable = disables ? [disabling(record, rest, handoverOf)] : []
  const enable = present === 'disabled' && status === 'enabled' ? [enabling(one, record, handoverOf)] : []
  const claims = [...enable.filter(({ takes }) => takes), ...claiming(target, label, claimed)]
  const releases = [...releasing(record, released, handoverOf), ...(isAtOnce ? disable : [])]
  const assign = assigning(target, plain)
  const isStill = outgoing.length === 0
  const isLast = disables && !isStill
  // Whoever comes meets the new rules, and whoever goes does not.
  const areFirst = isStill || claims.length > 0
  return [
    ...(isStill ? disable : []),
    ...(isAtOnce ? [] : drop),
    ...(areFirst ? rules : []),
    ...(isLast ? [] : assign),
    ...enable.filter(({ takes }) => !takes),
    ...releases,
    ...claims,
    ...(areFirst ? [] : rules),
    ...(isLast && !isAtOnce ? disable : []),
    ...(isAtOnce ? drop : []),
    ...(isLast ? assign : []),
  ]
}

/** A firewall as it is when it protects nothing any more. */
const disabled = ({ firewall, ...record }: Guarded): Guarded => ({
  ...record,
  firewall: { ...firewall, status: 'disabled' },
})

function disabling({ firewall }: Guarded, devices: readonly FirewallDevice[], handoverOf: HandoverOf): Step {
  const frees = outgoingOf({ firewall, devices }, handoverOf).map(({ entity }) => protectionOf(entity))
  const step = {
    ...switching('disabled', String(firewall.id)),
    consequences: unprotecting({ firewall, devices }, claimantIn(handoverOf)),
  }
  return frees.length > 0 ? handingOver(step, { frees }) : step
}

function enabling({ wanted }: One, record: Guarded, handoverOf: HandoverOf): Step {
  const { id, label } = record.firewall
  const after = services.flatMap((list) =>
    idsAfter(wanted.devices, record, list).map((id) => ({ type: kindOf(list), id })),
  )
  const isTaken = (one: Added) => handoverOf(one)?.to === label && handoverOf(one)?.by === 'status'
  const takes = after.filter(isTaken).map(protectionOf)
  const step = switching('enabled', String(id))
  return takes.length > 0 ? handingOver(step, { takes }) : step
}
