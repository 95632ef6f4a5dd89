/** Computes the effects of assignments before they are sent (api.md, Assign rules 2 and 3). */
import { type IpAddress, isPrivateIpv4, isPublicIpv4, isRange } from '../../catalogue/ips'
import { isMissing } from '../../catalogue/normalize'
import type { FieldError } from '../../errors'
import { type Holding, regionOf } from './address-lookup'

export interface Assignment {
  address: string
  compute_id: number
}

/** A move of one address; `from` is null if its instance is unknown. */
export interface Move extends Assignment {
  holding: Holding
  from: number | null
}

/** Returns all known errors; private addresses that do not move are not listed, and so are not checked. */
export function wrongAssignments(moves: readonly Move[], region: string, listed: readonly IpAddress[]): FieldError[] {
  return [...wrongMoves(moves, region, listed), ...wrongOutcomes(moves, listed)]
}

function wrongMoves(moves: readonly Move[], region: string, listed: readonly IpAddress[]): FieldError[] {
  const addresses = new Set<string>()
  return moves.flatMap(({ address, holding, from, compute_id }, index) => {
    const [own, other] = [holding.region ?? region, regionOf(compute_id, listed)]
    const reasons = [
      ...((holding.region ?? region) === region ? [] : [`${address} is in ${holding.region}, not in ${region}`]),
      ...(other === undefined || other === own || own !== region
        ? []
        : [`${address} is in ${own}, and compute instance ${compute_id} in ${other}`]),
      ...(addresses.has(holding.address) ? [`${address} is assigned twice`] : []),
      ...(holding.vpc_nat_1_1 && from !== compute_id ? [`${address} is in use for 1:1 NAT`] : []),
    ]
    addresses.add(holding.address)
    return reasons.map((reason) => ({ field: `assignments[${index}].address`, reason }))
  })
}

const noPublic = 'no public IPv4 address'

const limits = [
  { is: isPublicIpv4, least: 1, most: Number.POSITIVE_INFINITY, wrong: noPublic },
  { is: isPrivateIpv4, least: 0, most: 1, wrong: 'more than one private IPv4 address' },
  { is: isRange, least: 0, most: 1, wrong: 'more than one IPv6 range' },
]

/** Checks the resulting addresses of all instances involved. */
function wrongOutcomes(moves: readonly Move[], listed: readonly IpAddress[]): FieldError[] {
  const moving = new Map(moves.map((move) => [move.holding.address, move]))
  const after = [
    ...listed.filter(({ address }) => !moving.has(address)),
    ...[...moving.values()].map(({ holding, compute_id }) => ({ ...holding, compute_id })),
  ]
  // Any instance may hold an address whose kind or instance the answer lacks: then the service decides.
  const isUnknown = (one: object) => ['type', 'public', 'compute_id'].some((field) => isMissing(one, field))
  if (listed.some(isUnknown) || moves.some(({ holding }) => isUnknown(holding))) return []
  const involved = new Set(moves.flatMap(({ from, compute_id }) => (from === null ? [compute_id] : [from, compute_id])))
  return [...involved].flatMap((compute) =>
    limits
      .filter(({ is, least, most }) => {
        const count = after.filter((one) => one.compute_id === compute && is(one)).length
        return count < least || count > most
      })
      .map(({ wrong }) => ({ field: 'assignments', reason: outcomeReason(compute, wrong) })),
  )
}

const outcomeReason = (compute: number, wrong: string) => `compute instance ${compute} would have ${wrong}`

/** Returns the command that makes a move possible: a swap, or another address for the instance that loses its last. */
export function assignHint(
  moves: readonly Move[],
  listed: readonly IpAddress[],
  errors: readonly FieldError[],
): string | undefined {
  const swap = swapHint(moves, listed)
  const [move, ...otherMoves] = moves
  const fixed = moves.find(({ holding }) => holding.vpc_nat_1_1)
  if (fixed) return fixedHint(fixed)
  const [error, ...otherErrors] = errors
  // A new address would fix no other error.
  const isOnly = otherMoves.length === 0 && otherErrors.length === 0
  if (swap || !isOnly || move?.from == null || error?.reason !== outcomeReason(move.from, noPublic)) return swap
  return `Allocate another one for it first: skyctl ips allocate --compute-id ${move.from} --public`
}

/** Says how to free an address that cannot move. */
function fixedHint({ address, from }: Move): string {
  const at = from === null ? 'its instance' : `compute instance ${from}`
  return `This API cannot end that: remove ${address} from the VPC interface of ${at} in the web console`
}

/**
 * Returns the command for a swap if an instance would be left without a public address, and the other one has exactly
 * one.
 */
function swapHint(moves: readonly Move[], listed: readonly IpAddress[]): string | undefined {
  const [move] = moves
  if (!move || moves.length > 1 || move.from === null || !isPublicIpv4(move.holding)) return undefined
  const [back, ...others] = listed.filter((one) => one.compute_id === move.compute_id && isPublicIpv4(one))
  // A swap cures only what an instance would lack.
  if (!back || others.length > 0 || move.holding.vpc_nat_1_1 || back.region !== move.holding.region) return undefined
  return `To swap the two: skyctl ips assign ${move.address}=${move.compute_id} ${back.address}=${move.from}`
}
