/** What a firewall protects, and how a file wants it. */
import * as v from 'valibot'
import { choice, positive, strings } from '../../catalogue/fields'
import { firewallRules } from '../../catalogue/firewall-rules'
import type { Firewall, FirewallDevice } from '../../catalogue/firewalls'
import { type Case, type Consequence, inOrder, type Refusal, type Step } from '../kind'

export const entry = v.strictObject({
  status: v.optional(choice(['enabled', 'disabled'], 'Whether it is in force; a new one is enabled')),
  tags: v.optional(strings('All of its tags')),
  rules: v.optional(
    v.pipe(
      firewallRules.update.body,
      v.description('As `firewalls rules list -o yaml` prints them; a list or policy that is left out is left alone'),
    ),
  ),
  devices: v.optional(
    v.pipe(
      v.strictObject({
        computes: v.optional(v.array(positive('ID of a compute instance'))),
        balancers: v.optional(
          v.pipe(
            v.array(positive('ID of a balancer')),
            v.maxLength(1, 'Only one balancer can be assigned to a firewall'),
          ),
        ),
      }),
      v.description('All that it protects; a list that is left out is left alone'),
    ),
  ),
  tests: v.optional(
    v.pipe(
      v.array(v.looseObject({})),
      v.description('Packets as `firewalls test --cases` takes them; each must be judged as it expects'),
    ),
  ),
})

export type Entry = v.InferOutput<typeof entry>

export interface Guarded {
  firewall: Firewall
  devices: readonly FirewallDevice[]
}

export type One = Case<Entry, Guarded>

const services = ['computes', 'balancers'] as const

const kindOf = (list: (typeof services)[number]) => (list === 'computes' ? 'compute' : 'balancer')

export const idsOf = (devices: readonly FirewallDevice[], list: (typeof services)[number]) =>
  inOrder(devices.flatMap(({ entity: { id, type } }) => (type === kindOf(list) ? [id] : [])))

/** Services that it protects and shall not; what another firewall of the file wants is made free before that. */
export function unassigning({ wanted, others }: One, firewallId: number, devices: readonly FirewallDevice[]): Step[] {
  return services.flatMap((list) => {
    const kept = wanted.devices?.[list]
    if (kept === undefined) return []
    return devices.flatMap(({ id, entity }) => {
      if (entity.type !== kindOf(list) || kept.includes(entity.id)) return []
      const service = `${entity.type} ${entity.id}`
      const isWanted = [...others.values()].some(({ devices }) => devices?.[list]?.includes(entity.id))
      return [
        {
          action: 'unassign',
          command: ['firewalls', 'devices', 'delete'],
          arguments: [String(firewallId), String(id)],
          changes: [`protects ${service} no longer`],
          ...(isWanted ? { first: true as const } : { consequences: [unprotecting(service)] }),
        },
      ]
    })
  })
}

export const unprotecting = (service: string): Consequence => ({
  kind: 'unprotects',
  text: `${service} is open to all traffic`,
})

export function assigning({ wanted }: One, firewallId: number, devices: readonly FirewallDevice[]): Step[] {
  return services.flatMap((list) => {
    const present = idsOf(devices, list)
    const added = wanted.devices?.[list]?.filter((id) => !present.includes(id)) ?? []
    return added.map((id) => ({
      action: 'assign',
      command: ['firewalls', 'devices', 'add'],
      arguments: [String(firewallId)],
      body: { id, type: kindOf(list) },
      changes: [`protects ${kindOf(list)} ${id}`],
    }))
  })
}

/** api.md: only one enabled firewall can be assigned to a service. */
export function claimedTwice(one: One): Refusal[] {
  const { name, wanted, record, others, world } = one
  const stays = (entry: Entry | undefined, present: string) => (entry?.status ?? present) === 'enabled'
  if (!stays(wanted, record?.firewall.status ?? 'enabled')) return []
  const existing = (world.get('firewalls') ?? []) as Guarded[]
  return services.flatMap((list) =>
    (wanted.devices?.[list] ?? []).flatMap((id): Refusal[] => {
      const inFile = [...others].find(
        ([other, entry]) => other !== name && stays(entry, 'enabled') && entry.devices?.[list]?.includes(id),
      )
      const inAccount = existing.find(({ firewall: { label, status }, devices }) => {
        const entry = others.get(label)
        return label !== name && stays(entry, status) && !entry?.devices?.[list] && idsOf(devices, list).includes(id)
      })
      const holder = inFile?.[0] ?? inAccount?.firewall.label
      if (holder === undefined) return []
      const reason = `${kindOf(list)} ${id} is protected by firewall "${holder}", and only one that is enabled can be`
      return [{ field: `devices.${list}`, reason }]
    }),
  )
}
