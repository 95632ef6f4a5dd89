/** Computes the effects of a new list of shared addresses before it is sent. */
import type { IpAddress } from '../../catalogue/ips'
import { ipv6Ranges } from '../../catalogue/ipv6'
import type { FieldError } from '../../errors'
import type { Session } from '../../session'
import { lookUp } from './address-lookup'

interface Sharing {
  compute_id: number
  ips: readonly string[]
}

/** Returns the known errors of a list. Throws `not_found` for a missing address. */
export async function wrongSharing(
  { compute_id, ips }: Sharing,
  listed: readonly IpAddress[],
  session: Session,
): Promise<FieldError[]> {
  const region = regionOf(compute_id, listed)
  const errors: FieldError[] = []
  for (const [index, written] of ips.entries()) {
    const holding = await lookUp(written, listed, session)
    const field = `ips[${index}]`
    // If the answer lacks a region, the service decides.
    if (region !== undefined && (holding.region ?? region) !== region) {
      const reason = `${written} is in ${holding.region}, compute instance ${compute_id} in ${region}`
      errors.push({ field, reason })
    }
    if (holding.vpc_nat_1_1) errors.push({ field, reason: `${written} is in use for 1:1 NAT` })
  }
  return errors
}

const regionOf = (compute_id: number, listed: readonly IpAddress[]) =>
  listed.find((one) => one.compute_id === compute_id)?.region ?? undefined

/** Returns sentences about added and removed ranges. */
export function sharingLines({ compute_id, ips }: Sharing, before: readonly string[]): string[] {
  const added = ips.filter((one) => !before.includes(one))
  const removed = before.filter((one) => !ips.includes(one))
  const whom = `compute instance ${compute_id}`
  return [
    ...(added.length > 0 ? [`Shared with ${whom} from now on: ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`No longer shared with ${whom}: ${removed.join(', ')}`] : []),
    `The list is complete: all other IPv4 addresses are no longer shared with ${whom}`,
  ]
}

/** Reports whether `sharedRanges` is complete: it is not if the instance's region is unknown. */
export const isSeen = (compute_id: number, listed: readonly IpAddress[]) => regionOf(compute_id, listed) !== undefined

/** Reads the ranges that are shared with an instance; the API lists no other shared addresses. */
export async function sharedRanges(
  compute_id: number,
  listed: readonly IpAddress[],
  session: Session,
): Promise<string[]> {
  const client = await session.account.client()
  const region = regionOf(compute_id, listed)
  const shared: string[] = []
  for await (const page of client.pages(ipv6Ranges.list)) {
    // A range that was overlooked would be taken away.
    for (const { range } of page.filter((one) => (one.region ?? region) === region)) {
      const { computes } = await client.call(ipv6Ranges.view, { path: { range }, essential: ['computes'] })
      const holder = listed.find(({ address }) => address === range)?.compute_id
      if (holder !== compute_id && computes.includes(compute_id)) shared.push(range)
    }
  }
  return shared
}
