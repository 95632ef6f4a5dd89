/** Compares the services of a firewall with those in a file. */
import type { FirewallDevice } from '../../../catalogue/firewalls'
import { Problem } from '../../../errors'
import type { AssignedService } from '../../../firewall/named-services'
import { inOrder } from '../../kind-functions'
import type { Consequence, PlanStep } from '../../plan-step'
import type { FirewallEntry } from './entry'
import type { Guarded } from './read-guarded'

export const services = ['computes', 'balancers'] as const
export type Services = (typeof services)[number]

export const kindOf = (list: Services) => (list === 'computes' ? 'compute' : 'balancer')

/** Returns the field of a file for services of this type; undefined for a type that is not in api.md. */
export const listOf = (type: string): Services | undefined => services.find((list) => kindOf(list) === type)

/** Returns the services of this type in a file; undefined if it leaves them unchanged, as it does unknown types. */
export function listedIn(desired: FirewallEntry['devices'], type: string): readonly number[] | undefined {
  const list = listOf(type)
  return list ? desired?.[list] : undefined
}

/** Reports whether a service stays assigned according to a file. */
export const isKept = (
  desired: FirewallEntry['devices'],
  { type, id }: Pick<FirewallDevice['entity'], 'type' | 'id'>,
) => listedIn(desired, type)?.includes(id) ?? true

export const idsOf = (devices: readonly AssignedService[], list: Services) =>
  inOrder(devices.flatMap(({ entity: { id, type } }) => (type === kindOf(list) ? [id] : [])))

export const idsAfter = (desired: FirewallEntry['devices'], record: Guarded | undefined, list: Services) =>
  desired?.[list] ?? idsOf(record?.devices ?? [], list)

export const listedServices = (devices: FirewallEntry['devices']): Added[] =>
  services.flatMap((list) => (devices?.[list] ?? []).map((id) => ({ type: kindOf(list), id })))

export const servicesAfter = (desired: FirewallEntry['devices'], record: Guarded | undefined): Added[] =>
  listedServices({
    computes: [...idsAfter(desired, record, 'computes')],
    balancers: [...idsAfter(desired, record, 'balancers')],
  })

/** Returns the label of the firewall that claims a service from another one. */
type Claimant = (service: FirewallDevice['entity']) => string | undefined

export function unassigning(guarded: Guarded, device: AssignedService, claimant: Claimant): PlanStep {
  const { id: deviceId, entity } = device
  if (deviceId === undefined) throw new Problem('defect', `the device of ${entity.type} ${entity.id} is unknown`)
  return {
    action: 'unassign',
    does: 'firewalls devices delete',
    target: [String(guarded.firewall.id), String(deviceId)],
    options: { ifPresent: true },
    replaced: { entity: { id: entity.id, type: entity.type } },
    changes: [`no longer protects ${entity.type} ${entity.id}`],
    consequences: unprotecting({ ...guarded, devices: [device] }, claimant),
  }
}

/** Returns the consequences of losing a firewall; a disabled one protects nothing. */
export function unprotecting(
  { firewall, devices }: Pick<Guarded, 'firewall' | 'devices'>,
  claimant: Claimant,
): Consequence[] {
  if (firewall.status !== 'enabled') return []
  return devices.map(({ entity }) => {
    const { type, id, label } = entity
    const next = claimant(entity)
    const until = next === undefined ? '' : ` for a moment, until firewall "${next}" protects it`
    return {
      kind: 'unprotects',
      text: `${type} ${id} is open to all traffic${until}`,
      services: [{ type, id, label }],
      ...(next !== undefined && { taken_over_by: next }),
    }
  })
}

export type Added = Pick<FirewallDevice['entity'], 'type' | 'id'>

/** Returns services that the file has and the firewall does not. */
export const addedTo = (devices: readonly AssignedService[], desired: FirewallEntry['devices']): Added[] =>
  listedServices(desired).filter(
    ({ type, id }) => !devices.some(({ entity }) => entity.type === type && entity.id === id),
  )

/** Returns the step that assigns a service; `target` names the firewall in commands. */
export const assigning = (target: string, { type, id }: Added): PlanStep => ({
  action: 'assign',
  does: 'firewalls devices add',
  target: [target],
  body: { id, type },
  changes: [`protects ${type} ${id}`],
})
