/** Orders the steps for a firewall's services and status, so that no service is unprotected for long. */

import type { FirewallDevice } from '../../../catalogue/firewalls'
import type { AssignedService } from '../../../firewall/named-services'
import { changed } from '../../../rules/texts'
import type { PlanStep } from '../../plan-step'
import { type HandoverOf, handovers, protectionOf } from './claims'
import {
  type Added,
  addedTo,
  assigning,
  isKept,
  listedIn,
  servicesAfter,
  unassigning,
  unprotecting,
} from './compare-services'
import type { One } from './entry'
import type { Guarded } from './read-guarded'

type Entity = FirewallDevice['entity']

const guards = () => import('./guard-steps')

/** Returns a function that names the firewall that will take over a service. */
const claimantIn = (handoverOf: HandoverOf) => (entity: Entity) => handoverOf(entity)?.to

/** Key of a firewall's place for a balancer: it has only one (api.md, 4). */
const balancerPlace = (label: string) => `balancer of firewall "${label}"`

/** Returns the keys that assigning a service needs: its protection, and of a balancer the place, too. */
const placesOf = ({ type, id }: Added, label: string) => [
  protectionOf({ type, id }),
  ...(type === 'balancer' ? [balancerPlace(label)] : []),
]

export const switching = (to: 'enabled' | 'disabled', target: string): PlanStep => ({
  action: to === 'enabled' ? 'enable' : 'disable',
  does: to === 'enabled' ? 'firewalls enable' : 'firewalls disable',
  target: [target],
  replaced: { status: to === 'enabled' ? 'disabled' : 'enabled' },
  changes: [changed('status', to === 'enabled' ? 'disabled' : 'enabled', to)],
})

/** Options to disable a protected firewall that protects nothing yet. */
export const harmless = { options: { force: true } } as const

/** Adds released or claimed services, and the undo, to a step that enables or disables a firewall. */
function handingOver(step: PlanStep, keys: Pick<PlanStep, 'frees' | 'takes'>): PlanStep {
  const [target = ''] = step.target
  const { does, target: words } = switching(step.action === 'enable' ? 'disabled' : 'enabled', target)
  return { ...step, ...keys, undo: () => ({ does, target: words }) }
}

/** Returns the steps that remove devices which other firewalls claim. */
export const releasing = (
  guarded: Guarded,
  devices: readonly AssignedService[],
  handoverOf: HandoverOf,
): PlanStep[] => {
  const { id: firewallId, label } = guarded.firewall
  return devices.map((device) => {
    const { id, type } = device.entity
    return {
      ...unassigning(guarded, device, claimantIn(handoverOf)),
      frees: placesOf({ id, type }, label),
      undo: () => assigning(String(firewallId), { id, type }),
    }
  })
}

/** Returns the steps that assign services which other firewalls release. */
export const claiming = (target: string, label: string, added: readonly Added[]): PlanStep[] =>
  added.map((one) => taking(target, one, placesOf(one, label)))

/** Returns the step that assigns a service once these keys are released. */
const taking = (target: string, service: Added, takes: readonly string[]): PlanStep => ({
  ...assigning(target, service),
  takes,
  undo: ({ id }) => ({ does: 'firewalls devices delete', target: [target, String(id)], options: { ifPresent: true } }),
})

/** Returns the services of a firewall that another one claims. */
export function outgoingOf(
  { firewall: { label, status }, devices }: Pick<Guarded, 'firewall' | 'devices'>,
  handoverOf: HandoverOf,
) {
  if (status !== 'enabled') return []
  return devices.filter(({ entity }) => (handoverOf(entity)?.to ?? label) !== label)
}

/** Separates services to assign: those that another firewall releases first, and the others. */
export function sorted(added: readonly Added[], label: string, handoverOf: HandoverOf) {
  const isClaimed = (one: Added) => handoverOf(one)?.to === label && handoverOf(one)?.by === 'device'
  return { claimed: added.filter(isClaimed), plain: added.filter((one) => !isClaimed(one)) }
}

/** Returns all steps of an existing firewall but those for its tags; `rules` are the steps that replace its rules. */
export function stepsOfExisting(one: One, record: Guarded, rules: readonly PlanStep[]): PlanStep[] {
  const { devices, status } = one.desired
  const { status: present } = record.firewall
  const handoverOf = handovers(one)
  const outgoing = outgoingOf(record, handoverOf)
  const disables = present === 'enabled' && status === 'disabled'
  // If a claiming firewall is enabled for it, or the file does not list the devices, disabling releases all at once.
  const byStatus = ({ entity }: AssignedService) =>
    handoverOf(entity)?.by === 'status' || !listedIn(devices, entity.type)
  const isAtOnce = disables && outgoing.some(byStatus)
  const released = isAtOnce ? [] : outgoing
  const rest = record.devices.filter((device) => !released.includes(device))
  const dropped = rest.filter(({ entity }) => !isKept(devices, entity))
  const holder = disables ? disabled(record) : record
  const drop = dropped.map((device) => dropping(device, record, { holder, handoverOf }))
  const disable = disables ? [disabling(record, rest, handoverOf)] : []
  const enable = present === 'disabled' && status === 'enabled' ? [enabling(one, record, handoverOf)] : []
  const isStill = outgoing.length === 0
  const isLast = disables && !isStill
  const added = addedTo(rest, devices)
  const { waiting, assign } = assignments(added, record, { released: isLast ? [] : released, handoverOf })
  const claims = [...enable.filter(({ takes }) => takes), ...waiting]
  const releases = [...releasing(record, released, handoverOf), ...(isAtOnce ? disable : [])]
  // New services get the new rules; services that leave do not.
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

/** Returns the step that removes a service which no firewall of the file claims; `holder` is its firewall as it will be then. */
const dropping = (
  device: AssignedService,
  record: Guarded,
  { holder, handoverOf }: { holder: Guarded; handoverOf: HandoverOf },
): PlanStep => ({
  ...unassigning(holder, device, claimantIn(handoverOf)),
  ...(record.firewall.status === 'disabled' && {
    guard: async (client) => (await guards()).beforeUnassigning(record, device, client),
  }),
})

/** Returns the steps that assign services to an existing firewall: those that wait for a release, and the others. */
function assignments(
  added: readonly Added[],
  record: Guarded,
  { released, handoverOf }: { released: readonly AssignedService[]; handoverOf: HandoverOf },
) {
  const { id, label } = record.firewall
  const target = String(id)
  const { claimed, plain } = sorted(added, label, handoverOf)
  const isReplacing = ({ type }: Added) => type === 'balancer' && released.some(({ entity }) => entity.type === type)
  const guard: PlanStep['guard'] = async (client) => (await guards()).beforeClaiming(record, client)
  // The previous balancer, which another firewall claims, has to leave its place.
  const replacing = plain.filter(isReplacing).map((service) => taking(target, service, [balancerPlace(label)]))
  return {
    waiting: [...claiming(target, label, claimed).map((step) => ({ ...step, guard })), ...replacing],
    assign: plain.filter((service) => !isReplacing(service)).map((service) => assigning(target, service)),
  }
}

const disabled = ({ firewall, ...record }: Guarded): Guarded => ({
  ...record,
  firewall: { ...firewall, status: 'disabled' },
})

/** Returns the step that disables a firewall; `devices` are those that it still has then. */
function disabling(record: Guarded, devices: readonly AssignedService[], handoverOf: HandoverOf): PlanStep {
  const { firewall } = record
  const frees = outgoingOf({ firewall, devices }, handoverOf).map(({ entity }) => protectionOf(entity))
  const step: PlanStep = {
    ...switching('disabled', String(firewall.id)),
    ...(devices.length === 0 && harmless),
    consequences: unprotecting({ firewall, devices }, claimantIn(handoverOf)),
    guard: async (client) => (await guards()).beforeDisabling(record, { isHandover: frees.length > 0 }, client),
  }
  return frees.length > 0 ? handingOver(step, { frees }) : step
}

function enabling({ desired }: One, record: Guarded, handoverOf: HandoverOf): PlanStep {
  const { id } = record.firewall
  // Nobody else claims what an enabled firewall will protect.
  const isTaken = (one: Added) => handoverOf(one)?.by === 'status'
  const takes = servicesAfter(desired.devices, record).filter(isTaken).map(protectionOf)
  const step = switching('enabled', String(id))
  const guard: PlanStep['guard'] = async (client) => (await guards()).beforeTakingOver(record, takes, client)
  return takes.length > 0 ? handingOver({ ...step, guard }, { takes }) : step
}
