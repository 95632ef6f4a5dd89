/** What a firewall protects, and how a file wants it. */
import * as v from 'valibot'
import { choice, positive, strings } from '../../catalogue/fields'
import { firewallRules } from '../../catalogue/firewall-rules'
import { type Firewall, type FirewallDevice, firewallDevices, firewalls } from '../../catalogue/firewalls'
import { createPacker } from '../../data/packed'
import { isGone } from '../../errors'
import type { Client } from '../../http/client'
import { atOnce, mostReads } from '../at-once'
import { type Case, type Consequence, inOrder, readAll, type Step } from '../kind'
import { testEntry } from './firewall-tests'

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
        computes: v.optional(v.array(positive('ID of a compute instance'), 'Must be an array')),
        balancers: v.optional(
          v.pipe(
            v.array(positive('ID of a balancer'), 'Must be an array'),
            v.maxLength(1, 'Only one balancer can be assigned to a firewall'),
          ),
        ),
      }),
      v.description('All that it protects; a list that is left out is left alone'),
    ),
  ),
  tests: v.optional(
    v.pipe(
      v.array(testEntry, 'Must be an array'),
      v.description('Packets as `firewalls test --cases` takes them; each must be judged as it expects'),
    ),
  ),
})

export type Entry = v.InferOutput<typeof entry>

export interface Guarded {
  firewall: Firewall
  devices: readonly FirewallDevice[]
}

/** No list tells what a firewall protects. One that was deleted since the list was read is none. */
export async function readGuarded(client: Client): Promise<Guarded[]> {
  const withDevices = async (firewall: Firewall): Promise<Guarded[]> => {
    try {
      const call = { path: { firewallId: firewall.id } }
      return [{ firewall, devices: await readAll(client, firewallDevices.list, call) }]
    } catch (error) {
      if (isGone(error)) return []
      throw error
    }
  }
  const all: Firewall[] = []
  const pack = createPacker()
  for await (const page of client.pages(firewalls.list)) {
    page.forEach(pack)
    all.push(...page)
  }
  return (await atOnce(all, withDevices, mostReads)).flat()
}

export type One = Case<Entry, Guarded>

/** Whoever plans firewalls has read them. */
export const firewallsOf = ({ world }: Pick<One, 'world'>) => world.get('firewalls') as readonly Guarded[]

export const services = ['computes', 'balancers'] as const
export type Services = (typeof services)[number]

export const kindOf = (list: Services) => (list === 'computes' ? 'compute' : 'balancer')

export const listOf = (type: string): Services => (type === 'compute' ? 'computes' : 'balancers')

export const idsOf = (devices: readonly FirewallDevice[], list: Services) =>
  inOrder(devices.flatMap(({ entity: { id, type } }) => (type === kindOf(list) ? [id] : [])))

/** What a firewall will protect when all is done. */
export const idsAfter = (wanted: Entry['devices'], record: Guarded | undefined, list: Services) =>
  wanted?.[list] ?? idsOf(record?.devices ?? [], list)

/** The firewall that waits for a service of another one. */
type Claimant = (type: string, id: number) => string | undefined

/** Services that it protects and shall not. */
export function unassigning(wanted: Entry['devices'], guarded: Guarded, claimant: Claimant): Step[] {
  return guarded.devices.flatMap((device) => {
    const { id: deviceId, entity } = device
    const kept = wanted?.[listOf(entity.type)]
    if (kept === undefined || kept.includes(entity.id)) return []
    return [
      {
        action: 'unassign',
        command: ['firewalls', 'devices', 'delete'],
        arguments: [String(guarded.firewall.id), String(deviceId)],
        flags: { 'if-present': true },
        changes: [`protects ${entity.type} ${entity.id} no longer`],
        consequences: unprotecting({ ...guarded, devices: [device] }, claimant),
        ...(claimant(entity.type, entity.id) !== undefined && { first: true as const }),
      },
    ]
  })
}

/** What is open without a firewall; one that is not in force protects nothing. */
export function unprotecting({ firewall, devices }: Guarded, claimant: Claimant): Consequence[] {
  if (firewall.status !== 'enabled') return []
  return devices.map(({ entity: { type, id } }) => {
    const next = claimant(type, id)
    const until = next === undefined ? '' : `, until firewall "${next}" protects it`
    return { kind: 'unprotects', text: `${type} ${id} is open to all traffic${until}` }
  })
}

/** `target` is how a command names the firewall. */
export function assigning({ wanted }: One, target: string, devices: readonly FirewallDevice[]): Step[] {
  return services.flatMap((list) => {
    const present = idsOf(devices, list)
    const added = wanted.devices?.[list]?.filter((id) => !present.includes(id)) ?? []
    return added.map((id) => ({
      action: 'assign',
      command: ['firewalls', 'devices', 'add'],
      arguments: [target],
      body: { id, type: kindOf(list) },
      changes: [`protects ${kindOf(list)} ${id}`],
    }))
  })
}
