/**
 * Protects the user's own SSH connection. A change only blocks it if it ends at an instance that the firewall protects,
 * according to the account's addresses. If they are unreadable, it may be any instance.
 */
import { ips } from '../../catalogue/ips'
import { Problem } from '../../errors'
import type { ReachabilityChange, Service } from '../../firewall/effects'
import type { SshConnection } from '../../firewall/keep-open'
import { covers, type IpNetwork, parseAddress } from '../../rules/addresses'
import type { Account } from '../account'
import type { KeepOpenRequirement } from './read-keep-open'

interface ChangedReachability {
  shifts: readonly ReachabilityChange[]
  /** Returns messages for one change. */
  lostOf(shift: ReachabilityChange, requirement: KeepOpenRequirement): string[]
}

/**
 * Returns messages if the connection would be blocked; reads addresses only if a change blocks it for some instance.
 */
export async function sshLost(
  connection: SshConnection,
  { shifts, lostOf }: ChangedReachability,
  account: Account,
): Promise<string[]> {
  const requirement: KeepOpenRequirement = { ...connection, by: 'SSH_CONNECTION', ifOpen: true }
  const closing = shifts
    .map((shift) => ({ ...shift, services: shift.services.filter(({ type }) => type !== 'balancer') }))
    .filter((shift) => lostOf(shift, requirement).length > 0)
  if (closing.length === 0) return []
  const owners = await ownersOf(connection, account)
  const isMeant = ({ id }: Service) => owners === undefined || owners.has(id)
  const hit = closing.flatMap((shift) => {
    if (shift.where !== undefined) return owners?.size === 0 ? [] : [shift]
    const services = shift.services.filter(isMeant)
    return services.length > 0 ? [{ ...shift, services }] : []
  })
  return hit.flatMap((shift) => lostOf(shift, requirement))
}

/** Returns the instances with the connection's server address; undefined if unknown. */
async function ownersOf({ server }: SshConnection, account: Account): Promise<ReadonlySet<number> | undefined> {
  try {
    const client = await account.client()
    const owners = new Set<number>()
    for await (const page of client.pages(ips.list)) {
      for (const { address, compute_id, type, prefix, vpc_nat_1_1 } of page) {
        const isRange = type === 'ipv6/range' || type === 'ipv6/pool'
        const networks = [holding(address, isRange ? prefix : undefined), holding(vpc_nat_1_1?.address)]
        if (compute_id !== null && networks.some((network) => network && covers(network, server)))
          owners.add(compute_id)
      }
    }
    return owners
  } catch (error) {
    if (error instanceof Problem && !account.signal.aborted) return undefined
    throw error
  }
}

function holding(address: string | undefined, prefix?: number): IpNetwork | undefined {
  const single = address === undefined ? undefined : parseAddress(address)
  return single && { ...single, prefix: prefix ?? single.prefix }
}
