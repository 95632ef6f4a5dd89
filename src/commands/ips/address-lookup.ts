import { named, readAll } from '../../account/resource'
import { ipResource } from '../../account/resources/address'
import { type IpAddress, ips } from '../../catalogue/ips'
import { type Ipv6Block, ipv6Ranges } from '../../catalogue/ipv6'
import type { Session } from '../../engine/session'
import type { Client } from '../../http/client'
import { parseAddress } from '../../rules/addresses'

/** Reads all addresses but private ones, which the API does not list. */
export async function readAddresses(session: Session): Promise<IpAddress[]> {
  return readAll(await session.account.client(), ips.list, { query: { skip_ipv6_rdns: true } })
}

/** An address or a range; a range that was read by itself lacks `public`. */
export type Holding = Pick<IpAddress, 'address' | 'type' | 'compute_id' | 'region' | 'vpc_nat_1_1'> &
  Partial<Pick<IpAddress, 'public'>>

/** Finds an address or a range (with or without prefix length); reads it if it is not listed. */
export async function lookUp(written: string, listed: readonly IpAddress[], session: Session): Promise<Holding> {
  const [text = ''] = written.split('/')
  const { address = text, family } = parseAddress(text) ?? {}
  const match = listed.find((one) => one.address === address)
  if (match) return match
  const client = await session.account.client()
  if (family === 'ipv4') return named(client.call(ips.view, { path: { address } }), address, ipResource)
  const read = client.call(ipv6Ranges.view, { path: { range: address } })
  const { computes, region } = await named(read, address, { noun: 'IPv6 range' })
  const [first = null, ...others] = computes ?? []
  const holder = others.length > 0 ? await readHolder(address, listed, client) : undefined
  return { address, type: 'ipv6/range', compute_id: holder ?? first, region }
}

/** Reads the list of ranges, which names the holder among the instances that share a range. */
async function readHolder(address: string, listed: readonly IpAddress[], client: Client): Promise<number | undefined> {
  const block = (await readAll(client, ipv6Ranges.list)).find(({ range }) => range === address)
  return block && holderOf(block, listed)
}

/** Returns the instance that a range is routed to, by its own row or that of its target; undefined if unknown. */
export function holderOf(
  { range, route_target }: Pick<Ipv6Block, 'range' | 'route_target'>,
  listed: readonly IpAddress[],
): number | undefined {
  const holderAt = (text: string) => listed.find(({ address }) => address === parseAddress(text)?.address)?.compute_id
  return holderAt(range) ?? holderAt(route_target ?? '') ?? undefined
}

/** Returns the region of an instance, as its addresses say; undefined if none does. */
export const regionOf = (compute_id: number, listed: readonly IpAddress[]): string | undefined =>
  listed.find((one) => one.compute_id === compute_id)?.region ?? undefined
