/** Assignment of public addresses and IPv6 ranges to compute instances (api.md, Assign rules). */

import * as v from 'valibot'
import { positive } from '../../catalogue/fields'
import { type IpAddress, ips, isPublicIpv4, isRange } from '../../catalogue/ips'
import { isMissing } from '../../catalogue/normalize'
import type { Client } from '../../http/client'
import {
  formatNetwork,
  hasHostBits,
  isPrivateAddress,
  networkOf,
  parseAddress,
  parseNetwork,
  tidyAddress,
} from '../../rules/addresses'
import { isRecord } from '../../rules/records'
import { rememberLast } from '../../rules/remember-last'
import { changed } from '../../rules/texts'
import { changedSince } from '../check-removal'
import type { Kind, PlanInput, PlanRefusal, StepOutcome } from '../kind'
import { noted } from '../kind-functions'
import type { PlanStep } from '../plan-step'
import { isUnknownCompute, regionOfCompute, unknownCompute } from './infer-computes'
import { readAddresses } from './rdns'

const entry = v.strictObject({ compute_id: v.optional(positive('Compute instance that has the address')) })

type Entry = v.InferOutput<typeof entry>
type One = PlanInput<Entry, IpAddress>

export const ipKind: Kind<Entry, IpAddress> = {
  key: 'ips',
  noun: 'address',
  entry,
  services: { compute_id: 'computes' },
  settable: ['compute_id'],
  tidyName,
  nameFault,
  needs: ['rdns'],
  read: readAddresses,
  list: ips.list,
  noteOf: ({ type, region, compute_id }) =>
    noted([type, region && `in ${region}`, compute_id && `of compute instance ${compute_id}`]),
  nameOf,
  idOf: nameOf,
  isOnRequest: true,
  isSettable: (record) => (isPublicIpv4(record) || isRange(record)) && record.compute_id !== null,
  entryOf: ({ compute_id }) => ({ compute_id: compute_id ?? undefined }),
  plan,
}

function nameOf({ address, type, prefix }: IpAddress): string {
  // IPv4 addresses have one spelling only.
  if (type === 'ipv4') return address
  return isRange({ type }) ? `${tidyAddress(address)}/${prefix}` : tidyAddress(address)
}

function tidyName(name: string): string {
  const range = parseNetwork(name)
  return range ? formatNetwork(range) : tidyAddress(name)
}

function nameFault(name: string): string | undefined {
  const range = parseNetwork(name)
  if (range?.family === 'ipv6' && (range.prefix === 56 || range.prefix === 64))
    return hasHostBits(range) ? `Has host bits: write ${formatNetwork(networkOf(range))}` : undefined
  return parseAddress(name)?.family === 'ipv4' ? undefined : 'Must be an IPv4 address, or an IPv6 range with /56 or /64'
}

function plan(one: One): StepOutcome {
  const { record, desired } = one
  if (!record) return { steps: [], refusals: [unknownAddress(one)] }
  const { compute_id } = desired
  if (compute_id === undefined || compute_id === record.compute_id) return { steps: [], refusals: [] }
  const move = { ...one, record, compute_id }
  const refusals = [...wrongMove(move), ...wrongOutcome(move)]
  return { steps: refusals.length > 0 ? [] : [moving(move)], refusals }
}

interface Move extends Pick<One, 'world' | 'entries' | 'isSelected'> {
  record: IpAddress
  compute_id: number
}

function unknownAddress({ name, desired, world }: One): PlanRefusal {
  const range = parseNetwork(name)
  const compute_id = desired.compute_id ?? 'ID'
  const refused = (reason: string, code: PlanRefusal['code'] = 'not_found') => ({ field: null, reason, code })
  if (!range && isPrivateAddress(name))
    return refused(`The API lists no private addresses. To move it: skyctl ips assign ${name}=${compute_id}`, 'refused')
  if (!range)
    return refused(
      `The account has no such public address. The service chooses new ones: skyctl ips allocate --public --compute-id ${compute_id}`,
    )
  const other = addressesIn(world).find((one) => tidyAddress(one.address) === range.address)
  const lacking = other && ['type', 'prefix'].find((field) => isMissing(other, field))
  if (lacking)
    return refused(`The answer lacks the ${lacking}, so skyctl cannot tell whether it is this range`, 'defect')
  if (other) return refused(`The account has ${nameOf(other)}, with another prefix length`)
  return refused(
    `The account has no such IPv6 range. The service chooses new ones: skyctl ipv6 ranges create --prefix-length ${range.prefix} --compute-id ${compute_id}`,
  )
}

/** Addresses are the records of this kind, too. */
const addressesIn = (world: One['world']) => (world.get('ips') ?? []).filter(isAddress)

const isAddress = (record: unknown): record is IpAddress => isRecord(record) && typeof record.address === 'string'

/** Returns the reasons why this address cannot be assigned to that instance. */
function wrongMove({ compute_id, world, record }: Move): PlanRefusal[] {
  const { region, vpc_nat_1_1 } = record
  if (isMissing(record, 'region'))
    return [{ field: null, reason: 'The answer lacks the region, so skyctl cannot assign it', code: 'defect' }]
  if (isUnknownCompute(compute_id, world)) return [unknownCompute(compute_id, 'compute_id')]
  const conflict = (reason: string): PlanRefusal => ({ field: 'compute_id', reason, code: 'conflict' })
  const place = regionOfCompute(compute_id, world) ?? region
  return [
    ...(place === region ? [] : [conflict(`Compute instance ${compute_id} is in ${place}, the address in ${region}`)]),
    ...(vpc_nat_1_1 ? [conflict('It is in use for 1:1 NAT, and cannot be assigned to another instance')] : []),
  ]
}

/**
 * Returns the limits that the instances would break after all selected moves of the file. If an answer lacks a field, any
 * instance may have the address: then the service decides.
 */
function wrongOutcome(move: Move): PlanRefusal[] {
  const { compute_id, record } = move
  const after = holdersAfter(move)
  if (!after) return []
  const conflict = (reason: string): PlanRefusal[] => [{ field: 'compute_id', reason, code: 'conflict' }]
  if (isRange(record) && (after.ranges.get(compute_id) ?? 0) > 1)
    return conflict(`Compute instance ${compute_id} would have more than one IPv6 range`)
  const from = record.compute_id
  if (isPublicIpv4(record) && from !== null && !after.publicIpv4.has(from)) {
    const left = after.unselected.get(from)
    const advice = left === undefined ? 'Assign another one to it as well' : `Add --only ips/${left}`
    return conflict(`Compute instance ${from} would have no public IPv4 address. ${advice}`)
  }
  return []
}

interface Holders {
  /** Number of addresses by instance, after the plan. */
  ranges: ReadonlyMap<number | null, number>
  publicIpv4: ReadonlyMap<number | null, number>
  /** Name of an address that the file moves to an instance, but the selection leaves out. */
  unselected: ReadonlyMap<number, string>
}

/** Counts the addresses of instances after all selected moves, once for each plan; undefined if an answer lacks a field. */
const holdersAfter = rememberLast(
  ({ entries }: Pick<Move, 'entries' | 'world' | 'isSelected'>) => entries,
  ({ entries, world, isSelected = () => true }): Holders | undefined => {
    const all = addressesIn(world)
    if (all.some((one) => ['type', 'public', 'compute_id'].some((field) => isMissing(one, field)))) return undefined
    const [ranges, publicIpv4] = [new Map<number | null, number>(), new Map<number | null, number>()]
    const unselected = new Map<number, string>()
    for (const one of all) {
      const name = nameOf(one)
      const target = entries.get(name)?.compute_id
      const holder = (isSelected(name) && target) || one.compute_id
      if (isRange(one)) ranges.set(holder, (ranges.get(holder) ?? 0) + 1)
      if (isPublicIpv4(one)) publicIpv4.set(holder, (publicIpv4.get(holder) ?? 0) + 1)
      if (target !== undefined && !isSelected(name) && !unselected.has(target)) unselected.set(target, name)
    }
    return { ranges, publicIpv4, unselected }
  },
)

const whom = (id: number | null) => (id === null ? 'none' : `compute instance ${id}`)

function moving({ record, compute_id }: Move): PlanStep {
  const { region, compute_id: from } = record
  const address = nameOf(record)
  return {
    action: 'assign',
    does: 'ips assign',
    target: [`${address}=${compute_id}`],
    body: { region, assignments: [{ address, compute_id }] },
    replaced: { region, assignments: [{ address, compute_id: from }] },
    batch: { key: `addresses in ${region}`, list: 'assignments', guard: expectUnmoved },
    changes: [changed('assigned to', whom(from), whom(compute_id))],
    ...(from !== null && {
      consequences: [{ kind: 'cuts off', text: `compute instance ${from} from traffic to ${address}` }],
    }),
  }
}

/**
 * Throws `changed` if somebody has assigned one of the addresses to a third instance since the plan was made, which
 * would lose it.
 */
async function expectUnmoved(client: Client, { body, replaced }: Pick<PlanStep, 'body' | 'replaced'>): Promise<void> {
  const records = await readAddresses(client)
  const [before, after] = [holdersIn(replaced), holdersIn(body)]
  for (const record of records) {
    const [address, id] = [nameOf(record), record.compute_id]
    if (!after.has(address) || isMissing(record, 'compute_id')) continue
    if (id === before.get(address) || id === after.get(address)) continue
    throw changedSince(address, `was assigned to ${whom(id)}`)
  }
}

/** Returns the instances in a request, by address. */
function holdersIn({ assignments }: Readonly<Record<string, unknown>> = {}): ReadonlyMap<unknown, unknown> {
  const all = Array.isArray(assignments) ? assignments.filter(isRecord) : []
  return new Map(all.map(({ address, compute_id }) => [address, compute_id]))
}
