/** What the service tells about addresses and ranges: who has them, and where. */
import { type IpAddress, ips } from '../../catalogue/ips'
import { ipv6Ranges } from '../../catalogue/ipv6'
import { filteredPages } from '../../engine/filter/refusal'
import { named } from '../../engine/resource'
import { parseAddress } from '../../rules/addresses'
import type { Session } from '../../session'
import { ipResource } from './resource'

/** All addresses but the private ones, which the service does not list. */
export async function readAddresses(session: Session): Promise<IpAddress[]> {
  const client = await session.client()
  const found: IpAddress[] = []
  for await (const page of client.pages(ips.list, { query: { skip_ipv6_rdns: true } })) found.push(...page)
  return found
}

/** The addresses of a compute instance, but the private ones. */
export async function addressesOf(computeId: unknown, session: Session): Promise<IpAddress[]> {
  const client = await session.client()
  const call = { query: { skip_ipv6_rdns: true }, filter: { compute_id: computeId } }
  const found: IpAddress[] = []
  for await (const page of filteredPages(client, ips.list, call))
    found.push(...page.filter(({ compute_id }) => compute_id === computeId))
  return found
}

/** Of a range that is read by itself nothing tells whether it is public. */
export type Holding = Pick<IpAddress, 'address' | 'type' | 'compute_id' | 'region' | 'vpc_nat_1_1'> &
  Partial<Pick<IpAddress, 'public'>>

/** What is known of an address or a range (with or without prefix length); what is not listed is read by itself. */
export async function lookUp(written: string, listed: readonly IpAddress[], session: Session): Promise<Holding> {
  const [text = ''] = written.split('/')
  const { address = text, family } = parseAddress(text) ?? {}
  const known = listed.find((one) => one.address === address)
  if (known) return known
  const client = await session.client()
  if (family === 'ipv4') return named(client.call(ips.view, { path: { address } }), address, ipResource)
  const read = client.call(ipv6Ranges.view, { path: { range: address } })
  const range = await named(read, address, { noun: 'IPv6 range' })
  const { computes, region } = range
  return { address, type: 'ipv6/range', compute_id: computes[0] ?? null, region }
}
